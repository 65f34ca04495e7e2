// Writes Chat Completions request bodies. https://platform.openai.com/docs/api-reference/chat/create
#include "catalog/quirks.h"
#include "dialect/chat_like_body.h"
#include "dialect/openai_chat_request.h"

namespace shunt::dialect {
namespace {

constexpr ChoiceWords kChoices = {"", R"("tool_choice":"auto")", R"("tool_choice":"none")",
                                  R"("tool_choice":"required")",
                                  R"("tool_choice":{"type":"function","function":{"name":"$"}})"};
constexpr CustomWords kCustom = {R"({"type":"custom","custom":{"name":"$")",
                                 R"("format":{"type":"grammar","grammar":{"syntax":"$","definition":"$"}})",
                                 R"("tool_choice":{"type":"custom","custom":{"name":"$"}})",
                                 R"({"id":"$","type":"custom","custom":{"name":"$","input":")"};
constexpr ChatWords kWords = {
    .params = {.max_tokens = R"("max_tokens":$)",
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
               .named_schema = R"("response_format":{"type":"json_schema","json_schema":{"name":"$")"},
    .images = Images::list,
    .empty = R"("content":null)",
    .tools = {.open = kOpenAiTools.open,
              .tool = kOpenAiTools.tool,
              .schema = kOpenAiTools.schema,
              .strict = R"("strict":true)",
              .custom = &kCustom,
              .end = kOpenAiTools.end,
              .choices = &kChoices,
              // True is the default and not known everywhere.
              .serial = R"("parallel_tool_calls":false)"},
    .streamed = R"("stream":true,"stream_options":{"include_usage":true})"};

}  // namespace

bool write_openai_chat(const Request& request, const RequestTarget& target, BodyPieces& out,
                       RequestProblem& problem) {
  ChatWords words = kWords;
  if (has(target.quirks, Quirk::max_completion_tokens))
    words.params.max_tokens = R"("max_completion_tokens":$)";
  if (has(target.quirks, Quirk::no_stream_options)) words.streamed = R"("stream":true)";
  return write_chat_like(words, request, target, out, problem);
}

}  // namespace shunt::dialect
