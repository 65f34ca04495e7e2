// Sixteen bytes at once, on every machine: SSE2, WebAssembly's SIMD128, and a scalar twin that gives the same
// answers. Questions about bytes only; knows no format.
#pragma once

#include <array>
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

namespace shunt::simd {

// A block answers byte by byte: a byte of an answer is 0xFF for yes, 0 for no. bits() gathers the top bits,
// that of the first byte lowest; of a block of text itself it tells which bytes are not ASCII.
inline constexpr std::size_t kBlock = 16;

// The twin: what the others must agree with, and what a machine with neither uses.
class ScalarBlock {
 public:
  static ScalarBlock of(char c) {
    ScalarBlock out;
    out.bytes_.fill(static_cast<std::uint8_t>(c));
    return out;
  }
  static ScalarBlock load(const char* at) {
    ScalarBlock out;
    std::memcpy(out.bytes_.data(), at, kBlock);
    return out;
  }
  ScalarBlock equal_to(char c) const {
    return each([c](std::uint8_t byte) { return byte == static_cast<std::uint8_t>(c); });
  }
  ScalarBlock below(std::uint8_t bound) const {  // unsigned; bound > 0
    return each([bound](std::uint8_t byte) { return byte < bound; });
  }
  ScalarBlock within(std::uint8_t first, std::uint8_t last) const {  // first <= last
    return each([first, last](std::uint8_t byte) { return byte >= first && byte <= last; });
  }
  ScalarBlock equal_to(const ScalarBlock& other) const {
    ScalarBlock out;
    for (std::size_t i = 0; i < kBlock; ++i) out.bytes_[i] = bytes_[i] == other.bytes_[i] ? 0xFF : 0;
    return out;
  }
  friend ScalarBlock operator|(const ScalarBlock& a, const ScalarBlock& b) {
    ScalarBlock out;
    for (std::size_t i = 0; i < kBlock; ++i) out.bytes_[i] = a.bytes_[i] | b.bytes_[i];
    return out;
  }
  friend ScalarBlock operator&(const ScalarBlock& a, const ScalarBlock& b) {
    ScalarBlock out;
    for (std::size_t i = 0; i < kBlock; ++i) out.bytes_[i] = a.bytes_[i] & b.bytes_[i];
    return out;
  }
  std::uint32_t bits() const {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < kBlock; ++i) out |= static_cast<std::uint32_t>(bytes_[i] >> 7U) << i;
    return out;
  }

 private:
  template <typename Asked>
  ScalarBlock each(Asked asked) const {
    ScalarBlock out;
    for (std::size_t i = 0; i < kBlock; ++i) out.bytes_[i] = asked(bytes_[i]) ? 0xFF : 0;
    return out;
  }
  std::array<std::uint8_t, kBlock> bytes_{};
};

#if defined(__SSE2__)
class Block {
 public:
  static Block of(char c) { return _mm_set1_epi8(c); }
  static Block load(const char* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }
  Block equal_to(char c) const { return _mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c)); }
  Block below(std::uint8_t bound) const { return at_most(bound - 1); }
  Block within(std::uint8_t first, std::uint8_t last) const {
    return Block(_mm_sub_epi8(bytes_, _mm_set1_epi8(static_cast<char>(first)))).at_most(last - first);
  }
  Block equal_to(Block other) const { return _mm_cmpeq_epi8(bytes_, other.bytes_); }
  friend Block operator|(Block a, Block b) { return _mm_or_si128(a.bytes_, b.bytes_); }
  friend Block operator&(Block a, Block b) { return _mm_and_si128(a.bytes_, b.bytes_); }
  std::uint32_t bits() const { return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes_)); }

 private:
  Block(__m128i bytes) : bytes_(bytes) {}
  Block at_most(int most) const {
    return _mm_cmpeq_epi8(_mm_min_epu8(bytes_, _mm_set1_epi8(static_cast<char>(most))), bytes_);
  }
  __m128i bytes_;
};
#elif defined(__wasm_simd128__)
class Block {
 public:
  static Block of(char c) { return wasm_i8x16_splat(c); }
  static Block load(const char* at) { return wasm_v128_load(at); }
  Block equal_to(char c) const { return wasm_i8x16_eq(bytes_, wasm_i8x16_splat(c)); }
  Block below(std::uint8_t bound) const { return wasm_u8x16_lt(bytes_, wasm_u8x16_splat(bound)); }
  Block within(std::uint8_t first, std::uint8_t last) const {
    return wasm_u8x16_le(wasm_i8x16_sub(bytes_, wasm_u8x16_splat(first)), wasm_u8x16_splat(last - first));
  }
  Block equal_to(Block other) const { return wasm_i8x16_eq(bytes_, other.bytes_); }
  friend Block operator|(Block a, Block b) { return wasm_v128_or(a.bytes_, b.bytes_); }
  friend Block operator&(Block a, Block b) { return wasm_v128_and(a.bytes_, b.bytes_); }
  std::uint32_t bits() const { return wasm_i8x16_bitmask(bytes_); }

 private:
  Block(v128_t bytes) : bytes_(bytes) {}
  v128_t bytes_;
};
#else
using Block = ScalarBlock;
#endif

// The next block of a text from `at` on, less than its end; zeros stand where the text has ended.
template <typename Wanted = Block>
inline Wanted next_block(std::string_view text, std::size_t at) {
  if (text.size() - at >= kBlock) return Wanted::load(text.data() + at);
  std::array<char, kBlock> bytes{};
  std::memcpy(bytes.data(), text.data() + at, text.size() - at);
  return Wanted::load(bytes.data());
}

// The bits of four blocks that follow each other.
constexpr std::uint64_t joined(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return (std::uint64_t{c} | std::uint64_t{d} << kBlock) << 2 * kBlock | a | std::uint64_t{b} << kBlock;
}

namespace detail {
// Of at least one word: two words that overlap unless there is more between them than both hold.
template <typename Word>
bool equal_ends(const char* a, const char* b, std::size_t count) {
  const auto word = [](const char* at) {
    Word out;
    std::memcpy(&out, at, sizeof out);
    return out;
  };
  const std::size_t last = count - sizeof(Word);
  return ((word(a) ^ word(b)) | (word(a + last) ^ word(b + last))) == 0;
}
}  // namespace detail

// Whether `count` bytes are the same. Short ones in place: libc's, where there is one, is a call away.
inline bool equal(const char* a, const char* b, std::size_t count) {
  if (count < kBlock) {
    if (count >= 8) return detail::equal_ends<std::uint64_t>(a, b, count);
    if (count >= 4) return detail::equal_ends<std::uint32_t>(a, b, count);
    for (std::size_t i = 0; i < count; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }
  const auto same = [a, b](std::size_t at) {
    constexpr std::uint32_t kAll = 0xFFFF;
    return Block::load(a + at).equal_to(Block::load(b + at)).bits() == kAll;
  };
  for (std::size_t at = 0; at + kBlock < count; at += kBlock) {
    if (!same(at)) return false;
  }
  return same(count - kBlock);  // overlaps what has been seen
}
inline bool equal(std::string_view a, std::string_view b) {
  return a.size() == b.size() && equal(a.data(), b.data(), a.size());
}
inline bool begins_with(std::string_view text, std::string_view with) {
  return text.size() >= with.size() && equal(text.data(), with.data(), with.size());
}

}  // namespace shunt::simd
