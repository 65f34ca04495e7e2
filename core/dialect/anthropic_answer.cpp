// A folded answer -> one message. See anthropic_encode.h.
#include "base/json.h"
#include "dialect/anthropic_encode.h"
#include "dialect/call_id.h"
#include "dialect/fill.h"
#include "dialect/finish.h"
#include "dialect/usage.h"

namespace shunt::dialect {
namespace {

// The blocks of a message, with commas between them.
class Blocks {
 public:
  explicit Blocks(std::string& out) : out_(out) {}

  void reasoning(const FoldedReasoning& block) {
    if (!block.text.empty() || !block.signature.empty()) {
      fill(next(), R"({"type":"thinking","thinking":"$")", block.text);
      fill(out_, R"(,"signature":"$"})", block.signature);
    }
    if (!block.redacted.empty()) fill(next(), R"({"type":"redacted_thinking","data":"$"})", block.redacted);
  }

  void text(const std::string& text) {
    if (!text.empty()) fill(next(), R"({"type":"text","text":"$"})", text);
  }

  void call(const FoldedCall& call, std::string_view made_id) {
    fill(next(), R"({"type":"tool_use","id":"$",)", call.id.empty() ? made_id : std::string_view(call.id));
    fill(out_, R"("name":"$","input":)", call.name);
    if (json::Cursor(call.arguments).peek() == json::Kind::object && json::valid(call.arguments)) {
      out_ += call.arguments;
    } else {
      fill(out_, call.arguments.empty() ? "{}" : R"({"raw_arguments":"$"})", call.arguments);
    }
    out_ += '}';
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

}  // namespace

void encode_anthropic_answer(const Folded& answer, const EncodeOptions& options, std::string& out) {
  const std::string_view id = answer.id.empty() ? options.id : std::string_view(answer.id);
  const FoldedChoice none;
  const FoldedChoice& choice = answer.choices.empty() ? none : answer.choices.front();
  fill(out, R"({"id":"$","type":"message","role":"assistant",)", id);
  fill(out, R"("model":"$","content":[)",
       answer.model.empty() ? options.model : std::string_view(answer.model));
  Blocks blocks(out);
  for (const FoldedReasoning& block : choice.reasoning) blocks.reasoning(block);
  blocks.text(choice.text);
  blocks.text(choice.refusal);
  for (std::size_t i = 0; i < choice.calls.size(); ++i) {
    blocks.call(choice.calls[i], made_call_id("toolu_", id, 0, static_cast<int>(i)));
  }
  const FinishReason reason = choice.refusal.empty() ? choice.finish : FinishReason::content_filter;
  fill(out, R"(],"stop_reason":"$","stop_sequence":null,"usage":)",
       finish_to_anthropic(told(reason, !choice.calls.empty()), choice.finish_raw));
  write_anthropic_usage(answer.usage, out);
  out += '}';
}

}  // namespace shunt::dialect
