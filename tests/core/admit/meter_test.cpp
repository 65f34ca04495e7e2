// What a meter names when several limits are short, and what it shows of what is left.
#include "admit/meter.h"

#include <gtest/gtest.h>

namespace shunt::admit {
namespace {

constexpr Times at(std::int64_t ms) { return {{ms}, {ms}}; }

Shortage lacks(Meter& meter, const Use& use, std::int64_t ms, RateSet skipped = 0) {
  Shortage shortage;
  meter.check(use, at(ms), skipped, 9, shortage);
  return shortage;
}

TEST(Meter, AQuotaWithoutLimitsIsNeverShort) {
  Meter meter;
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_FALSE(lacks(meter, {1'000'000, 1'000'000}, 0).any);
    meter.take({1'000'000, 1'000'000}, at(0), 0, {5});
  }
  EXPECT_EQ(meter.slots().count({0}), 1'000U);
  EXPECT_EQ(meter.share_left_micros(at(0)), 1'000'000);
}

TEST(Meter, TheLatestOfSeveralIsNamed) {
  Meter meter({.rpm = 60, .tpm = 600});  // bursts of 6 and 60
  for (int i = 0; i < 6; ++i) meter.take({10, 0}, at(0), 0, kNever);
  const Shortage few = lacks(meter, {5, 0}, 0);
  EXPECT_EQ(few.what, What::rpm);
  EXPECT_EQ(few.at.ms, 1'000);
  EXPECT_EQ(few.of, 9U);
  EXPECT_TRUE(few.sure);
  const Shortage many = lacks(meter, {20, 0}, 0);
  EXPECT_EQ(many.what, What::tpm);
  EXPECT_EQ(many.at.ms, 2'000);
}

TEST(Meter, AShortSlotOutranksWhatIsSure) {
  Meter meter({.rpm = 10, .concurrency = 1});
  meter.take({}, at(0), 0, {500});
  const Shortage shortage = lacks(meter, {}, 0);
  EXPECT_EQ(shortage.what, What::concurrency);
  EXPECT_FALSE(shortage.sure);
  EXPECT_EQ(shortage.at.ms, 6'000);  // not before
  EXPECT_EQ(lacks(meter, {}, 500).what, What::rpm);
}

TEST(Meter, MoreThanADaysOutranksAll) {
  Meter meter({.concurrency = 1, .tokens_day = 100});
  meter.take({}, at(0), 0, {500});
  const Shortage shortage = lacks(meter, {101, 0}, 0);
  EXPECT_EQ(shortage.what, What::tokens_day);
  EXPECT_EQ(shortage.at, kNever);
  EXPECT_FALSE(shortage.sure);
}

TEST(Meter, SkippedRatesNeitherRefuseNorBook) {
  Meter meter({.rpm = 10, .tpm = 10});
  for (int i = 0; i < 9; ++i) {
    ASSERT_FALSE(lacks(meter, {1, 0}, 0, kAllRates).any);
    const Taken taken = meter.take({1, 0}, at(0), kAllRates, kNever);
    meter.settle(taken, {1, 0}, nullptr, kAllRates, at(0));
  }
  EXPECT_EQ(meter.share_left_micros(at(0)), 1'000'000);
}

TEST(Meter, TheShareIsThatOfTheTightestLimit) {
  Meter meter({.rpm = 100, .concurrency = 4, .usd_micros_day = 1'000});
  const Taken first = meter.take({0, 100}, at(0), 0, kNever);
  EXPECT_EQ(meter.share_left_micros(at(0)), 750'000);
  meter.take({0, 500}, at(0), 0, kNever);
  EXPECT_EQ(meter.share_left_micros(at(0)), 400'000);
  const Use used{0, 0};
  meter.settle(first, {0, 100}, &used, 0, at(0));
  EXPECT_EQ(meter.share_left_micros(at(0)), 500'000);
}

TEST(Meter, WhatWasNotSentGoesBackWhole) {
  Meter meter({.rpm = 10, .tpm = 100, .concurrency = 1, .usd_micros_day = 10, .tokens_day = 10});
  for (int i = 0; i < 50; ++i) {
    ASSERT_FALSE(lacks(meter, {10, 10}, 0).any);
    const Taken taken = meter.take({10, 10}, at(0), 0, kNever);
    ASSERT_TRUE(lacks(meter, {10, 10}, 0).any);
    meter.settle(taken, {10, 10}, nullptr, 0, at(0));
  }
  EXPECT_EQ(meter.share_left_micros(at(0)), 1'000'000);
}

}  // namespace
}  // namespace shunt::admit
