// score: weight x success rate / (p90 in ms + 1), and x what is left of the line's limits where the route
// asks. Compared as exact fractions: nothing is rounded, nothing overflows.
#include <algorithm>

#include "route/draws.h"
#include "route/strategy.h"

namespace shunt::route {
namespace {

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
  // By line: the whole part of its score, what is left of the division, and what by it was divided.
  std::vector<std::uint64_t> scores(3 * group.views.size());
  for (const std::uint16_t line : group.lines) {
    const LineView& view = group.views[line];
    // At most 10^6 x 10^6 x 10^6, below 2^60.
    std::uint64_t over = (weights == 0 ? 1 : weight_of(view)) * rate(view.success_micros);
    if (group.policy.quota) over *= rate(view.quota_micros);
    // A line that nobody has timed counts as the fastest: else it would never be called and timed.
    const std::uint64_t under = std::uint64_t{view.p90_ms == 0 ? best_p90 : view.p90_ms} + 1;
    std::uint64_t* const score = &scores[3 * std::size_t{line}];
    score[0] = over / under;
    score[1] = over % under;
    score[2] = under;
  }
  // Whole parts, then what is left of them: each product stays below 2^64.
  const std::uint64_t* const all = scores.data();
  sort_lines(group.lines, [all](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t* const x = all + 3 * std::size_t{a};
    const std::uint64_t* const y = all + 3 * std::size_t{b};
    return x[0] != y[0] ? x[0] > y[0] : x[1] * y[2] > y[1] * x[2];
  });
}

}  // namespace shunt::route
