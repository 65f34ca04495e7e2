// Events -> anthropic_messages stream events. See anthropic_encode.h; anthropic_answer.cpp writes whole
// answers.
#include "dialect/anthropic_encode.h"

#include "base/json_writer.h"
#include "base/strings.h"
#include "dialect/call_id.h"
#include "dialect/fill.h"
#include "dialect/finish.h"
#include "dialect/numbered.h"
#include "dialect/tool_identity.h"
#include "dialect/usage.h"

namespace shunt::dialect {
namespace {

enum class BlockKind : std::uint8_t { none, text, thinking, tool, raw };

struct Call {
  std::string id;
  std::string name;
  std::string held;  // arguments that cannot be written yet
  bool queued = false;
  bool ended = false;
};

// Something that waits for an open call to end.
struct Waiting {
  BlockKind kind = BlockKind::text;
  int call = -1;
  std::string text;  // of text and thinking; the block or delta of raw
  std::string signature;
  std::string redacted;
  std::string key;  // of raw: the extra's key
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
    begin();
    for (std::size_t i = 0; i < calls_.size(); ++i) calls_[i].ended = true;
    flush();
    close_block();
    const FinishReason reason = told(refused_ ? FinishReason::content_filter : finish_, !calls_.empty());
    if (reason == FinishReason::error) return write_error_finish();
    fill(out, "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"$\"",
         finish_to_anthropic(reason, finish_raw_));
    out += stop_extras_;
    if (!has_stop_sequence_) out += R"(,"stop_sequence":null)";
    out += R"(},"usage":)";
    write_anthropic_usage(usage_, out);
    out += "}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
  }

  void broken(std::string_view body, std::string& out) override {
    fill_raw(out, "event: error\ndata: $\n\n", body);
  }

 private:
  void on(const event::Start& e) {
    if (begun_) return;
    if (!e.id.empty()) id_ = e.id;
    if (!e.model.empty()) model_ = e.model;
  }
  void on(const event::TextDelta& e) {
    if (e.choice == 0) put_text(e.text);
  }
  void on(const event::RefusalDelta& e) {
    if (e.choice != 0) return;
    refused_ = true;
    put_text(e.text);
  }
  void on(const event::ReasoningDelta& e) {
    if (e.choice != 0) return;
    if (!blocked()) return write_reasoning(e.text, e.signature, e.redacted);
    Waiting& waiting = wait(BlockKind::thinking);
    waiting.text += e.text;
    waiting.signature += e.signature;
    waiting.redacted += e.redacted;
  }

  void on(const event::ToolCallStart& e) {
    if (e.choice == 0) name_call(e.call, e.id, e.name);
  }
  void on(const event::ToolCallName& e) {
    if (e.choice == 0) name_call(e.call, e.id, e.name);
  }
  void on(const event::ToolCallArguments& e) {
    Call* call = e.choice == 0 ? find_call(e.call) : nullptr;
    if (call == nullptr || e.json.empty()) return;
    if (open_ == BlockKind::tool && open_call_ == e.call)
      return write_delta("input_json_delta", "partial_json", e.json);
    call->held += e.json;
    flush();
  }
  void on(const event::ToolCallEnd& e) {
    Call* call = e.choice == 0 ? find_call(e.call) : nullptr;
    if (call == nullptr) return;
    call->ended = true;
    flush();
  }

  void on(const event::UsageUpdate& e) { overwrite(usage_, e.usage); }
  void on(const event::Finish& e) {
    if (e.choice != 0) return;
    finish_ = e.reason;
    finish_raw_ = e.raw;
  }
  void on(const event::Ping&) { *out_ += "event: ping\ndata: {\"type\":\"ping\"}\n\n"; }
  // Only what came from this dialect, by the keys its decoder gives.
  void on(const event::Extra& e) {
    constexpr std::string_view kStop = "stop.";
    if (e.raw.empty()) return;
    if (e.key == "content_block" || e.key == "content_block_delta" || e.key == "citation") {
      if (!blocked()) return write_raw(e.key, e.raw);
      Waiting& waiting = waiting_.add();
      waiting.kind = BlockKind::raw;
      waiting.text = e.raw;
      waiting.key = e.key;
    } else if (e.key.starts_with(kStop)) {
      const std::string_view key = e.key.substr(kStop.size());
      if (key == "stop_sequence") has_stop_sequence_ = true;
      fill(stop_extras_, R"(,"$":)", key);
      append_one_line(stop_extras_, e.raw);
    }
  }
  void on(const event::Error&) {}
  void on(const event::BadFrame&) {}
  void on(const event::Done&) {}

  void begin() {
    if (begun_) return;
    begun_ = true;
    fill(*out_, "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"$\",", id_);
    fill(*out_, R"("type":"message","role":"assistant","model":"$","content":[],)", model_);
    *out_ += R"("stop_reason":null,"stop_sequence":null,"usage":)";
    write_anthropic_usage(usage_, *out_);
    *out_ += "}}\n\n";
  }

  // A call is open, or something waits already: order must hold.
  bool blocked() const { return open_ == BlockKind::tool || !waiting_.empty(); }

  Waiting& wait(BlockKind kind) {
    if (!waiting_.empty()) {
      Waiting& last = waiting_[waiting_.size() - 1];
      if (last.kind == kind && last.signature.empty() && last.redacted.empty()) return last;
    }
    Waiting& added = waiting_.add();
    added.kind = kind;
    return added;
  }

  void put_text(std::string_view text) {
    if (text.empty()) return;
    if (blocked()) {
      wait(BlockKind::text).text += text;
    } else {
      write_text(text);
    }
  }

  Call* find_call(int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= kToolCalls) return nullptr;
    Call& call = calls_[static_cast<std::size_t>(index)];
    if (!call.queued) {
      call.queued = true;
      Waiting& waiting = waiting_.add();
      waiting.kind = BlockKind::tool;
      waiting.call = index;
    }
    return &call;
  }

  void name_call(int index, std::string_view id, std::string_view name) {
    Call* call = find_call(index);
    if (call == nullptr) return;
    if (!id.empty() && call->id.empty()) call->id = id;
    if (!name.empty() && call->name.empty()) call->name = name;
    flush();
  }

  // Writes what waits, up to a call that is not ended or not yet known by name and id.
  void flush() {
    if (open_ == BlockKind::tool && calls_[static_cast<std::size_t>(open_call_)].ended) close_block();
    for (; written_ < waiting_.size() && open_ != BlockKind::tool; ++written_) {
      const Waiting& next = waiting_[written_];
      if (next.kind == BlockKind::text) {
        write_text(next.text);
      } else if (next.kind == BlockKind::thinking) {
        write_reasoning(next.text, next.signature, next.redacted);
      } else if (next.kind == BlockKind::raw) {
        write_raw(next.key, next.text);
      } else if (!open_tool(next.call)) {
        return;
      }
      waiting_.drop(written_);
    }
    if (written_ < waiting_.size()) return;
    waiting_.clear();
    written_ = 0;
  }

  // False: its start cannot be written yet. An id may still come with the first arguments, not after them.
  bool open_tool(int index) {
    Call& call = calls_[static_cast<std::size_t>(index)];
    const bool known = !call.name.empty() && (!call.id.empty() || !call.held.empty());
    if (!known && !call.ended) return false;
    if (call.id.empty()) call.id = made_call_id("toolu_", id_, 0, index);
    std::string block;
    fill(block, R"({"type":"tool_use","id":"$",)", call.id);
    fill(block, R"("name":"$","input":{}})", call.name);
    open_block(BlockKind::tool, block);
    open_call_ = index;
    if (!call.held.empty()) write_delta("input_json_delta", "partial_json", call.held);
    call.held.clear();
    if (call.ended) close_block();
    return true;
  }

  void open_block(BlockKind kind, std::string_view block) {
    begin();
    close_block();
    open_ = kind;
    fill(*out_, "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":$",
         std::int64_t{index_});
    fill_raw(*out_, ",\"content_block\":$}\n\n", block);
  }

  void close_block() {
    if (open_ == BlockKind::none) return;
    open_ = BlockKind::none;
    fill(*out_, "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":$}\n\n",
         std::int64_t{index_++});
  }

  void open_delta() {
    *out_ += "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":";
    append_int(*out_, index_);
    *out_ += ",\"delta\":";
  }
  void write_delta(std::string_view type, std::string_view key, std::string_view text) {
    open_delta();
    *out_ += "{\"type\":\"";
    *out_ += type;
    *out_ += "\",\"";
    *out_ += key;
    *out_ += "\":\"";
    json::append_escaped(*out_, text);
    *out_ += "\"}}\n\n";
  }

  void write_text(std::string_view text) {
    if (open_ != BlockKind::text) open_block(BlockKind::text, R"({"type":"text","text":""})");
    write_delta("text_delta", "text", text);
  }

  void write_reasoning(std::string_view text, std::string_view signature, std::string_view redacted) {
    if ((!text.empty() || !signature.empty()) && open_ != BlockKind::thinking) {
      open_block(BlockKind::thinking, R"({"type":"thinking","thinking":"","signature":""})");
    }
    if (!text.empty()) write_delta("thinking_delta", "thinking", text);
    if (!signature.empty()) {
      write_delta("signature_delta", "signature", signature);
      close_block();
    }
    if (redacted.empty()) return;
    std::string block;
    fill(block, R"({"type":"redacted_thinking","data":"$"})", redacted);
    open_block(BlockKind::raw, block);
    close_block();
  }

  void write_raw(std::string_view key, std::string_view raw) {
    if (key == "content_block") {
      const bool text = raw == R"({"type":"text","text":""})";
      return open_block(text ? BlockKind::text : BlockKind::raw, raw);
    }
    if (key == "citation" && open_ != BlockKind::text)
      open_block(BlockKind::text, R"({"type":"text","text":""})");
    if (open_ == BlockKind::none) return;
    open_delta();
    if (key == "citation") *out_ += "{\"type\":\"citations_delta\",\"citation\":";
    append_one_line(*out_, raw);
    *out_ += key == "citation" ? "}}\n\n" : "}\n\n";
  }

  // This dialect has no word for an answer that ended in an error: it says so in an event, and message_stop
  // does not come.
  void write_error_finish() {
    const std::string word = finish_raw_.empty() ? "error" : finish_raw_;
    fill(*out_,
         "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\""
         "The provider ended the answer with: $\"}}\n\n",
         word);
  }

  std::string id_, model_;
  bool begun_ = false;
  BlockKind open_ = BlockKind::none;
  int index_ = 0;  // of the open block, or of the next
  int open_call_ = -1;
  Numbered<Call> calls_;
  Numbered<Waiting> waiting_;
  std::size_t written_ = 0;  // of them
  Usage usage_;
  FinishReason finish_ = FinishReason::unknown;
  std::string finish_raw_;
  std::string stop_extras_;  // members of message_delta's delta, each after a comma
  bool has_stop_sequence_ = false;
  bool refused_ = false;
  std::string* out_ = nullptr;
};

}  // namespace

std::unique_ptr<StreamEncoder> make_anthropic_encoder(const EncodeOptions& options) {
  return std::make_unique<Encoder>(options);
}

}  // namespace shunt::dialect
