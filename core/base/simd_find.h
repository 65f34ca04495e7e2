// Where bytes stand in a text, sixteen bytes at once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/simd.h"

namespace shunt::simd {

// Calls visit(place) for each place of `text`, in order, of which `asked` (where a block begins, `kAhead`
// bytes readable behind it, zeros behind the text -> a block of answers) says yes; until visit says true.
template <std::size_t kAhead, typename Asked, typename Visit>
void each_place(std::string_view text, Asked asked, Visit visit) {
  for (std::size_t at = 0; at < text.size(); at += kBlock) {
    std::array<char, kBlock + kAhead> last;
    const char* begin = text.data() + at;
    if (const std::size_t left = text.size() - at; left < last.size()) {
      last.fill('\0');
      std::memcpy(last.data(), begin, left);
      begin = last.data();
    }
    for (std::uint32_t bits = asked(begin).bits(); bits != 0; bits &= bits - 1) {
      const std::size_t place = at + static_cast<std::size_t>(std::countr_zero(bits));
      if (place >= text.size() || visit(place)) return;
    }
  }
}

}  // namespace shunt::simd
