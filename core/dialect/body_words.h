// How a target words what most targets have: sampling, stops, thinking, the form of the answer. Rows of
// constants and their one writer.
#pragma once

#include "dialect/request_common.h"

namespace shunt::dialect {

// Each a member with `$` where the value goes; null = the target has no word for it.
struct BodyWords {
  const char* max_tokens = nullptr;
  const char* temperature = nullptr;
  const char* top_p = nullptr;
  const char* top_k = nullptr;
  const char* stop = nullptr;  // up to the opening bracket
  const char* user = nullptr;
  const char* choices = nullptr;
  const char* think = nullptr;     // think as the model likes
  const char* no_think = nullptr;  // do not
  const char* budget = nullptr;    // think for so many tokens
  const char* json_object = nullptr;
  const char* json_schema = nullptr;
};

// What the client asked for and the target has no word for is dropped with a warning.
void write_sampling(const Request& request, const BodyWords& words, PieceWriter& w);
void write_thinking(const Params& params, const BodyWords& words, PieceWriter& w);
void write_answer_format(const ResponseFormat& format, const BodyWords& words, PieceWriter& w);
// More answers than one are refused where the target has no word for them.
bool only_one_choice(const Request& request, const BodyWords& words, RequestProblem& problem);

}  // namespace shunt::dialect
