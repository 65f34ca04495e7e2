// Writes Converse request bodies; the model is in the path.
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
#include "dialect/bedrock_body.h"

#include "base/strings.h"
#include "dialect/body_words.h"

namespace shunt::dialect {
namespace {

constexpr BodyWords kParams = {.max_tokens = R"("maxTokens":$)",
                               .temperature = R"("temperature":$)",
                               .cool = true,
                               .top_p = R"("topP":$)",
                               .stop = R"("stopSequences":[)"};

// Media types by the API's own names of formats.
struct Format {
  std::string_view media_type;
  std::string_view name;
};
constexpr Format kFormats[] = {
    {"image/png", "png"},
    {"image/jpeg", "jpeg"},
    {"image/gif", "gif"},
    {"image/webp", "webp"},
    {"application/pdf", "pdf"},
    {"text/plain", "txt"},
    {"text/csv", "csv"},
    {"text/html", "html"},
    {"text/markdown", "md"},
    {"application/msword", "doc"},
    {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"},
    {"application/vnd.ms-excel", "xls"},
    {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"},
};

std::string_view format_of(std::string_view media_type) {
  for (const Format& format : kFormats) {
    if (equal_fold(format.media_type, media_type)) return format.name;
  }
  return {};
}

bool is_system(const Message& message) {
  return message.role == Role::system || message.role == Role::developer;
}

bool is_text(const Part& part) { return part.kind == PartKind::text || part.kind == PartKind::refusal; }

constexpr char kUserTurn[] = R"({"role":"user","content":[)";
constexpr char kAssistantTurn[] = R"({"role":"assistant","content":[)";

// Turns alternate here, and tool results are the user's, as in anthropic_messages.
class TurnWriter {
 public:
  TurnWriter(PieceWriter& out, RequestProblem& problem) : w_(out), problem_(problem) {}

  bool write(const Message& message) {
    for (const Part& part : message.parts) {
      if (part.kind == PartKind::thinking || part.kind == PartKind::other) {
        w_.drop("messages[].content[] of type ", part.type);
        continue;
      }
      if (part.cache_control.present) w_.drop("cache_control");
      if (part.detail.present) w_.drop("detail");
      if (is_text(part) && part.text.empty()) continue;  // the API refuses empty texts
      turn(message.role == Role::assistant ? kAssistantTurn : kUserTurn);
      if (!write_block(part)) return refuse(message, "holds what the target cannot say", problem_);
    }
    return true;
  }

  void close() {
    if (turn_ != nullptr) w_.put("]}");
    turn_ = nullptr;
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
      case PartKind::refusal: w_.put(R"({"text":"$"})", part.text); return true;
      case PartKind::image_base64: return write_source(R"({"image":{"format":"$")", part);
      case PartKind::document_base64: return write_source(R"({"document":{"format":"$")", part);
      case PartKind::tool_call:
        w_.put(R"({"toolUse":{"toolUseId":"$","name":"$")", mended_id(part.id), part.name);
        w_.put(R"("input":$}})", part.input);
        return true;
      case PartKind::tool_result: return write_result(part);
      case PartKind::image_url:  // it fetches nothing
      case PartKind::document_url:
      case PartKind::thinking:
      case PartKind::other: break;
    }
    return false;
  }

  bool write_source(const char* opening, const Part& part) {
    const std::string_view format = format_of(part.media_type);
    if (format.empty()) return false;
    w_.word(opening, format);
    if (part.kind == PartKind::document_base64) {
      // Names must differ and hold few characters, so titles cannot be passed on.
      w_.integer(R"("name":"document $")", ++documents_);
    }
    w_.put(R"("source":{"bytes":"$"}}})", part.text);
    return true;
  }

  // The id comes last: clients put tool_call_id before or after the content.
  bool write_result(const Part& result) {
    w_.put(R"({"toolResult":{"content":[)");
    for (const Part& part : result.content) {
      if (!(is_text(part) && part.text.empty()) && !write_block(part)) return false;
    }
    w_.put("]");
    if (result.is_error) w_.put(R"("status":"error")");
    w_.put(R"("toolUseId":"$"}})", mended_id(result.id));
    return true;
  }

  PieceWriter& w_;
  RequestProblem& problem_;
  const char* turn_ = nullptr;  // what opened the open turn
  std::int64_t documents_ = 0;
};

bool write_system(const Request& request, PieceWriter& w, RequestProblem& problem) {
  bool open = false;
  for (const Message& message : request.messages) {
    if (!is_system(message)) continue;
    for (const Part& part : message.parts) {
      if (part.text.empty()) continue;
      if (!is_text(part)) return refuse(message, "a system message can hold only texts here", problem);
      if (!open) w.put(R"("system":[)");
      open = true;
      w.put(R"({"text":"$"})", part.text);
    }
  }
  if (open) w.put("]");
  return true;
}

constexpr ChoiceWords kChoices = {"", R"("toolChoice":{"auto":{}})", nullptr, R"("toolChoice":{"any":{}})",
                                  R"("toolChoice":{"tool":{"name":"$"}})"};
constexpr ToolWords kTools = {.open = R"("toolConfig":{"tools":[)",
                              .tool = R"({"toolSpec":{"name":"$")",
                              .schema = R"("inputSchema":{"json":)",
                              .end = "}}}",
                              .choices = &kChoices,
                              .after = "}"};

}  // namespace

bool write_bedrock(const Request& request, const RequestTarget&, BodyPieces& out, RequestProblem& problem) {
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
  if (!write_system(request, w, problem)) return false;
  write_tools(request, kTools, w);
  write_answer_format(request.params.response_format, kParams, w);
  write_thinking(request.params, kParams, w);
  w.put(R"("inferenceConfig":{)");
  write_sampling(request, kParams, w);
  w.put("}}");
  list_dropped(request, out);
  return true;
}

}  // namespace shunt::dialect
