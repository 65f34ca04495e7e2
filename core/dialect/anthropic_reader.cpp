// One JSON object of anthropic_messages -> events. See anthropic_reader.h.
#include "dialect/anthropic_reader.h"

#include <iterator>

#include "base/strings.h"
#include "dialect/add_event.h"
#include "dialect/finish.h"
#include "dialect/others.h"
#include "dialect/provider_error.h"
#include "dialect/tool_identity.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

enum EventSlot : std::uint8_t { kType, kIndex, kDelta, kBlock, kMessage, kUsage, kEventSlots };
constexpr Member kEvent[] = {{"type", kType},           {"index", kIndex},     {"delta", kDelta},
                             {"content_block", kBlock}, {"message", kMessage}, {"usage", kUsage}};

// Of a message, and of message_delta's delta; what else they hold are extras.
enum MessageSlot : std::uint8_t { kId, kModel, kMessageUsage, kContent, kStopReason, kKnown, kMessageSlots };
constexpr Member kMessageMembers[] = {{"id", kId},
                                      {"model", kModel},
                                      {"usage", kMessageUsage},
                                      {"content", kContent},
                                      {"stop_reason", kStopReason},
                                      {"type", kKnown},
                                      {"role", kKnown}};
constexpr Member kStop[] = {{"stop_reason", kStopReason}};
constexpr Member kMessageDelta[] = {{"type", kKnown}, {"delta", kKnown}, {"usage", kKnown}};

// Of a content block or delta.
enum PartSlot : std::uint8_t {
  kPartType,
  kText,
  kThinking,
  kSignature,
  kData,
  kCallId,
  kName,
  kPartialJson,
  kInput,
  kCitation,
  kCitations,
  kPartSlots
};
constexpr Member kParts[] = {
    {"type", kPartType}, {"text", kText},         {"thinking", kThinking},  {"signature", kSignature},
    {"data", kData},     {"id", kCallId},         {"name", kName},          {"partial_json", kPartialJson},
    {"input", kInput},   {"citation", kCitation}, {"citations", kCitations}};

enum EventType : std::uint8_t {
  kBlockDelta,
  kBlockStart,
  kBlockStop,
  kMessageStart,
  kMessageDeltaEvent,
  kMessageStop,
  kPing,
  kSilent
};
constexpr Word kEventTypes[] = {{"content_block_delta", kBlockDelta},
                                {"content_block_start", kBlockStart},
                                {"content_block_stop", kBlockStop},
                                {"message_start", kMessageStart},
                                {"message_delta", kMessageDeltaEvent},
                                {"message_stop", kMessageStop},
                                {"ping", kPing},
                                {"vertex_event", kSilent}};  // Vertex opens with an event that says nothing

enum PartType : std::uint8_t { kIsText, kIsThinking, kIsTool, kIsInput, kIsCitation };
constexpr Word kBlockTypes[] = {
    {"text", kIsText}, {"thinking", kIsThinking}, {"redacted_thinking", kIsThinking}, {"tool_use", kIsTool}};
constexpr Word kDeltaTypes[] = {{"text_delta", kIsText},
                                {"thinking_delta", kIsThinking},
                                {"signature_delta", kIsThinking},
                                {"input_json_delta", kIsInput},
                                {"citations_delta", kIsCitation}};

constexpr Word kStopExtras[] = {
    {"stop_sequence", kIsText}, {"stop_details", kIsText}, {"container", kIsText}};

// Blocks that are open at once: Anthropic never has two, llama.cpp closes all at the end.
constexpr std::size_t kOpenBlocks = kToolCalls;

bool is_empty(std::string_view raw) { return raw.empty() || raw == "{}" || raw == "[]"; }

}  // namespace

// The whole event is read before anything is made of it: a frame that breaks off changes nothing, and `type`
// may stand last.
bool AnthropicReader::read(std::string_view json, EventList& out) {
  scratch_.reset(json.size());
  out_ = &out;
  json_ = json;
  was_delta_ = false;
  json::Cursor cursor(json);
  if (cursor.peek() != json::Kind::object) return json::valid(json);
  Value members[kEventSlots];
  others_ = take_object(cursor, kEvent, members);
  if (!cursor.at_end()) return false;
  event::Error error;
  const std::string_view type = text(members[kType]);
  if (type.empty() || type == "error") {
    if (read_error(json, ErrorForm::any, scratch_, error)) add_error(out, error);
    return true;
  }
  read_event(members);
  if (others_) add_others(*out_, scratch_, 0, "event.", json, kEvent);
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
    cut_back(out, mark);
    add_error(out, error);
  }
  return true;
}

event::Error AnthropicReader::error_from(std::string_view text) {
  scratch_.reset(text.size());
  return dialect::error_from(text, scratch_);
}

void AnthropicReader::read_event(const Value* members) {
  const Value& number = members[kIndex];
  const std::int64_t index = number.kind == json::Kind::number ? parse_int(number.raw).value_or(-1) : -1;
  const int type = find_word(kEventTypes, text(members[kType]));
  was_delta_ = type == kBlockDelta;
  switch (type) {
    case kBlockDelta: return read_delta(json_of(members[kDelta]), index);
    case kBlockStart: return start_block(json_of(members[kBlock]), index);
    case kBlockStop: return stop_block(index);
    case kMessageStart: return read_message(members[kMessage].raw, false);
    case kMessageDeltaEvent: return read_message_delta(members[kDelta].raw, members[kUsage].raw);
    case kMessageStop:
      stopped_ = true;
      add_done(*out_);
      return;
    case kPing: add_ping(*out_); return;
    case kSilent: return;
    default: others_ = false; add_extra(*out_, -1, "event", json_);
  }
}

// message_start's message, or a whole answer: the same members, with content and stop_reason filled in.
void AnthropicReader::read_message(std::string_view raw, bool whole) {
  json::Cursor cursor(raw);
  if (!cursor.enter_object()) return;
  const std::size_t mark = out_->size();
  out_->push_back(event::Start{});
  Value in[kMessageSlots];
  std::string_view other;
  while (take_members(cursor, kMessageMembers, in, other)) {
    add_other(*out_, scratch_, 0, find_word(kStopExtras, other) == kNoWord ? "message." : "stop.", other,
              cursor);
  }
  if (whole && !in[kContent].named) {
    out_->erase(std::next(out_->begin(), static_cast<std::ptrdiff_t>(mark)));
    return;
  }
  const std::string_view id = text(in[kId]);
  if (started_) {
    // A proxy that repeats the start says nothing new; another message inside an open one is two streams in
    // one.
    cut_back(*out_, mark);
    if (id != id_) fail("message_start inside an open message");
    return;
  }
  started_ = true;
  id_ = id;
  *std::get_if<event::Start>(&(*out_)[mark]) = {id, text(in[kModel]), 0};
  json::Cursor blocks(in[kContent].kind == json::Kind::array ? in[kContent].raw : std::string_view{});
  std::int64_t index = 0;
  for (bool more = blocks.enter_array() && blocks.next_element(); more;
       more = blocks.next_element(), ++index) {
    start_block(blocks.skip(), index);
    stop_block(index);
  }
  put_usage(in[kMessageUsage].raw, !whole);
  put_finish(text(in[kStopReason]));
}

void AnthropicReader::fail(std::string_view what) {
  stopped_ = true;
  add_finish(*out_, 0, FinishReason::error, {});
  add_error(*out_, {"protocol_error", {}, what, json_, 0});
}

void AnthropicReader::start_block(std::string_view raw, std::int64_t index) {
  Value parts[kPartSlots];
  json::Cursor cursor(raw);
  const bool others = take_object(cursor, kParts, parts);
  Block block{index, BlockKind::other, -1};
  const int type = find_word(kBlockTypes, text(parts[kPartType]));
  if (type == kIsText) {
    block.kind = BlockKind::text;
    read_text_block(parts);
  } else if (type == kIsThinking) {
    block.kind = BlockKind::thinking;
    put_reasoning(parts);
  } else if (type == kIsTool && static_cast<std::size_t>(calls_) < kToolCalls) {
    block.kind = BlockKind::tool;
    block.call = calls_++;
    add_call(*out_, 0, block.call, text(parts[kCallId]), text(parts[kName]));
    const std::string_view input = scratch_.compact(json_of(parts[kInput]));
    if (!is_empty(input)) add_arguments(*out_, 0, block.call, input);
  } else {
    add_extra(*out_, 0, "content_block", raw);
  }
  if (others && block.kind != BlockKind::other) add_others(*out_, scratch_, 0, "content_block.", raw, kParts);
  after_text_ = type == kIsText;
  if (Block* old = find(index)) {
    *old = block;
  } else if (open_.size() < kOpenBlocks) {
    open_.push_back(block);
  }
}

void AnthropicReader::read_text_block(const Value* parts) {
  if (after_text_) add_extra(*out_, 0, "content_block", R"({"type":"text","text":""})");
  put_text(text(parts[kText]));
  if (parts[kCitations].kind != json::Kind::array) return;
  json::Cursor cursor(parts[kCitations].raw);
  for (bool more = cursor.enter_array() && cursor.next_element(); more; more = cursor.next_element()) {
    add_extra(*out_, 0, "citation", cursor.skip());
  }
}

// What a delta is, its own type says; a block only decides whose input it is.
void AnthropicReader::read_delta(std::string_view raw, std::int64_t index) {
  Value parts[kPartSlots];
  json::Cursor cursor(raw);
  const bool others = take_object(cursor, kParts, parts);
  const Block* block = find(index);
  int type = find_word(kDeltaTypes, text(parts[kPartType]));
  if (block != nullptr && block->kind == BlockKind::other) type = kNoWord;
  if (type == kIsInput && (block == nullptr || block->call < 0)) type = kNoWord;
  if (others && type != kNoWord) add_others(*out_, scratch_, 0, "content_block_delta.", raw, kParts);
  switch (type) {
    case kIsText: return put_text(text(parts[kText]));
    case kIsThinking: return put_reasoning(parts);
    case kIsInput: {
      const std::string_view json = text(parts[kPartialJson]);
      if (!json.empty()) add_arguments(*out_, 0, block->call, json);
      return;
    }
    case kIsCitation: return add_extra(*out_, 0, "citation", json_of(parts[kCitation]));
    default: add_extra(*out_, 0, "content_block_delta", raw);
  }
}

void AnthropicReader::stop_block(std::int64_t index) {
  Block* block = find(index);
  if (block == nullptr) return;
  if (block->kind == BlockKind::tool) out_->push_back(event::ToolCallEnd{0, block->call});
  open_.erase(std::next(open_.begin(), block - open_.data()));
}

void AnthropicReader::read_message_delta(std::string_view delta, std::string_view usage) {
  put_usage(usage, false);
  Value in[kMessageSlots];
  json::Cursor cursor(delta);
  if (take_object(cursor, kStop, in)) add_others(*out_, scratch_, 0, "stop.", delta, kStop);
  others_ = false;
  add_others(*out_, scratch_, 0, "message_delta.", json_, kMessageDelta);
  put_finish(text(in[kStopReason]));
}

void AnthropicReader::put_text(std::string_view text) {
  if (!text.empty()) add_text(*out_, 0, text);
}

void AnthropicReader::put_reasoning(const Value* parts) {
  const event::ReasoningDelta delta{0, text(parts[kThinking]), text(parts[kSignature]), text(parts[kData])};
  if (!delta.text.empty() || !delta.signature.empty() || !delta.redacted.empty()) add_reasoning(*out_, delta);
}

void AnthropicReader::put_usage(std::string_view raw, bool begins) {
  if (raw.empty() || raw[0] != '{') return;
  usage_.read(raw, begins);
  add_usage(*out_, usage_.sums(), raw);
}

void AnthropicReader::put_finish(std::string_view raw) {
  if (!raw.empty()) add_finish(*out_, 0, finish_of_anthropic(raw), raw);
}

AnthropicReader::Block* AnthropicReader::find(std::int64_t index) {
  for (std::size_t i = open_.size(); i-- > 0;) {
    if (open_[i].index == index) return &open_[i];
  }
  return nullptr;
}

}  // namespace shunt::dialect
