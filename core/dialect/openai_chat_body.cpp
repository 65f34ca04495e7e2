// Writes Chat Completions request bodies. https://platform.openai.com/docs/api-reference/chat/create
#include <span>

#include "catalog/quirks.h"
#include "dialect/openai_chat_request.h"
#include "dialect/request_common.h"

namespace shunt::dialect {
namespace {

// What separates texts that were blocks of their own and must become one string.
constexpr std::string_view kBlockBreak = "\\n\\n";

// The message being written is opened by its first part: what has none is left out.
class MessageWriter {
 public:
  MessageWriter(PieceWriter& out, RequestProblem& problem) : w_(out), problem_(problem) {}

  bool write(const Message& message) {
    switch (message.role) {
      case Role::system:
      case Role::developer: return system(message);
      case Role::user:
      case Role::tool: return user(message);
      case Role::assistant: return assistant(message);
    }
    return true;
  }

 private:
  bool refuse(const Message& message, std::string_view what) {
    problem_ = {place_of(message), std::string(what), 400};
    return false;
  }

  void note_cache(const Part& part) {
    if (part.cache_control.present) w_.out.drop("cache_control");
  }

  bool system(const Message& message) {
    std::vector<Text> texts;
    for (const Part& part : message.parts) {
      if (!part.text.empty()) texts.push_back(part.text);
      note_cache(part);
    }
    if (texts.empty()) return true;
    w_.open("{").field("role", "system");
    w_.key("content").joined(texts, kBlockBreak).close("}");
    return true;
  }

  // Text blocks of one assistant message are one text to the model, so they join without a break.
  bool assistant(const Message& message) {
    std::vector<Text> texts;
    std::vector<const Part*> calls;
    for (const Part& part : message.parts) {
      note_cache(part);
      switch (part.kind) {
        case PartKind::text:
        case PartKind::refusal: texts.push_back(part.text); break;
        case PartKind::tool_call: calls.push_back(&part); break;
        case PartKind::thinking: w_.out.drop("messages[].content[] of type thinking"); break;
        case PartKind::other: w_.out.drop("messages[].content[] of type " + part.type); break;
        case PartKind::image_url:
        case PartKind::image_base64:
        case PartKind::document_url:
        case PartKind::document_base64:
        case PartKind::tool_result:
          return refuse(message, "an assistant message can hold only texts and tool calls here");
      }
    }
    if (texts.empty() && calls.empty()) return true;
    w_.open("{").field("role", "assistant");
    w_.key("content");
    if (texts.empty()) {
      w_.json("null");
    } else {
      w_.joined(texts, {});
    }
    if (!calls.empty()) {
      w_.key("tool_calls").open("[");
      for (const Part* call : calls) write_call(*call);
      w_.close("]");
    }
    w_.close("}");
    return true;
  }

  void write_call(const Part& call) {
    w_.open("{").key("id").string(call.id).field("type", "function");
    w_.key("function").open("{").key("name").string(call.name);
    w_.key("arguments").string(call.arguments).close("}").close("}");
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
        w_.open("{").field("role", "user").key("content").string(part.text).close("}");
        continue;
      }
      if (!open_) w_.open("{").field("role", "user").key("content").open("[");
      open_ = true;
      if (!write_part(message, part)) return false;
    }
    close();
    return true;
  }

  void close() {
    if (open_) w_.close("]").close("}");
    open_ = false;
  }

  void write_result(const Part& result) {
    std::vector<Text> texts;
    for (const Part& part : result.content) {
      if (part.kind == PartKind::text) {
        texts.push_back(part.text);
      } else {
        w_.out.drop("tool_result content that is not text");
      }
      note_cache(part);
    }
    if (result.is_error) w_.out.drop("tool_result.is_error");
    w_.open("{").field("role", "tool").key("content").joined(texts, kBlockBreak);
    w_.key("tool_call_id").string(result.id).close("}");
  }

  bool write_part(const Message& message, const Part& part) {
    switch (part.kind) {
      case PartKind::text:
      case PartKind::refusal:
        w_.open("{").field("type", "text").key("text").string(part.text).close("}");
        return true;
      case PartKind::image_url:
        w_.open("{").field("type", "image_url").key("image_url").open("{");
        w_.key("url").string(part.text).close("}").close("}");
        return true;
      case PartKind::image_base64:
        w_.open("{").field("type", "image_url").key("image_url").open("{");
        w_.key("url").data_url(part.media_type, part.text).close("}").close("}");
        return true;
      case PartKind::document_base64:
        w_.open("{").field("type", "file").key("file").open("{");
        w_.key("file_data").data_url(part.media_type, part.text);
        w_.key("filename").string(part.name.empty() ? Text::of("document.pdf") : part.name);
        w_.close("}").close("}");
        return true;
      case PartKind::document_url:
        return refuse(message, "holds a document by URL, which the target cannot fetch");
      case PartKind::other:
      case PartKind::thinking:
      case PartKind::tool_call:
      case PartKind::tool_result: break;
    }
    return refuse(message, "a user message cannot hold " + part.type);
  }

  PieceWriter& w_;
  RequestProblem& problem_;
  bool open_ = false;  // a user message's array of parts
};

void write_tools(const Request& request, PieceWriter& w) {
  bool open = false;
  for (const Tool& tool : request.tools) {
    if (tool.cache_control.present) w.out.drop("cache_control");
    if (!tool.type.empty()) {
      w.out.drop("tools[] of type " + tool.type);
      continue;
    }
    if (!open) w.key("tools").open("[");
    open = true;
    w.open("{").field("type", "function").key("function").open("{").key("name").string(tool.name);
    if (tool.description.present) w.key("description").string(tool.description);
    w.key("parameters").raw(tool.schema.present ? tool.schema : Raw::of(kEmptySchema));
    if (tool.strict) w.key("strict").json("true");
    w.close("}").close("}");
  }
  if (!open) return;
  w.close("]");
  switch (request.tool_choice) {
    case ToolChoice::unset: break;
    case ToolChoice::automatic: w.field("tool_choice", "auto"); break;
    case ToolChoice::none: w.field("tool_choice", "none"); break;
    case ToolChoice::required: w.field("tool_choice", "required"); break;
    case ToolChoice::named:
      w.key("tool_choice").open("{").field("type", "function").key("function").open("{");
      w.key("name").string(request.tool_choice_name).close("}").close("}");
      break;
  }
  // True is the default and not known everywhere.
  if (request.params.parallel_tool_calls == false) w.key("parallel_tool_calls").json("false");
}

void write_response_format(const ResponseFormat& format, PieceWriter& w) {
  if (format.kind != ResponseFormat::Kind::json_schema) return;
  w.key("response_format").open("{").field("type", "json_schema").key("json_schema").open("{");
  w.key("name").string(format.name.empty() ? Text::of("answer") : format.name);
  w.present("schema", format.schema);
  w.key("strict").json("true").close("}").close("}");
}

// Budgets between the ones write_anthropic gives to low, medium and high.
std::string_view effort_of(const Params& params) {
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

void write_params(const Request& request, const RequestTarget& target, PieceWriter& w) {
  const Params& params = request.params;
  const std::string_view effort = effort_of(params);
  if (!effort.empty()) w.field("reasoning_effort", effort);
  if (params.max_tokens) {
    const bool renamed = has(target.quirks, Quirk::max_completion_tokens);
    w.key(renamed ? "max_completion_tokens" : "max_tokens").integer(*params.max_tokens);
  }
  w.present("temperature", params.temperature);
  w.present("top_p", params.top_p);
  if (params.top_k.present) w.out.drop("top_k");
  if (!params.stop.empty()) {
    w.key("stop").open("[");
    for (const Text& stop : params.stop) w.string(stop);
    w.close("]");
  }
  if (params.user.present) w.key("user").string(params.user);
}

}  // namespace

bool write_openai_chat(const Request& request, const RequestTarget& target, BodyPieces& out,
                       RequestProblem& problem) {
  out.clear();
  if (!translatable(request, problem)) return false;
  PieceWriter w(out);
  MessageWriter messages(w, problem);
  w.open("{").key("messages").open("[");
  for (const Message& message : request.messages) {
    if (!messages.write(message)) return false;
  }
  if (request.partial) {
    end_partial(request, out);
    return true;
  }
  w.close("]");
  write_tools(request, w);
  write_response_format(request.params.response_format, w);
  write_params(request, target, w);
  if (request.stream) {
    w.key("stream").json("true");
    if (!has(target.quirks, Quirk::no_stream_options)) {
      w.key("stream_options").json(R"({"include_usage":true})");
    }
  }
  w.field("model", target.model);
  w.close("}");
  list_dropped(request, out);
  return true;
}

}  // namespace shunt::dialect
