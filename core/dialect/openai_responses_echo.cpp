// What came from this dialect and is written again: items as they began, events, the Response. See
// openai_responses_output.h.
#include <span>

#include "base/strings.h"
#include "dialect/fill.h"
#include "dialect/members.h"
#include "dialect/openai_responses_output.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

constexpr Word kKinds[] = {{"message", ResponsesOutput::Kind::message},
                           {"reasoning", ResponsesOutput::Kind::reasoning},
                           {"function_call", ResponsesOutput::Kind::function_call},
                           {"custom_tool_call", ResponsesOutput::Kind::custom_tool_call}};

// Members that are written here; those of `more` and `echo_` are the others.
enum Own : std::uint8_t { kOwn };
constexpr Word kItemOwn[] = {
    {"type", kOwn},    {"id", kOwn},      {"status", kOwn},    {"role", kOwn}, {"content", kOwn},
    {"summary", kOwn}, {"call_id", kOwn}, {"arguments", kOwn}, {"name", kOwn}, {"encrypted_content", kOwn},
    {"input", kOwn}};
constexpr Word kResponseOwn[] = {
    {"id", kOwn},    {"object", kOwn},     {"created_at", kOwn},         {"status", kOwn},
    {"error", kOwn}, {"model", kOwn},      {"incomplete_details", kOwn}, {"output", kOwn},
    {"usage", kOwn}, {"output_text", kOwn}};
constexpr Word kEventOwn[] = {{"type", kOwn}, {"sequence_number", kOwn}, {"output_index", kOwn}};

enum Slot : std::uint8_t { kType, kId, kIndex, kItem, kSlots };
constexpr Member kMembers[] = {{"type", kType}, {"id", kId}, {"output_index", kIndex}, {"item", kItem}};

void copy_others(std::string& out, std::string_view object, std::span<const Word> own) {
  json::Cursor cursor(object);
  std::string_view key;
  if (!cursor.enter_object()) return;
  while (cursor.next_key(key)) {
    if (find_word(own, key) != kNoWord) continue;
    fill(out, ",\"$\":", key);
    append_one_line(out, cursor.skip());
  }
}

}  // namespace

void ResponsesOutput::echo(std::string_view response) {
  echo_.clear();
  copy_others(echo_, response, kResponseOwn);
}

void ResponsesOutput::begin_as(std::string_view raw) {
  Value in[kSlots];
  json::Cursor cursor(raw);
  take_object(cursor, kMembers, in);
  const int known = find_word(kKinds, in[kType].raw);
  if (known == kNoWord) return;
  const Kind kind = static_cast<Kind>(known);
  close_open("completed");
  next_id_ = in[kId].raw;
  next_more_.clear();
  copy_others(next_more_, raw, kItemOwn);
  held_ += next_more_.size();
  if (kind == Kind::message || kind == Kind::reasoning) opened(kind);
}

void ResponsesOutput::foreign(std::string_view raw, bool of_output) {
  Value in[kSlots];
  json::Cursor cursor(raw);
  take_object(cursor, kMembers, in);
  const std::string_view type = in[kType].raw;
  const std::int64_t theirs = parse_int(in[kIndex].raw).value_or(-1);
  const bool added = type == "response.output_item.added";
  if (added || type == "response.output_item.done") return foreign_item(json_of(in[kItem]), theirs, !added);
  if (type.empty()) return;
  if (of_output) return foreign_item(raw, -1, true);
  const int ours = foreign_place(theirs);
  if (theirs >= 0 && ours < 0) return;  // of an item that never began
  begin();
  const std::string name(type);
  open(name.c_str(), "");
  if (ours >= 0) fill(*out_, ",\"output_index\":$", std::int64_t{ours});
  copy_others(*out_, raw, kEventOwn);
  close();
}

int ResponsesOutput::foreign_place(std::int64_t theirs) const {
  if (theirs < 0) return -1;
  for (std::size_t i = foreign_.size(); i-- > 0;) {
    if (foreign_[i].theirs == theirs) return foreign_[i].ours;
  }
  return -1;
}

void ResponsesOutput::foreign_item(std::string_view raw, std::int64_t theirs, bool done) {
  if (raw.empty()) return;
  std::string json;
  append_one_line(json, raw);
  held_ += json.size();
  int number = foreign_place(theirs);
  if (number < 0 || (!done && at(number).done)) {
    number = add_item(Kind::foreign);
    foreign_.push_back({theirs, number});
    tell_item(".added", number, json);
  }
  Item& item = at(number);
  if (item.done) return;
  item.json = json;
  if (done) end_item(number, "");
}

}  // namespace shunt::dialect
