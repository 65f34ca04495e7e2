// Each rule is watched: a fault planted against it is found within 10^5 exchanges, and shown by few.
#include "sim/plants.h"

#include <gtest/gtest.h>

#include "sim/shrink.h"

namespace shunt::sim {
namespace {

class Planted : public testing::TestWithParam<Plant> {};

TEST_P(Planted, IsFoundAndShownByFewExchanges) {
  Settings settings;
  settings.scenario = find_scenario(GetParam().scenario);
  settings.exchanges = GetParam().scenario == "storm" ? 100'000 : 6'000;
  settings.plant = &GetParam();
  const Report report = play(settings);
  ASSERT_TRUE(report.broken) << "not found";
  EXPECT_EQ(report.broken->rule, GetParam().breaks) << report.broken->words;

  const Shrunk shrunk = shrink(settings, report);
  ASSERT_TRUE(shrunk.report.broken);
  EXPECT_EQ(shrunk.report.broken->rule, GetParam().breaks);
  EXPECT_LE(shrunk.settings.only.size(), 20u);
  EXPECT_FALSE(shrunk.report.log.empty());
}

INSTANTIATE_TEST_SUITE_P(Rules, Planted, testing::ValuesIn(plants()),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(Plants, ThereIsOneForEachRule) {
  for (int rule = 0; rule < kRules; ++rule) {
    const auto& all = plants();
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Plant& plant) {
      return plant.breaks == static_cast<Rule>(rule);
    })) << name_of(static_cast<Rule>(rule));
  }
}

}  // namespace
}  // namespace shunt::sim
