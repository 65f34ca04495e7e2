// Who may be tried: permits of half-open lines, and the leases of early probes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "core/health/table_rig.h"
#include "health/table.h"

namespace shunt::health {
namespace {

TEST(HealthTable, B8_AHalfOpenLineGivesOnePermitAndTakesItBack) {
  Table t;
  t.fail_times(d, 3, failure(Penalty::normal, Scope::provider));
  t.now = t.now + seconds(60);
  EXPECT_EQ(t.availability(d), Availability::probe);
  const Ticket probe = t.begin(d);
  EXPECT_TRUE(probe.is_probe());
  EXPECT_TRUE(t.out(d));
  EXPECT_EQ(t.read(d).until, t.now + seconds(30));
  t.settle(probe, Outcome{});
  EXPECT_EQ(t.availability(d), Availability::probe);
  t.settle(t.begin(d), failure(Penalty::none, Scope::request));
  EXPECT_EQ(t.availability(d), Availability::probe) << "the client's own mistake says nothing";
  t.settle(t.begin(d), success());
  EXPECT_EQ(t.availability(d), Availability::ready);
  EXPECT_EQ(t.read(d).failure_count, 0U);
}

TEST(HealthTable, AProbesFailureReturnsThePermitsOfScopesItDoesNotBlame) {
  Table t;
  t.fail_times(d, 3, failure(Penalty::normal, Scope::provider));
  t.now = t.now + seconds(60);
  t.call(d, failure(Penalty::normal, Scope::deployment));
  EXPECT_TRUE(t.out(d));
  EXPECT_EQ(t.read(d).until, t.now + seconds(60));
  t.now = t.now + seconds(60);
  EXPECT_EQ(t.availability(d), Availability::probe) << "the provider's permit came back";
}

TEST(HealthTable, B15_AllLinesProtectedOneLeasedProbePerLine) {
  Table t;
  t.fail_times(d, 1, failure(Penalty::cooldown, Scope::key, seconds(300)));
  t.fail_times(a, 1, failure(Penalty::long_, Scope::provider));
  const std::uint32_t lines[] = {a, b, c, d};
  EXPECT_EQ(t.health.earliest_end(lines, t.now), t.now + seconds(300))
      << "Retry-After is the true remaining time";

  auto probe = t.health.begin_probe(d, 0, t.now, t.now + seconds(10));
  ASSERT_TRUE(probe.has_value());
  EXPECT_EQ(probe->kind, Ticket::Kind::early_probe);
  EXPECT_FALSE(t.health.begin_probe(d, 0, t.now, t.now + seconds(10)).has_value());
  t.health.renew(*probe, t.now + seconds(20));
  t.now = t.now + seconds(15);
  EXPECT_FALSE(t.health.begin_probe(d, 0, t.now, t.now + seconds(10)).has_value());
  t.now = t.now + seconds(5);
  const auto second = t.health.begin_probe(d, 0, t.now, t.now + seconds(10));
  ASSERT_TRUE(second.has_value()) << "a lost lease is reclaimed";
  t.settle(*probe, success());
  EXPECT_TRUE(t.out(d)) << "whose lease was reclaimed has no say";
  t.settle(*second, success());
  EXPECT_EQ(t.availability(d), Availability::ready);
}

TEST(HealthTable, ASettledEarlyProbeReturnsItsLease) {
  Table t;
  t.call(d, failure(Penalty::cooldown, Scope::key, seconds(300)));
  for (const Outcome& outcome :
       {Outcome{}, failure(Penalty::none, Scope::request), failure(Penalty::normal)}) {
    const auto probe = t.health.begin_probe(d, 0, t.now, t.now + seconds(10));
    ASSERT_TRUE(probe.has_value());
    t.settle(*probe, outcome);
  }
  EXPECT_EQ(t.read(d).until, t.now + seconds(300)) << "nothing ended it early, nothing made it longer";
}

TEST(HealthTable, EarlyProbesThatFailAreAtMostTenInTheTimeThatIsLeftAndOneASecond) {
  for (const std::int64_t wait_s : {5, 60, 300, 3600}) {
    Table t;
    t.call(d, failure(Penalty::cooldown, Scope::key, seconds(wait_s)));
    int probes = 0;
    Instant next = t.now;
    for (const Instant end = t.now + seconds(wait_s); t.now < end; t.now = t.now + milliseconds(100)) {
      const auto probe = t.health.begin_probe(d, 0, t.now, t.now + seconds(10));
      EXPECT_EQ(probe.has_value(), t.now >= next);
      if (!probe) continue;
      ++probes;
      t.settle(*probe, failure(Penalty::weak));
      next = t.now + std::max(seconds(1), Duration{(t.read(d).until - t.now).ms / 10});
    }
    EXPECT_GT(probes, 1);
    EXPECT_LT(probes, 60) << wait_s;
  }
}

TEST(HealthTable, ThePaceOfEarlyProbesEndsWithAResetAndWithASuccess) {
  for (const bool by_reset : {true, false}) {
    Table t;
    const Ticket under_way = t.begin(d);
    const auto is_out_and_asked = [&t] {
      t.call(d, failure(Penalty::cooldown, Scope::key, seconds(3600)));
      const auto probe = t.health.begin_probe(d, 0, t.now, t.now + seconds(10));
      ASSERT_TRUE(probe.has_value());
      t.settle(*probe, failure(Penalty::weak));
    };
    is_out_and_asked();
    EXPECT_FALSE(t.health.begin_probe(d, 0, t.now, t.now + seconds(10)).has_value());
    if (by_reset) {
      t.health.act(d, Act::reset, t.now, {});
      is_out_and_asked();
    } else {
      t.settle(under_way, success());
      EXPECT_TRUE(t.out(d)) << "an ordinary success ends nothing early";
      EXPECT_TRUE(t.health.begin_probe(d, 0, t.now, t.now + seconds(10)).has_value());
    }
  }
}

// The open time may end while an early probe is under way: one probe a line all the same.
TEST(HealthTable, AnEarlyProbeThatOutlastsTheOpenTimeStaysTheOnlyOne) {
  Table t;
  t.fail_times(d, 3, failure(Penalty::normal));
  t.now = at(1059);
  const auto early = t.health.begin_probe(d, 0, t.now, at(1070));
  ASSERT_TRUE(early.has_value());
  t.now = at(1061);
  EXPECT_FALSE(t.health.begin(d, 0, t.now, at(1080)).has_value());
  t.now = at(1070);  // its lease is over: nobody heard of it again
  EXPECT_TRUE(t.health.begin(d, 0, t.now, at(1080)).has_value());
}

TEST(HealthTable, AnEarlyProbesSuccessEndsWhatSharedScopesHold) {
  Table t;
  t.call(a, failure(Penalty::long_, Scope::provider));
  const auto probe = t.health.begin_probe(b, 0, t.now, t.now + seconds(10));
  ASSERT_TRUE(probe.has_value());
  t.settle(*probe, success());
  EXPECT_FALSE(t.out(a));
  EXPECT_FALSE(t.out(c));
}

TEST(HealthTable, AnEarlyProbeCannotPassPermitsOrLatches) {
  Table t;
  t.fail_times(d, 3, failure(Penalty::normal));
  t.now = t.now + seconds(60);
  t.begin(d);
  EXPECT_FALSE(t.health.begin_probe(d, 0, t.now, t.now + seconds(10)).has_value());
  t.health.act(c, Act::force_open, t.now, {});
  EXPECT_FALSE(t.health.begin_probe(c, 0, t.now, t.now + seconds(10)).has_value());
  EXPECT_EQ(t.read(c).until, kNever);
  EXPECT_EQ(t.read(c).cause, Cause::operator_);
}

TEST(HealthTable, AnOrdinarySuccessUnderWayEndsNoCooldown) {
  Table t;
  const Ticket under_way = t.begin(d);
  t.call(d, failure(Penalty::cooldown, Scope::key, seconds(60)));
  t.settle(under_way, success());
  EXPECT_TRUE(t.out(d));
  EXPECT_EQ(t.read(d).failure_count, 1U);
}

}  // namespace
}  // namespace shunt::health
