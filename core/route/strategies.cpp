// The table of strategies, and those that are a few lines long; the others have a file of their name.
#include "route/strategies.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "route/draws.h"
#include "route/strategy.h"

namespace shunt::route {
namespace {

// priority_weighted, weighted: the first line and its failover come from draws.
void by_draws(const Group& group) { draw(group, 0, group.lines.size()); }

void as_listed(const Group&) {}

// Largest weight first, down to the last.
void weight_order(const Group& group) {
  sort_lines(group.lines, [&](std::uint16_t line) { return ~weight_of(group.views[line]); });
}

// The line of the largest weight whenever it is well; the others stand in for it.
void primary_backup(const Group& group) {
  const auto lighter = [&](std::uint16_t a, std::uint16_t b) {
    return weight_of(group.views[a]) < weight_of(group.views[b]);
  };
  const auto primary = std::max_element(group.lines.begin(), group.lines.end(), lighter);
  choose(group, static_cast<std::size_t>(std::distance(group.lines.begin(), primary)));
}

// What this request is expected to cost there; an unknown cost is more than any known one.
void cost_aware(const Group& group) {
  const auto cost = [&](std::size_t i) {
    const std::int64_t nanos = group.views[group.lines[i]].cost_nanos;
    return nanos < 0 ? UINT64_MAX : static_cast<std::uint64_t>(nanos);
  };
  // Lines without weight only where no line has any.
  const auto spare = [&](std::size_t i) { return weight_of(group.views[group.lines[i]]) == 0; };
  std::size_t best = 0;
  for (std::size_t i = 1; i < group.lines.size(); ++i) {
    if (spare(i) != spare(best) ? spare(best) : cost(i) < cost(best)) best = i;
  }
  choose(group, best);
}

// Fewest calls under way; among equals by weight.
void least_busy(const Group& group) {
  std::vector<std::uint32_t> shares = shares_of(group);
  const auto busy = [&](std::size_t i) { return group.views[group.lines[i]].in_flight; };
  std::uint32_t fewest = UINT32_MAX;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] != 0) fewest = std::min(fewest, busy(i));
  }
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (busy(i) != fewest) shares[i] = 0;
  }
  choose(group, drawn(shares, group.seed, group.place));
}

constexpr std::int64_t kMost = 1000000;  // a success rate of 1

// Well lines by priority, equal ones by weight; then the degraded ones, the best first, so that they are
// called at all and may recover.
void success_degrade(const Group& group) {
  const auto well = [&](std::uint16_t line) {
    return group.views[line].success_micros >= group.policy.degrade_micros;
  };
  const auto rank = [&](std::uint16_t line) -> std::uint64_t {
    const LineView& view = group.views[line];
    if (well(line)) return ascending(view.priority);
    return std::uint64_t{1} << 63U |
           static_cast<std::uint64_t>(kMost - std::clamp<std::int64_t>(view.success_micros, 0, kMost));
  };
  sort_lines(group.lines, rank);
  for (std::size_t from = 0; from < group.lines.size() && well(group.lines[from]);) {
    std::size_t to = from + 1;
    while (to < group.lines.size() && rank(group.lines[to]) == rank(group.lines[from])) ++to;
    draw(group, from, to);
    from = to;
  }
}

struct Row {
  Strategy strategy;
  std::string_view name;
  Order order;
  bool across;  // by default
};
constexpr std::array<Row, 11> kStrategies = {{
    {Strategy::priority_weighted, "priority_weighted", by_draws, false},
    {Strategy::weighted, "weighted", by_draws, false},
    {Strategy::weight_order, "weight_order", weight_order, true},
    {Strategy::primary_backup, "primary_backup", primary_backup, false},
    {Strategy::order, "order", as_listed, true},
    {Strategy::cost_aware, "cost_aware", cost_aware, false},
    {Strategy::performance_first, "performance_first", performance_first, false},
    {Strategy::score, "score", score, true},
    {Strategy::success_degrade, "success_degrade", success_degrade, true},
    {Strategy::least_busy, "least_busy", least_busy, false},
    {Strategy::affinity, "affinity", affinity, false},
}};

const Row* row_of(Strategy strategy) {
  for (const Row& row : kStrategies) {
    if (row.strategy == strategy) return &row;
  }
  return nullptr;
}

}  // namespace

Order order_of(Strategy strategy) {
  const Row* row = row_of(strategy);
  return row == nullptr ? nullptr : row->order;
}

std::string_view name_of(Strategy strategy) {
  const Row* row = row_of(strategy);
  return row == nullptr ? std::string_view() : row->name;
}

bool across_by_default(Strategy strategy) {
  const Row* row = row_of(strategy);
  return row != nullptr && row->across;
}

}  // namespace shunt::route
