// Cooldowns: never shorter, capped, growing once per confirmed limit, ended early by a leased success only.
#include "health/cooldown.h"

#include <gtest/gtest.h>

namespace shunt::health {
namespace {

constexpr Instant at(std::int64_t s) { return {s * 1000}; }

class CooldownRig {
 public:
  CooldownPolicy policy = [] {
    CooldownPolicy p;
    p.jitter_permille = 0;
    return p;
  }();
  Cooldown cooldown;

  std::uint64_t begin() { return ++order_; }
  void limit(std::uint64_t call, Instant now, std::optional<Duration> stated = std::nullopt) {
    cooldown.limit(policy, {call, ++order_, now, stated, 7});
  }

 private:
  std::uint64_t order_ = 0;
};

TEST(Cooldown, AStatedWaitHoldsUntilItsEnd) {
  CooldownRig rig;
  rig.limit(rig.begin(), at(10), seconds(30));
  EXPECT_TRUE(rig.cooldown.in_force({39'999}));
  EXPECT_FALSE(rig.cooldown.in_force(at(40)));
}

TEST(Cooldown, NeverShortens) {
  CooldownRig rig;
  rig.limit(rig.begin(), at(0), seconds(30));
  rig.limit(rig.begin(), at(1), seconds(5));
  rig.limit(rig.begin(), at(2));
  EXPECT_EQ(rig.cooldown.until(), at(30));
}

TEST(Cooldown, AnAbsurdStatedWaitIsCapped) {
  CooldownRig rig;
  rig.limit(rig.begin(), at(0), seconds(3 * 24 * 3600));
  EXPECT_EQ(rig.cooldown.until(), at(3600));
}

TEST(Cooldown, WithoutAStatedWaitItDoublesFromOneSecondToSixty) {
  CooldownRig rig;
  std::int64_t now = 0;
  for (const std::int64_t want : {1, 2, 4, 8, 16, 32, 60, 60}) {
    rig.limit(rig.begin(), at(now));
    EXPECT_EQ(rig.cooldown.until(), at(now + want));
    now += want;
  }
}

TEST(Cooldown, B12_AStatedWaitLeavesTheBackoffAlone) {
  CooldownRig rig;
  for (int i = 0; i < 5; ++i) rig.limit(rig.begin(), at(i), seconds(1));
  rig.limit(rig.begin(), at(100));
  EXPECT_EQ(rig.cooldown.until(), at(101));
}

TEST(Cooldown, CallsUnderWayTogetherGrowItOnce) {
  CooldownRig rig;
  const std::uint64_t a = rig.begin();
  const std::uint64_t b = rig.begin();
  const std::uint64_t c = rig.begin();
  rig.limit(a, at(0));
  rig.limit(b, at(0));
  rig.limit(c, at(0));
  EXPECT_EQ(rig.cooldown.until(), at(1));
  rig.limit(rig.begin(), at(1));
  EXPECT_EQ(rig.cooldown.until(), at(3));
}

TEST(Cooldown, OnlyASuccessBegunAfterTheLastLimitEndsTheBackoff) {
  CooldownRig rig;
  const std::uint64_t under_way = rig.begin();
  rig.limit(rig.begin(), at(0));
  rig.cooldown.succeed(under_way, false);
  rig.limit(rig.begin(), at(1));
  EXPECT_EQ(rig.cooldown.until(), at(3)) << "grown: the success was under way before";
  rig.cooldown.succeed(rig.begin(), false);
  rig.limit(rig.begin(), at(10));
  EXPECT_EQ(rig.cooldown.until(), at(11)) << "back at the base";
}

TEST(Cooldown, OnlyALeasedSuccessEndsItEarly) {
  CooldownRig rig;
  const std::uint64_t under_way = rig.begin();
  rig.limit(rig.begin(), at(0), seconds(60));
  rig.cooldown.succeed(rig.begin(), false);
  EXPECT_TRUE(rig.cooldown.in_force(at(1)));
  rig.cooldown.succeed(under_way, true);
  EXPECT_TRUE(rig.cooldown.in_force(at(1))) << "begun before the limit";
  rig.cooldown.succeed(rig.begin(), true);
  EXPECT_FALSE(rig.cooldown.in_force(at(1)));
}

TEST(Cooldown, O6_JitterStaysWithinTwentyPercentAndMoves) {
  const CooldownPolicy policy;
  std::int64_t least = 1'000'000;
  std::int64_t most = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    for (std::uint32_t level = 0; level < 8; ++level) {
      const std::int64_t span = std::min<std::int64_t>(1000LL << level, 60'000);
      const std::int64_t ms = backoff(policy, level, seed).ms;
      ASSERT_GE(ms, span * 8 / 10);
      ASSERT_LE(ms, span * 12 / 10);
      if (level == 0) least = std::min(least, ms), most = std::max(most, ms);
    }
  }
  EXPECT_EQ(least, 800);
  EXPECT_EQ(most, 1200);
}

}  // namespace
}  // namespace shunt::health
