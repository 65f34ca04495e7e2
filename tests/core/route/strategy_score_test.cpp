// score against an oracle that compares the same fractions with 128 bits.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/dice.h"
#include "core/route/samples.h"
#include "route/strategy.h"

namespace shunt::route {
namespace {

__extension__ using Wide = unsigned __int128;

struct Exact {
  Wide over;
  Wide under;
};

std::vector<Exact> exact(const std::vector<LineView>& views, bool quota) {
  std::uint32_t best = 0;
  bool weighs = false;
  for (const LineView& view : views) {
    weighs = weighs || view.weight > 0;
    if (view.p90_ms > 0 && (best == 0 || view.p90_ms < best)) best = view.p90_ms;
  }
  std::vector<Exact> scores;
  for (const LineView& view : views) {
    Wide over = weighs ? static_cast<unsigned>(view.weight) : 1;
    over *= static_cast<unsigned>(view.success_micros);
    over *= quota ? static_cast<unsigned>(view.quota_micros) : 1;
    scores.push_back({over, Wide{view.p90_ms == 0 ? best : view.p90_ms} + 1});
  }
  return scores;
}

TEST(Score, OrdersByTheExactFractions) {
  Dice dice(11);
  constexpr std::uint32_t kP90[] = {0, 1, 7, 800, 1200, 4294967294U, 4294967295U};
  constexpr std::int64_t kMicros[] = {0, 1, 500000, 750000, 999999, 1000000};
  constexpr std::int32_t kWeights[] = {0, 1, 3, 50, 999999, 1000000};
  for (int round = 0; round < 200000; ++round) {
    std::vector<LineView> views(1 + dice.below(5));
    for (LineView& view : views) {
      view.weight = dice.of(kWeights);
      view.success_micros = dice.of(kMicros);
      view.quota_micros = dice.of(kMicros);
      view.p90_ms = dice.of(kP90);
    }
    PlanPolicy policy;
    policy.strategy = Strategy::score;
    policy.quota = dice.below(2) == 1;
    const auto scores = exact(views, policy.quota);
    Places wanted(views.size());
    std::iota(wanted.begin(), wanted.end(), std::uint16_t{0});
    std::stable_sort(wanted.begin(), wanted.end(), [&](std::uint16_t a, std::uint16_t b) {
      return scores[a].over * scores[b].under > scores[b].over * scores[a].under;
    });
    ASSERT_EQ(ordered(views, 1, policy), wanted) << round;
  }
}

// Rates that are none: below 0 is 0, above 1 is 1.
TEST(Score, RatesAreBetweenNoneAndAll) {
  auto views = lines({1, 1});
  views[0].success_micros = 5000000;
  EXPECT_EQ(ordered(views, 1, Strategy::score), (Places{0, 1}));
  views[0].success_micros = -5;
  EXPECT_EQ(ordered(views, 1, Strategy::score), (Places{1, 0}));
}

}  // namespace
}  // namespace shunt::route
