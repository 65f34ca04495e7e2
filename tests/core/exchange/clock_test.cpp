// Clock, timers and loans: time that only goes on, one nearest limit, and nothing lost.
#include "exchange/clock.h"

#include <gtest/gtest.h>

#include "exchange/loans.h"
#include "exchange/timers.h"

namespace shunt::exchange {
namespace {

TEST(Clock, StandsWhenTheHostIsALittleBehind) {
  Clock clock;
  EXPECT_EQ(clock.observe({10000}), Instant{10000});
  EXPECT_EQ(clock.observe({7000}), Instant{10000});
  EXPECT_EQ(clock.observe({10001}), Instant{10001});
}

TEST(Clock, GoesOnFromWhereItStoodWhenTheHostIsSetBack) {
  Clock clock;
  clock.observe({1000000});
  EXPECT_EQ(clock.observe({500}), Instant{1000000});
  EXPECT_EQ(clock.observe({600}), Instant{1000100});
  EXPECT_EQ(clock.to_host({1000200}), Instant{700});
}

TEST(Clock, AFiredTimerIsProofThatItsTimeHasCome) {
  Clock clock;
  clock.observe({1000});
  EXPECT_EQ(clock.advance_to({1500}), Instant{1500});
  EXPECT_EQ(clock.observe({1001}), Instant{1500});
  EXPECT_EQ(clock.advance_to(kNever), Instant{1500});
}

TEST(Timers, TheNearestWinsAndTheEarlierReasonATie) {
  Timers timers;
  EXPECT_EQ(timers.next(), Wakeup{});
  timers.set(TimerReason::total, {50});
  timers.set(TimerReason::idle, {50});
  EXPECT_EQ(timers.next(), (Wakeup{{50}, TimerReason::idle}));
  timers.stop(TimerReason::idle);
  EXPECT_EQ(timers.next().reason, TimerReason::total);
  timers.set_after(TimerReason::first_byte, {10}, Duration{0});
  EXPECT_FALSE(timers.running(TimerReason::first_byte)) << "a limit of 0 is none";
}

TEST(Loans, ALoanThatIsNotRenewedComesBack) {
  Loans loans;
  const Loans::Id a = loans.open({100});
  const Loans::Id b = loans.open({200});
  loans.set_body(a, 10);
  loans.set_body(b, 5);
  loans.set_answer(b, 7);
  EXPECT_EQ(loans.bodies(), 15u);
  loans.reclaim({150});
  EXPECT_EQ(loans.bodies(), 5u);
  EXPECT_FALSE(loans.renew(a, {900}));
  EXPECT_TRUE(loans.renew(b, {900}));
  loans.set_body(a, 1000);  // a stale holder takes nothing
  EXPECT_EQ(loans.bodies(), 5u);
  loans.close(b);
  loans.close(b);
  EXPECT_EQ(loans.bodies() + loans.answers() + loans.count(), 0u);
}

}  // namespace
}  // namespace shunt::exchange
