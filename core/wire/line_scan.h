// The hot loop of SSE framing: where a line ends and whether it is ASCII, in one pass. Knows no fields.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/simd.h"

namespace shunt::wire {

struct LineScan {
  std::size_t end;  // of the first LF or CR; the text's size when there is none
  bool ascii;       // every byte before `end` is below 0x80
};

// `Block` is a parameter for the tests alone.
template <typename Block = simd::Block>
LineScan scan_line(std::string_view text) {
  constexpr std::size_t kBlock = simd::kBlock;
  const char* const from = text.data();
  const std::size_t size = text.size();
  bool ascii = true;
  std::size_t at = 0;
  const auto ends_of = [](const Block& block) { return block.equal_to('\n') | block.equal_to('\r'); };
  const auto found = [&](std::uint64_t ends, std::uint64_t highs) {
    const std::uint64_t before = (ends & (~ends + 1)) - 1;
    return LineScan{at + static_cast<std::size_t>(std::countr_zero(ends)), ascii && (highs & before) == 0};
  };
  // Four blocks a turn.
  for (; at + 4 * kBlock <= size; at += 4 * kBlock) {
    const Block a = Block::load(from + at);
    const Block b = Block::load(from + at + kBlock);
    const Block c = Block::load(from + at + 2 * kBlock);
    const Block d = Block::load(from + at + 3 * kBlock);
    const std::uint32_t highs = ((a | b) | (c | d)).bits();
    if (((ends_of(a) | ends_of(b)) | (ends_of(c) | ends_of(d))).bits() != 0) {
      const std::uint64_t ends =
          simd::joined(ends_of(a).bits(), ends_of(b).bits(), ends_of(c).bits(), ends_of(d).bits());
      return found(ends, highs == 0 ? 0 : simd::joined(a.bits(), b.bits(), c.bits(), d.bits()));
    }
    ascii = ascii && highs == 0;
  }
  for (; at + kBlock <= size; at += kBlock) {
    const Block block = Block::load(from + at);
    const std::uint32_t ends = ends_of(block).bits();
    if (ends != 0) return found(ends, block.bits());
    ascii = ascii && block.bits() == 0;
  }
  for (; at < size && from[at] != '\n' && from[at] != '\r'; ++at) {
    ascii = ascii && static_cast<unsigned char>(from[at]) < 0x80;
  }
  return {at, ascii};
}

}  // namespace shunt::wire
