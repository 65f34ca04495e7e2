// Writes Chat Completions request bodies. https://platform.openai.com/docs/api-reference/chat/create
#include "catalog/quirks.h"
#include "dialect/body_words.h"
#include "dialect/openai_chat_request.h"

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

constexpr ChoiceWords kChoices = {"", R"("tool_choice":"auto")", R"("tool_choice":"none")",
                                  R"("tool_choice":"required")",
                                  R"("tool_choice":{"type":"function","function":{"name":"$"}})"};
constexpr ToolWords kTools = {.open = R"("tools":[)",
                              .tool = R"({"type":"function","function":{"name":"$")",
                              .schema = R"("parameters":)",
                              .strict = R"("strict":true)",
                              .end = "}}",
                              .choices = &kChoices,
                              // True is the default and not known everywhere.
                              .serial = R"("parallel_tool_calls":false)"};
constexpr BodyWords kParams = {
    .max_tokens = R"("max_tokens":$)",
    .temperature = R"("temperature":$)",
    .top_p = R"("top_p":$)",
    .seed = R"("seed":$)",
    .presence_penalty = R"("presence_penalty":$)",
    .frequency_penalty = R"("frequency_penalty":$)",
    .stop = R"("stop":[)",
    .user = R"("user":"$")",
    .choices = R"("n":$)",
    .logprobs = R"("logprobs":true)",
    .top_logprobs = R"("top_logprobs":$)",
    .effort = R"("reasoning_effort":"$")",
    .json_object = R"("response_format":{"type":"json_object"})",
    .named_schema = R"("response_format":{"type":"json_schema","json_schema":{"name":"$")"};

}  // namespace

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
  BodyWords words = kParams;
  if (has(target.quirks, Quirk::max_completion_tokens)) words.max_tokens = R"("max_completion_tokens":$)";
  write_tools(request, kTools, w);
  write_settings(request, words, w);
  if (request.stream) {
    w.put(R"("stream":true)");
    if (!has(target.quirks, Quirk::no_stream_options)) w.put(R"("stream_options":{"include_usage":true})");
  }
  w.word(R"("model":"$"})", target.model);
  list_dropped(request, out);
  return true;
}

}  // namespace shunt::dialect
