// score: weight x success rate / (p90 in ms + 1), and x what is left of the line's limits where the route
// asks. Compared as exact fractions: nothing is rounded, nothing overflows.
#include <algorithm>

#include "route/draws.h"
#include "route/strategy.h"

namespace shunt::route {
namespace {

struct Fraction {
  std::uint64_t over;   // at most 10^6 x 10^6 x 10^6, below 2^60
  std::uint64_t under;  // 1 to 2^32
};

// Whole parts, then what is left of them: each product stays below 2^64.
bool greater(const Fraction& a, const Fraction& b) {
  const std::uint64_t whole_a = a.over / a.under;
  const std::uint64_t whole_b = b.over / b.under;
  if (whole_a != whole_b) return whole_a > whole_b;
  return a.over % a.under * b.under > b.over % b.under * a.under;
}

std::uint64_t rate(std::int64_t micros) {
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(micros, 0, 1000000));
}

}  // namespace

void score(const Group& group) {
  std::uint32_t best_p90 = 0;
  std::uint32_t weights = 0;
  for (const std::uint16_t line : group.lines) {
    const LineView& view = group.views[line];
    weights += weight_of(view);
    if (view.p90_ms != 0 && (best_p90 == 0 || view.p90_ms < best_p90)) best_p90 = view.p90_ms;
  }
  const auto score_of = [&](std::uint32_t line) {
    const LineView& view = group.views[line];
    // A line that nobody has timed counts as the fastest: else it would never be called and timed.
    const std::uint64_t p90_ms = view.p90_ms == 0 ? best_p90 : view.p90_ms;
    std::uint64_t over = (weights == 0 ? 1 : weight_of(view)) * rate(view.success_micros);
    if (group.policy.quota) over *= rate(view.quota_micros);
    return Fraction{over, p90_ms + 1};
  };
  sort_lines(group.lines,
             [&](std::uint32_t a, std::uint32_t b) { return greater(score_of(a), score_of(b)); });
}

}  // namespace shunt::route
