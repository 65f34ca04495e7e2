// Extras of members without a row. See others.h.
#include "dialect/others.h"

#include "dialect/add_event.h"

namespace shunt::dialect {

void add_other(EventList& out, Scratch& scratch, int choice, std::string_view prefix, std::string_view key,
               json::Cursor& cursor) {
  const std::string_view name = scratch.joined(prefix, key);  // the key dies when the cursor goes on
  add_extra(out, choice, name, cursor.skip());
}

void add_others(EventList& out, Scratch& scratch, int choice, std::string_view prefix,
                std::string_view object, std::span<const Member> members) {
  Value ignored[kOtherSlots];
  std::string_view key;
  json::Cursor cursor(object);
  if (!cursor.enter_object()) return;
  while (take_members(cursor, members, ignored, key)) add_other(out, scratch, choice, prefix, key, cursor);
}

}  // namespace shunt::dialect
