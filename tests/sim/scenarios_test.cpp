// Each scenario comes to the figures it promises, and breaks no rule.
#include "sim/scenario.h"

#include <gtest/gtest.h>

#include "sim/judging.h"
#include "sim/shrink.h"

namespace shunt::sim {
namespace {

class Promised : public testing::TestWithParam<Scenario> {};

TEST_P(Promised, FiguresHold) {
  for (std::uint64_t seed = 1; seed <= GetParam().seeds; ++seed) {
    Settings settings;
    settings.scenario = &GetParam();
    settings.seed = seed;
    settings.exchanges = GetParam().exchanges;
    const Report report = play(settings);
    ASSERT_FALSE(report.broken) << explain_broken(settings, report);
    for (const std::string& figure : judged(settings, report))
      EXPECT_FALSE(figure.starts_with("NOT ")) << "seed " << seed << ": " << figure;
  }
}

std::vector<Scenario> with_promises() {
  std::vector<Scenario> all;
  for (const Scenario& scenario : scenarios()) {
    if (makes_promises(scenario)) all.push_back(scenario);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Promised, testing::ValuesIn(with_promises()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace shunt::sim
