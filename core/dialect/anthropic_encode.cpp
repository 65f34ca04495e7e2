// Events -> anthropic_messages stream events. See anthropic_encode.h; anthropic_answer.cpp writes whole
// answers.
#include "dialect/anthropic_encode.h"

#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/strings.h"
#include "dialect/call_id.h"
#include "dialect/finish.h"
#include "dialect/one_line.h"
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
    for (Call& call : calls_) call.ended = true;
    flush();
    close_block();
    const FinishReason reason = told(refused_ ? FinishReason::content_filter : finish_, !calls_.empty());
    if (reason == FinishReason::error) return write_error_finish();
    out += "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"";
    out += finish_to_anthropic(reason, finish_raw_);
    out += '"';
    out += stop_extras_;
    if (!has_stop_sequence_) out += ",\"stop_sequence\":null";
    out += "},\"usage\":";
    json::Writer writer(out);
    write_anthropic_usage(usage_, writer);
    out += "}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
  }

  void broken(std::string_view body, std::string& out) override {
    out += "event: error\ndata: ";
    append_one_line(out, body);
    out += "\n\n";
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
      waiting_.push_back({BlockKind::raw, -1, std::string(e.raw), {}, {}, std::string(e.key)});
    } else if (e.key.starts_with(kStop)) {
      const std::string_view key = e.key.substr(kStop.size());
      if (key == "stop_sequence") has_stop_sequence_ = true;
      stop_extras_ += ",\"";
      json::append_escaped(stop_extras_, key);
      stop_extras_ += "\":";
      append_one_line(stop_extras_, e.raw);
    }
  }
  void on(const event::Error&) {}
  void on(const event::BadFrame&) {}
  void on(const event::Done&) {}

  void begin() {
    if (begun_) return;
    begun_ = true;
    *out_ += "event: message_start\ndata: ";
    json::Writer writer(*out_);
    writer.begin_object().field("type", "message_start").key("message").begin_object();
    writer.field("id", std::string_view(id_)).field("type", "message").field("role", "assistant");
    writer.field("model", std::string_view(model_)).key("content").begin_array().end_array();
    writer.key("stop_reason").null().key("stop_sequence").null().key("usage");
    write_anthropic_usage(usage_, writer);
    writer.end_object().end_object();
    *out_ += "\n\n";
  }

  // A call is open, or something waits already: order must hold.
  bool blocked() const { return open_ == BlockKind::tool || !waiting_.empty(); }

  Waiting& wait(BlockKind kind) {
    const bool joins = !waiting_.empty() && waiting_.back().kind == kind &&
                       waiting_.back().signature.empty() && waiting_.back().redacted.empty();
    if (!joins) waiting_.emplace_back().kind = kind;
    return waiting_.back();
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
    const auto at = static_cast<std::size_t>(index);
    if (calls_.size() <= at) calls_.resize(at + 1);
    if (!calls_[at].queued) {
      calls_[at].queued = true;
      waiting_.emplace_back();
      waiting_.back().kind = BlockKind::tool;
      waiting_.back().call = index;
    }
    return &calls_[at];
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
    std::size_t done = 0;
    for (; done < waiting_.size() && open_ != BlockKind::tool; ++done) {
      const Waiting& next = waiting_[done];
      if (next.kind == BlockKind::text) {
        write_text(next.text);
      } else if (next.kind == BlockKind::thinking) {
        write_reasoning(next.text, next.signature, next.redacted);
      } else if (next.kind == BlockKind::raw) {
        write_raw(next.key, next.text);
      } else if (!open_tool(next.call)) {
        break;
      }
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(done));
  }

  // False: its start cannot be written yet. An id may still come with the first arguments, not after them.
  bool open_tool(int index) {
    Call& call = calls_[static_cast<std::size_t>(index)];
    const bool known = !call.name.empty() && (!call.id.empty() || !call.held.empty());
    if (!known && !call.ended) return false;
    if (call.id.empty()) call.id = made_call_id("toolu_", id_, 0, index);
    std::string block = "{\"type\":\"tool_use\",\"id\":\"";
    json::append_escaped(block, call.id);
    block += "\",\"name\":\"";
    json::append_escaped(block, call.name);
    block += "\",\"input\":{}}";
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
    *out_ += "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":";
    append_int(*out_, index_);
    *out_ += ",\"content_block\":";
    append_one_line(*out_, block);
    *out_ += "}\n\n";
  }

  void close_block() {
    if (open_ == BlockKind::none) return;
    open_ = BlockKind::none;
    *out_ += "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":";
    append_int(*out_, index_++);
    *out_ += "}\n\n";
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
    std::string block = "{\"type\":\"redacted_thinking\",\"data\":\"";
    json::append_escaped(block, redacted);
    block += "\"}";
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
    *out_ += "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"";
    json::append_escaped(
        *out_, "The provider ended the answer with: " + (finish_raw_.empty() ? "error" : finish_raw_));
    *out_ += "\"}}\n\n";
  }

  std::string id_, model_;
  bool begun_ = false;
  BlockKind open_ = BlockKind::none;
  int index_ = 0;  // of the open block, or of the next
  int open_call_ = -1;
  std::vector<Call> calls_;
  std::vector<Waiting> waiting_;
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
