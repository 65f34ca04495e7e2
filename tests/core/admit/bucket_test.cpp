// The token bucket against one that is refilled each millisecond, and its laws.
#include "admit/bucket.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/admit/slow.h"
#include "core/dice.h"

namespace shunt::admit {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kRatesSeen[] = {1,   2,   7,   59,     60,        61,
                                       500, 600, 999, 30'000, 1'000'003, 1'000'000'000'000};

int take_all(Bucket& bucket, Instant now) {
  int taken = 0;
  while (bucket.take(1, now)) ++taken;
  return taken;
}

TEST(Bucket, AgreesWithOneRefilledEachMillisecond) {
  Dice dice(1);
  int operations = 0;
  for (int round = 0; round < 400; ++round) {
    const std::int64_t rate = dice.of(kRatesSeen);
    std::int64_t now = static_cast<std::int64_t>(dice.below(1'000'000)) - 500'000;
    Bucket bucket(rate);
    SlowBucket slow(rate, now);
    const std::size_t gap = 1 + dice.below(dice.below(2) == 0 ? 40 : 1'000);
    const std::size_t greed = 1 + static_cast<std::size_t>(std::min<std::int64_t>(rate / 4, 2'000'000'000));
    for (int i = 0; i < 300; ++i, ++operations) {
      now += static_cast<std::int64_t>(dice.below(gap));
      slow.go_to(now);
      const auto n = static_cast<std::int64_t>(dice.below(dice.below(3) == 0 ? greed : 4));
      switch (dice.below(8)) {
        case 0: {
          const auto used = static_cast<std::int64_t>(dice.below(greed));
          bucket.settle(n, used, {now});
          slow.book(used - n);
          break;
        }
        case 1: ASSERT_EQ(bucket.share_left_micros({now}), slow.share_micros()); break;
        default: {
          ASSERT_EQ(bucket.wait_for(n, {now}).ms == 0, slow.could(n)) << "round " << round << " step " << i;
          ASSERT_EQ(bucket.take(n, {now}), slow.take(n)) << "round " << round << " step " << i;
        }
      }
    }
  }
  EXPECT_GE(operations, 100'000);
}

TEST(Bucket, AfterTheWaitItSucceedsAndOneMillisecondEarlierItDoesNot) {
  Dice dice(2);
  for (int i = 0; i < 100'000; ++i) {
    const std::int64_t rate = dice.of(kRatesSeen);
    Bucket bucket(rate);
    std::int64_t now = static_cast<std::int64_t>(dice.below(1'000)) - 500;
    for (std::size_t k = 1 + dice.below(3); k > 0; --k) {
      bucket.settle(0, static_cast<std::int64_t>(dice.below(static_cast<std::size_t>(rate) + 3)), {now});
      now += static_cast<std::int64_t>(dice.below(5'000));
    }
    const auto n = static_cast<std::int64_t>(dice.below(static_cast<std::size_t>(rate) * 2 + 5));
    const std::int64_t wait = bucket.wait_for(n, {now}).ms;
    ASSERT_GE(wait, 0);
    Bucket early = bucket;
    if (wait > 0) {
      ASSERT_FALSE(early.take(n, {now + wait - 1})) << rate << ' ' << n << ' ' << wait;
    }
    ASSERT_TRUE(bucket.take(n, {now + wait})) << rate << ' ' << n << ' ' << wait;
  }
}

TEST(Bucket, SixHundredAMinuteAdmitsSixHundredInEachMinuteAfterTheFirst) {
  Bucket bucket(600);
  for (int minute = 0; minute < 10; ++minute) {
    int admitted = 0;
    for (int ms = 0; ms < 60'000; ms += 7) admitted += take_all(bucket, {minute * 60'000LL + ms});
    EXPECT_NEAR(admitted, minute == 0 ? 660 : 600, 1) << "minute " << minute;
  }
}

TEST(Bucket, NothingDriftsOverAMonthOfOddGaps) {
  for (const std::int64_t rate : {std::int64_t{20}, std::int64_t{61}, std::int64_t{601}}) {
    Bucket bucket(rate);
    constexpr std::int64_t kMonth = 30 * kDayMs;
    std::int64_t taken = take_all(bucket, {0});
    std::int64_t now = 0;
    for (; now < kMonth; now += 997) taken += take_all(bucket, {now});
    taken += take_all(bucket, {kMonth});
    // A burst and what came since, in whole tokens; none is lost, as the bucket never gets full again.
    EXPECT_EQ(taken, (std::max<std::int64_t>(60'000, rate * 6'000) + rate * kMonth) / 60'000) << rate;
  }
}

TEST(Bucket, HoldsABurstOfATenthAndAtLeastOne) {
  Bucket small(5);
  EXPECT_EQ(small.burst(), 1);
  EXPECT_EQ(take_all(small, {0}), 1);
  EXPECT_EQ(small.wait_for(1, {0}).ms, 12'000);
  Bucket large(600);
  EXPECT_EQ(large.burst(), 60);
  EXPECT_EQ(take_all(large, {0}), 60);
  EXPECT_EQ(take_all(large, {kDayMs}), 60);
}

TEST(Bucket, MoreThanABurstNeedsAFullBucketAndLeavesADebt) {
  Bucket bucket(600);
  ASSERT_TRUE(bucket.take(70, {0}));
  EXPECT_EQ(bucket.wait_for(1, {0}).ms, 1'100);
  EXPECT_EQ(bucket.wait_for(1'000, {0}).ms, 7'000);
  EXPECT_EQ(bucket.share_left_micros({0}), 0);
  EXPECT_EQ(bucket.share_left_micros({4'000}), 500'000);
}

TEST(Bucket, SettlingGivesBackOrTakesTheDifference) {
  Bucket bucket(600);
  ASSERT_TRUE(bucket.take(60, {0}));
  bucket.settle(60, 20, {0});
  EXPECT_EQ(take_all(bucket, {0}), 40);
  bucket.settle(0, 10, {0});
  EXPECT_EQ(bucket.wait_for(1, {0}).ms, 1'100);
  bucket.settle(1'000, 0, {0});  // never more than a burst
  EXPECT_EQ(take_all(bucket, {0}), 60);
}

TEST(Bucket, DrainingMakesNoDebtAndForgivesNone) {
  Bucket bucket(600);
  bucket.drain(100, {0});
  EXPECT_EQ(bucket.wait_for(1, {0}).ms, 100);
  bucket.settle(0, 5, {0});
  bucket.drain(100, {0});
  EXPECT_EQ(bucket.wait_for(1, {0}).ms, 600);
}

TEST(Bucket, AClockThatStandsOrGoesBackRefillsNothing) {
  Bucket bucket(600);
  EXPECT_EQ(take_all(bucket, {10'000}), 60);
  EXPECT_EQ(take_all(bucket, {10'000}), 0);
  EXPECT_EQ(take_all(bucket, {9'000}), 0);
  EXPECT_EQ(bucket.wait_for(1, {9'000}).ms, 1'100);  // true for that clock too
  EXPECT_EQ(take_all(bucket, {10'099}), 0);
  EXPECT_EQ(take_all(bucket, {10'100}), 1);
}

TEST(Bucket, NoLimitCountsNothing) {
  Bucket bucket(0);
  bucket.settle(0, kMax, {0});
  EXPECT_TRUE(bucket.take(kMax, {0}));
  EXPECT_EQ(bucket.wait_for(kMax, {0}).ms, 0);
  EXPECT_EQ(bucket.share_left_micros({0}), 1'000'000);
  EXPECT_FALSE(Bucket(-5).limited());
}

TEST(Bucket, TheExtremesNeitherOverflowNorTurnTheSign) {
  for (const std::int64_t rate : {std::int64_t{1}, std::int64_t{1'000'000'000'000}, kMax}) {
    Bucket bucket(rate);
    for (int i = 0; i < 200; ++i) {
      bucket.settle(kMin, kMax, {kMin + 5});
      EXPECT_FALSE(bucket.take(kMax, {kMin + 5}));
      EXPECT_GT(bucket.wait_for(kMax, {kMin + 5}).ms, 0);
    }
    EXPECT_GT(bucket.wait_for(0, {kMin + 5}).ms, 0);
    EXPECT_TRUE(bucket.take(kMax, {kMax}));
    EXPECT_GE(bucket.wait_for(1, {kMax}).ms, 0);
    EXPECT_GE(bucket.wait_for(1, {kMin}).ms, 0);
    EXPECT_GE(bucket.share_left_micros({kMax}), 0);
  }
}

}  // namespace
}  // namespace shunt::admit
