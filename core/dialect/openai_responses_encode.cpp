// Events -> openai_responses: what an event does. See openai_responses_encode.h; openai_responses_output.h
// writes items and the Response.
#include "dialect/openai_responses_encode.h"

#include "base/json.h"
#include "dialect/call_id.h"
#include "dialect/client_error.h"
#include "dialect/fill.h"
#include "dialect/finish.h"
#include "dialect/logprobs.h"
#include "dialect/members.h"
#include "dialect/openai_responses_output.h"
#include "dialect/tool_identity.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

// What must be held to be told again at the end.
constexpr std::size_t kHeldBytes = 8 * 1024 * 1024;

using Item = ResponsesOutput::Item;
using Kind = ResponsesOutput::Kind;
using Part = ResponsesOutput::Part;

struct Call {
  std::string id;
  std::string name;
  std::string held;  // arguments that came before the start could be written
  int item = -1;     // its output_index; -1 = not begun
  bool custom = false;
};

enum ExtraKey : std::uint8_t { kEvent, kOutput, kItem, kAnnotation, kResponse, kTokens };
constexpr Word kExtras[] = {{"responses.event", kEvent},       {"responses.output", kOutput},
                            {"responses.item", kItem},         {"responses.annotation", kAnnotation},
                            {"responses.response", kResponse}, {kLogprobsKey, kTokens}};

void conclude(ResponsesOutput& output, FinishReason reason, const std::string& raw) {
  if (reason != FinishReason::error) return output.complete(reason);
  std::string error;
  const std::string what = "The provider ended the answer with: " + raw;
  write_openai_error({502, {}, "server_error", what, {}}, error);
  output.fail(error);
}

// What others sign or hide is sealed here.
void put_reasoning(ResponsesOutput& output, const event::ReasoningDelta& delta) {
  output.piece(Part::summary, delta.text);
  if (!delta.signature.empty()) output.seal(delta.signature);
  if (!delta.redacted.empty()) output.seal(delta.redacted);
}

class Encoder final : public StreamEncoder {
 public:
  explicit Encoder(const EncodeOptions& options) : output_(options) {}

  void encode(const Event& event, std::string& out) override {
    if (output_.over()) return;
    output_.to(out);
    std::visit([this](const auto& e) { on(e); }, event);
    if (output_.held() <= kHeldBytes) return;
    std::string error;
    write_openai_error({502, {}, "answer_too_large", "The answer is too large for its last event.", {}},
                       error);
    output_.fail(error);
  }

  void end(std::string& out) override {
    if (output_.over()) return;
    output_.to(out);
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (calls_[i].item < 0) start(static_cast<int>(i));
    }
    conclude(output_, told(finish_, !calls_.empty()), finish_raw_);
  }

  void broken(std::string_view body, std::string& out) override {
    output_.to(out);
    output_.fail(body);
  }

 private:
  void on(const event::Start& e) { output_.name(e); }
  void on(const event::TextDelta& e) {
    if (e.choice == 0) output_.piece(Part::text, e.text);
  }
  void on(const event::RefusalDelta& e) {
    if (e.choice == 0) output_.piece(Part::refusal, e.text);
  }
  void on(const event::ReasoningDelta& e) {
    if (e.choice == 0) put_reasoning(output_, e);
  }

  void on(const event::ToolCallStart& e) {
    if (Call* call = find_call(e.choice, e.call)) call->custom = e.custom;
    name_call(e.choice, e.call, e.id, e.name);
  }
  void on(const event::ToolCallName& e) { name_call(e.choice, e.call, e.id, e.name); }
  void on(const event::ToolCallArguments& e) {
    Call* call = find_call(e.choice, e.call);
    if (call == nullptr || e.json.empty()) return;
    // An id may still come with the first arguments, not after them.
    if (call->item < 0 && !call->name.empty()) start(e.call);
    if (call->item < 0) {
      call->held += e.json;
    } else {
      output_.arguments(call->item, e.json);
    }
  }
  void on(const event::ToolCallEnd& e) {
    Call* call = find_call(e.choice, e.call);
    if (call == nullptr) return;
    if (call->item < 0) start(e.call);
    output_.finish(call->item);
  }

  void on(const event::UsageUpdate& e) { overwrite(output_.usage, e.usage); }
  void on(const event::Finish& e) {
    if (e.choice != 0) return;
    finish_ = e.reason;
    finish_raw_ = e.raw;
  }
  void on(const event::Ping&) { output_.keep_alive(); }
  void on(const event::Extra& e) {
    const int key = find_word(kExtras, e.key);
    // The decoder has looked at braces and strings only, and this is written as it is.
    if (key == kNoWord || !json::valid(e.raw)) return;
    switch (key) {
      case kEvent: return output_.foreign(e.raw, false);
      case kOutput: return output_.foreign(e.raw, true);
      case kItem: return output_.begin_as(e.raw);
      case kAnnotation: return output_.annotation(e.raw);
      case kResponse: return output_.echo(e.raw);
      case kTokens: return e.choice == 0 ? tokens(e.raw) : void();
      default: return;
    }
  }
  void tokens(std::string_view raw) {
    std::string tokens;
    append_tokens(tokens, raw);
    output_.logprobs(tokens);
  }
  void on(const event::Error&) {}
  void on(const event::BadFrame&) {}
  void on(const event::Done&) {}

  Call* find_call(int choice, int number) {
    const bool ours = choice == 0 && number >= 0 && static_cast<std::size_t>(number) < kToolCalls;
    return ours ? &calls_[static_cast<std::size_t>(number)] : nullptr;
  }

  void name_call(int choice, int number, std::string_view id, std::string_view name) {
    Call* call = find_call(choice, number);
    if (call == nullptr || call->item >= 0) return;
    if (!id.empty()) call->id = id;
    if (!name.empty()) call->name = name;
    if (!call->name.empty() && (!call->id.empty() || !call->held.empty())) start(number);
  }

  void start(int number) {
    Call& call = calls_[static_cast<std::size_t>(number)];
    if (call.id.empty()) call.id = made_call_id("call_", output_.id(), 0, number);
    call.item = output_.begin_call(call.id, call.name, call.custom);
    if (!call.held.empty()) output_.arguments(call.item, call.held);
    call.held.clear();
  }

  ResponsesOutput output_;
  Numbered<Call> calls_;
  FinishReason finish_ = FinishReason::unknown;
  std::string finish_raw_;
};

}  // namespace

std::unique_ptr<StreamEncoder> make_openai_responses_encoder(const EncodeOptions& options) {
  return std::make_unique<Encoder>(options);
}

// The items of a Response are those its stream would have told of.
void encode_openai_responses_answer(const Folded& answer, const EncodeOptions& options, std::string& out) {
  const FoldedChoice none;
  const FoldedChoice& choice = answer.choices.empty() ? none : answer.choices.front();
  ResponsesOutput output(options);
  std::string events;
  output.to(events);
  output.name({answer.id, answer.model, answer.created});
  for (const FoldedReasoning& block : choice.reasoning) {
    put_reasoning(output, {0, block.text, block.signature, block.redacted});
  }
  output.logprobs(choice.logprobs);
  output.piece(Part::text, choice.text);
  output.piece(Part::refusal, choice.refusal);
  int number = 0;
  for (const FoldedCall& call : choice.calls) {
    const std::string made = made_call_id("call_", output.id(), 0, number++);
    const int item = output.begin_call(call.id.empty() ? made : call.id, call.name, call.custom);
    output.arguments(item, call.arguments);
    output.finish(item);
  }
  // Steps and pictures; all else that only this dialect says is lost with the order it had.
  constexpr std::string_view kOutputLine = "responses.output\n";
  for (const std::string& extra : choice.extras) {
    if (extra.starts_with(kOutputLine)) {
      output.foreign(std::string_view(extra).substr(kOutputLine.size()), true);
    }
  }
  output.usage = answer.usage;
  conclude(output, told(choice.finish, !choice.calls.empty()), choice.finish_raw);
  out += output.response();
}

}  // namespace shunt::dialect
