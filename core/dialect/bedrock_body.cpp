// Writes Converse request bodies; the model is in the path.
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
#include "dialect/bedrock_body.h"

#include "dialect/turn_body.h"

namespace shunt::dialect {
namespace {

constexpr BodyWords kParams = {.max_tokens = R"("maxTokens":$)",
                               .temperature = R"("temperature":$)",
                               .cool = true,
                               .top_p = R"("topP":$)",
                               .stop = R"("stopSequences":[)"};

// Media types by the API's own names of formats.
constexpr FormatName kFormats[] = {
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

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CachePointBlock.html
constexpr MarkWords kMarks = {nullptr, R"({"cachePoint":{"type":"default"}})",
                              R"({"cachePoint":{"type":"default","ttl":"1h"}})"};
constexpr TurnWords kTurns = {.text = R"({"text":"$")",
                              .image = R"({"image":{)",
                              // Names must differ and hold few characters, so titles cannot be passed on.
                              .document = R"({"document":{"name":"document $")",
                              .numbered = true,
                              .data = R"("format":"$","source":{"bytes":"$"}})",
                              .formats = kFormats,
                              .call = R"({"toolUse":{"toolUseId":"$","name":"$")",
                              .input = R"("input":)",
                              .called = "}",
                              .result = R"({"toolResult":{"content":[)",
                              .failed = R"("status":"error")",
                              .result_id = R"("toolUseId":"$"})",
                              .marks = &kMarks,
                              .marks_apart = true};

constexpr ChoiceWords kChoices = {"", R"("toolChoice":{"auto":{}})", nullptr, R"("toolChoice":{"any":{}})",
                                  R"("toolChoice":{"tool":{"name":"$"}})"};
constexpr ToolWords kTools = {.open = R"("toolConfig":{"tools":[)",
                              .tool = R"({"toolSpec":{"name":"$")",
                              .schema = R"("inputSchema":{"json":)",
                              .marks = &kMarks,
                              .marks_apart = true,
                              .end = "}}}",
                              .choices = &kChoices,
                              .after = "}"};

}  // namespace

bool write_bedrock(const Request& request, const RequestTarget&, BodyPieces& out, RequestProblem& problem) {
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
  write_thinking(request.params, kParams, w);
  w.put(R"("inferenceConfig":{)");
  write_sampling(request, kParams, w);
  write_logprobs(request.params, kParams, w);
  w.put("}}");
  list_dropped(request, out, true);
  return true;
}

}  // namespace shunt::dialect
