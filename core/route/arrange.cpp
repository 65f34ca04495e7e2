// Groups and fallback tiers.
#include "route/arrange.h"

#include <algorithm>

#include "base/check.h"
#include "route/draws.h"
#include "route/strategies.h"

namespace shunt::route {
namespace {

std::uint32_t tier_of(const LineView& view, std::uint32_t region, std::int32_t min_score) {
  if (view.local) return 3;
  if (region != 0 && view.region == region) return 0;
  return view.task_score >= 0 && view.task_score >= min_score ? 1 : 2;
}

// Stably.
void by_tier(std::span<const LineView> views, const PlanPolicy& policy, std::uint32_t region,
             std::span<std::uint16_t> lines) {
  sort_lines(lines, [&](std::uint16_t line) { return tier_of(views[line], region, policy.min_score); });
}

// How many lines of the group are of the wanted region; they are moved to its front.
std::size_t wanted_first(std::span<const LineView> views, std::uint32_t region,
                         std::span<std::uint16_t> lines) {
  const auto other = [&](std::uint16_t line) { return views[line].local || views[line].region != region; };
  sort_lines(lines, other);
  std::size_t count = 0;
  while (count < lines.size() && !other(lines[count])) ++count;
  return count;
}

}  // namespace

void arrange(std::span<const LineView> views, const PlanPolicy& policy, std::uint64_t seed,
             std::vector<std::uint16_t>& order) {
  const Order strategy = order_of(policy.strategy);
  CORE_CHECK(strategy != nullptr);
  // Lines of one group have one rank: by role, then by priority.
  const auto rank = [&](std::uint16_t line) {
    const std::uint64_t role = views[line].role;
    return role << 32U | (policy.across ? 0 : ascending(views[line].priority));
  };
  const std::span<std::uint16_t> lines(order);
  sort_lines(lines, rank);
  for (std::size_t from = 0; from < lines.size();) {
    std::size_t to = from + 1;
    while (to < lines.size() && rank(lines[from]) == rank(lines[to])) ++to;
    const std::size_t middle =
        policy.region == 0 ? from : from + wanted_first(views, policy.region, lines.subspan(from, to - from));
    if (middle > from) strategy({views, policy, seed, lines.subspan(from, middle - from), from});
    if (middle < to) strategy({views, policy, seed, lines.subspan(middle, to - middle), middle});
    const std::size_t fallback = std::max<std::size_t>(from, 1);  // the plan's first line stays first
    const std::uint32_t region = policy.region != 0 ? policy.region : views[lines[0]].region;
    if (fallback < to) by_tier(views, policy, region, lines.subspan(fallback, to - fallback));
    from = to;
  }
}

}  // namespace shunt::route
