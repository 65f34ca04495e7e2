// Mean and deviation of the other lines in whole numbers.
#include "health/outlier.h"

#include <algorithm>

namespace shunt::health {
namespace {

constexpr std::int64_t kOne = 1'000'000;
constexpr std::size_t kLeastSiblings = 3;

std::int64_t rate_micros(const Sibling& s) {
  return static_cast<std::int64_t>(s.calls - s.failures) * kOne / s.calls;
}

// The greatest whole number whose square is not above `n`.
std::int64_t root_of(std::int64_t n) {
  std::int64_t root = 0;
  for (std::int64_t bit = std::int64_t{1} << 31; bit > 0; bit /= 2) {
    if ((root + bit) * (root + bit) <= n) root += bit;
  }
  return root;
}

// Sums over the siblings with enough calls: of any one of them, the others' are found by subtraction. At
// most 500 lines share a route, so n times the squares stays below 2^58.
struct Sums {
  std::int64_t lines = 0;
  std::int64_t rates = 0;
  std::int64_t squares = 0;

  bool below_others(std::int64_t rate, const OutlierRule& rule) const {
    const std::int64_t others = lines - 1;
    if (others < 2) return false;
    const std::int64_t sum = rates - rate;
    const std::int64_t variance = others * (squares - rate * rate) - sum * sum;  // times others²
    const std::int64_t deviation = std::max(root_of(variance), others * rule.least_deviation_micros);
    return (sum - others * rate) * 1000 > rule.factor_milli * deviation;
  }
};

}  // namespace

bool is_outlier(std::span<const Sibling> siblings, std::size_t self, const OutlierRule& rule) {
  const auto counts = [&](const Sibling& s) { return s.calls > 0 && s.calls >= rule.min_calls; };
  if (siblings.size() < kLeastSiblings || !counts(siblings[self])) return false;
  Sums sums;
  std::size_t in = 0;
  for (const Sibling& s : siblings) {
    if (!s.out) ++in;
    if (!counts(s)) continue;
    const std::int64_t rate = rate_micros(s);
    ++sums.lines;
    sums.rates += rate;
    sums.squares += rate * rate;
  }
  const std::int64_t own = rate_micros(siblings[self]);
  if (!sums.below_others(own, rule)) return false;
  std::size_t ahead = 0;
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    const Sibling& s = siblings[i];
    if (i == self || s.out || !counts(s)) continue;
    const std::int64_t rate = rate_micros(s);
    const bool first = rate < own || (rate == own && i < self);
    if (first && sums.below_others(rate, rule)) ++ahead;
  }
  return ahead + 1 < in;
}

}  // namespace shunt::health
