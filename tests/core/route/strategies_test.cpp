// Draws: their shares are the weights, at the first place and at every failover place after it.
#include "route/strategies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace shunt::route {
namespace {

constexpr int kDraws = 1000000;

std::vector<LineView> lines(std::initializer_list<int> weights) {
  std::vector<LineView> views;
  for (const int weight : weights) views.emplace_back().weight = weight;
  return views;
}

std::vector<std::uint16_t> ordered(const std::vector<LineView>& views, std::uint64_t seed) {
  std::vector<std::uint16_t> order(views.size());
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  order_of(Strategy::priority_weighted)(views, seed, order);
  return order;
}

double chi_square(const std::map<std::vector<std::uint16_t>, int>& seen,
                  const std::map<std::vector<std::uint16_t>, double>& expected) {
  double sum = 0;
  for (const auto& [outcome, share] : expected) {
    const auto found = seen.find(outcome);
    const double count = found == seen.end() ? 0 : found->second;
    sum += (count - share * kDraws) * (count - share * kDraws) / (share * kDraws);
  }
  return sum;
}

// Successive draws without replacement (Plackett-Luce): P(order) is the product of weight / what is left.
TEST(PriorityWeighted, OrdersFollowTheWeightsAtEveryPlace) {
  const auto views = lines({50, 30, 20});
  std::map<std::vector<std::uint16_t>, double> expected;
  std::vector<std::uint16_t> order = {0, 1, 2};
  do {
    double share = 1;
    double left = 100;
    for (const std::uint16_t line : order) {
      share *= views[line].weight / left;
      left -= views[line].weight;
    }
    expected[order] = share;
  } while (std::next_permutation(order.begin(), order.end()));
  std::map<std::vector<std::uint16_t>, int> seen;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) ++seen[ordered(views, seed)];
  EXPECT_EQ(seen.size(), 6U);
  EXPECT_LT(chi_square(seen, expected), 20.52);  // 5 degrees of freedom, p = 0.001
}

TEST(PriorityWeighted, AllWeightsZeroMeansEquals) {
  const auto views = lines({0, 0, 0, 0});
  std::map<std::vector<std::uint16_t>, int> seen;
  std::map<std::vector<std::uint16_t>, double> expected;
  for (std::uint16_t line = 0; line < 4; ++line) expected[{line}] = 0.25;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) ++seen[{ordered(views, seed)[0]}];
  EXPECT_LT(chi_square(seen, expected), 16.27);  // 3 degrees of freedom, p = 0.001
}

TEST(PriorityWeighted, ZeroWeightsComeLastAsEquals) {
  const auto views = lines({0, 5, 0, 1});
  std::map<std::vector<std::uint16_t>, int> seen;
  std::map<std::vector<std::uint16_t>, double> expected = {{{0}, 0.5}, {{2}, 0.5}};
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const auto order = ordered(views, seed);
    ++seen[{order[2]}];
  }
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_LT(chi_square(seen, expected), 10.83);  // 1 degree of freedom, p = 0.001
}

// A line that went out must not move the draws of a group it does not belong to.
TEST(PriorityWeighted, GroupsAreDrawnByPlace) {
  auto views = lines({3, 3, 3, 3, 3});
  views[0].priority = 2;
  views[1].priority = 2;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const auto order = ordered(views, seed);
    auto heavier = views;
    heavier[0].weight = 40;
    const auto changed = ordered(heavier, seed);
    EXPECT_TRUE(std::equal(order.begin(), order.begin() + 3, changed.begin()));
  }
}

// The same seed gives the same plan on every target and in every version: recorded decisions are run again.
TEST(PriorityWeighted, DrawsArePinned) {
  const auto views = lines({50, 30, 20, 0});
  EXPECT_EQ(ordered(views, 1), (std::vector<std::uint16_t>{0, 2, 1, 3}));
  EXPECT_EQ(ordered(views, 2), (std::vector<std::uint16_t>{0, 1, 2, 3}));
  EXPECT_EQ(ordered(views, 0xFEEDFACECAFEBEEFULL), (std::vector<std::uint16_t>{1, 2, 0, 3}));
}

TEST(Strategies, UnbuiltOnesHaveNoFunction) {
  EXPECT_NE(order_of(Strategy::priority_weighted), nullptr);
  EXPECT_EQ(order_of(Strategy::cost_aware), nullptr);
  EXPECT_EQ(order_of(Strategy::affinity), nullptr);
}

}  // namespace
}  // namespace shunt::route
