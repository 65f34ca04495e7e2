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
  // At most 10^6 x 10^6 x 10^6, below 2^60.
  const auto over = [&](const LineView& view) {
    const std::uint64_t product = (weights == 0 ? 1 : weight_of(view)) * rate(view.success_micros);
    return group.policy.quota ? product * rate(view.quota_micros) : product;
  };
  // A line that nobody has timed counts as the fastest: else it would never be called and timed.
  const auto under = [&](const LineView& view) {
    return std::uint64_t{view.p90_ms == 0 ? best_p90 : view.p90_ms} + 1;
  };
  const auto whole = [&](std::uint16_t line) {
    return ~(over(group.views[line]) / under(group.views[line]));
  };
  // What is left of the division, in 2^-64: distinct fractions of divisors to 2^32 differ by as much.
  const auto rest = [&](std::uint16_t line) {
    const std::uint64_t by = under(group.views[line]);
    const std::uint64_t high = over(group.views[line]) % by << 32U;
    return ~(high / by << 32U | (high % by << 32U) / by);
  };
  if (!sort_lines(group.lines, whole)) return;
  for (std::size_t from = 0; from < group.lines.size();) {
    std::size_t to = from + 1;
    while (to < group.lines.size() && whole(group.lines[to]) == whole(group.lines[from])) ++to;
    if (to > from + 1) sort_lines(group.lines.subspan(from, to - from), rest);
    from = to;
  }
}

}  // namespace shunt::route
