// The breaker's rules one by one: when it opens and for how long. Permits and probes:
// breaker_probes_test.cpp.
#include "health/breaker.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/health/breaker_rig.h"

namespace shunt::health {
namespace {

BreakerRig rate_rig(std::int64_t rate_micros, std::uint32_t min_calls) {
  BreakerRig rig;
  rig.policy.window = failure_rate_above(0, seconds(60), min_calls);
  rig.policy.window.failure_rate_micros = rate_micros;
  rig.policy.open.base = seconds(30);
  return rig;
}

TEST(Breaker, SteppedOpensAtTheThirdFailureInARowWhateverItsPenalty) {
  for (const Penalty penalty : {Penalty::cooldown, Penalty::weak, Penalty::normal, Penalty::long_}) {
    BreakerRig rig = rig_of(Preset::stepped);
    rig.fail(penalty);
    rig.fail(penalty);
    EXPECT_EQ(rig.state(), State::closed);
    rig.fail(penalty);
    EXPECT_EQ(rig.state(), State::open) << name_of(penalty);
    EXPECT_EQ(rig.until(), rig.now + seconds(60));
    EXPECT_EQ(rig.breaker.trip(), Trip::consecutive);
  }
}

TEST(Breaker, SteppedLadder) {
  const OpenTime open = preset_policy(Preset::stepped).open;
  struct Row {
    std::uint32_t failures;
    std::int64_t seconds;
  };
  for (const Row& row : {Row{1, 60},
                         {3, 60},
                         {9, 60},
                         {10, 600},
                         {19, 600},
                         {20, 3600},
                         {49, 3600},
                         {50, 7200},
                         {5000, 7200}}) {
    EXPECT_EQ(open_time(open, row.failures, 1), seconds(row.seconds)) << row.failures;
  }
}

TEST(Breaker, GrowingOpenTimesDoubleToTheCap) {
  OpenTime open;
  open.form = OpenTime::Form::growing;
  open.base = seconds(30);
  open.cap = seconds(300);
  const std::int64_t want[] = {30, 60, 120, 240, 300, 300};
  for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(open_time(open, 3, i + 1), seconds(want[i]));
  open.factor = INT64_MAX;
  EXPECT_EQ(open_time(open, 3, 1000), seconds(300));
}

TEST(Breaker, ASuccessBetweenFailuresStartsTheRowAnew) {
  BreakerRig rig = rig_of(Preset::stepped);
  rig.fail_times(2);
  rig.ok();
  rig.fail_times(2);
  EXPECT_EQ(rig.state(), State::closed) << "although the clock stood still";
}

TEST(Breaker, ASuccessUnderWayWhenAFailureCameDoesNotEndTheRow) {
  BreakerRig rig = rig_of(Preset::stepped);
  const Call under_way = rig.begin();
  rig.fail_times(2);
  rig.ok(under_way);
  EXPECT_EQ(rig.breaker.failures(), 2U);
  rig.fail();
  EXPECT_EQ(rig.state(), State::open);
}

TEST(Breaker, B1_ARateAtItsThresholdOpens) {
  BreakerRig rig = rate_rig(500'000, 10);
  for (int i = 0; i < 5; ++i) rig.ok();
  for (int i = 0; i < 4; ++i) rig.fail();
  EXPECT_EQ(rig.state(), State::closed);
  rig.fail();
  EXPECT_EQ(rig.state(), State::open);
  EXPECT_EQ(rig.breaker.trip(), Trip::failure_rate);
}

TEST(Breaker, Window50OpensAboveHalfNotAtHalf) {
  BreakerRig rig = rig_of(Preset::window_50);
  for (int i = 0; i < 5; ++i) rig.ok();
  rig.fail_times(5);
  EXPECT_EQ(rig.state(), State::closed);
  rig.fail();
  EXPECT_EQ(rig.state(), State::open);
  EXPECT_EQ(rig.until(), rig.now + seconds(30));
}

TEST(Breaker, W2_NothingOpensOneCallBeforeTheMinimum) {
  BreakerRig rig = rate_rig(500'000, 10);
  rig.fail_times(9);
  EXPECT_EQ(rig.state(), State::closed);
  rig.fail();
  EXPECT_EQ(rig.state(), State::open);
}

TEST(Breaker, RateLimitsDoNotFillAWindow) {
  BreakerRig rig = rig_of(Preset::window_50);
  for (int i = 0; i < 50; ++i) rig.fail(Penalty::cooldown);
  EXPECT_EQ(rig.state(), State::closed);
}

BreakerRig slow_rig() {
  BreakerRig rig;
  rig.policy.window.span = seconds(60);
  rig.policy.window.min_calls = 4;
  rig.policy.window.slow_after = seconds(8);
  rig.policy.window.slow_rate_micros = 1'000'000;
  return rig;
}

TEST(Breaker, B2_ACallIsSlowOnlyBeyondTheLimit) {
  BreakerRig rig = slow_rig();
  for (int i = 0; i < 100; ++i) rig.slow_ok(milliseconds(8000));
  EXPECT_EQ(rig.state(), State::closed);
}

TEST(Breaker, B3_ASuccessOpensOnSlow) {
  BreakerRig rig = slow_rig();
  for (int i = 0; i < 4; ++i) rig.slow_ok(milliseconds(8001));
  EXPECT_EQ(rig.state(), State::open);
  EXPECT_EQ(rig.breaker.trip(), Trip::slow_rate);
}

TEST(Breaker, B7_OutcomesOfAnOlderGenerationAreDropped) {
  for (const bool success : {false, true}) {
    BreakerRig rig = rig_of(Preset::three_layer);
    std::vector<Call> late;
    for (int i = 0; i < 20; ++i) late.push_back(rig.begin());
    rig.fail_times(5);
    rig.wait(seconds(60));
    const Call probe = rig.begin();
    ASSERT_EQ(rig.state(), State::half_open);
    for (int i = 0; i < 10; ++i)
      success ? rig.ok(late[static_cast<std::size_t>(i)]) : rig.fail(late[static_cast<std::size_t>(i)]);
    EXPECT_EQ(rig.state(), State::half_open);
    rig.ok(probe);
    ASSERT_EQ(rig.state(), State::closed);
    for (std::size_t i = 10; i < 20; ++i) success ? rig.ok(late[i]) : rig.fail(late[i]);
    EXPECT_EQ(rig.state(), State::closed);
    EXPECT_EQ(rig.breaker.failures(), 0U);
  }
}

TEST(Breaker, B12_AStatedEndDoesNotRaiseTheLongPenalty) {
  BreakerRig rig = rig_of(Preset::window_50);
  rig.hold(rig.begin(), seconds(7200));
  EXPECT_EQ(rig.until(), rig.now + seconds(7200));
  rig.now = rig.until();
  rig.hold(rig.begin());
  EXPECT_EQ(rig.until(), rig.now + seconds(600));
}

TEST(Breaker, B13_ForcedOpenDisabledAndMetricsOnly) {
  BreakerRig rig = rig_of(Preset::stepped);
  rig.breaker.order(Event::force_open, rig.next());
  EXPECT_EQ(rig.availability(), Availability::out);
  EXPECT_EQ(rig.until(), kNever);
  rig.ok(rig.begin_early());
  EXPECT_EQ(rig.state(), State::forced_open) << "only an operator ends it";
  rig.breaker.order(Event::reset, rig.next());
  EXPECT_EQ(rig.state(), State::closed);
  for (const Event event : {Event::disable, Event::metrics_only}) {
    rig.breaker.order(event, rig.next());
    rig.fail_times(10);
    rig.hold(rig.begin());
    EXPECT_EQ(rig.availability(), Availability::ready) << name_of(event);
    EXPECT_EQ(rig.breaker.failures(), event == Event::disable ? 0U : 10U);
    rig.breaker.order(Event::reset, rig.next());
    EXPECT_EQ(rig.breaker.failures(), 0U);
  }
}

TEST(Breaker, B14_ALateFailureDoesNotExtendAnOpenBreaker) {
  for (const Preset preset : {Preset::stepped, Preset::three_layer}) {
    BreakerRig rig = rig_of(preset);
    const Call late = rig.begin();
    rig.fail_times(5);
    const Instant end = rig.until();
    rig.wait(seconds(20));
    rig.fail(late);
    EXPECT_EQ(rig.until(), end) << name_of(preset);
  }
}

TEST(Breaker, SteppedAloneCountsLateFailuresUpItsLadder) {
  BreakerRig rig = rig_of(Preset::stepped);
  std::vector<Call> late;
  for (int i = 0; i < 7; ++i) late.push_back(rig.begin());
  rig.fail_times(3);
  for (int i = 0; i < 6; ++i) rig.fail(late[static_cast<std::size_t>(i)]);
  EXPECT_EQ(rig.breaker.failures(), 9U);
  EXPECT_EQ(rig.until(), Instant{60'000});
  rig.wait(seconds(10));
  rig.fail(late[6]);
  EXPECT_EQ(rig.until(), Instant{610'000}) << "the tenth failure reaches the next rung";
}

TEST(Breaker, LatchedStaysUntilAnOperatorResetsIt) {
  BreakerRig rig = rig_of(Preset::latched);
  rig.fail_times(3);
  rig.wait(seconds(30 * 24 * 3600));
  EXPECT_EQ(rig.state(), State::latched);
  EXPECT_EQ(rig.until(), kNever);
  rig.ok(rig.begin_early());
  EXPECT_EQ(rig.state(), State::latched);
  rig.breaker.order(Event::reset, rig.next());
  EXPECT_EQ(rig.availability(), Availability::ready);
}

TEST(Breaker, LatchedCountsHardFailuresOnly) {
  BreakerRig rig = rig_of(Preset::latched);
  for (int i = 0; i < 10; ++i) rig.fail(i % 2 == 0 ? Penalty::cooldown : Penalty::weak);
  EXPECT_EQ(rig.state(), State::closed);
}

TEST(Breaker, TheLongPenaltyDoublesToSixHoursThenOneProbe) {
  BreakerRig rig = rig_of(Preset::window_50);
  rig.policy.half_open_permits = 3;
  for (const std::int64_t want : {600, 1200, 2400, 4800, 9600, 19'200, 21'600, 21'600}) {
    rig.hold(rig.begin());
    EXPECT_EQ(rig.until(), rig.now + seconds(want));
    rig.now = rig.until();
    EXPECT_EQ(rig.availability(), Availability::probe);
  }
  const Call probe = rig.begin();
  EXPECT_EQ(rig.availability(), Availability::out) << "one, whatever the policy's permits";
  rig.ok(probe);
  EXPECT_EQ(rig.state(), State::closed);
  rig.hold(rig.begin());
  EXPECT_EQ(rig.until(), rig.now + seconds(600)) << "a recovery resets the doubling";
}

TEST(Breaker, CallsUnderWayTogetherRaiseTheLongPenaltyOnce) {
  BreakerRig rig = rig_of(Preset::window_50);
  const Call calls[] = {rig.begin(), rig.begin(), rig.begin()};
  for (const Call& call : calls) rig.hold(call);
  EXPECT_EQ(rig.until(), rig.now + seconds(600));
  EXPECT_EQ(rig.breaker.access(rig.policy, rig.now).cause, Cause::long_penalty);
}

TEST(Breaker, B7_ALongPenaltyOfACallBegunBeforeTheRecoveryIsDropped) {
  BreakerRig rig = rig_of(Preset::stepped);
  const Call late = rig.begin();
  rig.fail_times(3);
  rig.wait(seconds(60));
  rig.ok();
  rig.hold(late);
  EXPECT_EQ(rig.availability(), Availability::ready);
}

TEST(Breaker, ARecoveredBreakerForgetsItsWindow) {
  BreakerRig rig = rig_of(Preset::window_50);
  rig.fail_times(10);
  rig.wait(seconds(30));
  rig.ok();
  ASSERT_EQ(rig.state(), State::closed);
  rig.fail_times(9);
  EXPECT_EQ(rig.state(), State::closed) << "the ten failures of before do not count";
}

TEST(Breaker, AStatedQuotaResetIsHonouredUpToAMonth) {
  BreakerRig rig = rig_of(Preset::stepped);
  rig.hold(rig.begin(), seconds(20 * 24 * 3600));
  EXPECT_EQ(rig.until(), rig.now + seconds(20 * 24 * 3600));
  rig.hold(rig.begin(), seconds(400 * 24 * 3600));
  EXPECT_EQ(rig.until(), rig.now + seconds(31 * 24 * 3600));
}

// Envoy's multiplier falls by one per healthy interval. DESIGN §5: a recovery by a leased probe starts anew.
TEST(Breaker, O4_OpenTimesGrowUpToTheCapAndStartAnewAfterARecovery) {
  BreakerRig rig = rig_of(Preset::three_layer);
  rig.policy.open = {OpenTime::Form::growing, seconds(30), 2, seconds(300), {}};
  rig.fail_times(5);
  for (const std::int64_t want : {60, 120, 240, 300, 300}) {
    rig.now = rig.until();
    rig.fail();
    EXPECT_EQ(rig.until(), rig.now + seconds(want));
  }
  rig.now = rig.until();
  rig.ok();
  rig.fail_times(5);
  EXPECT_EQ(rig.until(), rig.now + seconds(30));
}

TEST(Breaker, ThreeLayerOpensWhenTheP99IsAboveEightSeconds) {
  for (const int calls : {19, 20}) {
    BreakerRig rig = rig_of(Preset::three_layer);
    for (int i = 0; i < calls - 1; ++i) rig.answers_in(seconds(8));
    EXPECT_EQ(rig.state(), State::closed);
    rig.answers_in(milliseconds(8001));
    EXPECT_EQ(rig.state(), calls == 20 ? State::open : State::closed) << calls;
    EXPECT_EQ(rig.breaker.trip(), calls == 20 ? Trip::p99 : Trip::none);
  }
}

TEST(Breaker, AP99ToleratesOneCallInAHundred) {
  BreakerRig rig = rig_of(Preset::three_layer);
  for (int i = 0; i < 198; ++i) rig.answers_in(seconds(1));
  for (const State want : {State::closed, State::closed, State::open}) {
    rig.answers_in(seconds(20));
    EXPECT_EQ(rig.state(), want);
  }
}

TEST(Breaker, ThreeLayersTheFirstThatIsHitGivesTheReason) {
  BreakerRig rig = rig_of(Preset::three_layer);
  for (int i = 0; i < 15; ++i) rig.answers_in(seconds(1));
  for (int i = 0; i < 4; ++i) {
    Call call = rig.begin();
    call.response = seconds(20);
    rig.fail(call, Penalty::cooldown);  // does not count
  }
  EXPECT_EQ(rig.state(), State::closed);
  rig.fail_times(1);
  EXPECT_EQ(rig.state(), State::closed) << "1 of 16 calls";
  rig.fail_times(1);
  EXPECT_EQ(rig.breaker.trip(), Trip::failure_rate) << "2 of 17 calls are above 10 %";
  EXPECT_EQ(rig.until(), rig.now + seconds(60));

  BreakerRig row = rig_of(Preset::three_layer);
  row.fail_times(5);
  EXPECT_EQ(row.breaker.trip(), Trip::consecutive);
}

TEST(Breaker, HystrixOpensAboveThirtyPercentOfTwentyCallsInFiveMinutes) {
  BreakerRig rig = rig_of(Preset::hystrix);
  rig.fail_times(6);
  rig.wait(seconds(290));
  for (int i = 0; i < 14; ++i) rig.ok();
  EXPECT_EQ(rig.state(), State::closed) << "30 % is not above 30 %";
  rig.fail();
  EXPECT_EQ(rig.state(), State::open) << "7 of 21";
  EXPECT_EQ(rig.until(), rig.now + seconds(30));
}

TEST(Breaker, ARateThatRisesAsTheWindowSlidesOpensBeforeTheNextCall) {
  BreakerRig rig = rig_of(Preset::window_50);
  for (int i = 0; i < 10; ++i) rig.ok();
  rig.wait(seconds(30));
  rig.fail_times(10);
  rig.breaker.review(rig.policy, rig.next());
  EXPECT_EQ(rig.state(), State::closed) << "10 of 20";
  rig.wait(seconds(30));
  EXPECT_EQ(rig.state(), State::closed);
  rig.breaker.review(rig.policy, rig.next());
  EXPECT_EQ(rig.state(), State::open) << "10 of 10";
}

TEST(Breaker, B12_WhatAnotherIsolateFoundIsAMaximumAndRaisesNoCount) {
  BreakerRig rig = rig_of(Preset::three_layer);
  rig.breaker.hear({rig.now + seconds(40), kPast, false}, rig.next());
  EXPECT_EQ(rig.until(), rig.now + seconds(40));
  EXPECT_EQ(rig.breaker.trip(), Trip::told);
  rig.breaker.hear({rig.now + seconds(10), kPast, false}, rig.next());
  EXPECT_EQ(rig.until(), rig.now + seconds(40));
  EXPECT_EQ(rig.breaker.facts().openings, 0U);
  EXPECT_EQ(rig.breaker.failures(), 0U);
  rig.breaker.hear({kPast, rig.now + seconds(600), false}, rig.next());
  EXPECT_EQ(rig.breaker.access(rig.policy, rig.now).cause, Cause::long_penalty);
}

TEST(Breaker, WhatAnotherIsolateFoundTakesAHalfOpenBreakerBackOut) {
  BreakerRig rig = rig_of(Preset::stepped);
  rig.fail_times(3);
  rig.wait(seconds(60));
  const Call probe = rig.begin();
  rig.breaker.hear({rig.now + seconds(30), kPast, false}, rig.next());
  rig.ok(probe);
  EXPECT_EQ(rig.state(), State::open) << "the probe began before the news";
}

TEST(Breaker, AnEarlyProbeBegunBeforeTheNewsOfAnotherIsolateDoesNotEndIt) {
  BreakerRig rig = rig_of(Preset::stepped);
  rig.fail_times(3);
  const Call early = rig.begin_early();
  rig.breaker.hear({rig.now + seconds(90), kPast, false}, rig.next());
  rig.ok(early);
  EXPECT_EQ(rig.until(), rig.now + seconds(90));
}

TEST(Breaker, ALatchHeardOfHoldsInEveryStateOfTraffic) {
  for (const int seconds_waited : {0, 60}) {
    BreakerRig rig = rig_of(Preset::stepped);
    rig.fail_times(3);
    rig.wait(seconds(seconds_waited));
    rig.breaker.hear({kPast, kPast, true}, rig.next());
    EXPECT_EQ(rig.state(), State::latched);
  }
}

TEST(Breaker, WhenAnotherIsolateEndedItTheBreakerStartsAnew) {
  BreakerRig rig = rig_of(Preset::stepped);
  rig.fail_times(3);
  rig.breaker.forget(rig.next());
  EXPECT_EQ(rig.state(), State::closed);
  EXPECT_EQ(rig.breaker.failures(), 0U);
  rig.fail_times(2);
  rig.breaker.forget(rig.next());
  EXPECT_EQ(rig.breaker.failures(), 2U) << "it was not out: its own count stays";
}

}  // namespace
}  // namespace shunt::health
