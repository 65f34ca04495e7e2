// affinity: shares are the weights, a session keeps its line, one more line takes no more than its share.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/rng.h"
#include "core/route/samples.h"
#include "route/strategy.h"

namespace shunt::route {
namespace {

std::vector<LineView> named_lines(std::initializer_list<int> weights) {
  auto views = lines(weights);
  for (std::size_t i = 0; i < views.size(); ++i)
    views[i].name_hash = name_hash("gpt-4o@provider-" + std::to_string(i));
  return views;
}

PlanPolicy session(std::uint64_t number) {
  PlanPolicy policy;
  policy.strategy = Strategy::affinity;
  policy.affinity = mix64(number);
  return policy;
}

Places of_session(const std::vector<LineView>& views, std::uint64_t number, std::uint64_t seed = 0) {
  return ordered(views, seed, session(number));
}

TEST(Affinity, SessionsAreSharedByWeight) {
  const auto views = named_lines({50, 30, 20});
  std::map<Places, int> seen;
  for (std::uint64_t i = 0; i < kDraws; ++i) ++seen[{of_session(views, i)[0]}];
  EXPECT_LT(chi_square(seen, {{{0}, 0.5}, {{1}, 0.3}, {{2}, 0.2}}), kChi2);
}

// The line of a session that went out leaves its sessions to the others by their weights, not to one of them.
TEST(Affinity, TheNextLinesAreSharedByWeightToo) {
  const auto views = named_lines({50, 30, 20});
  std::map<Places, int> seen;
  for (std::uint64_t i = 0; i < kSome; ++i) ++seen[of_session(views, i)];
  std::map<Places, double> expected;
  for (const Places& order : {Places{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
    const double first = views[order[0]].weight / 100.0;
    expected[order] = first * views[order[1]].weight / (100.0 - views[order[0]].weight);
  }
  EXPECT_LT(chi_square(seen, expected), kChi5);
}

TEST(Affinity, ALightLineHasItsShareToo) {
  constexpr std::uint64_t kSessions = 400000;
  const auto views = named_lines({1, 1000});
  int light = 0;
  for (std::uint64_t i = 0; i < kSessions; ++i) light += of_session(views, i)[0] == 0;
  EXPECT_NEAR(light, kSessions / 1001, 4 * 20);  // four standard deviations
}

TEST(Affinity, AllWeightsZeroMeansEquals) {
  const auto views = named_lines({0, 0, 0, 0});
  std::map<Places, int> seen;
  for (std::uint64_t i = 0; i < kSome; ++i) ++seen[{of_session(views, i)[0]}];
  EXPECT_LT(chi_square(seen, {{{0}, 0.25}, {{1}, 0.25}, {{2}, 0.25}, {{3}, 0.25}}), kChi3);
}

TEST(Affinity, TheSeedMovesNoSession) {
  const auto views = named_lines({5, 1, 7, 0});
  for (std::uint64_t i = 0; i < 1000; ++i) {
    for (std::uint64_t seed = 1; seed < 5; ++seed)
      ASSERT_EQ(of_session(views, i, seed), of_session(views, i, 0));
  }
}

// N lines become N + 1: nobody moves between the old ones, and at most 1 / N of the sessions to the new one.
TEST(Affinity, AddingALineMovesAtMostItsShareOfTheSessions) {
  constexpr std::uint64_t kSessions = 20000;
  for (std::size_t n = 1; n <= 12; ++n) {
    auto all = named_lines({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    all.resize(n + 1);
    const std::vector<LineView> old(all.begin(), all.end() - 1);
    std::uint64_t moved = 0;
    for (std::uint64_t i = 0; i < kSessions; ++i) {
      const Places before = of_session(old, i);
      Places after = of_session(all, i);
      if (after[0] == n) ++moved;
      after.erase(std::find(after.begin(), after.end(), n));
      ASSERT_EQ(after, before);  // the rest of the order stands, too
    }
    EXPECT_LE(moved, kSessions / n) << n;
    EXPECT_NEAR(static_cast<double>(moved), static_cast<double>(kSessions) / static_cast<double>(n + 1), 300)
        << n;
  }
}

// More weight for one line takes sessions to it and from it none.
TEST(Affinity, AHeavierLineOnlyGains) {
  const auto before = named_lines({10, 10, 10});
  auto after = before;
  after[1].weight = 20;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const std::uint16_t was = of_session(before, i)[0];
    const std::uint16_t is = of_session(after, i)[0];
    EXPECT_TRUE(is == was || is == 1);
  }
}

TEST(Affinity, WithoutASessionLinesAreDrawnByWeight) {
  const auto views = named_lines({75, 25});
  PlanPolicy policy;
  policy.strategy = Strategy::affinity;
  std::map<Places, int> seen;
  for (std::uint64_t seed = 0; seed < kSome; ++seed) ++seen[{ordered(views, seed, policy)[0]}];
  EXPECT_LT(chi_square(seen, {{{0}, 0.75}, {{1}, 0.25}}), kChi1);
}

}  // namespace
}  // namespace shunt::route
