// Groups and tiers for any lines: what is before what, whatever the strategy. Examples stand in
// tests/golden/route/roles.md.
#include "route/arrange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/dice.h"
#include "route/strategies.h"

namespace shunt::route {
namespace {

int tier(const LineView& view, std::uint32_t region, std::int32_t min_score) {
  if (view.local) return 3;
  if (region != 0 && view.region == region) return 0;
  return view.task_score >= 0 && view.task_score >= min_score ? 1 : 2;
}

struct Case {
  std::vector<LineView> views;
  PlanPolicy policy;
  std::uint64_t seed = 0;
  std::vector<std::uint16_t> order;
};

Case any_case(Dice& dice, bool told) {
  Case one;
  one.views.resize(1 + dice.below(9));
  for (LineView& view : one.views) {
    view.priority = static_cast<std::int32_t>(dice.below(3)) - 1;
    view.weight = static_cast<std::int32_t>(dice.below(4));
    view.cost_nanos = static_cast<std::int64_t>(dice.below(4));
    view.role = static_cast<std::uint8_t>(dice.below(2) * 255);
    view.name_hash = dice.below(1000);
    if (!told) continue;
    view.region = static_cast<std::uint32_t>(dice.below(3));
    view.task_score = static_cast<std::int16_t>(static_cast<int>(dice.below(102)) - 1);
    view.local = dice.below(4) == 0;
  }
  one.policy.strategy = static_cast<Strategy>(dice.below(11));
  one.policy.across = dice.below(2) == 1;
  one.policy.affinity = dice.below(2);
  one.policy.region = static_cast<std::uint32_t>(told ? dice.below(3) : 0);
  one.order.resize(one.views.size());
  std::iota(one.order.begin(), one.order.end(), std::uint16_t{0});
  one.seed = dice.below(100);
  arrange(one.views, one.policy, one.seed, one.order);
  return one;
}

TEST(Arrange, RolesThenPrioritiesThenTiers) {
  Dice dice(3);
  for (int round = 0; round < 100000; ++round) {
    const Case one = any_case(dice, true);
    const auto& first = one.views[one.order[0]];
    const std::uint32_t region = one.policy.region != 0 ? one.policy.region : first.region;
    for (std::size_t i = 1; i < one.order.size(); ++i) {
      const LineView& before = one.views[one.order[i - 1]];
      const LineView& line = one.views[one.order[i]];
      ASSERT_LE(before.role, line.role);
      if (before.role != line.role) continue;
      const bool same_group = one.policy.across || before.priority == line.priority;
      if (!one.policy.across) {
        ASSERT_LE(before.priority, line.priority);
      }
      if (i > 1 && same_group) {
        ASSERT_LE(tier(before, region, 80), tier(line, region, 80));
      }
      // The first choice prefers the wanted region.
      if (i == 1 && same_group && one.policy.region != 0 && tier(line, region, 80) == 0) {
        ASSERT_EQ(tier(before, region, 80), 0);
      }
    }
  }
}

// Lines that state nothing: the strategy's order of each group, one group after the other.
TEST(Arrange, WithoutRegionsAndScoresTheOrderIsTheStrategys) {
  Dice dice(5);
  for (int round = 0; round < 50000; ++round) {
    const Case one = any_case(dice, false);
    const auto better = [&](std::uint16_t a, std::uint16_t b) {
      const LineView& x = one.views[a];
      const LineView& y = one.views[b];
      return x.role != y.role ? x.role < y.role : !one.policy.across && x.priority < y.priority;
    };
    std::vector<std::uint16_t> wanted(one.views.size());
    std::iota(wanted.begin(), wanted.end(), std::uint16_t{0});
    std::stable_sort(wanted.begin(), wanted.end(), better);
    for (std::size_t from = 0; from < wanted.size();) {
      std::size_t to = from;
      while (to < wanted.size() && !better(wanted[from], wanted[to])) ++to;
      const std::span<std::uint16_t> group = std::span(wanted).subspan(from, to - from);
      order_of(one.policy.strategy)({one.views, one.policy, one.seed, group, from});
      from = to;
    }
    ASSERT_EQ(one.order, wanted);
  }
}

// A line that went out, or a change in one group, moves no draw of a group before it.
TEST(Arrange, GroupsAreDrawnByPlace) {
  std::vector<LineView> views(5);
  for (LineView& view : views) view.weight = 3;
  views[0].priority = 2;
  views[1].priority = 2;
  auto heavier = views;
  heavier[0].weight = 40;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    std::vector<std::uint16_t> order = {0, 1, 2, 3, 4};
    std::vector<std::uint16_t> changed = order;
    arrange(views, {}, seed, order);
    arrange(heavier, {}, seed, changed);
    EXPECT_TRUE(std::equal(order.begin(), order.begin() + 3, changed.begin()));
  }
}

}  // namespace
}  // namespace shunt::route
