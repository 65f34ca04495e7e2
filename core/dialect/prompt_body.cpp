// Request bodies of the dialects that take one prompt. See prompt_body.h.
//   LM Studio  https://lmstudio.ai/docs/developer/rest/chat
#include "dialect/prompt_body.h"

#include "catalog/quirks.h"
#include "dialect/chat_like_body.h"

namespace shunt::dialect {
namespace {

constexpr BodyWords kCompletionsParams = {.max_tokens = R"("max_tokens":$)",
                                          .temperature = R"("temperature":$)",
                                          .top_p = R"("top_p":$)",
                                          .seed = R"("seed":$)",
                                          .presence_penalty = R"("presence_penalty":$)",
                                          .frequency_penalty = R"("frequency_penalty":$)",
                                          .stop = R"("stop":[)",
                                          .user = R"("user":"$")",
                                          .choices = R"("n":$)"};
constexpr BodyWords kLmStudioParams = {.max_tokens = R"("max_output_tokens":$)",
                                       .temperature = R"("temperature":$)",
                                       .top_p = R"("top_p":$)",
                                       .top_k = R"("top_k":$)",
                                       .think = R"("reasoning":"on")",
                                       .no_think = R"("reasoning":"off")"};

struct PromptWords {
  const char* prompt;
  const char* system;  // null = there is no place for it
  BodyWords params;
  const char* streamed;
};
constexpr PromptWords kCompletions = {R"({"prompt":")", nullptr, kCompletionsParams,
                                      R"("stream":true,"stream_options":{"include_usage":true})"};
constexpr PromptWords kLmStudio = {R"({"store":false,"input":")", R"("system_prompt":")", kLmStudioParams,
                                   R"("stream":true)"};

bool write_prompt(const PromptWords& words, const Request& request, const RequestTarget& target,
                  BodyPieces& out, RequestProblem& problem) {
  out.clear();
  if (!translatable(request, problem) || !only_one_choice(request, words.params, problem)) return false;
  if (request.partial) return false;  // what is still to come may be a second message
  const Message* prompt = nullptr;
  for (const Message& message : request.messages) {
    if (words.system != nullptr && is_system(message)) continue;
    if (prompt != nullptr || message.role != Role::user || message.parts.size() != 1 ||
        message.parts.front().kind != PartKind::text)
      return refuse(message, "this provider takes one prompt of plain text and no conversation", problem);
    prompt = &message;
  }
  if (prompt == nullptr || !request.tools.empty()) {
    problem = {prompt == nullptr ? "messages" : "tools", "this provider takes one prompt of plain text", 400};
    return false;
  }
  PieceWriter w(out);
  w.put(words.prompt);
  if (words.system == nullptr && !target.system.empty()) {
    w.out.content(escaped(target.system));
    w.go_on(kBlockBreak);
  }
  w.out.content(prompt->parts.front().text);
  w.go_on("\"");
  if (words.system != nullptr && !write_system(words.system, request, w, problem)) return false;
  write_settings(request, words.params, w);
  if (request.stream) w.put(words.streamed);
  w.word(R"("model":"$"})", target.model);
  list_dropped(request, out);
  return true;
}

}  // namespace

bool write_completions(const Request& request, const RequestTarget& target, BodyPieces& out,
                       RequestProblem& problem) {
  PromptWords words = kCompletions;
  if (has(target.quirks, Quirk::no_stream_options)) words.streamed = R"("stream":true)";
  return write_prompt(words, request, target, out, problem);
}

bool write_lmstudio(const Request& request, const RequestTarget& target, BodyPieces& out,
                    RequestProblem& problem) {
  return write_prompt(kLmStudio, request, target, out, problem);
}

}  // namespace shunt::dialect
