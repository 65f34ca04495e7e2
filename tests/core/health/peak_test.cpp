// A latency that rises at once and falls slowly.
#include "health/peak.h"

#include <gtest/gtest.h>

namespace shunt::health {
namespace {

TEST(Peak, WithoutDataItIsZero) { EXPECT_EQ(Peak{}.read({1000}), 0u); }

TEST(Peak, BadNewsCountsAtOnce) {
  Peak peak;
  peak.record({0}, 100'000);
  peak.record({1}, 900'000);
  EXPECT_EQ(peak.read({1}), 900'000u);
}

TEST(Peak, GoodNewsHalvesTheDistanceInTenSeconds) {
  Peak peak;
  peak.record({0}, 900'000);
  peak.record({10'000}, 100'000);
  EXPECT_EQ(peak.read({10'000}), 500'000u);
}

TEST(Peak, WithoutNewsItFadesSoThatTheLineIsTriedAgain) {
  Peak peak;
  peak.record({0}, 800'000);
  EXPECT_EQ(peak.read({5'000}), 600'000u);
  EXPECT_EQ(peak.read({10'000}), 400'000u);
  EXPECT_EQ(peak.read({20'000}), 200'000u);
  EXPECT_EQ(peak.read({10'000'000}), 0u);
}

TEST(Peak, TimeThatStandsOrGoesBackChangesNothing) {
  Peak peak;
  peak.record({5'000}, 800'000);
  EXPECT_EQ(peak.read({1'000}), 800'000u);
  peak.record({1'000}, 10);
  EXPECT_EQ(peak.read({5'000}), 800'000u);
}

}  // namespace
}  // namespace shunt::health
