// How a target words what most targets have: sampling, stops, thinking, the form of the answer, tools. Rows
// of constants and their one writer.
#pragma once

#include "dialect/request_common.h"

namespace shunt::dialect {

// The five choices of a tool, in the order of ToolChoice: a member each, `$` = the name. Null = the target
// has no word for it, empty = it says it by saying nothing.
using ChoiceWords = const char* [5];

// Of a target whose tools may take plain text.
struct CustomWords {
  const char* tool;     // as ToolWords'
  const char* grammar;  // syntax, definition
  const char* choice;   // `$` = the name
  const char* call;     // id, name; up to the text
};

struct ToolWords {
  const char* open;              // the list of tools, up to the first
  const char* tool;              // one, up to its name's member; `$` = the name
  const char* schema;            // the name of the member that takes it
  bool schema_always = true;     // one without parameters has an empty schema
  const char* strict = nullptr;  // of a tool whose calls keep to its schema
  const char* lax = nullptr;     // of one that may not
  const CustomWords* custom = nullptr;
  const MarkWords* marks = nullptr;         // members …
  bool marks_apart = false;                 // … or elements behind the tool
  const char* end = "}";                    // of one
  const char* close = "]";                  // of the list
  const ChoiceWords* choices = nullptr;     // never null
  const ChoiceWords* one_by_one = nullptr;  // where the same members forbid parallel calls …
  const char* serial = nullptr;             // … or one of its own
  const char* after = nullptr;              // behind the choice
};

// Each a member with `$` where the value goes; null = the target has no word for it.
struct BodyWords {
  const char* max_tokens = nullptr;
  const char* temperature = nullptr;
  bool cool = false;              // it takes none above 1
  const char* coldest = nullptr;  // … and this in place of 0
  const char* top_p = nullptr;
  const char* top_k = nullptr;
  const char* seed = nullptr;
  const char* presence_penalty = nullptr;
  const char* frequency_penalty = nullptr;
  const char* stop = nullptr;  // up to the opening bracket
  std::uint8_t most_stops = 255;
  const char* user = nullptr;
  const char* choices = nullptr;
  const char* logprobs = nullptr;
  const char* top_logprobs = nullptr;
  const char* think = nullptr;     // think as the model likes
  const char* no_think = nullptr;  // do not
  const char* budget = nullptr;    // think for so many tokens
  const char* effort = nullptr;    // … in OpenAI's words
  const char* json_object = nullptr;
  const char* json_schema = nullptr;   // the schema alone
  const char* named_schema = nullptr;  // … in OpenAI's form: up to its name's member; two objects are open
};

// What the client asked for and the target has no word for is dropped with a warning.
void write_sampling(const Request& request, const BodyWords& words, PieceWriter& w);
void write_logprobs(const Params& params, const BodyWords& words, PieceWriter& w);
void write_thinking(const Params& params, const BodyWords& words, PieceWriter& w);
void write_answer_format(const ResponseFormat& format, const BodyWords& words, PieceWriter& w);
// All four.
void write_settings(const Request& request, const BodyWords& words, PieceWriter& w);
void write_tools(const Request& request, const ToolWords& words, PieceWriter& w);
// More answers than one are refused where the target has no word for them.
bool only_one_choice(const Request& request, const BodyWords& words, RequestProblem& problem);

// The word for how hard to think in OpenAI's APIs; empty = none is said.
std::string_view openai_effort(const Params& params);

}  // namespace shunt::dialect
