// The strategies where they draw: how often each line comes first, and who follows. What they decide without
// drawing stands in tests/golden/route.
#include "route/strategies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "core/dice.h"
#include "core/route/orders.h"
#include "core/route/samples.h"

namespace shunt::route {
namespace {

constexpr Strategy kAll[] = {Strategy::priority_weighted, Strategy::weighted, Strategy::weight_order,
                             Strategy::primary_backup,    Strategy::order,    Strategy::cost_aware,
                             Strategy::performance_first, Strategy::score,    Strategy::success_degrade,
                             Strategy::least_busy,        Strategy::affinity};

TEST(Strategies, EachHasAFunctionAndAName) {
  for (const Strategy strategy : kAll) {
    EXPECT_NE(order_of(strategy), nullptr);
    EXPECT_FALSE(name_of(strategy).empty());
  }
  EXPECT_EQ(name_of(Strategy::success_degrade), "success_degrade");
  EXPECT_EQ(order_of(static_cast<Strategy>(200)), nullptr);
}

TEST(Strategies, FourLookAcrossPrioritiesByDefault) {
  for (const Strategy strategy : kAll) {
    const bool across = strategy == Strategy::success_degrade || strategy == Strategy::weight_order ||
                        strategy == Strategy::order || strategy == Strategy::score;
    EXPECT_EQ(across_by_default(strategy), across) << name_of(strategy);
  }
}

// How often each of the lines after the first is the second.
std::map<Places, int> seconds(const std::vector<LineView>& views, const PlanPolicy& policy) {
  std::map<Places, int> seen;
  for (std::uint64_t seed = 0; seed < kSome; ++seed) ++seen[{ordered(views, seed, policy)[1]}];
  return seen;
}

TEST(Strategies, AfterTheOneThatIsPickedTheOthersAreDrawnByWeight) {
  auto views = lines({50, 70, 20, 30});
  views[1].cost_nanos = 1;
  for (std::size_t i : {0U, 2U, 3U}) views[i].in_flight = 1;
  const std::map<Places, double> expected = {{{0}, 0.5}, {{2}, 0.2}, {{3}, 0.3}};
  for (const Strategy strategy : {Strategy::primary_backup, Strategy::cost_aware, Strategy::least_busy}) {
    PlanPolicy policy;
    policy.strategy = strategy;
    EXPECT_EQ(ordered(views, 1, policy)[0], 1);
    EXPECT_LT(chi_square(seconds(views, policy), expected), kChi2) << name_of(strategy);
  }
}

TEST(LeastBusy, TiesAreDrawnByWeight) {
  auto views = lines({50, 30, 20, 900});
  views[3].in_flight = 1;
  std::map<Places, int> seen;
  for (std::uint64_t seed = 0; seed < kSome; ++seed) ++seen[{ordered(views, seed, Strategy::least_busy)[0]}];
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_LT(chi_square(seen, {{{0}, 0.5}, {{1}, 0.3}, {{2}, 0.2}}), kChi2);
}

TEST(SuccessDegrade, EqualPrioritiesAreDrawnByWeight) {
  auto views = lines({75, 25, 1000});
  views[2].success_micros = 0;
  std::map<Places, int> seen;
  for (std::uint64_t seed = 0; seed < kSome; ++seed) ++seen[ordered(views, seed, Strategy::success_degrade)];
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_LT(chi_square(seen, {{{0, 1, 2}, 0.75}, {{1, 0, 2}, 0.25}}), kChi1);
}

LineView any_line(Dice& dice) {
  constexpr std::int32_t kWeights[] = {0, 0, 1, 2, 50, 1000000, INT32_MAX, -1, INT32_MIN};
  constexpr std::int64_t kWide[] = {-1, 0, 1, 599999, 600000, 1000000, INT64_MAX, INT64_MIN};
  constexpr std::uint32_t kCounts[] = {0, 0, 1, 2, 300, UINT32_MAX};
  LineView view;
  view.weight = dice.of(kWeights);
  view.success_micros = dice.of(kWide);
  view.cost_nanos = dice.of(kWide);
  view.quota_micros = dice.of(kWide);
  view.p90_ms = dice.of(kCounts);
  view.ttft_micros = dice.of(kCounts);
  view.in_flight = dice.of(kCounts);
  view.priority = static_cast<std::int32_t>(dice.below(3));
  view.name_hash = dice.below(5);
  return view;
}

// Whatever the numbers: every line once, the same again for the same seed, nothing read that is not there.
TEST(Strategies, AnyNumbersMakeAnOrder) {
  Dice dice(7);
  for (int round = 0; round < 50000; ++round) {
    std::vector<LineView> views;
    for (std::size_t n = 1 + dice.below(6); n > 0; --n) views.push_back(any_line(dice));
    PlanPolicy policy;
    policy.strategy = dice.of(kAll);
    policy.quota = dice.below(2) == 0;
    policy.affinity = dice.below(3);
    const std::uint64_t seed = dice.below(1000);
    const Places order = ordered(views, seed, policy);
    Places once = order;
    std::stable_sort(once.begin(), once.end());
    for (std::size_t i = 0; i < once.size(); ++i) ASSERT_EQ(once[i], i) << name_of(policy.strategy);
    ASSERT_EQ(ordered(views, seed, policy), order);
  }
}

// The same seed gives the same plan on every target and in every version: recorded decisions are run again.
TEST(Strategies, OrdersArePinned) {
  const auto views = lines({50, 30, 20, 0});
  EXPECT_EQ(ordered(views, 1), (Places{0, 2, 1, 3}));
  EXPECT_EQ(ordered(views, 2), (Places{0, 1, 2, 3}));
  EXPECT_EQ(ordered(views, 0xFEEDFACECAFEBEEFULL), (Places{1, 2, 0, 3}));
  std::ifstream file(SHUNT_SOURCE_DIR "/tests/golden/route/orders.txt");
  const std::string pinned(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(orders_text(), pinned);
}

}  // namespace
}  // namespace shunt::route
