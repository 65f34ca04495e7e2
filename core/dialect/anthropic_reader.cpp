// One JSON object of anthropic_messages -> events. See anthropic_reader.h.
#include "dialect/anthropic_reader.h"

#include <iterator>

#include "dialect/finish.h"
#include "dialect/provider_error.h"
#include "dialect/tool_identity.h"

namespace shunt::dialect {
namespace {

using Parts = AnthropicReader::Parts;

struct PartRow {
  std::string_view key;
  std::string_view Parts::* field;
  bool text;
};
constexpr PartRow kParts[] = {
    {"type", &Parts::type, true},           {"text", &Parts::text, true},
    {"thinking", &Parts::thinking, true},   {"signature", &Parts::signature, true},
    {"data", &Parts::data, true},           {"id", &Parts::id, true},
    {"name", &Parts::name, true},           {"partial_json", &Parts::partial_json, true},
    {"input", &Parts::input, false},        {"citation", &Parts::citation, false},
    {"citations", &Parts::citations, false}};

void erase_from(EventList& out, std::size_t mark) {
  out.erase(std::next(out.begin(), static_cast<std::ptrdiff_t>(mark)), out.end());
}

bool is_empty(std::string_view raw) { return raw.empty() || raw == "{}" || raw == "[]"; }

}  // namespace

// The whole event is read before anything is made of it: a frame that breaks off changes nothing, and `type`
// may stand last.
bool AnthropicReader::read(std::string_view json, EventList& out) {
  scratch_.reset(json.size());
  out_ = &out;
  json_ = json;
  json::Cursor cursor(json);
  Members members;
  if (cursor.peek() != json::Kind::object) return json::valid(json);
  if (!read_members(cursor, members) || !cursor.at_end()) return false;
  event::Error error;
  if (members.type == "error" || members.type.empty()) {
    if (read_error(json, ErrorForm::any, scratch_, error)) out.push_back(error);
    return true;
  }
  read_event(members);
  return true;
}

bool AnthropicReader::read_answer(std::string_view json, EventList& out) {
  if (!json::valid(json)) return false;
  scratch_.reset(json.size());
  out_ = &out;
  json_ = json;
  const std::size_t mark = out.size();
  read_message(json, true);
  event::Error error;
  if (!started_ && read_error(json, ErrorForm::any, scratch_, error)) {
    erase_from(out, mark);
    out.push_back(error);
  }
  return true;
}

event::Error AnthropicReader::error_from(std::string_view text) {
  scratch_.reset(text.size());
  return dialect::error_from(text, scratch_);
}

bool AnthropicReader::read_members(json::Cursor& cursor, Members& out) {
  std::string_view key;
  if (!cursor.enter_object()) return false;
  while (cursor.next_key(key)) {
    if (key == "type") {
      out.type = take_text(cursor, scratch_);
    } else if (key == "index") {
      out.index = cursor.read_int().value_or(-1);
    } else if (key == "delta") {
      out.delta = cursor.skip();
    } else if (key == "content_block") {
      out.block = cursor.skip();
    } else if (key == "message") {
      out.message = cursor.skip();
    } else if (key == "usage") {
      out.usage = take_raw(cursor);
    }
  }
  return cursor.ok();
}

void AnthropicReader::read_event(const Members& members) {
  if (members.type == "content_block_delta") {
    read_delta(members);
  } else if (members.type == "content_block_start") {
    start_block(members.block, members.index);
  } else if (members.type == "content_block_stop") {
    stop_block(members.index);
  } else if (members.type == "message_start") {
    read_message(members.message, false);
  } else if (members.type == "message_delta") {
    read_message_delta(members);
  } else if (members.type == "message_stop") {
    stopped_ = true;
    out_->push_back(event::Done{});
  } else if (members.type == "ping") {
    out_->push_back(event::Ping{});
  } else if (members.type != "vertex_event") {  // Vertex opens with an event that says nothing
    out_->push_back(event::Extra{-1, "event", json_});
  }
}

// message_start's message, or a whole answer: the same members, with content and stop_reason filled in.
void AnthropicReader::read_message(std::string_view raw, bool whole) {
  event::Start start;
  std::string_view key, content, usage, stop;
  json::Cursor cursor(raw);
  if (!cursor.enter_object()) return;
  const std::size_t mark = out_->size();
  bool answers = !whole;
  while (cursor.next_key(key)) {
    if (key == "id") {
      start.id = take_text(cursor, scratch_);
    } else if (key == "model") {
      start.model = take_text(cursor, scratch_);
    } else if (key == "usage") {
      usage = take_raw(cursor);
    } else if (key == "content") {
      content = take_raw(cursor);
      answers = true;
    } else if (key == "stop_reason") {
      stop = take_text(cursor, scratch_);
    } else if (key == "stop_sequence" || key == "stop_details" || key == "container") {
      put_extra("stop.", key, cursor);
    } else if (key != "type" && key != "role") {
      put_extra("message.", key, cursor);
    }
  }
  if (!answers) return;
  if (started_) {
    // A proxy that repeats the start says nothing new; another message inside an open one is two streams in
    // one.
    erase_from(*out_, mark);
    if (start.id != id_) fail("message_start inside an open message");
    return;
  }
  started_ = true;
  id_ = start.id;
  out_->insert(std::next(out_->begin(), static_cast<std::ptrdiff_t>(mark)), start);
  json::Cursor blocks(content);
  std::int64_t index = 0;
  for (bool more = blocks.enter_array() && blocks.next_element(); more;
       more = blocks.next_element(), ++index) {
    start_block(blocks.skip(), index);
    stop_block(index);
  }
  put_usage(usage);
  put_finish(stop);
}

void AnthropicReader::fail(std::string_view what) {
  stopped_ = true;
  out_->push_back(event::Finish{0, FinishReason::error, {}});
  out_->push_back(event::Error{"protocol_error", {}, what, json_, 0});
}

AnthropicReader::Parts AnthropicReader::read_parts(std::string_view raw) {
  Parts parts;
  std::string_view key;
  json::Cursor cursor(raw);
  if (!cursor.enter_object()) return parts;
  while (cursor.next_key(key)) {
    for (const PartRow& row : kParts) {
      if (row.key != key) continue;
      parts.*(row.field) = row.text ? take_text(cursor, scratch_) : take_raw(cursor);
      break;
    }
  }
  return parts;
}

void AnthropicReader::start_block(std::string_view raw, std::int64_t index) {
  const Parts parts = read_parts(raw);
  Block block{index, BlockKind::other, -1};
  const bool after_text = after_text_;
  after_text_ = parts.type == "text";
  if (parts.type == "text") {
    block.kind = BlockKind::text;
    if (after_text) out_->push_back(event::Extra{0, "content_block", R"({"type":"text","text":""})"});
    if (!parts.text.empty()) out_->push_back(event::TextDelta{0, parts.text});
    json::Cursor cursor(parts.citations);
    for (bool more = cursor.enter_array() && cursor.next_element(); more; more = cursor.next_element()) {
      out_->push_back(event::Extra{0, "citation", cursor.skip()});
    }
  } else if (parts.type == "thinking" || parts.type == "redacted_thinking") {
    block.kind = BlockKind::thinking;
    if (!parts.thinking.empty() || !parts.signature.empty() || !parts.data.empty()) {
      out_->push_back(event::ReasoningDelta{0, parts.thinking, parts.signature, parts.data});
    }
  } else if (parts.type == "tool_use" && static_cast<std::size_t>(calls_) < kToolCalls) {
    block.kind = BlockKind::tool;
    block.call = calls_++;
    out_->push_back(event::ToolCallStart{0, block.call, parts.id, parts.name});
    if (!is_empty(scratch_.compact(parts.input))) {
      out_->push_back(event::ToolCallArguments{0, block.call, scratch_.compact(parts.input)});
    }
  } else {
    out_->push_back(event::Extra{0, "content_block", raw});
  }
  if (Block* old = find(index)) {
    *old = block;
  } else {
    open_.push_back(block);
  }
}

// What a delta is, its own type says; a block only decides whose input it is.
void AnthropicReader::read_delta(const Members& members) {
  const Parts parts = read_parts(members.delta);
  const Block* block = find(members.index);
  if (block != nullptr && block->kind == BlockKind::other) {
    out_->push_back(event::Extra{0, "content_block_delta", members.delta});
  } else if (parts.type == "text_delta") {
    if (!parts.text.empty()) out_->push_back(event::TextDelta{0, parts.text});
  } else if (parts.type == "thinking_delta" || parts.type == "signature_delta") {
    if (!parts.thinking.empty() || !parts.signature.empty()) {
      out_->push_back(event::ReasoningDelta{0, parts.thinking, parts.signature, {}});
    }
  } else if (parts.type == "input_json_delta" && block != nullptr && block->call >= 0) {
    if (!parts.partial_json.empty())
      out_->push_back(event::ToolCallArguments{0, block->call, parts.partial_json});
  } else if (parts.type == "citations_delta") {
    out_->push_back(event::Extra{0, "citation", parts.citation});
  } else {
    out_->push_back(event::Extra{0, "content_block_delta", members.delta});
  }
}

void AnthropicReader::stop_block(std::int64_t index) {
  Block* block = find(index);
  if (block == nullptr) return;
  if (block->kind == BlockKind::tool) out_->push_back(event::ToolCallEnd{0, block->call});
  open_.erase(std::next(open_.begin(), block - open_.data()));
}

void AnthropicReader::read_message_delta(const Members& members) {
  put_usage(members.usage);
  std::string_view key, stop;
  json::Cursor delta(members.delta);
  for (bool more = delta.enter_object() && delta.next_key(key); more; more = delta.next_key(key)) {
    if (key == "stop_reason") {
      stop = take_text(delta, scratch_);
    } else {
      put_extra("stop.", key, delta);
    }
  }
  json::Cursor whole(json_);
  for (bool more = whole.enter_object() && whole.next_key(key); more; more = whole.next_key(key)) {
    if (key != "type" && key != "delta" && key != "usage") put_extra("message_delta.", key, whole);
  }
  put_finish(stop);
}

void AnthropicReader::put_usage(std::string_view raw) {
  if (raw.empty() || raw[0] != '{') return;
  usage_.read(raw);
  out_->push_back(event::UsageUpdate{usage_.sums(), raw});
}

void AnthropicReader::put_finish(std::string_view raw) {
  if (!raw.empty()) out_->push_back(event::Finish{0, finish_of_anthropic(raw), raw});
}

void AnthropicReader::put_extra(std::string_view prefix, std::string_view key, json::Cursor& cursor) {
  const std::string_view name = scratch_.joined(prefix, key);  // the key dies when the cursor goes on
  const std::string_view raw = take_raw(cursor);
  if (!raw.empty()) out_->push_back(event::Extra{0, name, raw});
}

AnthropicReader::Block* AnthropicReader::find(std::int64_t index) {
  for (Block& block : open_) {
    if (block.index == index) return &block;
  }
  return nullptr;
}

}  // namespace shunt::dialect
