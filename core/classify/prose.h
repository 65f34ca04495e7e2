// How much of a text is plain words, of which none is secret or announces one. Knows no sentence.
#pragma once

#include <cstddef>
#include <string_view>

namespace shunt::classify {

// Of a text that begins where a run does or outside one; what it does not know, or nearly at the end, is
// none.
std::size_t prose_size(std::string_view text);

}  // namespace shunt::classify
