// Where a byte stands in a text.
#include "base/simd_find.h"

namespace shunt::simd {

std::size_t find(std::string_view text, char c, std::size_t from) {
  for (std::size_t at = from; at < text.size(); at += kBlock) {
    const std::uint32_t bits = next_block(text, at).equal_to(c).bits();
    if (bits != 0) return at + static_cast<std::size_t>(std::countr_zero(bits));
  }
  return std::string_view::npos;
}

}  // namespace shunt::simd
