// From the keys of a breaker to health's policy.
#include <gtest/gtest.h>

#include "config/drafts.h"

namespace shunt::config {
namespace {

health::BreakerPolicy policy(std::string_view text) {
  Report report;
  Reader in(text, report);
  BreakerDraft draft;
  read_breaker(in, draft);
  EXPECT_FALSE(report.failed()) << text;
  return draft.value();
}

TEST(BreakerKeys, NothingSaidIsStepped) {
  EXPECT_EQ(policy("{}"), health::preset_policy(health::Preset::stepped));
}

TEST(BreakerKeys, PresetAndRulesComeInAnyOrder) {
  EXPECT_EQ(policy(R"({"preset":"window_50","open_ms":5000})"),
            policy(R"({"open_ms":5000,"preset":"window_50"})"));
  EXPECT_EQ(policy(R"({"preset":"window_50","open_ms":5000})").open.base, seconds(5));
}

TEST(BreakerKeys, ARateAddsAWindowRule) {
  const health::BreakerPolicy p = policy(R"({"failure_rate":0.25,"window_ms":30000,"min_calls":4})");
  EXPECT_EQ(p.window.failure_rate_micros, health::above(250'000));
  EXPECT_EQ(p.window.span, seconds(30));
  EXPECT_EQ(p.window.min_calls, 4U);
  EXPECT_TRUE(p.window.on());
  EXPECT_EQ(p.consecutive.failures, 3U);  // stepped's own stays
}

TEST(BreakerKeys, ASlowRateAloneTripsOnNothingElse) {
  const health::BreakerPolicy p = policy(R"({"preset":"latched","slow_rate":0.5,"slow_after_ms":8000})");
  EXPECT_GT(p.window.failure_rate_micros, 1'000'000);
  EXPECT_EQ(p.window.slow_after, seconds(8));
  EXPECT_EQ(p.window.slow_rate_micros, health::above(500'000));
}

TEST(BreakerKeys, ALatencyOrOutlierRuleAloneTripsOnNothingElse) {
  const health::BreakerPolicy slow = policy(R"({"p99_ms":8000})");
  EXPECT_EQ(slow.window.p99_limit, seconds(8));
  EXPECT_EQ(slow.window.p99_min_calls, 20U);
  EXPECT_GT(slow.window.failure_rate_micros, 1'000'000);
  EXPECT_GT(slow.window.span.ms, 0);
  const health::BreakerPolicy odd = policy(R"({"outlier":true})");
  EXPECT_EQ(odd.window.outlier, health::kOutlier);
  EXPECT_GT(odd.window.failure_rate_micros, 1'000'000);
  EXPECT_FALSE(policy(R"({"outlier":false})").window.on());
  EXPECT_EQ(policy(R"({"p99_ms":1,"p99_min_calls":7})").window.p99_min_calls, 7U);
}

TEST(BreakerKeys, EveryPresetIsInForce) {
  for (int i = 0; i < health::kPresets; ++i) {
    const auto preset = static_cast<health::Preset>(i);
    std::string text = R"({"preset":")";
    text.append(name_of(preset)).append("\"}");
    EXPECT_EQ(policy(text), health::preset_policy(preset)) << text;
  }
}

TEST(BreakerKeys, OpenTimeIsFixedGrowingLadderOrManual) {
  using Form = health::OpenTime::Form;
  const health::OpenTime growing = policy(R"({"open_ms":1000,"open_factor":3,"open_most_ms":60000})").open;
  EXPECT_EQ(growing.form, Form::growing);
  EXPECT_EQ(growing.factor, 3);
  EXPECT_EQ(growing.cap, seconds(60));
  const health::OpenTime ladder =
      policy(R"({"ladder":[{"failures":2,"factor":1},{"failures":9,"factor":5}]})").open;
  EXPECT_EQ(ladder.form, Form::ladder);
  EXPECT_EQ(ladder.rungs[1], (health::Rung{9, 5}));
  EXPECT_EQ(ladder.rungs[2], health::Rung{});
  EXPECT_EQ(policy(R"({"recovery":"manual"})").open.form, Form::manual);
  EXPECT_EQ(policy(R"({"preset":"latched","recovery":"half_open"})").open.form, Form::fixed);
}

TEST(BreakerKeys, FailuresInARowCanBeTurnedOffAndOn) {
  EXPECT_EQ(policy(R"({"consecutive_failures":0})").consecutive.failures, 0U);
  const health::ConsecutiveRule on = policy(R"({"preset":"window_50","consecutive_failures":5})").consecutive;
  EXPECT_EQ(on.failures, 5U);
  EXPECT_TRUE(on.counts.has(Penalty::normal) && on.counts.has(Penalty::long_));
  EXPECT_FALSE(on.counts.has(Penalty::cooldown));
}

}  // namespace
}  // namespace shunt::config
