// A provider's sentence made safe to show: no key, token, address of a person or machine, and not
// longer than a line or two.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shunt::classify {

inline constexpr std::size_t kShownBytes = 300;

// Never fails; ends on a whole UTF-8 character. Control characters become spaces.
std::string redacted(std::string_view text);

}  // namespace shunt::classify
