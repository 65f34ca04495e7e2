// A folded answer -> one GenerateContentResponse. See gemini_encode.h.
#include "dialect/fill.h"
#include "dialect/finish.h"
#include "dialect/gemini_encode.h"
#include "dialect/logprobs.h"
#include "dialect/usage.h"

namespace shunt::dialect {
namespace {

// The parts of a candidate, with commas between them.
class Parts {
 public:
  explicit Parts(std::string& out) : out_(out) {}

  void text(const char* part, const std::string& text) {
    if (!text.empty()) fill(next(), part, text);
  }

  void call(const FoldedCall& call) {
    next() += R"({"functionCall":{)";
    if (!call.id.empty()) fill(out_, R"("id":"$",)", call.id);
    fill(out_, R"("name":"$","args":)", call.name);
    append_gemini_args(out_, call.arguments);
    out_ += "}}";
  }

  // No parts at all are invalid to the SDKs' chats.
  void end() {
    if (first_) out_ += R"({"text":""})";
  }

 private:
  std::string& next() {
    if (!first_) out_ += ',';
    first_ = false;
    return out_;
  }

  std::string& out_;
  bool first_ = true;
};

void write_candidate(const FoldedChoice& choice, std::int64_t index, std::string& out) {
  fill(out, R"({"index":$,"content":{"role":"model","parts":[)", index);
  Parts parts(out);
  parts.text(R"({"thought":true,"text":"$"})", choice.reasoning_text());
  parts.text(R"({"text":"$"})", choice.text);
  parts.text(R"({"text":"$"})", choice.refusal);
  for (const FoldedCall& call : choice.calls) parts.call(call);
  parts.end();
  const FinishReason reason = choice.refusal.empty() ? choice.finish : FinishReason::content_filter;
  const std::string_view word = finish_to_gemini(told(reason, !choice.calls.empty()), choice.finish_raw);
  out += "]}";
  append_gemini_logprobs(out, choice.logprobs);
  fill(out, R"(,"finishReason":"$"})", word);
}

}  // namespace

void encode_gemini_answer(const Folded& answer, const EncodeOptions& options, std::string& out) {
  out += R"({"candidates":[)";
  for (std::size_t i = 0; i < answer.choices.size(); ++i) {
    if (i != 0) out += ',';
    write_candidate(answer.choices[i], static_cast<std::int64_t>(i), out);
  }
  out += R"(],"usageMetadata":)";
  write_gemini_usage(answer.usage, out);
  fill(out, R"(,"modelVersion":"$")", answer.model.empty() ? options.model : std::string_view(answer.model));
  fill(out, R"(,"responseId":"$"})", answer.id.empty() ? options.id : std::string_view(answer.id));
}

}  // namespace shunt::dialect
