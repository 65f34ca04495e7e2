// Lines beside each other: outliers among siblings, and how fast each is.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/health/table_rig.h"
#include "health/table.h"

namespace shunt::health {
namespace {

LineSpec sibling(std::uint32_t group, Duration span = seconds(60)) {
  LineSpec s = spec("s", 1, kNoScope, kNoScope, kNoScope);
  s.sibling_group = group;
  s.policy.consecutive.failures = 0;
  s.policy.window = failure_rate_above(1'000'000, span, 10);
  s.policy.window.outlier = kOutlier;
  return s;
}

void calls(HealthTable& health, std::uint32_t line, int good, int bad, Instant now) {
  for (int i = 0; i < good + bad; ++i) {
    if (const auto ticket = health.begin(line, 0, now, now))
      health.settle(*ticket, i < good ? success() : failure(Penalty::normal), now, 1);
  }
}

TEST(HealthTable, ALineWorseThanItsSiblingsGoesOut) {
  HealthTable health({sibling(1), sibling(2), sibling(1), sibling(1), sibling(2)}, {});
  calls(health, 0, 20, 0, at(0));
  calls(health, 2, 20, 0, at(0));
  calls(health, 3, 18, 1, at(0));
  EXPECT_EQ(health.read(3, at(0)).availability, Availability::ready) << "18 of 19 are above 90.5 %";
  calls(health, 3, 0, 1, at(0));
  EXPECT_EQ(health.read(3, at(0)).availability, Availability::out) << "18 of 20 are below";
  EXPECT_EQ(health.read(3, at(0)).trip, Trip::outlier);
  calls(health, 1, 20, 0, at(0));
  calls(health, 4, 10, 10, at(0));
  EXPECT_EQ(health.read(4, at(0)).availability, Availability::ready) << "two lines are not compared";
}

TEST(HealthTable, AnOutlierIsFoundBeforeItsNextCallWhenTheOthersGetBetter) {
  HealthTable health({sibling(1), sibling(1), sibling(1)}, {});
  for (const std::uint32_t line : {0U, 1U, 2U}) calls(health, line, 8, 2, at(0));
  for (const std::uint32_t line : {0U, 1U}) calls(health, line, 100, 0, at(1));
  EXPECT_FALSE(health.begin(2, 0, at(1), at(9)).has_value());
}

TEST(HealthTable, NoMoreThanAllButOneOfTheSiblingsGoOut) {
  HealthTable health({sibling(1), sibling(1), sibling(1)}, {});
  for (const std::uint32_t line : {0U, 1U}) {
    calls(health, line, 20, 0, at(0));
    health.act(line, Act::force_open, at(0), {});
  }
  calls(health, 2, 0, 20, at(0));
  EXPECT_EQ(health.read(2, at(0)).availability, Availability::ready);
}

TEST(HealthTable, SpeedIsTheLinesOwn) {
  LineSpec slow = spec("slow", 1, 0, 0, 0);
  slow.policy = preset_policy(Preset::three_layer);
  LineSpec other = spec("other", 1, 0, 1, 0);
  HealthTable health({slow, other}, {});
  Outcome o = success();
  o.total = seconds(20);
  for (int i = 0; i < 20; ++i) health.settle(*health.begin(0, 0, at(0), at(1)), o, at(0), 1);
  EXPECT_EQ(health.read(0, at(0)).trip, Trip::p99);
  EXPECT_EQ(health.read(0, at(0)).availability, Availability::out);
  EXPECT_EQ(health.read(1, at(0)).availability, Availability::ready) << "same key and provider";
}

TEST(HealthTable, ASlowFailureSaysNothingOfTheProvidersSpeed) {
  std::vector<LineSpec> specs = {spec("a", 1, 0, 0, 0), spec("b", 1, 1, 1, 0)};
  for (LineSpec& line : specs) line.policy = preset_policy(Preset::three_layer);
  HealthTable health(specs, {});
  for (int i = 0; i < 19; ++i) health.settle(*health.begin(0, 0, at(0), at(1)), success(), at(0), 1);
  Outcome slow = failure(Penalty::normal, Scope::provider);
  slow.total = seconds(20);
  health.settle(*health.begin(1, 0, at(0), at(1)), slow, at(0), 1);
  EXPECT_EQ(health.read(0, at(0)).availability, Availability::ready);
}

TEST(HealthTable, TheP99IsOfTheFirstTokenOfStreams) {
  LineSpec line = spec("x", 1, 0, 0, 0);
  line.policy = preset_policy(Preset::three_layer);
  HealthTable health({line}, {});
  Outcome o = success();
  o.first_token = seconds(8);
  o.total = seconds(120);
  for (int i = 0; i < 50; ++i) health.settle(*health.begin(0, 0, at(0), at(1)), o, at(0), 1);
  EXPECT_EQ(health.read(0, at(0)).availability, Availability::ready);
}

TEST(HealthTable, OfASupersededCallOnlyItsWaitIsLearnt) {
  Table t;
  Outcome o;
  o.kind = OutcomeKind::neutral;
  o.first_byte = milliseconds(100);
  o.first_token = o.total = milliseconds(900);
  o.task = 5;
  t.call(a, o);  // another neutral end: nothing is
  const auto count = [&](Latency what) {
    Spread spread;
    t.health.collect(a, what, 5, t.now, spread);
    return spread.count();
  };
  EXPECT_EQ(count(Latency::first_token), 0U);
  o.superseded = true;
  t.call(a, o);
  EXPECT_EQ(count(Latency::first_token), 1U);
  EXPECT_EQ(count(Latency::first_byte), 0U);
  EXPECT_EQ(count(Latency::total), 0U);
  EXPECT_EQ(t.health.read(a, t.now).success_rate_micros, 1'000'000U);
  EXPECT_FALSE(t.health.read(a, t.now).last_success.has_value());
}

TEST(HealthTable, LatenciesOfSeveralLinesAreReadAsOne) {
  Table t;
  Outcome o = success();
  o.first_token = milliseconds(400);
  o.task = 5;
  t.call(a, o);
  o.first_token = milliseconds(900);
  t.call(b, o);
  t.call(b, failure(Penalty::normal));
  Spread spread;
  for (const std::uint32_t line : {a, b, c}) t.health.collect(line, Latency::first_token, 5, t.now, spread);
  EXPECT_EQ(spread.count(), 2U);
  EXPECT_NEAR(spread.quantile(500), 400'000, 12'000);
  EXPECT_NEAR(spread.quantile(950), 900'000, 27'000);
  Spread total;
  t.health.collect(a, Latency::total, 5, t.now, total);
  EXPECT_NEAR(total.quantile(500), 1'000'000, 30'000);
}

}  // namespace
}  // namespace shunt::health
