// Writes generateContent request bodies. https://ai.google.dev/api/generate-content
#include <algorithm>

#include "base/strings.h"
#include "dialect/body_words.h"
#include "dialect/gemini_request.h"
#include "dialect/said_calls.h"

namespace shunt::dialect {
namespace {

bool is_empty(const Part& part) { return is_text(part) && part.text.empty(); }

constexpr char kUserTurn[] = R"({"role":"user","parts":[)";
constexpr char kModelTurn[] = R"({"role":"model","parts":[)";

// Consecutive messages of one side, tool results among the user's, become one content. It is opened by its
// first part, so that what is empty (the API refuses parts without data) leaves no trace.
class TurnWriter {
 public:
  TurnWriter(PieceWriter& out, RequestProblem& problem) : w_(out), problem_(problem) {}

  bool write(const Message& message) {
    for (const Part& part : message.parts) {
      if (part.kind == PartKind::thinking || part.kind == PartKind::other) {
        w_.drop("messages[].content[] of type ",
                part.type.empty() ? std::string_view("thinking") : std::string_view(part.type));
        continue;
      }
      if (is_empty(part)) continue;
      turn(message.role == Role::assistant ? kModelTurn : kUserTurn);
      if (!write_part(part)) return refuse(message, "holds what the target cannot say", problem_);
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
    called_ = false;
    w_.put(opening);
  }

  bool write_part(const Part& part) {
    if (part.detail.present) w_.drop("detail");
    switch (part.kind) {
      case PartKind::text:
      case PartKind::refusal: w_.put(R"({"text":"$"})", part.text); return true;
      case PartKind::image_base64:
      case PartKind::document_base64:
        w_.put(R"({"inlineData":{"mimeType":"$","data":"$"}})", escaped(part.media_type), part.text);
        return true;
      // The type must be said and only the file knows it; images are recognised by their own bytes.
      case PartKind::image_url:
        w_.put(R"({"fileData":{"mimeType":"image/jpeg","fileUri":"$"}})", part.text);
        return true;
      case PartKind::document_url:
        w_.put(R"({"fileData":{"mimeType":"application/pdf","fileUri":"$"}})", part.text);
        return true;
      case PartKind::tool_call: write_call(part); return true;
      case PartKind::tool_result: return write_result(part);
      case PartKind::thinking:
      case PartKind::other: break;
    }
    return false;
  }

  // Gemini 3 refuses a turn of calls whose first has no signature; for calls another model made Google
  // documents this one, which skips the check.
  // https://ai.google.dev/gemini-api/docs/thought-signatures
  void write_call(const Part& call) {
    calls_.add(call);
    w_.put(R"({"functionCall":{"name":"$")", call.name);
    w_.input(R"("args":)", call);
    w_.go_on("}");
    if (!called_) w_.put(R"("thoughtSignature":"skip_thought_signature_validator")");
    called_ = true;
    w_.put("}");
  }

  // Responses are found by name here, and by order where a name was called twice. The name comes last:
  // clients put a result's id before or after its content. Images stand beside the response.
  bool write_result(const Part& result) {
    w_.put(result.is_error ? R"({"functionResponse":{"response":{"error":")"
                           : R"({"functionResponse":{"response":{"output":")");
    bool first = true;
    for (const Part& part : result.content) {
      if (!is_text(part)) continue;
      if (!first) w_.go_on(kBlockBreak);
      first = false;
      w_.out.content(part.text);
    }
    w_.go_on("\"}");
    w_.put(R"("name":"$"}})", calls_.name_of(result));
    return std::all_of(result.content.begin(), result.content.end(), [&](const Part& part) {
      return is_text(part) || (part.kind != PartKind::tool_result && write_part(part));
    });
  }

  PieceWriter& w_;
  RequestProblem& problem_;
  const char* turn_ = nullptr;  // what opened the open content
  bool called_ = false;         // … which has a call in it
  SaidCalls calls_;
};

bool write_system(const Request& request, PieceWriter& w, RequestProblem& problem) {
  bool open = false;
  for (const Message& message : request.messages) {
    if (!is_system(message)) continue;
    for (const Part& part : message.parts) {
      if (is_empty(part)) continue;
      if (part.kind != PartKind::text) {
        return refuse(message, "a system message can hold only texts here", problem);
      }
      if (!open) w.put(R"("systemInstruction":{"parts":[)");
      open = true;
      w.put(R"({"text":"$"})", part.text);
    }
  }
  if (open) w.put("]}");
  return true;
}

constexpr ChoiceWords kChoices = {
    "", "", R"("toolConfig":{"functionCallingConfig":{"mode":"NONE"}})",
    R"("toolConfig":{"functionCallingConfig":{"mode":"ANY"}})",
    R"("toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["$"]}})"};
// parametersJsonSchema takes JSON Schema as clients have it; parameters takes less and refuses the rest.
constexpr ToolWords kTools = {.open = R"("tools":[{"functionDeclarations":[)",
                              .tool = R"({"name":"$")",
                              .schema = R"("parametersJsonSchema":)",
                              .schema_always = false,
                              .close = "]}]",
                              .choices = &kChoices};
constexpr BodyWords kParams = {
    .max_tokens = R"("maxOutputTokens":$)",
    .temperature = R"("temperature":$)",
    .top_p = R"("topP":$)",
    .top_k = R"("topK":$)",
    .seed = R"("seed":$)",
    .presence_penalty = R"("presencePenalty":$)",
    .frequency_penalty = R"("frequencyPenalty":$)",
    .stop = R"("stopSequences":[)",
    .most_stops = 5,
    .choices = R"("candidateCount":$)",
    .logprobs = R"("responseLogprobs":true)",
    .top_logprobs = R"("logprobs":$)",
    .json_object = R"("responseMimeType":"application/json")",
    .json_schema = R"("responseMimeType":"application/json","responseJsonSchema":$)"};

// Google's own table for its OpenAI-compatible endpoint.
// https://ai.google.dev/gemini-api/docs/openai#thinking
std::optional<std::int64_t> budget_of(const Params& params) {
  switch (params.effort) {
    case Effort::unset: return params.thinking_budget;
    case Effort::none: return 0;
    case Effort::minimal:
    case Effort::low: return 1024;
    case Effort::medium: return 8192;
    case Effort::high:
    case Effort::xhigh:
    case Effort::max: return 24576;
  }
  return std::nullopt;
}

void write_thinking(const Params& params, PieceWriter& w) {
  const std::optional<std::int64_t> budget = budget_of(params);
  if (!budget) return;
  w.integer(*budget == 0 ? R"("thinkingConfig":{"thinkingBudget":$})"
                         : R"("thinkingConfig":{"includeThoughts":true,"thinkingBudget":$})",
            *budget);
}

void write_config(const Request& request, PieceWriter& w) {
  w.put(R"("generationConfig":{)");
  write_sampling(request, kParams, w);
  write_logprobs(request.params, kParams, w);
  write_answer_format(request.params.response_format, kParams, w);
  write_thinking(request.params, w);
  w.put("}");
}

}  // namespace

bool write_gemini(const Request& request, const RequestTarget&, BodyPieces& out, RequestProblem& problem) {
  out.clear();
  if (!translatable(request, problem)) return false;
  PieceWriter w(out);
  TurnWriter turns(w, problem);
  w.put(R"({"contents":[)");
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
  write_config(request, w);
  w.put("}");
  list_dropped(request, out);
  return true;
}

}  // namespace shunt::dialect
