// The presets say what the design's table says.
#include "health/policy.h"

#include <gtest/gtest.h>

namespace shunt::health {
namespace {

TEST(Policy, PresetsFollowTheTable) {
  struct Row {
    Preset preset;
    std::uint32_t in_a_row;
    std::int64_t above_micros;  // 0 = no rate rule
    std::int64_t span_s;
    std::uint32_t min_calls;
    bool limit_counts;
    bool weak_counts_in_a_row;
    OpenTime::Form form;
    std::int64_t base_s;
  };
  using Form = OpenTime::Form;
  const Row rows[] = {
      {Preset::stepped, 3, 0, 0, 1, true, true, Form::ladder, 60},
      {Preset::three_layer, 5, 100'000, 60, 10, false, false, Form::fixed, 60},
      {Preset::window_50, 0, 500'000, 60, 10, false, false, Form::fixed, 30},
      {Preset::latched, 3, 0, 0, 1, false, false, Form::manual, 60},
      {Preset::hystrix, 0, 300'000, 300, 20, false, false, Form::fixed, 30},
  };
  for (const Row& row : rows) {
    const BreakerPolicy p = preset_policy(row.preset);
    SCOPED_TRACE(name_of(row.preset));
    EXPECT_EQ(p.consecutive.failures, row.in_a_row);
    EXPECT_EQ(p.window.failure_rate_micros, row.above_micros == 0 ? 0 : row.above_micros + 1);
    EXPECT_EQ(p.window.span, seconds(row.span_s));
    EXPECT_EQ(p.window.min_calls, row.min_calls);
    EXPECT_EQ(p.consecutive.counts.has(Penalty::cooldown), row.limit_counts);
    EXPECT_EQ(p.consecutive.counts.has(Penalty::weak), row.weak_counts_in_a_row);
    EXPECT_EQ(p.open.form, row.form);
    EXPECT_EQ(p.open.base, seconds(row.base_s));
    EXPECT_TRUE(p.consecutive.counts.has(Penalty::normal));
    EXPECT_TRUE(p.consecutive.counts.has(Penalty::long_));
    EXPECT_FALSE(p.consecutive.counts.has(Penalty::none));
    EXPECT_FALSE(p.window.counts.has(Penalty::cooldown));
    EXPECT_EQ(p.half_open_permits, 1U);
    EXPECT_EQ(p.late_failures_climb, row.preset == Preset::stepped);
  }
}

TEST(Policy, ThinningLetsAboutOneInNProbe) {
  BreakerPolicy p = preset_policy(Preset::stepped);
  ASSERT_EQ(p.probe_thinning, 8U);
  int drawn = 0;
  for (std::uint64_t seed = 0; seed < 8000; ++seed) drawn += drawn_to_probe(p, seed) ? 1 : 0;
  EXPECT_NEAR(drawn, 1000, 100);
  p.probe_thinning = 1;
  for (std::uint64_t seed = 0; seed < 100; ++seed) EXPECT_TRUE(drawn_to_probe(p, seed));
}

}  // namespace
}  // namespace shunt::health
