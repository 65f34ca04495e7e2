// One JSON object of openai_responses -> events: stream events and the Response. See
// openai_responses_reader.h; openai_responses_items.cpp reads the items.
#include "dialect/openai_responses_reader.h"

#include <algorithm>

#include "base/strings.h"
#include "dialect/add_event.h"
#include "dialect/logprobs.h"
#include "dialect/others.h"
#include "dialect/provider_error.h"
#include "dialect/usage.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

enum EventSlot : std::uint8_t {
  kType,
  kOutputIndex,
  kItemId,
  kPartIndex,
  kDelta,
  kWhole,
  kPart,
  kItem,
  kResponse,
  kAnnotation,
  kLogprobs,
  kPlain,  // padding, places, and what the call has told
  kEventSlots
};
constexpr Member kEvent[] = {{"type", kType},
                             {"output_index", kOutputIndex},
                             {"item_id", kItemId},
                             {"content_index", kPartIndex},
                             {"summary_index", kPartIndex},
                             {"delta", kDelta},
                             {"text", kWhole},
                             {"refusal", kWhole},
                             {"arguments", kWhole},
                             {"input", kWhole},
                             {"part", kPart},
                             {"item", kItem},
                             {"response", kResponse},
                             {"annotation", kAnnotation},
                             {"logprobs", kLogprobs},
                             {"sequence_number", kPlain},
                             {"obfuscation", kPlain},
                             {"annotation_index", kPlain},
                             {"name", kPlain}};

enum ResponseSlot : std::uint8_t {
  kId,
  kModel,
  kCreated,
  kStatus,
  kOutput,
  kUsage,
  kError,
  kDetails,
  kIgnored,
  kResponseSlots
};
constexpr Member kResponseMembers[] = {
    {"id", kId},         {"model", kModel}, {"created_at", kCreated}, {"status", kStatus},
    {"output", kOutput}, {"usage", kUsage}, {"error", kError},        {"incomplete_details", kDetails}};
constexpr Member kReason[] = {{"reason", 0}};

// What comes in pieces stands first: its channel twice, odd when the text is whole.
enum EventType : std::uint8_t {
  kTextDelta,
  kTextDone,
  kRefusalDelta,
  kRefusalDone,
  kReasoningDelta,
  kReasoningDone,
  kSummaryDelta,
  kSummaryDone,
  kArgumentsDelta,
  kArgumentsDone,
  kItemAdded,
  kItemDone,
  kPartAdded,
  kPartDone,
  kAnnotationAdded,
  kBegun,
  kUnderWay,
  kCompleted,
  kIncomplete,
  kFailed
};
constexpr Word kEventTypes[] = {{"output_text.delta", kTextDelta},
                                {"function_call_arguments.delta", kArgumentsDelta},
                                {"reasoning_summary_text.delta", kSummaryDelta},
                                {"reasoning_text.delta", kReasoningDelta},
                                {"refusal.delta", kRefusalDelta},
                                {"custom_tool_call_input.delta", kArgumentsDelta},
                                {"output_item.added", kItemAdded},
                                {"output_item.done", kItemDone},
                                {"content_part.added", kPartAdded},
                                {"content_part.done", kPartDone},
                                {"reasoning_summary_part.added", kPartAdded},
                                {"reasoning_summary_part.done", kPartDone},
                                {"reasoning_part.added", kPartAdded},  // Bedrock
                                {"reasoning_part.done", kPartDone},
                                {"output_text.done", kTextDone},
                                {"refusal.done", kRefusalDone},
                                {"reasoning_text.done", kReasoningDone},
                                {"reasoning_summary_text.done", kSummaryDone},
                                {"function_call_arguments.done", kArgumentsDone},
                                {"custom_tool_call_input.done", kArgumentsDone},
                                {"output_text.annotation.added", kAnnotationAdded},
                                {"created", kBegun},
                                {"queued", kBegun},
                                {"in_progress", kUnderWay},
                                {"completed", kCompleted},
                                {"incomplete", kIncomplete},
                                {"failed", kFailed},
                                {"cancelled", kFailed}};

enum PartType : std::uint8_t { kTextPart, kRefusalPart, kReasoningPart, kSummaryPart };
constexpr Word kPartTypes[] = {{"output_text", kTextPart},
                               {"text", kTextPart},
                               {"refusal", kRefusalPart},
                               {"reasoning_text", kReasoningPart},
                               {"summary_text", kSummaryPart}};
enum PartSlot : std::uint8_t { kPartType, kPartText, kAnnotations, kPartLogprobs, kPartSlots };
constexpr Member kPartMembers[] = {{"type", kPartType},
                                   {"text", kPartText},
                                   {"refusal", kPartText},
                                   {"annotations", kAnnotations},
                                   {"logprobs", kPartLogprobs}};

constexpr Word kEndings[] = {{"completed", FinishReason::stop},
                             {"incomplete", FinishReason::length},
                             {"failed", FinishReason::error},
                             {"cancelled", FinishReason::error}};

constexpr std::string_view kPrefix = "response.";

std::int64_t number_of(const Value& value) {
  return value.kind == json::Kind::number ? parse_int(value.raw).value_or(-1) : -1;
}

bool holds_any(const Value& array) {
  json::Cursor cursor(array.raw);
  return array.kind == json::Kind::array && cursor.enter_array() && cursor.next_element();
}

}  // namespace

// The whole event is read before anything is made of it: a frame that breaks off changes nothing, and `type`
// may stand last.
bool ResponsesReader::read(std::string_view json, EventList& out) {
  scratch_.reset(json.size());
  out_ = &out;
  json_ = json;
  json::Cursor cursor(json);
  if (cursor.peek() != json::Kind::object) return json::valid(json);
  Value members[kEventSlots];
  others_ = take_object(cursor, kEvent, members);
  if (!cursor.at_end()) return false;
  read_event(members);
  if (others_) add_others(*out_, scratch_, 0, "event.", json, kEvent);  // Copilot's bill beside the Response
  return true;
}

bool ResponsesReader::read_answer(std::string_view json, EventList& out) {
  if (!json::valid(json)) return false;
  scratch_.reset(json.size());
  out_ = &out;
  json_ = json;
  json::Cursor cursor(json);
  Value in[kResponseSlots];
  take_object(cursor, kResponseMembers, in);
  if (in[kOutput].named || in[kStatus].named) {
    read_response(json, text(in[kStatus]));
  } else {
    put_error(json);
  }
  return true;
}

event::Error ResponsesReader::error_from(std::string_view text) {
  scratch_.reset(text.size());
  return dialect::error_from(text, scratch_);
}

void ResponsesReader::read_event(const Value* members) {
  std::string_view type = text(members[kType]);
  const bool over = stopped_ && type != "response.created";
  if (over || type.empty() || type == "error") {
    others_ = false;
    if (over) return;
    // Documented flat, sent as {"error": {…}} too.
    const std::size_t before = out_->size();
    put_error(json_);
    if (type.empty() && out_->size() == before) put_event();
    return;
  }
  const bool ours = type.starts_with(kPrefix);
  if (ours) type.remove_prefix(kPrefix.size());
  const int known = ours ? find_word(kEventTypes, type) : kNoWord;
  if (known != kNoWord && known <= kArgumentsDone) {
    return read_piece(static_cast<Channel>(known / 2), known % 2 != 0, members);
  }
  const std::string_view response = json_of(members[kResponse]);
  switch (known) {
    case kItemAdded:
    case kItemDone:
      return read_item(json_of(members[kItem]), number_of(members[kOutputIndex]),
                       known == kItemAdded ? Stage::added : Stage::done, 0);
    case kPartAdded: return;
    case kPartDone: return read_part(members);
    case kAnnotationAdded: return read_annotation(members);
    case kBegun:
      // One answer behind another: its items count from 0 again.
      if (stopped_) {
        items_.clear();
        if (!response.empty()) add_extra(*out_, -1, "responses.response", response);
      }
      stopped_ = false;
      return read_response(response, {});
    case kUnderWay: return;
    case kCompleted:
    case kIncomplete:
    case kFailed:
      stopped_ = true;
      read_response(response, type);
      return add_done(*out_);
    default: put_event();
  }
}

// The event as it stands.
void ResponsesReader::put_event() {
  others_ = false;
  add_extra(*out_, 0, "responses.event", json_);
}

// A delta, or a text that is told whole after its deltas.
void ResponsesReader::read_piece(Channel channel, bool whole, const Value* members) {
  const Kind kind = channel == Channel::arguments                             ? Kind::call
                    : channel == Channel::text || channel == Channel::refusal ? Kind::message
                                                                              : Kind::reasoning;
  Item* item = item_of_piece(kind, number_of(members[kOutputIndex]), text(members[kItemId]));
  if (item == nullptr) return put_event();
  const Value& value = members[whole ? kWhole : kDelta];
  const std::int64_t part = number_of(members[kPartIndex]);
  if (whole && (item->said & bit_of(channel, part)) != 0) return;
  if (channel == Channel::text && holds_any(members[kLogprobs])) {
    add_extra(*out_, 0, kLogprobsKey, members[kLogprobs].raw);
  }
  if (value.kind == json::Kind::string) {
    put(*item, channel, part, whole ? text(value) : scratch_.text(value.raw, value.escaped, item->split));
  } else if (channel == Channel::arguments) {
    put(*item, channel, part, scratch_.compact(value.raw));
  }
}

void ResponsesReader::read_annotation(const Value* members) {
  Item* item = item_of_piece(Kind::message, number_of(members[kOutputIndex]), text(members[kItemId]));
  if (item == nullptr) return put_event();
  item->annotated |= bit_of(Channel::text, number_of(members[kPartIndex]));
  add_extra(*out_, 0, "responses.annotation", json_of(members[kAnnotation]));
}

void ResponsesReader::read_part(const Value* members) {
  const std::int64_t index = number_of(members[kOutputIndex]);
  Item* item = index < 0 ? nullptr : find_index(index);
  if (item == nullptr) item = find_by(&Item::id, text(members[kItemId]), items_.size());
  if (item == nullptr || item->kind == Kind::other) return put_event();
  read_content_part(*item, json_of(members[kPart]),
                    item->kind == Kind::reasoning ? Channel::reasoning : Channel::text,
                    number_of(members[kPartIndex]));
}

// `ending`: why it is over, as the status says or the event that ends the stream; empty = it has begun.
void ResponsesReader::read_response(std::string_view raw, std::string_view ending) {
  json::Cursor cursor(raw);
  Value in[kResponseSlots];
  take_object(cursor, kResponseMembers, in);
  if (!started_) {
    started_ = true;
    // A float at Bedrock.
    const std::string_view seconds = in[kCreated].raw.substr(0, in[kCreated].raw.find('.'));
    out_->push_back(event::Start{text(in[kId]), text(in[kModel]), parse_int(seconds).value_or(0)});
  } else if (ending.empty()) {
    return;
  }
  if (!raw.empty()) add_extra(*out_, -1, "responses.response", raw);
  read_output(in[kOutput]);
  if (in[kUsage].kind == json::Kind::object) {
    add_usage(*out_, read_openai_usage(in[kUsage].raw, 0), in[kUsage].raw);
  }
  if (ending.empty()) return;
  json::Cursor details(json_of(in[kDetails]));
  Value reason;
  take_object(details, kReason, &reason);
  put_finish(ending, text(reason));
  if (ending == "failed" || !in[kError].raw.empty()) put_error(json_of(in[kError]));
}

void ResponsesReader::put_finish(std::string_view ending, std::string_view reason) {
  const int known = find_word(kEndings, ending);
  if (known == kNoWord) return add_finish(*out_, 0, FinishReason::unknown, ending);
  FinishReason said = static_cast<FinishReason>(known);
  if (said == FinishReason::length && !reason.empty()) {
    // Cut short, whatever the reason: never a clean stop.
    if (same_word(reason, "content_filter")) said = FinishReason::content_filter;
    ending = scratch_.joined("incomplete:", reason);
  }
  add_finish(*out_, 0, said, ending);
}

void ResponsesReader::put_error(std::string_view raw) {
  event::Error error;
  if (failed_) return;
  if (!read_error(raw, ErrorForm::any, scratch_, error)) {
    if (raw != json_) add_error(*out_, {"server_error", {}, "The response failed.", raw, 0});
    return;
  }
  failed_ = true;
  add_error(*out_, error);
}

// Content parts stand in `content` and `summary`; `channel` is what a part without a type is.
void ResponsesReader::read_content_part(Item& item, std::string_view raw, Channel channel,
                                        std::int64_t number) {
  json::Cursor cursor(raw);
  Value in[kPartSlots];
  take_object(cursor, kPartMembers, in);
  const std::string_view type = text(in[kPartType]);
  const int known = find_word(kPartTypes, type);
  if (known > kTextPart) channel = static_cast<Channel>(known);
  const std::uint64_t bit = bit_of(channel, number);
  const bool fresh = (item.said & bit) == 0;
  if (known == kNoWord && !type.empty()) {
    item.said |= bit;
    if (fresh) add_extra(*out_, 0, "responses.part", raw);
    return;
  }
  if (fresh && holds_any(in[kPartLogprobs])) {
    add_extra(*out_, 0, kLogprobsKey, in[kPartLogprobs].raw);
  }
  if (fresh) put(item, channel, number, text(in[kPartText]));
  if ((item.annotated & bit) != 0 || !holds_any(in[kAnnotations])) return;
  item.annotated |= bit;
  json::Cursor annotations(in[kAnnotations].raw);
  for (bool more = annotations.enter_array() && annotations.next_element(); more;
       more = annotations.next_element()) {
    add_extra(*out_, 0, "responses.annotation", annotations.skip());
  }
}

}  // namespace shunt::dialect
