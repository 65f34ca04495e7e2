// Randomness without state: each draw is hash(seed, purpose, counter), so no draw moves another.
#pragma once

#include <cstdint>
#include <string_view>

namespace shunt {

// What a draw is for. Values are part of recorded decisions: append, never renumber.
enum class Draw : std::uint32_t {
  route = 1,
  backoff_jitter = 2,
  probe_thinning = 3,
  request_id = 4,
  publish_jitter = 5,
  shadow = 6
};

// splitmix64's finaliser: a bijection with full avalanche.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

constexpr std::uint64_t draw(std::uint64_t seed, Draw purpose, std::uint64_t counter) {
  return mix64(mix64(seed ^ (static_cast<std::uint64_t>(purpose) << 32U)) ^ counter);
}

// FNV-1a: the same number for the same bytes on every target; `hash` goes on from earlier bytes.
constexpr std::uint64_t kHashOfNothing = 0xCBF29CE484222325ULL;
constexpr std::uint64_t hash_of(std::string_view bytes, std::uint64_t hash = kHashOfNothing) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

// Uniform in [0, bound) for bound >= 1, by multiply-shift on the high 32 bits (bound < 2^32; the bias is
// below 2^-32).
constexpr std::uint32_t draw_below(std::uint64_t seed, Draw purpose, std::uint64_t counter,
                                   std::uint32_t bound) {
  return static_cast<std::uint32_t>(((draw(seed, purpose, counter) >> 32U) * bound) >> 32U);
}

}  // namespace shunt
