// The hot loop of SSE framing: where a line ends and whether it is ASCII, in one pass. Knows no fields.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace shunt::wire {

struct LineScan {
  std::size_t end;  // of the first LF or CR; the text's size when there is none
  bool ascii;       // every byte before `end` is below 0x80
};

namespace detail {

// Byte k of a block answers at bit k * kBitsPerByte + kBitsPerByte - 1.
struct Masks {
  std::uint64_t ends;   // LF or CR; only the lowest bit is exact
  std::uint64_t highs;  // 0x80 and above; exact
};

#if defined(__SSE2__)
inline constexpr std::size_t kBlock = 16;
inline constexpr int kBitsPerByte = 1;
inline Masks masks(const char* at) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i ends =
      _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')));
  return {static_cast<std::uint32_t>(_mm_movemask_epi8(ends)),
          static_cast<std::uint32_t>(_mm_movemask_epi8(bytes))};
}
#elif defined(__wasm_simd128__)
inline constexpr std::size_t kBlock = 16;
inline constexpr int kBitsPerByte = 1;
inline Masks masks(const char* at) {
  const v128_t bytes = wasm_v128_load(at);
  const v128_t ends = wasm_v128_or(wasm_i8x16_eq(bytes, wasm_i8x16_splat('\n')),
                                   wasm_i8x16_eq(bytes, wasm_i8x16_splat('\r')));
  return {static_cast<std::uint32_t>(wasm_i8x16_bitmask(ends)),
          static_cast<std::uint32_t>(wasm_i8x16_bitmask(bytes))};
}
#else
static_assert(std::endian::native == std::endian::little, "the lowest byte must come first");
inline constexpr std::size_t kBlock = 8;
inline constexpr int kBitsPerByte = 8;
inline constexpr std::uint64_t kLows = 0x0101010101010101;
inline constexpr std::uint64_t kHighs = 0x8080808080808080;
// Zero bytes of a word. A borrow can mark a byte above a zero byte falsely, never one below it.
inline std::uint64_t zeros(std::uint64_t word) { return (word - kLows) & ~word & kHighs; }
inline Masks masks(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return {zeros(word ^ (kLows * '\n')) | zeros(word ^ (kLows * '\r')), word & kHighs};
}
#endif

}  // namespace detail

inline LineScan scan_line(std::string_view text) {
  std::uint64_t highs = 0;
  std::size_t at = 0;
  // Long lines: four blocks a turn, until one of them holds the end.
  for (; at + 4 * detail::kBlock <= text.size(); at += 4 * detail::kBlock) {
    const char* const from = text.data() + at;
    const detail::Masks a = detail::masks(from);
    const detail::Masks b = detail::masks(from + detail::kBlock);
    const detail::Masks c = detail::masks(from + 2 * detail::kBlock);
    const detail::Masks d = detail::masks(from + 3 * detail::kBlock);
    if ((a.ends | b.ends | c.ends | d.ends) != 0) break;
    highs |= a.highs | b.highs | c.highs | d.highs;
  }
  for (; at + detail::kBlock <= text.size(); at += detail::kBlock) {
    const detail::Masks block = detail::masks(text.data() + at);
    if (block.ends != 0) {
      const std::uint64_t before = (block.ends & (~block.ends + 1)) - 1;
      const auto byte = static_cast<std::size_t>(std::countr_zero(block.ends) / detail::kBitsPerByte);
      return {at + byte, (highs | (block.highs & before)) == 0};
    }
    highs |= block.highs;
  }
  for (; at < text.size() && text[at] != '\n' && text[at] != '\r'; ++at) {
    highs |= static_cast<unsigned char>(text[at]) & 0x80u;
  }
  return {at, highs == 0};
}

}  // namespace shunt::wire
