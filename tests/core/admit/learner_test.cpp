// The limit learner: what it takes of each answer, and its laws.
#include "admit/learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/admit/said.h"
#include "core/dice.h"

namespace shunt::admit {
namespace {

TEST(LimitLearner, NothingLearnedLetsEverythingThrough) {
  LimitLearner learner(3);
  EXPECT_EQ(learner.look(2, {1000, 1000}, {5}).until, Instant{5});
  EXPECT_EQ(learner.look(2, {1000, 1000}, {5}).share_left_micros, 1000000);
  const SentMark mark = learner.sent(2, {10, 10}, {5});
  learner.succeeded(2, mark, {9});
  EXPECT_EQ(learner.learned(), 0U);
  EXPECT_EQ(learner.look(7, {}, {5}).until, Instant{5});  // no such index
  learner.heard(7, mark, words(LimitUnit::requests, 5, 0, 60000), {9});
  learner.limited(7, mark, {}, std::nullopt, {9});
  EXPECT_EQ(learner.learned(), 0U);
}

TEST(LimitLearner, WhatRemainsIsCountedDownUntilTheReset) {
  LimitLearner learner(1);
  SentMark mark = learner.sent(0, {}, {1000});
  learner.heard(0, mark, words(LimitUnit::requests, 100, 3, 20000), {1500});
  EXPECT_EQ(learner.look(0, {}, {1500}).share_left_micros, 30000);
  for (int i = 0; i < 3; ++i) {
    ASSERT_LE(learner.look(0, {}, {1600}).until, Instant{1600});
    learner.sent(0, {}, {1600});
  }
  EXPECT_EQ(learner.look(0, {}, {1600}).until, Instant{21500});
  EXPECT_EQ(learner.look(0, {}, {1600}).share_left_micros, 0);
  EXPECT_EQ(learner.look(0, {}, {21499}).until, Instant{21500});
  EXPECT_EQ(learner.look(0, {}, {21500}).until, Instant{21500});
}

TEST(LimitLearner, CallsUnderWayThatTheProviderHadNotCountedAreTaken) {
  LimitLearner learner(1);
  learner.heard(0, learner.sent(0, {}, {0}), words(LimitUnit::requests, 10, 9, 50000), {1});
  const SentMark mark = learner.sent(0, {}, {10});
  for (int i = 0; i < 3; ++i) learner.sent(0, {}, {20});
  learner.heard(0, mark, words(LimitUnit::requests, 10, 3, 49000), {1000});  // the three came later
  EXPECT_GT(learner.look(0, {}, {1000}).until, Instant{1000});
}

TEST(LimitLearner, AnOvertakenAnswerDoesNotRefill) {
  LimitLearner learner(1);
  const SentMark older = learner.sent(0, {}, {0});
  const SentMark newer = learner.sent(0, {}, {10});
  learner.heard(0, newer, words(LimitUnit::requests, 100, 0, 30000), {500});
  learner.heard(0, older, words(LimitUnit::requests, 100, 60, 30000), {900});
  EXPECT_GT(learner.look(0, {}, {900}).until, Instant{900});
}

TEST(LimitLearner, AnAnswerOfTheWindowBeforeSaysNothingOfThisOne) {
  LimitLearner learner(1);
  const SentMark first = learner.sent(0, {}, {0});
  const SentMark late = learner.sent(0, {}, {100});
  learner.heard(0, first, words(LimitUnit::requests, 100, 1, 1000), {300});
  learner.sent(0, {}, {2000});  // in the next window
  learner.heard(0, late, words(LimitUnit::requests, 100, 0, 900), {2500});
  EXPECT_LE(learner.look(0, {}, {2500}).until, Instant{2500});
}

TEST(LimitLearner, TheScarcestOfSeveralLimitsSpeaks) {
  LimitLearner learner(1);
  SaidLimits said = words(LimitUnit::requests, 100, 99, 1000);
  SaidLimit* tokens = said.at(LimitUnit::tokens, 0);
  *tokens = {LimitUnit::tokens, 0, 30000, 0, 360000};
  learner.heard(0, learner.sent(0, {}, {0}), said, {10});
  // tokens are back in 6 min, requests in 1 s: a call would meet a 429 for 6 min
  EXPECT_EQ(learner.look(0, {100, 100}, {10}).until, Instant{360010});
  EXPECT_EQ(learner.look(0, {100, 100}, {10}).share_left_micros, 0);
}

TEST(LimitLearner, UsedBeyondTheEstimateIsTaken) {
  LimitLearner learner(1);
  learner.heard(0, learner.sent(0, {10, 10}, {0}), words(LimitUnit::output_tokens, 1000, 900, 30000), {10});
  EXPECT_LE(learner.look(0, {10, 100}, {20}).until, Instant{20});
  learner.settled(0, {10, 10}, {10, 880});
  EXPECT_GT(learner.look(0, {10, 100}, {20}).until, Instant{20});
}

// As many calls in a minute as make a 429 a sign of a limit.
SentMark busy(LimitLearner& learner, std::uint32_t index) {
  SentMark last;
  for (int i = 0; i < 12; ++i) last = learner.sent(index, {}, {0});
  return last;
}

TEST(LimitLearner, A429AmongFewCallsIsNoLimit) {
  LimitLearner learner(1);
  for (int i = 0; i < 5; ++i) {
    const SentMark mark = learner.sent(0, {}, {i * 1000});
    learner.limited(0, mark, {}, i % 2 == 0 ? std::optional(seconds(7)) : std::nullopt, {i * 1000 + 1});
    EXPECT_EQ(learner.look(0, {}, {i * 1000 + 1}).until, Instant{i * 1000 + 1});
  }
}

TEST(LimitLearner, WhatAnOperatorForgetsHoldsNoMore) {
  LimitLearner learner(2);
  learner.limited(0, busy(learner, 0), {}, seconds(60), {100});
  const SentMark before = learner.sent(1, {}, {0});
  learner.heard(1, before, words(LimitUnit::requests, 1000, 0, 60000), {100});
  for (const std::uint32_t index : {0U, 1U}) {
    EXPECT_GT(learner.look(index, {}, {200}).until, Instant{200});
    learner.forget(index, {200});
    EXPECT_EQ(learner.look(index, {}, {200}).until, Instant{200});
  }
  learner.heard(1, before, words(LimitUnit::requests, 1000, 0, 60000), {300});
  EXPECT_GT(learner.look(1, {}, {300}).until, Instant{300}) << "it learns on";
  learner.forget(7, {300});
}

TEST(LimitLearner, AStatedWaitHoldsAndABareOneDoubles) {
  LimitLearner learner(1);
  SentMark mark = busy(learner, 0);
  learner.limited(0, mark, {}, seconds(7), {100});
  EXPECT_EQ(learner.look(0, {}, {100}).until, Instant{7100});
  LimitLearner bare(1);
  busy(bare, 0);
  std::int64_t now = 0;
  for (const std::int64_t wait : {1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000}) {
    mark = bare.sent(0, {}, {now});
    now += 100;
    bare.limited(0, mark, {}, std::nullopt, {now});
    EXPECT_GE(bare.look(0, {}, {now}).until, Instant{now + wait});
    now = bare.look(0, {}, {now}).until.ms;
  }
}

TEST(LimitLearner, ALessonThatNothingConfirmsIsForgotten) {
  LimitLearner learner(2);
  learner.heard(0, learner.sent(0, {}, {0}), words(LimitUnit::requests, 1000, 0, 86400000), {0});
  EXPECT_EQ(learner.look(0, {}, {0}).until, Instant{600000});
  EXPECT_EQ(learner.look(0, {}, {600000}).until, Instant{600000});
  learner.limited(1, busy(learner, 1), {}, seconds(86400), {0});
  EXPECT_EQ(learner.look(1, {}, {0}).until, Instant{600000});
  EXPECT_EQ(learner.look(1, {}, {600000}).until, Instant{600000});
}

TEST(LimitLearner, MemoryComesWithTheFirstLessonAndIsBounded) {
  LimitLearner learner(20000);
  const std::size_t idle = learner.memory();
  EXPECT_LE(idle, 20000 * 16 + 1024U);
  for (std::uint32_t i = 0; i < 20000; ++i)
    learner.heard(i, learner.sent(i, {}, {i}), words(LimitUnit::requests, 9, 8, 1000), {i});
  EXPECT_EQ(learner.learned(), kLearned);
  EXPECT_LE(learner.memory(), idle + kLearned * 3072);
  // an old lesson gives way
  learner.heard(19999, learner.sent(19999, {}, {900000}), words(LimitUnit::requests, 9, 0, 30000), {900000});
  EXPECT_GT(learner.look(19999, {}, {900000}).until, Instant{900000});
}

// Any calls of anything, at any time: never past the last word, never blocked beyond ten minutes, the same
// twice.
TEST(LimitLearner, AnyHistoryKeepsTheLaws) {
  constexpr std::int64_t kOdd[] = {0, 1, 2, 7, 500, 30000, 1000000, kMostCounted, INT64_MAX, -1, INT64_MIN};
  constexpr std::int64_t kSteps[] = {0,    0,     1,      5,     40,         900,           1000,
                                     7000, 60000, 600000, -3000, 4000000000, -4000000000000};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Dice dice(seed);
    LimitLearner one(3);
    LimitLearner two(3);
    std::vector<SentMark> marks(1);
    std::int64_t now = seed % 7 == 0 ? INT64_MAX - 5 : static_cast<std::int64_t>(seed) * 1000 - 50000;
    std::int64_t last = INT64_MIN;
    for (int step = 0; step < 300; ++step) {
      if (seed % 7 != 0) now += dice.of(kSteps);
      last = std::max(last, now);
      const auto index = static_cast<std::uint32_t>(dice.below(4));
      const CallTokens tokens{dice.of(kOdd), dice.of(kOdd)};
      const SentMark mark = marks[dice.below(marks.size())];
      switch (dice.below(6)) {
        case 0: {
          marks.push_back(one.sent(index, tokens, {now}));
          two.sent(index, tokens, {now});
          break;
        }
        case 1: {
          SaidLimits said;
          for (std::size_t i = dice.below(4); i > 0; --i) {
            SaidLimit* slot = said.at(static_cast<LimitUnit>(dice.below(4)), dice.below(2) == 0 ? 0 : 60000);
            slot->limit = std::clamp<std::int64_t>(dice.of(kOdd), kNotSaid, kMostCounted);
            slot->remaining = std::clamp<std::int64_t>(dice.of(kOdd), kNotSaid, kMostCounted);
            slot->reset_ms = std::clamp<std::int64_t>(dice.of(kOdd), kNotSaid, 86400000);
          }
          one.heard(index, mark, said, {now});
          two.heard(index, mark, said, {now});
          break;
        }
        case 2: {
          const auto wait = dice.below(2) == 0 ? std::nullopt : std::optional(Duration{dice.of(kOdd)});
          one.limited(index, mark, tokens, wait, {now});
          two.limited(index, mark, tokens, wait, {now});
          break;
        }
        case 3:
          one.succeeded(index, mark, {now});
          two.succeeded(index, mark, {now});
          break;
        case 4: one.settled(index, tokens, {dice.of(kOdd), dice.of(kOdd)}); break;
        default: break;
      }
      const auto look = one.look(index, tokens, {now});
      if (last < INT64_MAX / 8) {
        ASSERT_LE(look.until.ms, last + 600000) << seed << " " << step;
      }
      ASSERT_GE(look.share_left_micros, 0);
      ASSERT_LE(look.share_left_micros, 1000000);
    }
  }
}

// However the answers come, between a word and the reset it names not more begins than it leaves.
TEST(LimitLearner, NeverMoreThanTheLastWordAllows) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Dice dice(seed);
    LimitLearner learner(1);
    const auto remaining = static_cast<std::int64_t>(dice.below(50));
    std::int64_t now = 1000;
    for (std::size_t i = dice.below(20); i > 0; --i) learner.sent(0, {}, {now});
    const SentMark call = learner.sent(0, {}, {now});
    const auto after = static_cast<std::int64_t>(dice.below(20));
    for (std::int64_t i = 0; i < after; ++i) learner.sent(0, {}, {now});
    learner.heard(0, call, words(LimitUnit::requests, 100, remaining, 59000), {now + 500});
    if (dice.below(2) == 0) learner.limited(0, call, {}, std::nullopt, {now + 500});
    std::int64_t begun = 0;
    for (now += 500; now < 60000; now += static_cast<std::int64_t>(dice.below(300))) {
      if (learner.look(0, {}, {now}).until > Instant{now}) continue;
      learner.sent(0, {}, {now});
      ++begun;
    }
    // What was sent before the first lesson is counted too.
    EXPECT_LE(begun, std::max<std::int64_t>(remaining - after, 0)) << seed;
  }
}

}  // namespace
}  // namespace shunt::admit
