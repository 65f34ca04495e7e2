// A half-open breaker's permits and leases, and early probes; cases B4 to B11 and B16.
#include <gtest/gtest.h>

#include <vector>

#include "core/health/breaker_rig.h"

namespace shunt::health {
namespace {

TEST(Breaker, B4_AtItsEndItMayBeTriedAndNotAMillisecondBefore) {
  BreakerRig rig = rig_of(Preset::stepped);
  rig.fail_times(3);
  rig.wait(milliseconds(59'999));
  EXPECT_EQ(rig.availability(), Availability::out);
  rig.wait(milliseconds(1));
  EXPECT_EQ(rig.state(), State::half_open);
  EXPECT_EQ(rig.availability(), Availability::probe);
}

TEST(Breaker, B5_ExactlyNPermits) {
  for (const std::uint32_t n : {1U, 2U, 5U}) {
    BreakerRig rig = rig_of(Preset::three_layer);
    rig.policy.half_open_permits = n;
    rig.fail_times(5);
    rig.wait(seconds(60));
    for (std::uint32_t i = 0; i < n; ++i) {
      EXPECT_EQ(rig.availability(), Availability::probe);
      rig.begin();
    }
    EXPECT_EQ(rig.availability(), Availability::out);
    EXPECT_EQ(rig.until(), rig.now + kLease) << "the first lease to end";
  }
}

TEST(Breaker, B5_APermitWhoseProbeSucceededIsNotGivenTwice) {
  BreakerRig rig = rig_of(Preset::three_layer);
  rig.policy.half_open_permits = 2;
  rig.fail_times(5);
  rig.wait(seconds(60));
  rig.ok();
  rig.begin();
  EXPECT_EQ(rig.availability(), Availability::out);
}

// Of any number of calls that come in the millisecond of the end.
TEST(Breaker, B6_ManyConcurrentCallsAtTheEndGetNPermitsAmongThem) {
  BreakerRig rig = rig_of(Preset::three_layer);
  rig.policy.half_open_permits = 2;
  rig.fail_times(5);
  rig.wait(seconds(60));
  int probes = 0;
  for (int i = 0; i < 100; ++i) {
    if (rig.availability() != Availability::probe) continue;
    rig.begin();
    ++probes;
  }
  EXPECT_EQ(probes, 2);
}

TEST(Breaker, B8_ACancelledProbeIsNeutralAndReturnsItsPermit) {
  BreakerRig rig = rig_of(Preset::stepped);
  rig.fail_times(3);
  rig.wait(seconds(60));
  const Call probe = rig.begin();
  rig.breaker.give_back(probe.order);
  EXPECT_EQ(rig.state(), State::half_open);
  EXPECT_EQ(rig.availability(), Availability::probe);
}

TEST(Breaker, B8_ARateLimitThatDoesNotCountLeavesTheProbeNeutral) {
  BreakerRig rig = rig_of(Preset::three_layer);
  rig.fail_times(5);
  rig.wait(seconds(60));
  rig.fail(Penalty::cooldown);
  EXPECT_EQ(rig.availability(), Availability::probe);
}

TEST(Breaker, B9_AHungProbeLosesItsLease) {
  BreakerRig rig = rig_of(Preset::stepped);
  rig.fail_times(3);
  rig.wait(seconds(60));
  const Call hung = rig.begin();
  rig.wait(kLease - milliseconds(1));
  EXPECT_EQ(rig.availability(), Availability::out);
  rig.wait(milliseconds(1));
  EXPECT_EQ(rig.availability(), Availability::probe);
  const Call second = rig.begin();
  rig.ok(hung);
  EXPECT_EQ(rig.state(), State::half_open) << "its place was taken";
  rig.ok(second);
  EXPECT_EQ(rig.state(), State::closed);
}

TEST(Breaker, B9_AProbeThatFailsAtItsDeadlineStillSpeaks) {
  BreakerRig rig = rig_of(Preset::stepped);
  rig.fail_times(3);
  rig.wait(seconds(60));
  const Call probe = rig.begin();
  rig.wait(kLease);
  rig.fail(probe);
  EXPECT_EQ(rig.state(), State::open);
}

TEST(Breaker, ARenewedLeaseLivesOn) {
  BreakerRig rig = rig_of(Preset::stepped);
  rig.fail_times(3);
  rig.wait(seconds(60));
  const Call probe = rig.begin();
  rig.wait(seconds(4));
  rig.breaker.renew(probe.order, rig.now + kLease);
  rig.wait(seconds(4));
  EXPECT_EQ(rig.availability(), Availability::out);
}

TEST(Breaker, B10_ReleaseCannotExceedN) {
  BreakerRig rig = rig_of(Preset::stepped);
  rig.fail_times(3);
  rig.wait(seconds(60));
  const Call probe = rig.begin();
  for (int i = 0; i < 5; ++i) rig.breaker.give_back(probe.order);
  rig.begin();
  EXPECT_EQ(rig.availability(), Availability::out);
}

TEST(Breaker, B11_AFailedProbeGrowsTheOpenTimeAndASuccessResetsIt) {
  BreakerRig rig = rig_of(Preset::three_layer);
  rig.policy.open.form = OpenTime::Form::growing;
  rig.policy.open.base = seconds(30);
  rig.fail_times(5);
  for (const std::int64_t want : {60, 120, 240}) {
    rig.now = rig.until();
    rig.fail();
    EXPECT_EQ(rig.until(), rig.now + seconds(want));
  }
  rig.now = rig.until();
  rig.ok();
  rig.fail_times(5);
  EXPECT_EQ(rig.until(), rig.now + seconds(30));
}

TEST(Breaker, B11_SteppedProbesClimbByFailureCount) {
  BreakerRig rig = rig_of(Preset::stepped);
  rig.fail_times(3);
  for (int failures = 4; failures <= 51; ++failures) {
    rig.now = rig.until();
    rig.fail();
    const std::int64_t want = failures < 10 ? 60 : failures < 20 ? 600 : failures < 50 ? 3600 : 7200;
    EXPECT_EQ(rig.until(), rig.now + seconds(want)) << failures;
  }
  rig.now = rig.until();
  rig.ok();
  EXPECT_EQ(rig.breaker.failures(), 0U);
}

TEST(Breaker, ALateSuccessNeverEndsAnOpenBreakerAndAnEarlyProbeDoes) {
  BreakerRig rig = rig_of(Preset::stepped);
  const Call late = rig.begin();
  rig.fail_times(3);
  rig.ok(late);
  EXPECT_EQ(rig.state(), State::open);
  rig.ok(rig.begin());
  EXPECT_EQ(rig.state(), State::open) << "a kept call holds no lease";
  rig.ok(rig.begin_early());
  EXPECT_EQ(rig.state(), State::closed);
  EXPECT_EQ(rig.breaker.failures(), 0U);
}

TEST(Breaker, AnEarlyProbeBegunBeforeANewRungDoesNotEndIt) {
  BreakerRig rig = rig_of(Preset::stepped);
  std::vector<Call> late;
  for (int i = 0; i < 7; ++i) late.push_back(rig.begin());
  rig.fail_times(3);
  const Call early = rig.begin_early();
  for (const Call& call : late) rig.fail(call);
  rig.ok(early);
  EXPECT_EQ(rig.state(), State::open);
}

TEST(Breaker, B16_AFailureAmongTheLastPermitsOpens) {
  BreakerRig rig = rig_of(Preset::three_layer);
  rig.policy.half_open_permits = 3;
  rig.fail_times(5);
  rig.wait(seconds(60));
  const Call a = rig.begin();
  const Call b = rig.begin();
  const Call c = rig.begin();
  rig.ok(a);
  rig.ok(b);
  EXPECT_EQ(rig.state(), State::half_open);
  rig.fail(c);
  EXPECT_EQ(rig.state(), State::open);
}

TEST(Breaker, ALongPenaltyOutlivesAnEarlyProbeBegunBeforeIt) {
  BreakerRig rig = rig_of(Preset::stepped);
  const Call late = rig.begin();
  rig.fail_times(3);
  const Call early = rig.begin_early();
  rig.hold(late);
  rig.ok(early);
  EXPECT_EQ(rig.breaker.access(rig.policy, rig.now).cause, Cause::long_penalty);
}

}  // namespace
}  // namespace shunt::health
