// Writes Messages request bodies. https://docs.anthropic.com/en/api/messages
#include <algorithm>

#include "base/strings.h"
#include "dialect/anthropic_request.h"
#include "dialect/body_words.h"
#include "dialect/edits.h"

namespace shunt::dialect {
namespace {

constexpr std::int64_t kLeastBudget = 1024;  // of thinking, that the API takes

bool is_system(const Message& message) {
  return message.role == Role::system || message.role == Role::developer;
}

constexpr char kUserTurn[] = R"({"role":"user","content":[)";
constexpr char kAssistantTurn[] = R"({"role":"assistant","content":[)";

// Turns alternate here: consecutive messages of one side, tool results among the user's, become one. A
// message is opened by its first block, so that what is empty (the API refuses empty texts) leaves no trace.
class TurnWriter {
 public:
  TurnWriter(PieceWriter& out, RequestProblem& problem) : w_(out), problem_(problem) {}

  bool write(const Message& message) {
    const bool assistant = message.role == Role::assistant;
    for (const Part& part : message.parts) {
      if (part.kind == PartKind::thinking || part.kind == PartKind::other) {
        w_.drop("messages[].content[] of type ", part.type);
        continue;
      }
      if (is_empty(part)) continue;
      turn(assistant ? kAssistantTurn : kUserTurn);
      if (!write_block(part)) return refuse(message, "holds what the target cannot say", problem_);
    }
    return true;
  }

  void close() {
    if (turn_ != nullptr) w_.put("]}");
    turn_ = nullptr;
  }

  void write_text(const Part& part) {
    w_.put(R"({"type":"text","text":"$")", part.text);
    end_block(part);
  }

  static bool is_empty(const Part& part) {
    const bool text = part.kind == PartKind::text || part.kind == PartKind::refusal;
    return text && part.text.empty();
  }

 private:
  void turn(const char* opening) {
    if (opening == turn_) return;
    close();
    turn_ = opening;
    w_.put(opening);
  }

  bool write_block(const Part& part) {
    switch (part.kind) {
      case PartKind::text:
      case PartKind::refusal: write_text(part); return true;
      case PartKind::image_url:
      case PartKind::image_base64: write_source(R"({"type":"image","source":{)", part); return true;
      case PartKind::document_url:
      case PartKind::document_base64: write_source(R"({"type":"document","source":{)", part); return true;
      case PartKind::tool_call:
        w_.put(R"({"type":"tool_use","id":"$","name":"$")", mended_id(part.id), part.name);
        w_.put(R"("input":$})", part.input);
        return true;
      case PartKind::tool_result: return write_result(part);
      case PartKind::thinking:
      case PartKind::other: break;
    }
    return false;
  }

  // The title comes after the data, as clients send it: see the prefix rule.
  void write_source(const char* opening, const Part& part) {
    w_.put(opening);
    if (part.detail.present) w_.drop("detail");
    if (part.kind == PartKind::image_url || part.kind == PartKind::document_url) {
      w_.put(R"("type":"url","url":"$"})", part.text);
    } else {
      w_.put(R"("type":"base64","media_type":"$","data":"$"})", escaped(part.media_type), part.text);
    }
    const bool document = part.kind == PartKind::document_url || part.kind == PartKind::document_base64;
    if (document && !part.name.empty()) w_.put(R"("title":"$")", part.name);
    end_block(part);
  }

  void end_block(const Part& part) {
    w_.present(R"("cache_control":$)", part.cache_control);
    w_.put("}");
  }

  // The id comes last: clients put tool_call_id before or after the content.
  bool write_result(const Part& result) {
    w_.put(R"({"type":"tool_result","content":[)");
    for (const Part& part : result.content) {
      if (!is_empty(part) && !write_block(part)) return false;
    }
    w_.put("]");
    if (result.is_error) w_.put(R"("is_error":true)");
    w_.put(R"("tool_use_id":"$"})", mended_id(result.id));
    return true;
  }

  PieceWriter& w_;
  RequestProblem& problem_;
  const char* turn_ = nullptr;  // what opened the open turn
};

bool write_system(const Request& request, TurnWriter& turns, PieceWriter& w, RequestProblem& problem) {
  bool open = false;
  for (const Message& message : request.messages) {
    if (!is_system(message)) continue;
    for (const Part& part : message.parts) {
      if (TurnWriter::is_empty(part)) continue;
      if (part.kind != PartKind::text) {
        return refuse(message, "a system message can hold only texts here", problem);
      }
      if (!open) w.put(R"("system":[)");
      open = true;
      turns.write_text(part);
    }
  }
  if (open) w.put("]");
  return true;
}

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
                              .cache = R"("cache_control":$)",
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
}

}  // namespace

bool write_anthropic(const Request& request, const RequestTarget& target, BodyPieces& out,
                     RequestProblem& problem) {
  out.clear();
  if (!translatable(request, problem) || !only_one_choice(request, problem)) return false;
  PieceWriter w(out);
  TurnWriter turns(w, problem);
  w.put(R"({"messages":[)");
  for (const Message& message : request.messages) {
    if (!is_system(message) && !turns.write(message)) return false;
  }
  if (request.partial) {
    end_partial(request, out);
    return true;
  }
  turns.close();
  w.put("]");
  if (!write_system(request, turns, w, problem)) return false;
  write_tools(request, kTools, w);
  write_answer_format(request.params.response_format, kParams, w);
  write_params(request, target, w);
  if (request.stream) w.put(R"("stream":true)");
  w.word(R"("model":"$"})", target.model);
  list_dropped(request, out);
  return true;
}

}  // namespace shunt::dialect
