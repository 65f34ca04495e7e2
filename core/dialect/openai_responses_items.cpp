// The items of openai_responses -> events, and which item a piece belongs to. See openai_responses_reader.h.
//
// `output_index` decides, where there is one: Copilot gives an item another id in each event. llama.cpp has
// no indexes, and its calls no ids but their call_id.
#include <algorithm>

#include "base/strings.h"
#include "dialect/add_event.h"
#include "dialect/openai_responses_reader.h"
#include "dialect/tool_identity.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

enum ItemSlot : std::uint8_t {
  kType,
  kId,
  kCallId,
  kName,
  kArguments,
  kContent,
  kSummary,
  kEncrypted,
  kItemSlots
};
constexpr Member kItemMembers[] = {{"type", kType},
                                   {"id", kId},
                                   {"call_id", kCallId},
                                   {"name", kName},
                                   {"arguments", kArguments},
                                   {"input", kArguments},
                                   {"content", kContent},
                                   {"summary", kSummary},
                                   {"encrypted_content", kEncrypted}};

// Items that clients act on; the others are steps the provider took itself.
enum ItemType : std::uint8_t { kMessage, kReasoning, kCall };
constexpr Word kItemTypes[] = {
    {"message", kMessage}, {"reasoning", kReasoning}, {"function_call", kCall}, {"custom_tool_call", kCall}};

// Summaries and contents of one item are counted apart: the bits of contents, then those of summaries. Later
// parts share the last bit.
constexpr std::int64_t kParts = 32;
constexpr std::uint64_t kContents = 0xFFFFFFFFU;

std::int64_t count_elements(std::string_view array) {
  json::Cursor cursor(array);
  std::int64_t count = 0;
  for (bool more = cursor.enter_array() && cursor.next_element(); more; more = cursor.next_element()) ++count;
  return count;
}

}  // namespace

std::uint64_t ResponsesReader::bit_of(Channel channel, std::int64_t part) {
  const std::int64_t place = std::clamp<std::int64_t>(part, 0, kParts - 1);
  return std::uint64_t{1} << static_cast<unsigned>(place + (channel == Channel::summary ? kParts : 0));
}

void ResponsesReader::begin() {
  if (started_) return;
  started_ = true;
  out_->push_back(event::Start{});
}

void ResponsesReader::put(Item& item, Channel channel, std::int64_t part, std::string_view text) {
  if (text.empty()) return;
  item.said |= bit_of(channel, part);
  begin();
  switch (channel) {
    case Channel::text: return add_text(*out_, 0, text);
    case Channel::refusal: return add_refusal(*out_, 0, text);
    case Channel::reasoning:
    case Channel::summary: return add_reasoning(*out_, {0, text, {}, {}});
    case Channel::arguments: add_arguments(*out_, 0, item.call, text);
  }
}

ResponsesReader::Item* ResponsesReader::add_item(Kind kind, std::int64_t index) {
  if (items_.size() >= kToolCalls) return nullptr;
  Item& item = items_.add();
  item.kind = kind;
  item.index = index;
  if (kind == Kind::call) item.call = calls_++;
  return &item;
}

ResponsesReader::Item* ResponsesReader::find_index(std::int64_t index) {
  for (std::size_t i = items_.size(); i-- > 0;) {
    if (items_[i].index == index) return &items_[i];
  }
  return nullptr;
}

ResponsesReader::Item* ResponsesReader::find_by(std::string Item::* name, std::string_view id,
                                                std::size_t among) {
  if (id.empty()) return nullptr;
  for (std::size_t i = among; i-- > 0;) {
    if (items_[i].*name == id) return &items_[i];
  }
  return nullptr;
}

ResponsesReader::Item* ResponsesReader::newest(Kind kind) {
  for (std::size_t i = items_.size(); i-- > 0;) {
    if (items_[i].kind == kind) return &items_[i];
  }
  return nullptr;
}

// Null: nothing of ours.
ResponsesReader::Item* ResponsesReader::item_of_piece(Kind kind, std::int64_t index, std::string_view id) {
  Item* item = nullptr;
  if (index >= 0) {
    item = find_index(index);
  } else {
    item = find_by(&Item::id, id, items_.size());
    if (item == nullptr) item = find_by(&Item::call_id, id, items_.size());
    if (item == nullptr) item = newest(kind);
  }
  if (item != nullptr) return item->kind == kind ? item : nullptr;
  item = add_item(kind, index);
  if (item == nullptr) return nullptr;
  item->id = id;
  if (kind == Kind::call) {
    begin();
    add_call(*out_, 0, item->call, {}, {});
  }
  return item;
}

// The item that an item event or an entry of a whole answer tells of, if it is one of the first `among`.
ResponsesReader::Item* ResponsesReader::item_told(Kind kind, std::int64_t index, const Value* members,
                                                  std::size_t among) {
  const std::string_view call_id = text(members[kCallId]);
  const auto fits = [&](const Item* item) {
    return item != nullptr && item->kind == kind &&
           (call_id.empty() || item->call_id.empty() || item->call_id == call_id);
  };
  Item* item = find_by(&Item::call_id, call_id, among);
  if (fits(item)) return item;
  item = index >= 0 ? find_index(index) : nullptr;
  if (fits(item)) return item;
  item = find_by(&Item::id, text(members[kId]), among);
  return fits(item) ? item : nullptr;
}

// `seen`: of a whole answer, how many items its stream has told of.
void ResponsesReader::read_item(std::string_view raw, std::int64_t index, Stage stage, std::size_t seen) {
  json::Cursor cursor(raw);
  Value in[kItemSlots];
  take_object(cursor, kItemMembers, in);
  const int known = find_word(kItemTypes, text(in[kType]));
  const Kind kind = known == kNoWord ? Kind::other : static_cast<Kind>(known);
  const bool in_answer = stage == Stage::answer;
  Item* item = item_told(kind, index, in, in_answer ? seen : items_.size());
  if (stage == Stage::added && item != nullptr && item->ended) item = nullptr;  // the place is used again
  if (stage == Stage::done && item == nullptr && index < 0) item = newest(kind);
  if (in_answer && item == nullptr && told_already(kind, index, in, seen)) return;
  const bool fresh = item == nullptr;
  if (fresh) item = add_item(kind, index);
  if (kind == Kind::other || item == nullptr) {
    if (stage == Stage::added) return put_event();
    if (!in_answer) others_ = false;
    if (fresh || !in_answer) add_extra(*out_, 0, "responses.output", in_answer ? raw : json_);
    return;
  }
  begin_item(*item, fresh, in, raw);
  if (stage != Stage::added) finish_item(*item, in);
}

// An entry of the answer that cannot be matched is a repeat under other ids, unless nothing like it was told,
// it stands behind everything that was, or its call_id is new.
bool ResponsesReader::told_already(Kind kind, std::int64_t index, const Value* members, std::size_t seen) {
  if (kind == Kind::call && !members[kCallId].raw.empty()) return false;
  return static_cast<std::size_t>(index) < seen && newest(kind) != nullptr;
}

void ResponsesReader::begin_item(Item& item, bool fresh, const Value* members, std::string_view raw) {
  const std::string_view call_id = text(members[kCallId]);
  const std::string_view name = text(members[kName]);
  const bool late_id = item.call_id.empty() && !call_id.empty();
  const bool late_name = !item.named && !name.empty();
  if (item.id.empty()) item.id = text(members[kId]);
  if (late_id) item.call_id = call_id;
  item.named = item.named || late_name;
  begin();
  if (fresh) add_extra(*out_, 0, "responses.item", raw);
  if (item.kind != Kind::call) return;
  if (fresh) {
    add_call(*out_, 0, item.call, call_id, name, members[kType].raw == "custom_tool_call");
  } else if (late_id || late_name) {
    out_->push_back(event::ToolCallName{0, item.call, late_id ? call_id : std::string_view(),
                                        late_name ? name : std::string_view()});
  }
}

void ResponsesReader::finish_item(Item& item, const Value* members) {
  const Value& arguments = members[kArguments];
  if (item.kind == Kind::call) {
    const bool string = arguments.kind == json::Kind::string;
    if (item.said == 0) {
      put(item, Channel::arguments, 0, string ? text(arguments) : scratch_.compact(arguments.raw));
    }
    if (!item.ended) out_->push_back(event::ToolCallEnd{0, item.call});
  } else {
    read_content(item, members[kSummary], Channel::summary);
    read_content(item, members[kContent], item.kind == Kind::reasoning ? Channel::reasoning : Channel::text);
    const std::string_view sealed = text(members[kEncrypted]);
    if (!sealed.empty() && !item.sealed) {
      item.sealed = true;
      add_reasoning(*out_, {0, {}, sealed, {}});
    }
  }
  item.ended = true;
}

void ResponsesReader::read_content(Item& item, const Value& content, Channel channel) {
  if (content.kind == json::Kind::string && item.said == 0) return put(item, channel, 0, text(content));
  // Pieces that were numbered otherwise (Bedrock counts over all items) were told all the same.
  const std::uint64_t told = channel == Channel::summary ? item.said : item.said & kContents;
  const std::int64_t count = count_elements(content.raw);
  if (count < kParts && told >= bit_of(channel, count)) return;
  json::Cursor parts(content.raw);
  std::int64_t number = 0;
  for (bool more = parts.enter_array() && parts.next_element(); more; more = parts.next_element(), ++number) {
    read_content_part(item, parts.skip(), channel, number);
  }
}

void ResponsesReader::read_output(const Value& output) {
  const std::size_t seen = items_.size();
  json::Cursor items(output.kind == json::Kind::array ? output.raw : std::string_view());
  std::int64_t index = 0;
  for (bool more = items.enter_array() && items.next_element(); more; more = items.next_element(), ++index) {
    read_item(items.skip(), index, Stage::answer, seen);
  }
}

}  // namespace shunt::dialect
