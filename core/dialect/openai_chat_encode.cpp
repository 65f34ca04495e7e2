// Events -> openai_chat chunks. See openai_chat_encode.h; openai_chat_answer.cpp writes whole answers.
#include "dialect/openai_chat_encode.h"

#include "base/json_writer.h"
#include "base/strings.h"
#include "dialect/call_id.h"
#include "dialect/fill.h"
#include "dialect/finish.h"
#include "dialect/logprobs.h"
#include "dialect/numbered.h"
#include "dialect/tool_identity.h"
#include "dialect/usage.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

constexpr int kChoices = 128;

// Extras by where their key stood, and keys the encoder writes itself.
enum Place : std::uint8_t { kOfChunk, kOfDelta, kOfChoice };
constexpr Word kPlaces[] = {{"chunk", kOfChunk}, {"delta", kOfDelta}, {"choice", kOfChoice}};
constexpr Word kOwnKeys[] = {{"chunk.choices", kOfChunk},
                             {"delta.content", kOfDelta},
                             {"delta.tool_calls", kOfDelta},
                             {"choice.finish_reason", kOfChoice},
                             {"choice.text", kOfChoice}};

struct Call {
  std::string id;
  std::string name;
  std::string held;  // arguments that came before the start could be written
  bool custom = false;
  int index = -1;  // in the output: order in which starts are written; -1 = not yet
};

struct Choice {
  Numbered<Call> calls;
  std::string logprobs;  // of the text to come: elements of an array
  int written = 0;       // calls whose start is out
  bool seen = false;     // something of it came: its role is out
  FinishReason finish = FinishReason::unknown;
};

class Encoder final : public StreamEncoder {
 public:
  explicit Encoder(const EncodeOptions& options)
      : id_(options.id),
        model_(options.model),
        created_(options.created),
        include_usage_(options.include_usage),
        custom_calls_(options.custom_calls) {}

  void encode(const Event& event, std::string& out) override {
    out_ = &out;
    std::visit([this](const auto& e) { on(e); }, event);
  }

  void end(std::string& out) override {
    out_ = &out;
    if (choices_.empty()) begin(0);
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      const int index = static_cast<int>(i);
      Choice& choice = *begin(index);
      for (std::size_t call = 0; call < choice.calls.size(); ++call) {
        if (choice.calls[call].index < 0) write_start(choice, index, static_cast<int>(call));
      }
      open_chunk(index);
      fill(out, R"(},"finish_reason":"$")", finish_to_openai(told(choice.finish, !choice.calls.empty())));
      write_logprobs(choice);
      close_choice();
    }
    if (include_usage_) {
      open_answer();
      out += R"("usage":)";
      write_openai_usage(usage_, out);
      out += "}\n\n";
    }
    out += "data: [DONE]\n\n";
  }

  void broken(std::string_view body, std::string& out) override { fill_raw(out, "data: $\n\n", body); }

 private:
  static constexpr std::string_view kChoiceHead = "{\"index\":";

  void on(const event::Start& e) {
    if (!head_.empty()) return;
    if (!e.id.empty()) id_ = e.id;
    if (!e.model.empty()) model_ = e.model;
    if (e.created != 0) created_ = e.created;
  }
  void on(const event::TextDelta& e) { write_text(e.choice, "\"content\":\"", e.text, true); }
  void on(const event::ReasoningDelta& e) { write_text(e.choice, "\"reasoning_content\":\"", e.text); }
  void on(const event::RefusalDelta& e) { write_text(e.choice, "\"refusal\":\"", e.text); }

  void on(const event::ToolCallStart& e) {
    name_call(e.choice, e.call, e.id, e.name, e.custom && custom_calls_);
  }
  void on(const event::ToolCallName& e) { name_call(e.choice, e.call, e.id, e.name); }
  void on(const event::ToolCallArguments& e) {
    Choice* choice = begin(e.choice);
    Call* call = choice == nullptr ? nullptr : find_call(*choice, e.call);
    if (call == nullptr || e.json.empty()) return;
    // An id may still come with the first arguments, not after them.
    if (call->index < 0 && !call->name.empty()) write_start(*choice, e.choice, e.call);
    if (call->index < 0) {
      call->held += e.json;
    } else {
      write_arguments(e.choice, *call, e.json);
    }
  }
  void on(const event::ToolCallEnd&) {}

  void on(const event::UsageUpdate& e) { overwrite(usage_, e.usage); }
  // Held to the end: providers finish twice, early, and go on with text afterwards.
  void on(const event::Finish& e) {
    if (Choice* choice = begin(e.choice)) choice->finish = e.reason;
  }
  void on(const event::Ping&) { *out_ += ": keep-alive\n\n"; }
  void on(const event::Extra& e) {
    if (e.key != kLogprobsKey) return write_extra(e);
    Choice* const choice = begin(e.choice);
    if (choice == nullptr) return;
    const std::size_t before = choice->logprobs.size();
    append_tokens(choice->logprobs, e.raw);
    if (choice->logprobs.size() == before && json::valid(e.raw)) write_extra(e);  // no tokens of a text
  }
  void on(const event::Error&) {}
  void on(const event::BadFrame&) {}
  void on(const event::Done&) {}

  // The choice, its role written; null when there can be no such choice.
  Choice* begin(int index) {
    if (index < 0 || index >= kChoices) return nullptr;
    Choice& choice = choices_[static_cast<std::size_t>(index)];
    if (!choice.seen) {
      choice.seen = true;
      if (head_.empty()) make_head();
      open_chunk(index);
      *out_ += "\"role\":\"assistant\",\"content\":\"\"";
      close_delta();
    }
    return &choice;
  }

  void make_head() {
    fill(head_, R"(data: {"id":"$","object":"chat.completion.chunk",)", id_);
    fill(head_, R"("created":$,)", created_);
    fill(head_, R"("model":"$","choices":[)", model_);
    head_ += kChoiceHead;
    tail_ = include_usage_ ? "}],\"usage\":null}\n\n" : "}]}\n\n";
  }

  void open_chunk(int index) {
    *out_ += head_;
    append_int(*out_, index);
    *out_ += ",\"delta\":{";
  }
  void close_delta() {
    *out_ += "},\"finish_reason\":null";
    close_choice();
  }
  void close_choice() { *out_ += tail_; }

  void write_text(int index, std::string_view key, std::string_view text, bool content = false) {
    Choice* const choice = text.empty() ? nullptr : begin(index);
    if (choice == nullptr) return;
    open_chunk(index);
    *out_ += key;
    json::append_escaped(*out_, text);
    *out_ += "\"},\"finish_reason\":null";
    if (content) write_logprobs(*choice);
    close_choice();
  }

  void write_logprobs(Choice& choice) {
    if (choice.logprobs.empty()) return;
    fill_raw(*out_, ",\"logprobs\":{\"content\":[$],\"refusal\":null}", choice.logprobs);
    choice.logprobs.clear();
  }

  Call* find_call(Choice& choice, int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= kToolCalls) return nullptr;
    return &choice.calls[static_cast<std::size_t>(index)];
  }

  void name_call(int index, int number, std::string_view id, std::string_view name, bool custom = false) {
    Choice* choice = begin(index);
    Call* call = choice == nullptr ? nullptr : find_call(*choice, number);
    if (call == nullptr || call->index >= 0) return;
    call->custom = call->custom || custom;
    if (!id.empty()) call->id = id;
    if (!name.empty()) call->name = name;
    if (!call->name.empty() && (!call->id.empty() || !call->held.empty()))
      write_start(*choice, index, number);
  }

  void write_start(Choice& choice, int index, int number) {
    Call& call = choice.calls[static_cast<std::size_t>(number)];
    if (call.id.empty()) call.id = made_call_id("call_", id_, index, number);
    call.index = choice.written++;
    open_chunk(index);
    fill(*out_, R"("tool_calls":[{"index":$,)", std::int64_t{call.index});
    fill(*out_, call.custom ? R"("id":"$","type":"custom",)" : R"("id":"$","type":"function",)", call.id);
    fill(
        *out_,
        call.custom ? R"("custom":{"name":"$","input":""}}])" : R"("function":{"name":"$","arguments":""}}])",
        call.name);
    close_delta();
    if (!call.held.empty()) write_arguments(index, call, call.held);
    call.held.clear();
  }

  void write_arguments(int index, const Call& call, std::string_view json) {
    open_chunk(index);
    *out_ += "\"tool_calls\":[{\"index\":";
    append_int(*out_, call.index);
    *out_ += call.custom ? ",\"custom\":{\"input\":\"" : ",\"function\":{\"arguments\":\"";
    json::append_escaped(*out_, json);
    *out_ += "\"}}]";
    close_delta();
  }

  // Only what came from this dialect, by the prefixes its decoder gives. Inside a delta nothing but arrays
  // and objects: SDKs join strings and add up numbers they do not know.
  void write_extra(const event::Extra& e) {
    const std::size_t dot = e.key.find('.');
    if (dot == std::string_view::npos || e.raw.empty() || find_word(kOwnKeys, e.key) != kNoWord) return;
    const std::string_view key = e.key.substr(dot + 1);
    const int place = find_word(kPlaces, e.key.substr(0, dot));
    if (place == kOfChunk) {
      if (e.choice >= 0 || head_.empty()) return;  // nothing may stand before the first role
      open_answer();
      write_member(key, e.raw);
      *out_ += "}\n\n";
    } else if (place != kNoWord) {
      const bool structured = e.raw[0] == '[' || e.raw[0] == '{';
      if ((place == kOfDelta && !structured) || begin(e.choice) == nullptr) return;
      open_chunk(e.choice);
      if (place == kOfChoice) *out_ += R"(},"finish_reason":null,)";
      write_member(key, e.raw);
      if (place == kOfChoice) {
        close_choice();
      } else {
        close_delta();
      }
    }
  }

  // A chunk without choices, up to its own members.
  void open_answer() {
    out_->append(head_, 0, head_.size() - kChoiceHead.size());
    *out_ += "],";
  }

  void write_member(std::string_view key, std::string_view raw) {
    fill(*out_, R"("$":)", key);
    append_one_line(*out_, raw);
  }

  std::string id_, model_;
  std::int64_t created_;
  bool include_usage_;
  bool custom_calls_;
  std::string head_;  // of every chunk, up to the choice's index
  std::string tail_;
  Numbered<Choice> choices_;
  Usage usage_;
  std::string* out_ = nullptr;
};

}  // namespace

std::unique_ptr<StreamEncoder> make_openai_chat_encoder(const EncodeOptions& options) {
  return std::make_unique<Encoder>(options);
}

}  // namespace shunt::dialect
