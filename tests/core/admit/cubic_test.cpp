// CUBIC: against the formula, and its bounds.
#include "admit/cubic.h"

#include <gtest/gtest.h>

#include <cmath>

namespace shunt::admit {
namespace {

TEST(Cubic, FollowsTheFormula) {
  for (const double most : {5.0, 60.0, 500.0, 10000.0}) {
    Cubic cubic;
    cubic.cut(static_cast<std::int64_t>(most * 1000), true, {1000});
    for (int i = 0; i < 4; ++i) cubic.sent(static_cast<std::int64_t>(most * 8000), {1000});  // no bound
    const double k = std::cbrt(most * 0.75);
    for (std::int64_t ms = 0; ms < 180000; ms += 1700) {
      const double t = static_cast<double>(ms) / 6000 - k;
      const double rate = std::max(3.0, std::min(0.4 * t * t * t + most, most * 16));
      EXPECT_NEAR(static_cast<double>(cubic.rate({1000 + ms})) / 1000, rate, rate / 100 + 0.1)
          << most << " " << ms;
    }
  }
}

TEST(Cubic, CutsToSevenTenthsAndMeetsTheMaximumAgainAfterK) {
  Cubic cubic;
  cubic.cut(500000, true, {0});
  EXPECT_NEAR(static_cast<double>(cubic.rate({0})), 350000, 500);
  EXPECT_NEAR(static_cast<double>(cubic.rate({43267})), 500000, 500);  // cbrt(375) x 6 s
  EXPECT_LE(cubic.rate({3600000}), 1000000);                           // twice what was measured
}

TEST(Cubic, OneCutForCallsThatWereUnderWayTogether) {
  Cubic cubic;
  cubic.cut(500000, true, {0});
  cubic.cut(500000, false, {10});
  EXPECT_NEAR(static_cast<double>(cubic.rate({10})), 350000, 500);
}

TEST(Cubic, NeverBelowThreeAMinute) {
  Cubic cubic;
  cubic.cut(0, true, {0});
  EXPECT_EQ(cubic.rate({0}), 3000);
  cubic.sent(0, {0});
  EXPECT_EQ(cubic.until({0}), Instant{20000});
}

TEST(Cubic, CallsAreSpacedByTheRate) {
  Cubic cubic;
  cubic.cut(600000, true, {0});
  EXPECT_EQ(cubic.until({0}), Instant{0});
  cubic.sent(600000, {0});
  EXPECT_NEAR(static_cast<double>(cubic.until({0}).ms), 60000.0 / 420, 2);
}

TEST(Cubic, AfterAHoldOneCallTries) {
  Cubic cubic;
  cubic.cut(600000, true, {0});
  cubic.back_off({0});
  EXPECT_EQ(cubic.until({0}), Instant{1000});
  cubic.sent(600000, {1000});
  EXPECT_EQ(cubic.until({1000}), Instant{4000});  // its answer, or the end of its time
  cubic.succeeded();
  EXPECT_LT(cubic.until({1200}), Instant{1300});
}

TEST(Cubic, TimeThatStandsOrGoesBackIsHarmless) {
  Cubic cubic;
  cubic.cut(INT64_MAX, true, {1000000});
  for (const std::int64_t now : {1000000, 0, -1000000, 1000000}) {
    cubic.sent(INT64_MAX / 4, {now});
    EXPECT_GE(cubic.rate({now}), 3000);
    EXPECT_LE(cubic.rate({now}), 1000000000);
    EXPECT_GE(cubic.share_left_micros({now}), 0);
  }
}

}  // namespace
}  // namespace shunt::admit
