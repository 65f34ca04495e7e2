// Writes Messages request bodies. https://docs.anthropic.com/en/api/messages
#include <algorithm>

#include "base/strings.h"
#include "catalog/envelopes.h"
#include "dialect/anthropic_request.h"
#include "dialect/edits.h"
#include "dialect/turn_body.h"

namespace shunt::dialect {
namespace {

constexpr std::int64_t kLeastBudget = 1024;  // of thinking, that the API takes

constexpr MarkWords kMarks = {nullptr, R"("cache_control":{"type":"ephemeral"})",
                              R"("cache_control":{"type":"ephemeral","ttl":"1h"})"};
constexpr TurnWords kTurns = {.text = R"({"type":"text","text":"$")",
                              .image = R"({"type":"image")",
                              .document = R"({"type":"document")",
                              .data = R"("source":{"type":"base64","media_type":"$","data":"$"})",
                              .url = R"("source":{"type":"url","url":"$"})",
                              .title = R"("title":"$")",
                              .call = R"({"type":"tool_use","id":"$","name":"$")",
                              .input = R"("input":)",
                              .result = R"({"type":"tool_result","content":[)",
                              .failed = R"("is_error":true)",
                              .result_id = R"("tool_use_id":"$")",
                              .marks = &kMarks};
constexpr ChoiceWords kChoices = {"", R"("tool_choice":{"type":"auto"})", R"("tool_choice":{"type":"none"})",
                                  R"("tool_choice":{"type":"any"})",
                                  R"("tool_choice":{"type":"tool","name":"$"})"};
#define ONE_BY_ONE R"("disable_parallel_tool_use":true})"
constexpr ChoiceWords kOneByOne = {
    R"("tool_choice":{"type":"auto",)" ONE_BY_ONE, R"("tool_choice":{"type":"auto",)" ONE_BY_ONE,
    R"("tool_choice":{"type":"none"})", R"("tool_choice":{"type":"any",)" ONE_BY_ONE,
    R"("tool_choice":{"type":"tool","name":"$",)" ONE_BY_ONE};
#undef ONE_BY_ONE
constexpr ToolWords kTools = {.open = R"("tools":[)",
                              .tool = R"({"name":"$")",
                              .schema = R"("input_schema":)",
                              .strict = R"("strict":true)",
                              .marks = &kMarks,
                              .choices = &kChoices,
                              .one_by_one = &kOneByOne};
constexpr BodyWords kParams = {
    .max_tokens = R"("max_tokens":$)",
    .temperature = R"("temperature":$)",
    .cool = true,
    .top_p = R"("top_p":$)",
    .top_k = R"("top_k":$)",
    .stop = R"("stop_sequences":[)",
    .user = R"("metadata":{"user_id":"$"})",
    .budget = R"("thinking":{"type":"enabled","budget_tokens":$})",
    .json_schema = R"("output_config":{"format":{"type":"json_schema","schema":$}})"};

std::int64_t budget_of(Effort effort) {
  switch (effort) {
    case Effort::unset:
    case Effort::none:
    case Effort::minimal: return 0;
    case Effort::low: return kLeastBudget;
    case Effort::medium: return 4096;
    case Effort::high:
    case Effort::xhigh:
    case Effort::max: return 16384;
  }
  return 0;
}

// With thinking on, the API refuses forced tool choice, a prefilled answer, and earlier tool calls without
// the thinking blocks before them, which a request of another dialect cannot have.
bool may_think(const Request& request) {
  if (request.tool_choice == ToolChoice::required) return false;
  if (request.tool_choice == ToolChoice::named) return false;
  if (!request.messages.empty() && request.messages.back().role == Role::assistant) return false;
  return std::none_of(request.messages.begin(), request.messages.end(), [](const Message& message) {
    return std::any_of(message.parts.begin(), message.parts.end(),
                       [](const Part& part) { return part.kind == PartKind::tool_call; });
  });
}

// With thinking on, it takes no sampling parameters; newer models refuse temperature and top_p together.
BodyWords words_for(const Params& params, bool thinking) {
  BodyWords words = kParams;
  if (thinking) words.temperature = words.top_k = nullptr;
  if (thinking || params.temperature.present) words.top_p = nullptr;
  return words;
}

void write_params(const Request& request, const RequestTarget& target, PieceWriter& w) {
  const Params& params = request.params;
  const std::int64_t max_tokens =
      params.max_tokens.value_or(target.default_max_tokens.value_or(kDefaultMaxTokens));
  const std::int64_t budget =
      params.thinking_budget ? std::max(*params.thinking_budget, kLeastBudget) : budget_of(params.effort);
  const bool thinking = budget > 0 && budget < max_tokens && may_think(request);
  if (thinking) {
    w.integer(kParams.budget, budget);
  } else if (budget > 0) {
    w.drop("reasoning_effort");
  }
  if (!params.max_tokens) w.integer(kParams.max_tokens, max_tokens);
  write_sampling(request, words_for(params, thinking), w);
  write_logprobs(params, kParams, w);
}

}  // namespace

bool write_anthropic(const Request& request, const RequestTarget& target, BodyPieces& out,
                     RequestProblem& problem) {
  out.clear();
  if (!translatable(request, problem) || !only_one_choice(request, problem)) return false;
  PieceWriter w(out);
  w.put("{");
  if (!write_turns(kTurns, request, w, problem)) return false;
  if (request.partial) {
    end_partial(request, out);
    return true;
  }
  write_tools(request, kTools, w);
  write_answer_format(request.params.response_format, kParams, w);
  write_params(request, target, w);
  const Envelope* const envelope = envelope_of(target.quirks);
  if (request.stream && !(envelope != nullptr && envelope->stream_in_path)) w.put(R"("stream":true)");
  envelope != nullptr ? w.put(envelope->version) : w.word(R"("model":"$")", target.model);
  w.put("}");
  list_dropped(request, out, true);
  return true;
}

}  // namespace shunt::dialect
