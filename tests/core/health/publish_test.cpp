// When the shared document is written: at once, debounced, one a second, and again while it is missing.
#include "health/publish.h"

#include <gtest/gtest.h>

#include <set>

namespace shunt::health {
namespace {

constexpr PublishPace kKv{seconds(1), seconds(60)};
constexpr PublishPace kObject{{}, seconds(5)};
constexpr Instant at(std::int64_t ms) { return {ms}; }

TEST(Publisher, WithoutNewsNothingIsWritten) {
  Publisher p(kKv);
  EXPECT_EQ(p.due(), kNever);
  p.note(News::none, at(0));
  EXPECT_EQ(p.due(), kNever);
}

TEST(Publisher, AnUrgentChangeIsWrittenAtOnce) {
  Publisher p(kObject);
  p.note(News::urgent, at(1000));
  EXPECT_EQ(p.due(), at(1000));
  p.wrote(at(1000));
  p.note(News::urgent, at(1001));
  EXPECT_EQ(p.due(), at(1001));
}

TEST(Publisher, OnAStoreWithOneWriteASecondInItsNextFreeSecond) {
  Publisher p(kKv);
  p.note(News::urgent, at(1000));
  p.wrote(at(1000));
  p.note(News::urgent, at(1300));
  EXPECT_EQ(p.due(), at(2000));
  p.wrote(at(2000));
  EXPECT_EQ(p.due(), kNever);
  p.note(News::urgent, at(9000));
  EXPECT_EQ(p.due(), at(9000));
}

TEST(Publisher, TheRestWithinTwoSecondsOfQuiet) {
  Publisher p(kKv);
  p.note(News::soon, at(0));
  EXPECT_EQ(p.due(), at(2000));
  p.note(News::soon, at(1500));
  EXPECT_EQ(p.due(), at(3500)) << "a timer set for 2000 finds nothing due";
}

TEST(Publisher, UnderConstantChangeAfterFiveSecondsAtMost) {
  for (const std::int64_t every : {1, 100, 700, 1999}) {
    Publisher p(kKv);
    std::int64_t now = 0;
    while (p.due() > at(now)) {
      p.note(News::soon, at(now));
      now += every;
    }
    EXPECT_EQ(p.due(), at(5000)) << every;
  }
}

TEST(Publisher, AnUrgentChangeTakesTheWaitingOnesAlong) {
  Publisher p(kKv);
  p.note(News::soon, at(0));
  p.note(News::urgent, at(100));
  p.note(News::soon, at(200));
  EXPECT_EQ(p.due(), at(100)) << "a later small change does not put it off";
  p.wrote(at(200));
  EXPECT_EQ(p.due(), kNever);
}

TEST(Publisher, WritesAgainOneStalenessBoundAfterItsOwnLastWriteWhileAFactIsMissing) {
  std::set<std::int64_t> seen;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Publisher p(kKv);
    p.note(News::urgent, at(0));
    p.wrote(at(0));
    p.saw(true, at(10'000), seed);
    ASSERT_GE(p.due(), at(60'000));
    ASSERT_LE(p.due(), at(75'000));
    seen.insert(p.due().ms);
    const Instant due = p.due();
    p.saw(true, at(20'000), seed + 1);
    EXPECT_EQ(p.due(), due) << "the draw stands";
    p.saw(false, at(30'000), seed);
    EXPECT_EQ(p.due(), kNever) << "it has arrived";
  }
  EXPECT_GT(seen.size(), 300U) << "writers part";
}

TEST(Publisher, WhoNeverWroteWritesNothingAgain) {
  Publisher p(kKv);
  p.saw(true, at(100'000), 1);
  EXPECT_EQ(p.due(), kNever);
}

TEST(Publisher, ALateReadIsAnsweredFromThenOn) {
  Publisher p({seconds(1), {}});
  p.note(News::soon, at(0));
  p.wrote(at(0));
  p.saw(true, at(500'000), 1);
  EXPECT_EQ(p.due(), at(500'000));
}

}  // namespace
}  // namespace shunt::health
