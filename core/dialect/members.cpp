// The members of an object by a table of keys. See members.h.
#include "dialect/members.h"

#include "dialect/words.h"

namespace shunt::dialect {
namespace {

const Member* find(std::span<const Member> members, std::string_view key) {
  for (const Member& member : members) {
    if (same_word(member.key, key)) return &member;
  }
  return nullptr;
}

}  // namespace

bool take_members(json::Cursor& cursor, std::span<const Member> members, Value* slots,
                  std::string_view& other) {
  while (cursor.next_key(other)) {
    const std::optional<json::Kind> kind = cursor.peek();
    if (!kind) return false;  // the JSON breaks off here
    const Member* member = find(members, other);
    if (member != nullptr) slots[member->slot].named = true;
    if (*kind == json::Kind::null) continue;
    const bool string = *kind == json::Kind::string;
    if (member == nullptr || (member->only_strings && !string)) return true;
    Value& value = slots[member->slot];
    value.kind = *kind;
    if (string) {
      cursor.read_string(value.raw, value.escaped);
    } else {
      value.raw = cursor.skip();
    }
  }
  return false;
}

bool take_object(json::Cursor& cursor, std::span<const Member> members, Value* slots) {
  std::string_view other;
  bool others = false;
  if (!cursor.enter_object()) return false;
  while (take_members(cursor, members, slots, other)) others = true;
  return others;
}

std::string_view text_of(const Value& value, Scratch& scratch) {
  return value.kind == json::Kind::string ? scratch.text(value.raw, value.escaped) : std::string_view{};
}

std::string_view json_of(const Value& value) {
  if (value.kind != json::Kind::string) return value.raw;
  return {value.raw.data() - 1, value.raw.size() + 2};
}

}  // namespace shunt::dialect
