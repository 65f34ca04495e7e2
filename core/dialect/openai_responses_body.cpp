// Writes Responses request bodies. https://platform.openai.com/docs/api-reference/responses/create
#include "base/strings.h"
#include "dialect/body_words.h"
#include "dialect/openai_responses_request.h"
#include "dialect/said_calls.h"

namespace shunt::dialect {
namespace {

constexpr CustomWords kCustom = {R"({"type":"custom","name":"$")",
                                 R"("format":{"type":"grammar","syntax":"$","definition":"$"})",
                                 R"("tool_choice":{"type":"custom","name":"$"})",
                                 R"({"type":"custom_tool_call","call_id":"$","name":"$","input":")"};

const char* opening_of(Role role, bool plain) {
  switch (role) {
    case Role::system:
      return plain ? R"({"role":"system","content":"$"})" : R"({"role":"system","content":[)";
    case Role::developer:
      return plain ? R"({"role":"developer","content":"$"})" : R"({"role":"developer","content":[)";
    case Role::assistant:
      return plain ? R"({"role":"assistant","content":"$"})" : R"({"role":"assistant","content":[)";
    case Role::user:
    case Role::tool: break;
  }
  return plain ? R"({"role":"user","content":"$"})" : R"({"role":"user","content":[)";
}

// A message is one item, opened by its first part; calls and results are items of their own.
class ItemWriter {
 public:
  ItemWriter(PieceWriter& out, RequestProblem& problem) : w_(out), problem_(problem) {}

  bool write(const Message& message) {
    for (const Part& part : message.parts) {
      if (part.kind == PartKind::thinking || part.kind == PartKind::other) {
        const bool thinking = part.kind == PartKind::thinking;
        w_.drop("messages[].content[] of type ", thinking ? "thinking" : std::string_view(part.type));
      } else if (part.kind == PartKind::tool_call) {
        close();
        const bool custom = part.text.present;
        if (custom) custom_calls_.add(part);
        w_.put(custom ? kCustom.call : R"({"type":"function_call","call_id":"$","name":"$","arguments":")",
               part.id, part.name);
        w_.out.content(custom ? part.text : part.arguments);
        w_.go_on("\"}");
      } else if (part.kind == PartKind::tool_result) {
        close();
        if (!write_result(message, part)) return false;
      } else if (message.plain && part.kind == PartKind::text) {
        if (!part.text.empty()) w_.put(opening_of(message.role, true), part.text);
      } else {
        if (!open_) w_.put(opening_of(message.role, false));
        open_ = true;
        if (!write_part(message, part, message.role == Role::assistant)) return false;
      }
    }
    close();
    return true;
  }

 private:
  void close() {
    if (open_) w_.put("]}");
    open_ = false;
  }

  bool end_image(const Part& part) {
    w_.present(R"("detail":"$")", part.detail);
    w_.put("}");
    return true;
  }

  bool write_part(const Message& message, const Part& part, bool assistant) {
    switch (part.kind) {
      case PartKind::text:
        w_.put(assistant ? R"({"type":"output_text","text":"$"})" : R"({"type":"input_text","text":"$"})",
               part.text);
        return true;
      case PartKind::refusal:
        w_.put(assistant ? R"({"type":"refusal","refusal":"$"})" : R"({"type":"input_text","text":"$"})",
               part.text);
        return true;
      case PartKind::image_url:
        if (assistant) break;
        w_.put(R"({"type":"input_image","image_url":"$")", part.text);
        return end_image(part);
      case PartKind::image_base64:
        if (assistant) break;
        w_.put(R"({"type":"input_image","image_url":"data:$;base64,$")", escaped(part.media_type), part.text);
        return end_image(part);
      case PartKind::document_url:
        if (assistant) break;
        w_.put(R"({"type":"input_file","file_url":"$"})", part.text);
        return true;
      case PartKind::document_base64:
        if (assistant) break;
        w_.put(R"({"type":"input_file","file_data":"data:$;base64,$")", escaped(part.media_type), part.text);
        w_.put(part.name.empty() ? R"("filename":"document.pdf"})" : R"("filename":"$"})", part.name);
        return true;
      case PartKind::tool_call:
      case PartKind::tool_result:
      case PartKind::thinking:
      case PartKind::other: break;
    }
    return refuse(message, "holds what the target cannot say", problem_);
  }

  // A string while it holds only texts: not every server of this dialect takes parts there. Id and type
  // come last: clients put theirs before or after the content.
  bool write_result(const Message& message, const Part& result) {
    bool texts = true;
    for (const Part& part : result.content) {
      texts = texts && (part.kind == PartKind::text || part.kind == PartKind::refusal);
    }
    if (result.is_error) w_.drop("tool_result.is_error");
    w_.put(texts ? R"({"output":")" : R"({"output":[)");
    bool first = true;
    for (const Part& part : result.content) {
      if (!texts) {
        if (!write_part(message, part, false)) return false;
        continue;
      }
      if (!first) w_.go_on(kBlockBreak);
      first = false;
      w_.out.content(part.text);
    }
    if (texts) {
      w_.go_on("\"");
    } else {
      w_.put("]");
    }
    w_.put(custom_calls_.of(result) != nullptr ? R"("type":"custom_tool_call_output","call_id":"$"})"
                                               : R"("type":"function_call_output","call_id":"$"})",
           result.id);
    return true;
  }

  PieceWriter& w_;
  RequestProblem& problem_;
  bool open_ = false;  // a message's array of parts
  SaidCalls custom_calls_;
};

constexpr ChoiceWords kChoices = {"", R"("tool_choice":"auto")", R"("tool_choice":"none")",
                                  R"("tool_choice":"required")",
                                  R"("tool_choice":{"type":"function","name":"$"})"};
constexpr ToolWords kTools = {.open = R"("tools":[)",
                              .tool = R"({"type":"function","name":"$")",
                              .schema = R"("parameters":)",
                              // Strict where nothing is said, which other dialects' schemas do not hold.
                              .strict = R"("strict":true)",
                              .lax = R"("strict":false)",
                              .custom = &kCustom,
                              .choices = &kChoices,
                              // True is the default and not known everywhere.
                              .serial = R"("parallel_tool_calls":false)"};
constexpr BodyWords kParams = {.max_tokens = R"("max_output_tokens":$)",
                               .temperature = R"("temperature":$)",
                               .top_p = R"("top_p":$)",
                               .user = R"("user":"$")",
                               .logprobs = R"("include":["message.output_text.logprobs"])",
                               .top_logprobs = R"("top_logprobs":$)",
                               .effort = R"("reasoning":{"effort":"$"})",
                               .json_object = R"("text":{"format":{"type":"json_object"}})",
                               .named_schema = R"("text":{"format":{"type":"json_schema","name":"$")"};

// A result is a string or parts by all it holds, unless it came as a string; a call's id may come behind its
// arguments.
bool must_be_whole(const Request& request) {
  if (request.messages.empty() || request.messages.back().parts.empty()) return false;
  const Message& message = request.messages.back();
  const PartKind last = message.parts.back().kind;
  const bool came_as_string = message.role == Role::tool && message.plain;
  return last == PartKind::tool_call || (last == PartKind::tool_result && !came_as_string);
}

}  // namespace

bool write_openai_responses(const Request& request, const RequestTarget& target, BodyPieces& out,
                            RequestProblem& problem) {
  out.clear();
  if (!translatable(request, problem) || !only_one_choice(request, problem)) return false;
  PieceWriter w(out);
  ItemWriter items(w, problem);
  w.put(R"({"input":[)");
  for (const Message& message : request.messages) {
    if (!items.write(message)) return false;
  }
  if (request.partial) {
    end_partial(request, out);
    if (must_be_whole(request)) out.clear();
    return true;
  }
  w.put("]");
  if (!target.system.empty()) w.word(R"("instructions":"$")", target.system);
  write_tools(request, kTools, w);
  write_settings(request, kParams, w);
  if (request.stream) w.put(R"("stream":true)");
  w.put(R"("store":false)");
  w.word(R"("model":"$"})", target.model);
  list_dropped(request, out);
  return true;
}

}  // namespace shunt::dialect
