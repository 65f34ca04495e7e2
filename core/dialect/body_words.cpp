// How a target words what most targets have. See body_words.h.
#include "dialect/body_words.h"

namespace shunt::dialect {
namespace {

void number(const char* word, const char* name, const std::optional<std::int64_t>& value, PieceWriter& w) {
  if (!value) return;
  word != nullptr ? w.integer(word, *value) : w.drop(name);
}

void said(const char* word, const char* name, const BodyText& value, PieceWriter& w) {
  if (!value.present) return;
  word != nullptr ? w.put(word, value) : w.drop(name);
}

}  // namespace

void write_sampling(const Request& request, const BodyWords& words, PieceWriter& w) {
  const Params& params = request.params;
  number(words.max_tokens, "max_tokens", params.max_tokens, w);
  said(words.temperature, "temperature", params.temperature, w);
  said(words.top_p, "top_p", params.top_p, w);
  said(words.top_k, "top_k", params.top_k, w);
  if (!params.stop.empty()) words.stop != nullptr ? w.strings(words.stop, params.stop) : w.drop("stop");
  said(words.user, "user", params.user, w);
  if (params.choices.value_or(1) != 1) number(words.choices, "n", params.choices, w);
}

void write_thinking(const Params& params, const BodyWords& words, PieceWriter& w) {
  if (params.effort == Effort::none) {
    if (words.no_think != nullptr) w.put(words.no_think);
    return;
  }
  if (params.effort == Effort::unset && !params.thinking_budget) return;
  if (params.thinking_budget && words.budget != nullptr) {
    w.integer(words.budget, *params.thinking_budget);
  } else {
    words.think != nullptr ? w.put(words.think) : w.drop("reasoning_effort");
  }
}

void write_answer_format(const ResponseFormat& format, const BodyWords& words, PieceWriter& w) {
  if (format.kind == ResponseFormat::Kind::text) return;
  const bool schema = format.kind == ResponseFormat::Kind::json_schema;
  const char* word = schema ? words.json_schema : words.json_object;
  if (word == nullptr) return w.drop("response_format");
  schema ? w.put(word, format.schema) : w.put(word);
}

bool only_one_choice(const Request& request, const BodyWords& words, RequestProblem& problem) {
  return words.choices != nullptr || only_one_choice(request, problem);
}

}  // namespace shunt::dialect
