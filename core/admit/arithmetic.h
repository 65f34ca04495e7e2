// Sums that stop at the ends of 64 bits, and shares of a whole: what every limit of this room counts with.
// Knows no limits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/time.h"

namespace shunt::admit {

inline constexpr std::int64_t kMicros = 1'000'000;

// No single amount (tokens, micro-dollars) and no limit counts for more: what is larger is taken for this.
inline constexpr std::int64_t kMostAmount = 1'000'000'000'000;
constexpr std::int64_t amount(std::int64_t n) { return std::clamp<std::int64_t>(n, 0, kMostAmount); }

constexpr std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (!__builtin_add_overflow(a, b, &out)) return out;
  return a < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}
constexpr Instant later(Instant t, std::int64_t ms) { return {sum(t.ms, ms)}; }
constexpr Duration span(Instant from, Instant to) {
  std::int64_t out = 0;
  if (!__builtin_sub_overflow(to.ms, from.ms, &out)) return {out};
  return {from.ms < 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min()};
}

// How often `step` >= 1 must be taken to reach `distance` >= 0.
constexpr std::int64_t steps(std::int64_t distance, std::int64_t step) {
  return distance / step + (distance % step != 0 ? 1 : 0);
}

// left / whole in millionths, rounded down, within 0 and 1; whole is at most 2^59.
constexpr std::int64_t share_micros(std::int64_t left, std::int64_t whole) {
  if (left <= 0) return 0;
  if (left >= whole) return kMicros;
  if (whole <= std::numeric_limits<std::int64_t>::max() / kMicros) return left * kMicros / whole;
  std::int64_t share = 0;
  for (std::int64_t place = kMicros; place > 1; place /= 10) {  // long division: a product would not fit
    left *= 10;
    share = share * 10 + left / whole;
    left %= whole;
  }
  return share;
}

}  // namespace shunt::admit
