// The table of strategies and the functions in it. Every draw is hash(seed, place in the plan): the
// draw for one place never
// depends on how many draws other places took.
#include "route/strategies.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/limits.h"
#include "base/order.h"
#include "base/rng.h"

namespace shunt::route {
namespace {

static_assert(std::uint64_t{kMaxWeight} * limits::kPlanLines < (std::uint64_t{1} << 32U),
              "draw_below takes 32 bits");

std::uint32_t weight_of(const LineView& view) {
  return static_cast<std::uint32_t>(std::clamp(view.weight, 0, kMaxWeight));
}

// Orders [from, to) of `order` by weighted draws without replacement. Lines of weight 0 come after
// all others, drawn as equals; so a group whose weights are all 0 is a group of equals.
void draw_group(std::span<const LineView> views, std::uint64_t seed, std::vector<std::uint16_t>& order,
                std::size_t from, std::size_t to) {
  std::uint32_t total = 0;
  for (std::size_t i = from; i < to; ++i) total += weight_of(views[order[i]]);
  for (std::size_t place = from; place + 1 < to; ++place) {
    const bool equals = total == 0;
    const auto bound = equals ? static_cast<std::uint32_t>(to - place) : total;
    std::uint32_t ticket = draw_below(seed, Draw::route, place, bound);
    std::size_t pick = place;
    for (;; ++pick) {
      const std::uint32_t share = equals ? 1 : weight_of(views[order[pick]]);
      if (ticket < share) break;
      ticket -= share;
    }
    total -= weight_of(views[order[pick]]);
    // A rotation, not a swap: who was not drawn stays in configuration order.
    const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
    std::rotate(at(place), at(pick), at(pick + 1));
  }
}

// Lowest priority number first; inside each group by weighted draws, the rest of a group being its
// failover.
void priority_weighted(std::span<const LineView> views, std::uint64_t seed,
                       std::vector<std::uint16_t>& order) {
  const auto priority = [&](std::uint32_t line) { return views[line].priority; };
  const auto better = [&](std::uint32_t a, std::uint32_t b) { return priority(a) < priority(b); };
  // Most configurations list their lines best first, and sorting allocates.
  if (!std::is_sorted(order.begin(), order.end(), better)) {
    std::vector<std::uint32_t> sorted(order.begin(), order.end());
    stable_order(sorted, better);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint16_t>(sorted[i]);
  }
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from + 1;
    while (to < order.size() && priority(order[to]) == priority(order[from])) ++to;
    draw_group(views, seed, order, from, to);
    from = to;
  }
}

struct Row {
  Strategy strategy;
  Order order;
};
constexpr std::array<Row, 11> kStrategies = {{
    {Strategy::priority_weighted, priority_weighted},
    {Strategy::weighted, nullptr},
    {Strategy::weight_order, nullptr},
    {Strategy::primary_backup, nullptr},
    {Strategy::order, nullptr},
    {Strategy::cost_aware, nullptr},
    {Strategy::performance_first, nullptr},
    {Strategy::score, nullptr},
    {Strategy::success_degrade, nullptr},
    {Strategy::least_busy, nullptr},
    {Strategy::affinity, nullptr},
}};

}  // namespace

Order order_of(Strategy strategy) {
  for (const Row& row : kStrategies) {
    if (row.strategy == strategy) return row.order;
  }
  return nullptr;
}

}  // namespace shunt::route
