// Members that a reader has no row for, as extras: named by what they stand in. Knows no dialect.
#pragma once

#include <span>
#include <string_view>

#include "canonical/events.h"
#include "dialect/members.h"
#include "dialect/scratch.h"

namespace shunt::dialect {

// The value that stands next, under `key`.
void add_other(EventList& out, Scratch& scratch, int choice, std::string_view prefix, std::string_view key,
               json::Cursor& cursor);
// Every member of `object` that is none of `members`, which are at most kOtherSlots.
inline constexpr std::size_t kOtherSlots = 16;
void add_others(EventList& out, Scratch& scratch, int choice, std::string_view prefix,
                std::string_view object, std::span<const Member> members);

}  // namespace shunt::dialect
