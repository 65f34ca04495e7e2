// Text of any scripts, sixteen bytes at once, as far as it is well-formed UTF-8. Only utf8.cpp includes this,
// and the test of its scalar twin: others call what utf8.h has of it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/simd.h"
#include "base/utf8.h"

namespace shunt {

namespace detail {
// Where the character begins that is not ended at `at`; `at` where none is open.
inline const char* open_character(const char* begin, const char* at) {
  for (int back = 1; back <= 3 && at - begin >= back; ++back) {
    const auto byte = static_cast<unsigned char>(at[-back]);
    if (byte >= 0x80 && byte < 0xC0) continue;
    return utf8_tail(byte).due >= back ? at - back : at;
  }
  return at;
}
}  // namespace detail

// From `begin`, where a character begins, to the first one that is ill-formed or cut short, or, `in_json`, to
// what cannot stand in a JSON string as it is; else `end`.
template <typename Block = simd::Block>
const char* utf8_run(const char* begin, const char* end, bool in_json) {
  constexpr std::uint32_t kWhole = (1U << simd::kBlock) - 1;
  const std::uint32_t stops = in_json ? kWhole : 0;
  std::uint32_t due = 0;  // bit n: byte n must continue a character
  const auto stop_in = [&](Block block, const char* at, std::size_t size) {
    std::uint32_t stop = (block.equal_to('"') | block.equal_to('\\') | block.below(0x20)).bits() & stops;
    const std::uint32_t high = block.bits();
    if ((high | due) == 0) return stop;
    const std::uint32_t tails = block.below(0xC0).bits() & high;
    const std::uint32_t leads = high ^ tails;
    const std::uint32_t threes = block.within(0xE0, 0xEF).bits();
    due |= leads << 1U | threes << 2U;
    Block narrow = block.equal_to('\xE0') | block.equal_to('\xED');
    if (leads != threes) {
      const std::uint32_t fours = block.within(0xF0, 0xF4).bits();
      due |= fours << 2U | fours << 3U;
      stop |= leads & ~(block.within(0xC2, 0xDF).bits() | threes | fours);
      narrow = narrow | block.equal_to('\xF0') | block.equal_to('\xF4');
    }
    // What may follow these is not all that continues characters.
    for (std::uint32_t left = narrow.bits(); left != 0; left &= left - 1) {
      const char* const lead = at + std::countr_zero(left);
      if (lead + 1 == end) break;
      const Utf8Tail tail = utf8_tail(static_cast<unsigned char>(*lead));
      const auto next = static_cast<unsigned char>(lead[1]);
      if (next < tail.low || next > tail.high) stop |= left & (0U - left);
    }
    stop |= (due ^ tails) & kWhole;
    due >>= size;
    return stop;
  };
  const char* at = begin;
  for (; end - at >= static_cast<std::ptrdiff_t>(simd::kBlock); at += simd::kBlock) {
    if (const std::uint32_t stop = stop_in(Block::load(at), at, simd::kBlock); stop != 0)
      return detail::open_character(begin, at + std::countr_zero(stop));
  }
  if (at != end) {
    const auto size = static_cast<std::size_t>(end - at);
    const std::uint32_t stop = stop_in(simd::next_block<Block>({at, size}, 0), at, size) & ((1U << size) - 1);
    if (stop != 0) return detail::open_character(begin, at + std::countr_zero(stop));
  }
  return due == 0 ? end : detail::open_character(begin, end);
}

}  // namespace shunt
