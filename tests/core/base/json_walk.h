// Reads a whole text through the cursor, every value by its own kind: the walk that must agree with the
// scanner.
#pragma once

#include <string_view>

#include "base/json.h"

namespace shunt::json {

inline void walk_value(Cursor& c) {
  const std::optional<Kind> kind = c.peek();
  if (!kind) return;
  std::string_view text;
  bool escaped = false;
  switch (*kind) {
    case Kind::null: c.read_null(); break;
    case Kind::boolean: c.read_bool(); break;
    case Kind::number: c.read_number(); break;
    case Kind::string: c.read_string(text, escaped); break;
    case Kind::array:
      if (!c.enter_array()) return;
      while (c.next_element()) walk_value(c);
      break;
    case Kind::object:
      if (!c.enter_object()) return;
      while (c.next_key(text)) walk_value(c);
      break;
  }
}

inline bool walk(std::string_view text, Error* error = nullptr) {
  Cursor c(text);
  walk_value(c);
  if (c.at_end()) return true;
  if (error != nullptr) *error = c.ok() ? Error{c.offset(), lex::kAfterValue} : c.error();
  return false;
}

}  // namespace shunt::json
