// The members of an object, taken apart by a table of keys before anything is made of them. Knows JSON, no
// dialect.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/json.h"
#include "dialect/scratch.h"

namespace shunt::dialect {

// A member's value as it stands in the source. Views of that.
struct Value {
  std::string_view raw;  // a string's content without its quotes, else the JSON; empty = absent or null
  json::Kind kind = json::Kind::null;
  bool escaped = false;
  bool named = false;  // its key stands there, if only with null
};

struct Member {
  std::string_view key;
  std::uint8_t slot;          // where its value goes; several keys may share one
  bool only_strings = false;  // the value of another type is not this member
};

// Takes the members of the object that `cursor` is in into their slots; nulls are stepped over. Stops at a
// value of another key: true, it stands next. False at the object's end.
bool take_members(json::Cursor& cursor, std::span<const Member> members, Value* slots,
                  std::string_view& other);
// The same for an object of which nothing else is wanted; none when no object stands next. True: it holds
// other members.
bool take_object(json::Cursor& cursor, std::span<const Member> members, Value* slots);

// The text of a string; empty when the value is none.
std::string_view text_of(const Value& value, Scratch& scratch);
// A value's own JSON, a string's with its quotes.
std::string_view json_of(const Value& value);

}  // namespace shunt::dialect
