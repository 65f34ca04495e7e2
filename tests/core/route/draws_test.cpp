// Draws: their shares are the weights, at the first place and at every failover place after it.
#include "route/draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/rng.h"
#include "core/route/samples.h"

namespace shunt::route {
namespace {

// Successive draws without replacement (Plackett-Luce): P(order) is the product of weight / what is left.
TEST(Draws, OrdersFollowTheWeightsAtEveryPlace) {
  const auto views = lines({50, 30, 20});
  std::map<Places, double> expected;
  Places order = {0, 1, 2};
  do {
    double share = 1;
    double left = 100;
    for (const std::uint16_t line : order) {
      share *= views[line].weight / left;
      left -= views[line].weight;
    }
    expected[order] = share;
  } while (std::next_permutation(order.begin(), order.end()));
  std::map<Places, int> seen;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) ++seen[ordered(views, seed)];
  EXPECT_EQ(seen.size(), 6U);
  EXPECT_LT(chi_square(seen, expected), kChi5);
}

TEST(Draws, AllWeightsZeroMeansEquals) {
  const auto views = lines({0, 0, 0, 0});
  std::map<Places, int> seen;
  std::map<Places, double> expected;
  for (std::uint16_t line = 0; line < 4; ++line) expected[{line}] = 0.25;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) ++seen[{ordered(views, seed)[0]}];
  EXPECT_LT(chi_square(seen, expected), kChi3);
}

TEST(Draws, ZeroWeightsComeLastAsEquals) {
  const auto views = lines({0, 5, 0, 1});
  std::map<Places, int> seen;
  const std::map<Places, double> expected = {{{0}, 0.5}, {{2}, 0.5}};
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) ++seen[{ordered(views, seed)[2]}];
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_LT(chi_square(seen, expected), kChi1);
}

// The draw for one place does not depend on what stands at another.
TEST(Draws, AreMadeByPlace) {
  const auto views = lines({3, 3, 3, 3, 3});
  const PlanPolicy policy;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Places whole = {0, 1, 2, 3, 4};
    draw({views, policy, seed, whole, 0}, 0, 5);
    // The last three places alone, at their place in the plan.
    Places rest(whole.begin() + 2, whole.end());
    std::stable_sort(rest.begin(), rest.end());
    draw({views, policy, seed, rest, 2}, 0, 3);
    EXPECT_TRUE(std::equal(rest.begin(), rest.end(), whole.begin() + 2));
  }
}

// What a draw says, told the long way: tickets over the weights of all who are left.
void draw_slowly(const std::vector<LineView>& views, std::uint64_t seed, Places& lines) {
  Places left = lines;
  for (std::size_t place = 0; place < lines.size(); ++place) {
    std::uint32_t total = 0;
    for (const std::uint16_t line : left) total += weight_of(views[line]);
    const bool equals = total == 0;
    if (equals) total = static_cast<std::uint32_t>(left.size());
    std::uint32_t ticket = draw_below(seed, Draw::route, place, total);
    auto pick = left.begin();
    for (std::uint32_t share; ticket >= (share = equals ? 1 : weight_of(views[*pick])); ++pick)
      ticket -= share;
    lines[place] = *pick;
    left.erase(pick);
  }
}

TEST(Draws, OfFewAndOfManyLinesAreTickets) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    std::vector<LineView> views(1 + draw_below(seed, Draw::shadow, 0, 40));
    Places lines;
    for (std::uint16_t i = 0; i < views.size(); ++i) {
      views[i].weight = static_cast<std::int32_t>(draw_below(seed, Draw::shadow, 1U + i, 4));
      lines.push_back(i);
    }
    Places slow = lines;
    draw_slowly(views, seed, slow);
    draw({views, {}, seed, lines, 0}, 0, lines.size());
    ASSERT_EQ(lines, slow) << seed;
  }
}

TEST(Draws, SortingIsTheLibrarysStableSort) {
  for (std::uint32_t size = 0; size < 50; ++size) {
    Places lines, want;
    for (std::uint16_t i = 0; i < size; ++i) want.push_back(i);
    lines = want;
    const auto key = [&](std::uint16_t line) { return draw_below(size, Draw::shadow, line, 6); };
    std::stable_sort(want.begin(), want.end(), [&](auto a, auto b) { return key(a) < key(b); });
    const bool ties = sort_lines(lines, key);
    EXPECT_EQ(lines, want) << size;
    const auto equal = [&](auto a, auto b) { return key(a) == key(b); };
    EXPECT_EQ(ties, std::adjacent_find(want.begin(), want.end(), equal) != want.end()) << size;
  }
}

// Weights that configuration would refuse: negative ones are 0, the largest do not overflow.
TEST(Draws, AnyWeightIsAWeight) {
  EXPECT_EQ(ordered(lines({-5, 1}), 3), (Places{1, 0}));
  EXPECT_EQ(ordered(lines({INT32_MIN, INT32_MAX}), 3), (Places{1, 0}));
  EXPECT_EQ(weight_of(lines({INT32_MAX})[0]), 1000000U);
}

}  // namespace
}  // namespace shunt::route
