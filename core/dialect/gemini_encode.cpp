// Events -> gemini_generate stream chunks. See gemini_encode.h; gemini_answer.cpp writes whole answers.
#include "dialect/gemini_encode.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/json.h"
#include "base/rng.h"
#include "base/strings.h"
#include "dialect/fill.h"
#include "dialect/finish.h"
#include "dialect/logprobs.h"
#include "dialect/numbered.h"
#include "dialect/tool_identity.h"
#include "dialect/usage.h"

namespace shunt::dialect {
namespace {

constexpr std::size_t kChoices = 128;
constexpr char kFrameEnd[] = "\r\n\r\n";

// Members that wait for their object, each after a comma; of those of one name the first, for chunks repeat
// most of them.
class Members {
 public:
  void add(std::string_view key, std::string_view raw) {
    const std::uint64_t name = hash_of(key);
    for (std::size_t i = 0; i < count_; ++i) {
      if (names_[i] == name) return;
    }
    if (count_ == names_.size()) return;
    names_[count_++] = name;
    fill(text_, R"(,"$":)", key);
    append_one_line(text_, raw);
  }
  std::string take() {
    count_ = 0;
    return std::exchange(text_, {});
  }

 private:
  std::string text_;
  std::array<std::uint64_t, 32> names_;  // more than these no object has
  std::size_t count_ = 0;
};

struct Call {
  std::string id;
  std::string name;
  std::string arguments;
  std::string part_members;  // as Choice's
  bool begun = false;
  bool ended = false;
};

struct Choice {
  Numbered<Call> calls;
  Members part_members;  // of the part to come: a signature
  Members members;       // … and of the candidate it comes in
  std::string logprobs;  // … whose tokens these are: elements of an array
  FinishReason finish = FinishReason::unknown;
  std::string finish_raw;
  std::size_t written = 0;  // calls, in their order
  bool refused = false;
};

class Encoder final : public StreamEncoder {
 public:
  explicit Encoder(const EncodeOptions& options) : id_(options.id), model_(options.model) {}

  void encode(const Event& event, std::string& out) override {
    out_ = &out;
    std::visit([this](const auto& e) { on(e); }, event);
  }

  void end(std::string& out) override {
    out_ = &out;
    for (std::size_t i = 0; i < std::max<std::size_t>(choices_.size(), 1); ++i) {
      Choice& choice = choices_[i];
      for (std::size_t call = 0; call < choice.calls.size(); ++call) choice.calls[call].ended = true;
      write_calls(choice, i);
      finish(choice, i, i + 1 >= choices_.size());
    }
  }

  void broken(std::string_view body, std::string& out) override { fill_raw(out, "data: $\r\n\r\n", body); }

 private:
  void on(const event::Start& e) {
    if (!tail_.empty()) return;
    if (!e.id.empty()) id_ = e.id;
    if (!e.model.empty()) model_ = e.model;
  }
  void on(const event::TextDelta& e) { write_text(e.choice, R"({"text":"$")", e.text); }
  void on(const event::ReasoningDelta& e) { write_text(e.choice, R"({"thought":true,"text":"$")", e.text); }
  // This dialect has no word for a refusal: it is text, and the finish reason says so.
  void on(const event::RefusalDelta& e) {
    if (Choice* choice = find(e.choice)) choice->refused = true;
    write_text(e.choice, R"({"text":"$")", e.text);
  }

  void on(const event::ToolCallStart& e) { name_call(e.choice, e.call, e.id, e.name); }
  void on(const event::ToolCallName& e) { name_call(e.choice, e.call, e.id, e.name); }
  void on(const event::ToolCallArguments& e) {
    Choice* choice = find(e.choice);
    if (Call* call = find_call(choice, e.call)) call->arguments += e.json;
  }
  void on(const event::ToolCallEnd& e) {
    Choice* choice = find(e.choice);
    Call* call = find_call(choice, e.call);
    if (call == nullptr) return;
    call->ended = true;
    write_calls(*choice, static_cast<std::size_t>(e.choice));
  }

  void on(const event::UsageUpdate& e) { overwrite(usage_, e.usage); }
  // Held to the end: providers finish twice, early, and go on with text afterwards.
  void on(const event::Finish& e) {
    if (Choice* choice = find(e.choice)) {
      choice->finish = e.reason;
      choice->finish_raw = e.raw;
    }
  }
  void on(const event::Extra& e) { write_extra(e); }
  // Clients of this dialect know no comments and no pings.
  void on(const event::Ping&) {}
  void on(const event::Error&) {}
  void on(const event::BadFrame&) {}
  void on(const event::Done&) {}

  Choice* find(int index) {
    const auto at = static_cast<std::size_t>(index);
    return index >= 0 && at < kChoices ? &choices_[at] : nullptr;
  }

  Call* find_call(Choice* choice, int index) {
    const auto at = static_cast<std::size_t>(index);
    if (choice == nullptr || index < 0 || at >= kToolCalls || at < choice->written) return nullptr;
    return &choice->calls[at];
  }

  void name_call(int index, int number, std::string_view id, std::string_view name) {
    Choice* choice = find(index);
    Call* call = find_call(choice, number);
    if (call == nullptr) return;
    if (!id.empty()) call->id = id;
    if (!name.empty()) call->name = name;
    if (!call->begun) call->part_members = choice->part_members.take();
    call->begun = true;
  }

  // Every chunk: a candidate with one part, and what the answer is called.
  void open_part(std::size_t index) {
    fill(*out_, R"(data: {"candidates":[{"index":$,"content":{"role":"model","parts":[)",
         static_cast<std::int64_t>(index));
  }
  void close_part(Choice& choice) {
    *out_ += "]}";
    *out_ += choice.members.take();
    append_gemini_logprobs(*out_, choice.logprobs);
    choice.logprobs.clear();
  }
  void close() {
    *out_ += "}]";
    end_chunk();
  }
  void end_chunk() {
    if (tail_.empty()) {
      fill(tail_, R"(,"modelVersion":"$")", model_);
      fill(tail_, R"(,"responseId":"$"})", id_);
      tail_ += kFrameEnd;
    }
    *out_ += response_members_.take();
    *out_ += tail_;
  }

  void write_text(int index, const char* part, std::string_view text) {
    Choice* choice = find(index);
    if (choice == nullptr || text.empty()) return;
    open_part(static_cast<std::size_t>(index));
    fill(*out_, part, text);
    *out_ += choice->part_members.take();
    *out_ += '}';
    close_part(*choice);
    close();
  }

  // Those that have ended, up to one that has not.
  void write_calls(Choice& choice, std::size_t index) {
    for (; choice.written < choice.calls.size() && choice.calls[choice.written].ended; ++choice.written) {
      if (choice.calls[choice.written].begun) write_call(choice, choice.calls[choice.written], index);
      choice.calls.drop(choice.written);
    }
  }

  void write_call(Choice& choice, const Call& call, std::size_t index) {
    open_part(index);
    *out_ += R"({"functionCall":{)";
    if (!call.id.empty()) fill(*out_, R"("id":"$",)", call.id);
    fill(*out_, R"("name":"$","args":)", call.name);
    append_gemini_args(*out_, call.arguments);
    *out_ += '}';
    *out_ += call.part_members;
    *out_ += '}';
    close_part(choice);
    close();
  }

  void finish(Choice& choice, std::size_t index, bool last) {
    const FinishReason reason =
        told(choice.refused ? FinishReason::content_filter : choice.finish, choice.written > 0);
    const std::string_view word = finish_to_gemini(reason, choice.finish_raw);
    open_part(index);
    *out_ += R"({"text":"")";
    *out_ += choice.part_members.take();
    *out_ += '}';
    close_part(choice);
    fill(*out_, R"(,"finishReason":"$"}])", word);
    if (last) {
      *out_ += R"(,"usageMetadata":)";
      write_gemini_usage(usage_, *out_);
    }
    end_chunk();
    if (reason != FinishReason::error || word == choice.finish_raw) return;
    // No word says that the provider ended in an error of its own: an error object does.
    fill(*out_,
         "data: {\"error\":{\"code\":502,\"message\":\"The provider ended the answer with: $\","
         "\"status\":\"UNAVAILABLE\"}}\r\n\r\n",
         choice.finish_raw.empty() ? std::string_view("error") : std::string_view(choice.finish_raw));
  }

  // Only what came from this dialect, by the keys its decoder gives. It waits for the next part, or the end:
  // a chunk without one is invalid to the SDKs' chats, which then forget the whole turn.
  void write_extra(const event::Extra& e) {
    if (!json::valid(e.raw)) return;  // a reader steps over what it hands on
    const std::size_t dot = std::min(e.key.find('.'), e.key.size());
    const std::string_view place = e.key.substr(0, dot);
    const std::string_view key = e.key.substr(std::min(dot + 1, e.key.size()));
    Choice* choice = find(e.choice);
    if (place == "response" && !key.empty()) {
      response_members_.add(key, e.raw);
    } else if (choice == nullptr) {
      return;
    } else if (e.key == "part") {
      open_part(static_cast<std::size_t>(e.choice));
      append_one_line(*out_, e.raw);
      close_part(*choice);
      close();
    } else if (e.key == kLogprobsKey) {
      append_tokens(choice->logprobs, e.raw);
    } else if (place == "part") {
      choice->part_members.add(key, e.raw);
    } else if (place == "candidate") {
      if (key == "logprobsResult") choice->logprobs.clear();  // the same, as it came
      choice->members.add(key, e.raw);
    }
  }

  std::string id_, model_;
  std::string tail_;          // of every chunk, once one was written
  Members response_members_;  // of the chunk to come
  Numbered<Choice> choices_;
  Usage usage_;
  std::string* out_ = nullptr;
};

}  // namespace

// What is no object, though it should be, is kept as text.
void append_gemini_args(std::string& out, std::string_view arguments) {
  if (json::Cursor(arguments).peek() == json::Kind::object && json::valid(arguments)) {
    append_one_line(out, arguments);
  } else {
    fill(out, trim(arguments).empty() ? "{}" : R"({"raw_arguments":"$"})", arguments);
  }
}

std::unique_ptr<StreamEncoder> make_gemini_encoder(const EncodeOptions& options) {
  return std::make_unique<Encoder>(options);
}

}  // namespace shunt::dialect
