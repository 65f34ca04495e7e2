// Broken JSON -> JSON. What is valid comes out as the same value; what is broken is read as its writer meant
// it. Knows no schema and no provider; the room's README lists the rules.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace shunt::text {

struct RepairOptions {
  bool latex = false;  // "\frac" is a LaTeX command, not a form feed and "rac"
};

// The JSON text, or none when nothing could be saved. Linear in the text; nesting beyond kRepairDepth is
// refused. `steps`, when given, receives the bytes looked at ahead.
std::optional<std::string> repair_json(std::string_view text, RepairOptions options = {},
                                       std::size_t* steps = nullptr);

}  // namespace shunt::text
