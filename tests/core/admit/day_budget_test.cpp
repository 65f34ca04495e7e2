// The day's budget against a ledger of all days; when days turn, also under a wall clock that is set back.
#include "admit/day_budget.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <vector>

#include "core/admit/slow.h"
#include "core/dice.h"

namespace shunt::admit {
namespace {

using Purse = DayBudget::Purse;
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kNoon = 20'000 * kDayMs + kDayMs / 2;

bool fits(DayBudget& budget, const Use& use, Instant now, WallTime wall) {
  return budget.ready(Purse::usd, use, now, wall) <= now &&
         budget.ready(Purse::tokens, use, now, wall) <= now;
}

TEST(DayBudget, AgreesWithALedgerOfAllDays) {
  struct Booked {
    std::int64_t day;
    Use use;
  };
  constexpr std::int64_t kUsd = 5'000;
  constexpr std::int64_t kTokens = 3'000;
  Dice dice(7);
  DayBudget budget(kUsd, kTokens);
  std::map<std::int64_t, Use> ledger;
  std::vector<Booked> open;
  std::int64_t now = 0;
  for (int i = 0; i < 200'000; ++i) {
    now += static_cast<std::int64_t>(dice.below(600'000));
    const std::int64_t wall = kNoon + now;
    Use& today = ledger[wall / kDayMs];
    if (!open.empty() && dice.below(3) == 0) {
      const std::size_t which = dice.below(open.size());
      const Use used{static_cast<std::int64_t>(dice.below(60)), static_cast<std::int64_t>(dice.below(90))};
      budget.settle(open[which].day, open[which].use, used);
      Use& then = ledger[open[which].day];
      then.tokens += used.tokens - open[which].use.tokens;
      then.cost_micros += used.cost_micros - open[which].use.cost_micros;
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
      continue;
    }
    const Use use{static_cast<std::int64_t>(dice.below(50)), static_cast<std::int64_t>(dice.below(80))};
    const bool allowed = today.tokens + use.tokens <= kTokens && today.cost_micros + use.cost_micros <= kUsd;
    ASSERT_EQ(fits(budget, use, {now}, {wall}), allowed) << "step " << i;
    if (!allowed) continue;
    open.push_back({budget.take(use, {now}, {wall}), use});
    ASSERT_EQ(open.back().day, wall / kDayMs);
    today.tokens += use.tokens;
    today.cost_micros += use.cost_micros;
  }
}

TEST(DayBudget, WaitsUntilMidnightUtc) {
  DayBudget budget(100, 0);
  budget.take({0, 100}, {5}, {kNoon});
  EXPECT_EQ(budget.ready(Purse::usd, {0, 1}, {5}, {kNoon}).ms, 5 + kDayMs / 2);
  EXPECT_EQ(budget.ready(Purse::tokens, {9, 1}, {5}, {kNoon}).ms, 5);
  EXPECT_FALSE(fits(budget, {0, 1}, {kDayMs / 2}, {kNoon + kDayMs / 2 - 1}));
  EXPECT_TRUE(fits(budget, {0, 1}, {kDayMs / 2}, {kNoon + kDayMs / 2}));
}

TEST(DayBudget, MoreThanAWholeDaysNeverFits) {
  DayBudget budget(100, 0);
  EXPECT_EQ(budget.ready(Purse::usd, {0, 101}, {5}, {kNoon}), kNever);
  EXPECT_EQ(budget.ready(Purse::usd, {0, 100}, {5}, {kNoon}).ms, 5);
}

TEST(DayBudget, OverTheLimitBySettlingNothingMoreFits) {
  DayBudget budget(100, 0);
  const std::int64_t day = budget.take({0, 10}, {0}, {kNoon});
  budget.settle(day, {0, 10}, {0, 100});
  EXPECT_TRUE(fits(budget, {0, 0}, {0}, {kNoon}));
  EXPECT_EQ(budget.share_left_micros({0}, {kNoon}), 0);
  budget.settle(day, {0, 0}, {0, 1});
  EXPECT_FALSE(fits(budget, {0, 0}, {0}, {kNoon}));
}

TEST(DayBudget, AWallClockSetBackDoesNotBeginTheDayAgain) {
  DayBudget budget(100, 0);
  const std::int64_t midnight = 20'001 * kDayMs;
  budget.take({0, 100}, {0}, {midnight - 1'000});
  budget.take({0, 100}, {1'000}, {midnight});  // the next day's
  EXPECT_FALSE(fits(budget, {0, 1}, {1'100}, {midnight - 3'600'000}));
  EXPECT_EQ(budget.ready(Purse::usd, {0, 1}, {1'100}, {midnight - 3'600'000}).ms, 1'100 + 3'600'000 + kDayMs);
  EXPECT_FALSE(fits(budget, {0, 1}, {3'700'000}, {midnight}));
  // Nor where an hour more than a day has passed on the engine's clock before its midnight comes.
  EXPECT_FALSE(fits(budget, {0, 1}, {1'100 + kDayMs + 3'599'999}, {midnight + kDayMs - 1}));
  EXPECT_TRUE(fits(budget, {0, 1}, {1'100 + kDayMs + 3'600'000}, {midnight + kDayMs}));
}

TEST(DayBudget, AWallClockThatWasWrongForYearsHealsWithinADay) {
  DayBudget budget(100, 0);
  budget.take({0, 100}, {0}, {kNoon + 30'000 * kDayMs});
  const Instant ends = budget.ready(Purse::usd, {0, 1}, {60'000}, {kNoon});
  EXPECT_EQ(ends.ms, kDayMs / 2);
  EXPECT_FALSE(fits(budget, {0, 1}, {ends.ms - 1}, {kNoon + ends.ms - 60'001}));
  EXPECT_TRUE(fits(budget, {0, 1}, ends, {kNoon + ends.ms - 60'000}));
}

// Whatever the wall says: after the wait it fits, 1 ms earlier it does not, and a budget lasts for a day of
// one of the two clocks.
TEST(DayBudget, WaitsAreExactWhateverTheWallShows) {
  Dice dice(11);
  for (int i = 0; i < 100'000; ++i) {
    DayBudget budget(100, 0);
    std::int64_t now = 0;
    std::int64_t wall = 0;
    for (std::size_t k = 1 + dice.below(4); k > 0; --k) {
      now += static_cast<std::int64_t>(dice.below(30)) * 3'600'000;
      wall = kNoon + (static_cast<std::int64_t>(dice.below(120)) - 60) * 3'600'000;
      budget.take({0, 100}, {now}, {wall});
    }
    const std::int64_t wait = budget.ready(Purse::usd, {0, 1}, {now}, {wall}).ms - now;
    ASSERT_GT(wait, 0);
    DayBudget early = budget;
    ASSERT_FALSE(fits(early, {0, 1}, {now + wait - 1}, {wall + wait - 1})) << i << ' ' << wait;
    ASSERT_TRUE(fits(budget, {0, 1}, {now + wait}, {wall + wait})) << i << ' ' << wait;
  }
}

TEST(DayBudget, TheExtremesDoNotOverflow) {
  DayBudget budget(kMax, kMax);
  for (const std::int64_t wall : {kMin, std::int64_t{-1}, std::int64_t{0}, kMax}) {
    const std::int64_t day = budget.take({kMax, kMax}, {0}, {wall});
    for (int i = 0; i < 3; ++i) budget.settle(day, {kMin, kMin}, {kMax, kMax});
    EXPECT_GE(budget.share_left_micros({kMax}, {wall}), 0);
  }
  DayBudget small(5, 5);
  small.take({5, 5}, {kMin}, {kMax});
  EXPECT_GT(small.ready(Purse::usd, {0, 1}, {kMin}, {kMin}).ms, kMin);
  EXPECT_EQ(DayBudget(0, 0).ready(Purse::usd, {kMax, kMax}, {3}, {0}).ms, 3);
  EXPECT_EQ(DayBudget().share_left_micros({0}, {0}), 1'000'000);
}

}  // namespace
}  // namespace shunt::admit
