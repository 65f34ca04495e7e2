// Windows slide, never tumble; totals are what a recount says. Cases W1 to W6.
#include "health/window.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/rng.h"

namespace shunt::health {
namespace {

constexpr Instant at(std::int64_t s) { return {s * 1000}; }

TEST(CountWindow, W1_EvictsTheOldestFirst) {
  CountWindow w;
  for (int i = 0; i < 5; ++i) w.record(at(i), true);
  for (int i = 5; i < 20; ++i) w.record(at(i), false);
  EXPECT_EQ(w.tally(at(20)), (Tally{20, 5, 0}));
  for (int i = 0; i < 5; ++i) {
    w.record(at(20 + i), false);
    EXPECT_EQ(w.tally(at(30)).failures, static_cast<std::uint32_t>(4 - i));
  }
  EXPECT_EQ(w.success_micros(at(30)), 1'000'000U);
}

TEST(CountWindow, OnlyCallsOfTheLastTenMinutesSpeak) {
  CountWindow w;
  EXPECT_EQ(w.success_micros(at(0)), 1'000'000U) << "no data is full success";
  w.record(at(0), true);
  w.record(at(300), false);
  EXPECT_EQ(w.success_micros(at(599)), 500'000U);
  EXPECT_EQ(w.success_micros(at(600)), 1'000'000U);
  w.record(at(600), true);
  w.record(at(600), true);
  EXPECT_EQ(w.success_micros(at(600)), 333'333U);
}

TEST(TimeWindow, W3_LongIdleTimeEmptiesIt) {
  for (const std::int64_t idle : {60, 61, 119, 120, 100'000}) {
    TimeWindow w(seconds(60));
    for (int i = 0; i < 60; ++i) w.record(at(i), {true, true});
    EXPECT_EQ(w.tally(at(59)), (Tally{60, 60, 60}));
    EXPECT_EQ(w.tally(at(59 + idle)), Tally{}) << idle;
  }
}

TEST(TimeWindow, W4_TimeThatGoesBackCountsIntoTheNewestBucket) {
  TimeWindow w(seconds(60));
  w.record(at(100), {true, false});
  w.record(at(10), {true, false});
  w.record(at(100), {false, false});
  EXPECT_EQ(w.tally(at(10)), (Tally{3, 2, 0}));
  EXPECT_EQ(w.tally(at(159)), (Tally{3, 2, 0}));
  EXPECT_EQ(w.tally(at(160)), Tally{});
}

TEST(TimeWindow, W5_ALapOfTheRingForgivesNothing) {
  TimeWindow w(seconds(60));
  for (int s = 0; s < 600; ++s) {
    w.record(at(s), {true, false});
    EXPECT_EQ(w.tally(at(s)).failures, static_cast<std::uint32_t>(s < 60 ? s + 1 : 60)) << "second " << s;
  }
}

TEST(TimeWindow, W6_TotalsEqualARecountForAnySequence) {
  struct Record {
    std::int64_t tick;
    bool failed, slow;
  };
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Duration span = seed % 3 == 0 ? seconds(10) : seed % 3 == 1 ? seconds(600) : milliseconds(61'001);
    const std::int64_t width = (span.ms + 59) / 60;
    TimeWindow w(span);
    std::vector<Record> all;
    std::int64_t now = seed % 2 == 0 ? -3'000'000 : 5;
    for (std::uint64_t i = 0; i < 400; ++i) {
      const std::uint64_t r = mix64(seed * 1000 + i);
      now += static_cast<std::int64_t>((r >> 8U) % (r % 17 == 0 ? 90'000 : 2'000));
      const std::int64_t tick = now >= 0 ? now / width : -((-now + width - 1) / width);
      w.record({now}, {(r & 1U) != 0, (r & 2U) != 0});
      all.push_back({tick, (r & 1U) != 0, (r & 2U) != 0});
      Tally recount;
      for (const Record& record : all) {
        if (tick - record.tick >= 60) continue;
        ++recount.calls;
        recount.failures += record.failed ? 1 : 0;
        recount.slow += record.slow ? 1 : 0;
      }
      ASSERT_EQ(w.tally({now}), recount) << "seed " << seed << " step " << i;
    }
  }
}

}  // namespace
}  // namespace shunt::health
