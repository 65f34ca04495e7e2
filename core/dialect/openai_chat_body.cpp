// Writes Chat Completions request bodies. https://platform.openai.com/docs/api-reference/chat/create
#include "catalog/quirks.h"
#include "dialect/openai_chat_request.h"
#include "dialect/openai_request.h"
#include "dialect/request_common.h"

namespace shunt::dialect {
namespace {

// What separates texts that were blocks of their own and must become one string.
constexpr char kBlockBreak[] = "\\n\\n";

bool is_text(const Part& part) { return part.kind == PartKind::text || part.kind == PartKind::refusal; }

void write_call(const Part& call, PieceWriter& w) {
  w.put(R"({"id":"$","type":"function","function":{"name":"$",)", call.id, call.name);
  w.go_on(R"("arguments":")");
  w.out.content(call.arguments);
  w.go_on("\"}}");
}

// The message being written is opened by its first part: what has none is left out.
class MessageWriter {
 public:
  MessageWriter(PieceWriter& out, RequestProblem& problem) : w_(out), problem_(problem) {}

  bool write(const Message& message) {
    switch (message.role) {
      case Role::system:
      case Role::developer: system(message); return true;
      case Role::user:
      case Role::tool: return user(message);
      case Role::assistant: return assistant(message);
    }
    return true;
  }

 private:
  void note_cache(const Part& part) {
    if (part.cache_control.present) w_.drop("cache_control");
  }

  void system(const Message& message) {
    bool open = false;
    for (const Part& part : message.parts) {
      note_cache(part);
      if (part.text.empty()) continue;
      if (open) {
        w_.go_on(kBlockBreak);
      } else {
        w_.put(R"({"role":"system","content":")");
      }
      open = true;
      w_.out.content(part.text);
    }
    if (open) w_.go_on("\"}");
  }

  void texts(const std::vector<Part>& parts, const char* between) {
    bool first = true;
    for (const Part& part : parts) {
      if (!is_text(part)) continue;
      if (!first) w_.go_on(between);
      first = false;
      w_.out.content(part.text);
    }
  }

  // Text blocks of one assistant message are one text to the model, so they join without a break.
  bool assistant(const Message& message) {
    bool has_text = false;
    bool has_call = false;
    for (const Part& part : message.parts) {
      note_cache(part);
      if (is_text(part)) {
        has_text = true;
      } else if (part.kind == PartKind::tool_call) {
        has_call = true;
      } else if (part.kind == PartKind::thinking || part.kind == PartKind::other) {
        const bool thinking = part.kind == PartKind::thinking;
        w_.drop("messages[].content[] of type ", thinking ? "thinking" : std::string_view(part.type));
      } else {
        return refuse(message, "an assistant message can hold only texts and tool calls here", problem_);
      }
    }
    if (!has_text && !has_call) return true;
    w_.put(R"({"role":"assistant","content":)");
    if (has_text) {
      w_.go_on("\"");
      texts(message.parts, "");
      w_.go_on("\"");
    } else {
      w_.go_on("null");
    }
    if (has_call) {
      w_.put(R"("tool_calls":[)");
      for (const Part& part : message.parts) {
        if (part.kind == PartKind::tool_call) write_call(part, w_);
      }
      w_.put("]");
    }
    w_.put("}");
    return true;
  }

  // Tool results are messages of their own here; what stands between them stays in order.
  bool user(const Message& message) {
    for (const Part& part : message.parts) {
      note_cache(part);
      if (part.kind == PartKind::tool_result) {
        close();
        write_result(part);
        continue;
      }
      if (message.plain) {
        w_.put(R"({"role":"user","content":"$"})", part.text);
        continue;
      }
      if (!open_) w_.put(R"({"role":"user","content":[)");
      open_ = true;
      if (!write_part(message, part)) return false;
    }
    close();
    return true;
  }

  void close() {
    if (open_) w_.put("]}");
    open_ = false;
  }

  void write_result(const Part& result) {
    for (const Part& part : result.content) {
      if (!is_text(part)) w_.drop("tool_result content that is not text");
      note_cache(part);
    }
    if (result.is_error) w_.drop("tool_result.is_error");
    w_.put(R"({"role":"tool","content":")");
    texts(result.content, kBlockBreak);
    w_.go_on("\"");
    w_.put(R"("tool_call_id":"$"})", result.id);
  }

  bool write_part(const Message& message, const Part& part) {
    switch (part.kind) {
      case PartKind::text:
      case PartKind::refusal: w_.put(R"({"type":"text","text":"$"})", part.text); return true;
      case PartKind::image_url:
        w_.put(R"({"type":"image_url","image_url":{"url":"$"}})", part.text);
        return true;
      case PartKind::image_base64:
        w_.put(R"({"type":"image_url","image_url":{"url":"data:$;base64,$"}})", escaped(part.media_type),
               part.text);
        return true;
      case PartKind::document_base64:
        w_.put(R"({"type":"file","file":{"file_data":"data:$;base64,$")", escaped(part.media_type),
               part.text);
        w_.put(part.name.empty() ? R"("filename":"document.pdf"}})" : R"("filename":"$"}})", part.name);
        return true;
      case PartKind::document_url:
        return refuse(message, "holds a document by URL, which the target cannot fetch", problem_);
      case PartKind::other:
      case PartKind::thinking:
      case PartKind::tool_call:
      case PartKind::tool_result: break;
    }
    return refuse(message, joined({"a user message cannot hold ", part.type}), problem_);
  }

  PieceWriter& w_;
  RequestProblem& problem_;
  bool open_ = false;  // a user message's array of parts
};

void write_tool_choice(const Request& request, PieceWriter& w) {
  switch (request.tool_choice) {
    case ToolChoice::unset: return;
    case ToolChoice::automatic: return w.put(R"("tool_choice":"auto")");
    case ToolChoice::none: return w.put(R"("tool_choice":"none")");
    case ToolChoice::required: return w.put(R"("tool_choice":"required")");
    case ToolChoice::named:
      return w.put(R"("tool_choice":{"type":"function","function":{"name":"$"}})", request.tool_choice_name);
  }
}

void write_tools(const Request& request, PieceWriter& w) {
  bool open = false;
  for (const Tool& tool : request.tools) {
    if (tool.cache_control.present) w.drop("cache_control");
    if (!w.function(tool, R"("tools":[)", open)) continue;
    w.put(R"({"type":"function","function":{"name":"$")", tool.name);
    w.present(R"("description":"$")", tool.description);
    w.schema(R"("parameters":)", tool.schema);
    if (tool.strict) w.put(R"("strict":true)");
    w.put("}}");
  }
  if (!open) return;
  w.put("]");
  write_tool_choice(request, w);
  // True is the default and not known everywhere.
  if (request.params.parallel_tool_calls == false) w.put(R"("parallel_tool_calls":false)");
}

void write_response_format(const ResponseFormat& format, PieceWriter& w) {
  if (format.kind == ResponseFormat::Kind::json_object) {
    w.put(R"("response_format":{"type":"json_object"})");
  }
  if (format.kind != ResponseFormat::Kind::json_schema) return;
  w.put(R"("response_format":{"type":"json_schema","json_schema":{)");
  w.put(format.name.empty() ? R"("name":"answer")" : R"("name":"$")", format.name);
  w.present(R"("schema":$)", format.schema);
  w.put(format.strict ? R"("strict":true}})" : "}}");
}

void write_params(const Request& request, const RequestTarget& target, PieceWriter& w) {
  const Params& params = request.params;
  const std::string_view effort = openai_effort(params);
  if (!effort.empty()) w.word(R"("reasoning_effort":"$")", effort);
  if (params.max_tokens) {
    const bool renamed = has(target.quirks, Quirk::max_completion_tokens);
    w.integer(renamed ? R"("max_completion_tokens":$)" : R"("max_tokens":$)", *params.max_tokens);
  }
  w.present(R"("temperature":$)", params.temperature);
  w.present(R"("top_p":$)", params.top_p);
  if (params.top_k.present) w.drop("top_k");
  if (params.choices.value_or(1) != 1) w.integer(R"("n":$)", *params.choices);
  if (!params.stop.empty()) w.strings(R"("stop":[)", params.stop);
  w.present(R"("user":"$")", params.user);
}

}  // namespace

// Budgets between the ones write_anthropic gives to low, medium and high.
std::string_view openai_effort(const Params& params) {
  switch (params.effort) {
    case Effort::unset: break;
    case Effort::none: return {};
    case Effort::minimal: return "minimal";
    case Effort::low: return "low";
    case Effort::medium: return "medium";
    case Effort::high:
    case Effort::xhigh:
    case Effort::max: return "high";  // the words above it are few models' own
  }
  if (!params.thinking_budget) return {};
  if (*params.thinking_budget < 4096) return "low";
  return *params.thinking_budget < 16384 ? "medium" : "high";
}

bool write_openai_chat(const Request& request, const RequestTarget& target, BodyPieces& out,
                       RequestProblem& problem) {
  out.clear();
  if (!translatable(request, problem)) return false;
  PieceWriter w(out);
  MessageWriter messages(w, problem);
  w.put(R"({"messages":[)");
  for (const Message& message : request.messages) {
    if (!messages.write(message)) return false;
  }
  if (request.partial) {
    end_partial(request, out);
    return true;
  }
  w.put("]");
  write_tools(request, w);
  write_response_format(request.params.response_format, w);
  write_params(request, target, w);
  if (request.stream) {
    w.put(R"("stream":true)");
    if (!has(target.quirks, Quirk::no_stream_options)) w.put(R"("stream_options":{"include_usage":true})");
  }
  w.word(R"("model":"$"})", target.model);
  list_dropped(request, out);
  return true;
}

}  // namespace shunt::dialect
