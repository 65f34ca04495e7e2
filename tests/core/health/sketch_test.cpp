// Percentiles within their bound, forgetting by halves, task types kept apart, and what it all weighs.
#include "health/sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/rng.h"

namespace shunt::health {
namespace {

constexpr Instant at(std::int64_t s) { return {s * 1000}; }

std::uint32_t alone(std::uint32_t value) {
  Sketch sketch;
  sketch.add(value);
  Spread spread;
  spread.add(sketch);
  return spread.quantile(500);
}

// DESIGN: at most 3 % relative error. Under a millisecond, rounding to whole microseconds comes on top.
void expect_near(std::uint32_t got, std::uint32_t want) {
  const std::int64_t off = std::abs(std::int64_t{got} - want);
  if (want >= 1000) {
    ASSERT_LE(off * 100, std::int64_t{want} * 3) << got << " for " << want;
  } else {
    ASSERT_LE(off * 10'000, std::int64_t{want} * 291 + 5000) << got << " for " << want;
  }
}

TEST(Sketch, AnyValueComesBackWithinThreePercent) {
  for (std::uint32_t v = 1; v < 200'000; ++v) expect_near(alone(v), v);
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    const auto value = static_cast<std::uint32_t>(mix64(i) % ((1U << 30U) >> (i % 20))) + 1;
    expect_near(alone(value), value);
  }
}

TEST(Sketch, IsExactToSixteenMicroseconds) {
  for (std::uint32_t v = 1; v <= 16; ++v) EXPECT_EQ(alone(v), v);
}

TEST(Sketch, WhatIsBeyondItsRangeCountsAsItsEnds) {
  EXPECT_EQ(alone(0), 1U);
  expect_near(alone(0xFFFFFFFF), (1U << 30U) - 1);
}

// Nearest rank over the sorted values.
std::uint32_t rank(std::vector<std::uint32_t> values, std::uint32_t permille) {
  std::sort(values.begin(), values.end());
  const std::size_t n = (values.size() * permille + 999) / 1000;
  return values[std::max<std::size_t>(n, 1) - 1];
}

TEST(Spread, PercentilesOfManyShapesAreWithinThreePercentWhateverTheOrderOfMerging) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::vector<std::uint32_t> values;
    Sketch parts[3];
    const std::uint64_t width = 1 + seed % 11;  // octaves
    for (std::uint64_t i = 0; i < 100 + seed * 30; ++i) {
      const std::uint64_t r = mix64(seed * 100'000 + i);
      const auto value =
          static_cast<std::uint32_t>((20'000 << (r % width)) + (r >> 8U) % (20'000 << (r % width)));
      values.push_back(value);
      parts[(r >> 40U) % 3].add(value);
    }
    Spread forward;
    Spread backward;
    for (int i = 0; i < 3; ++i) {
      forward.add(parts[i]);
      backward.add(parts[2 - i]);
    }
    ASSERT_EQ(forward.count(), values.size());
    for (const std::uint32_t permille : {1U, 500U, 900U, 950U, 990U, 1000U}) {
      expect_near(forward.quantile(permille), rank(values, permille));
      EXPECT_EQ(forward.quantile(permille), backward.quantile(permille));
    }
  }
}

TEST(Spread, WithoutDataEveryPercentileIsZero) {
  EXPECT_EQ(Spread().quantile(950), 0U);
  EXPECT_EQ(Spread().count(), 0U);
}

TEST(Sketch, OneOutlierOfTwoMinutesLeavesTheMedianAlone) {
  Sketch sketch;
  for (int i = 0; i < 99; ++i) sketch.add(40'000);
  sketch.add(120'000'000);
  Spread spread;
  spread.add(sketch);
  expect_near(spread.quantile(500), 40'000);
  expect_near(spread.quantile(1000), 120'000'000);
}

TEST(Sketch, TakesTwelveOctavesAtMostAndLosesNoCall) {
  Sketch sketch;
  EXPECT_EQ(sketch.memory(), 0U);
  for (std::uint64_t i = 0; i < 10'000; ++i) sketch.add(1U << (mix64(i) % 30));
  EXPECT_EQ(sketch.memory(), 144U * 2);
  Spread spread;
  spread.add(sketch);
  EXPECT_EQ(spread.count(), 10'000U);
  expect_near(spread.quantile(1000), 1U << 29U);
}

TEST(Sketch, AFullBucketHalvesThePastAndKeepsTheShape) {
  Sketch sketch;
  for (int i = 0; i < 200'000; ++i) sketch.add(i % 10 == 0 ? 9'000'000 : 1'000'000);
  Spread spread;
  spread.add(sketch);
  expect_near(spread.quantile(500), 1'000'000);
  expect_near(spread.quantile(890), 1'000'000);
  expect_near(spread.quantile(910), 9'000'000);
}

TEST(RecentSketch, ForgetsByHalvesOfItsSpan) {
  const auto count = [](const RecentSketch& sketch, std::int64_t s) {
    Spread spread;
    sketch.collect(at(s), seconds(60), spread);
    return spread.count();
  };
  RecentSketch sketch;
  EXPECT_EQ(count(sketch, 5), 0U);
  sketch.record(at(5), seconds(60), 100);
  EXPECT_EQ(count(sketch, 5), 1U);
  EXPECT_EQ(count(sketch, 59), 1U) << "it is in the older half";
  EXPECT_EQ(count(sketch, 60), 0U) << "read without a record";
  sketch.record(at(35), seconds(60), 100);
  EXPECT_EQ(count(sketch, 35), 2U);
  sketch.record(at(65), seconds(60), 100);
  EXPECT_EQ(count(sketch, 65), 2U);
  sketch.record(at(1000), seconds(60), 100);
  EXPECT_EQ(count(sketch, 1000), 1U) << "after a long silence";
  sketch.record(at(900), seconds(60), 100);
  EXPECT_EQ(count(sketch, 1000), 2U) << "time that goes back counts into the newer half";
}

TEST(RecentSketch, WorksBeforeTheClocksOrigin) {
  RecentSketch sketch;
  sketch.record(at(-1000), seconds(60), 100);
  sketch.record(at(-1), seconds(60), 100);
  Spread spread;
  sketch.collect(at(-1), seconds(60), spread);
  EXPECT_EQ(spread.count(), 1U);
}

std::uint32_t median(const LineLatency& latency, Latency what, std::uint32_t task) {
  Spread spread;
  latency.collect(what, task, at(0), spread);
  return spread.quantile(500);
}

TEST(LineLatency, KeepsThreeTaskTypesApartAndTheRestTogether) {
  LineLatency latency(seconds(60));
  for (const std::uint32_t task : {9U, 4U, 7U, 5U, 6U}) {
    for (int i = 0; i <= 10; ++i) latency.record(Latency::first_token, task, at(0), task * 100'000);
  }
  for (const std::uint32_t task : {9U, 4U, 7U})
    expect_near(median(latency, Latency::first_token, task), task * 100'000);
  for (const std::uint32_t task : {5U, 6U, 1234U})
    expect_near(median(latency, Latency::first_token, task), 500'000);
  EXPECT_EQ(median(latency, Latency::total, 9), 0U);
}

TEST(LineLatency, ATaskThatHasNotComeHasNoPercentile) {
  LineLatency latency(seconds(60));
  latency.record(Latency::total, 1, at(0), 100);
  EXPECT_EQ(median(latency, Latency::total, 2), 0U);
}

TEST(LineLatency, FirstByteAndInterTokenAreTheLines) {
  LineLatency latency(seconds(60));
  latency.record(Latency::first_byte, 1, at(0), 200'000);
  latency.record(Latency::inter_token, 2, at(0), 400);
  expect_near(median(latency, Latency::first_byte, 2), 200'000);
  expect_near(median(latency, Latency::inter_token, 3), 400);
}

TEST(LineLatency, WeighsLessThanSevenKilobytesAtWorst) {
  LineLatency latency(seconds(60));
  for (const std::int64_t half : {0, 30}) {
    for (std::uint32_t octave = 0; octave < 30; ++octave) {
      for (std::uint32_t task = 0; task < 6; ++task) {
        for (const Latency what :
             {Latency::first_byte, Latency::inter_token, Latency::first_token, Latency::total})
          latency.record(what, task, at(half), std::int64_t{1} << octave);
      }
    }
  }
  EXPECT_LE(latency.memory(), 7U * 1024);
}

}  // namespace
}  // namespace shunt::health
