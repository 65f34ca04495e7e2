// Checkers of what every encoded stream must hold, whatever it was made from. They throw nothing: the first
// breach comes back as text.
#pragma once

#include <string>
#include <string_view>

namespace shunt::dialect::test {

// Empty = all invariants hold. `broken`: the stream must end in an error event and never cleanly.
std::string breach_of_openai(std::string_view bytes, bool include_usage, bool broken);
std::string breach_of_anthropic(std::string_view bytes, bool broken);

}  // namespace shunt::dialect::test
