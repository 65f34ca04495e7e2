// Numbers as people and models write them: "2.", ".5", "1_000", "0x1F". Knows no structure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shunt::text {

// The JSON number that the whole of `word` stands for; empty when it stands for none, as "05", "1.2.3",
// "1/3" and "1e999" (more than a double holds) do not.
std::string loose_number(std::string_view word);

}  // namespace shunt::text
