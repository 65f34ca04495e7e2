// The retry budget: its bound holds over every window of any arrivals, and what it promises can
// really be spent.
#include "route/budget.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/rng.h"

namespace shunt::route {
namespace {

struct Happening {
  std::int64_t ms;
  int requests;  // since the one before
  int spent;
};

std::uint32_t pick(std::uint64_t seed, std::uint64_t n, std::uint32_t below) {
  return draw_below(seed, Draw::route, n, below);
}

// Random arrivals of one of several tempers: bursts, trickles, long silences, everything at one moment.
std::vector<Happening> run(std::uint64_t seed, const RetryBudget::Policy& policy, std::int64_t origin) {
  RetryBudget budget(policy);
  std::vector<Happening> log;
  std::int64_t now = origin;
  const std::uint32_t gap = (std::uint32_t[]){1, 40, 700, 3000, 12000}[pick(seed, 0, 5)];
  const std::uint32_t greed = 1 + pick(seed, 1, 6);
  for (std::uint64_t i = 0; i < 24; ++i) {
    now += pick(seed, 10 + 4 * i, gap);
    Happening event{now, 0, 0};
    for (std::uint32_t k = pick(seed, 11 + 4 * i, 12); k > 0; --k, ++event.requests) budget.deposit({now});
    for (std::uint32_t k = pick(seed, 12 + 4 * i, 3) * greed; k > 0; --k)
      event.spent += budget.spend({now}) ? 1 : 0;
    log.push_back(event);
  }
  return log;
}

// Every window that begins and ends at a happening; others hold no more and allow no less.
void check_all_windows(const std::vector<Happening>& log, const RetryBudget::Policy& policy) {
  for (std::size_t from = 0; from < log.size(); ++from) {
    std::int64_t spent = 0;
    std::int64_t requests = 0;
    for (std::size_t before = 0; before < from; ++before) {
      if (log[before].ms >= log[from].ms - 10000) requests += log[before].requests;
    }
    for (std::size_t to = from; to < log.size(); ++to) {
      spent += log[to].spent;
      requests += log[to].requests;
      const std::int64_t length_ms = log[to].ms - log[from].ms;
      const std::int64_t allowed =
          policy.ratio_micros * requests * 1000 + policy.min_per_s_micros * (length_ms + 10000);
      ASSERT_LE(spent * 1000000000, allowed) << "from " << from << " to " << to;
    }
  }
}

TEST(RetryBudget, BoundHoldsOverEveryWindow) {
  constexpr RetryBudget::Policy kPolicies[] = {
      {200000, 1000000}, {1000000, 1000000}, {1000000, 0}, {333333, 100000}, {0, 0}};
  for (std::uint64_t seed = 0; seed < 100000; ++seed) {
    const RetryBudget::Policy& policy = kPolicies[seed % 5];
    const std::int64_t origin = static_cast<std::int64_t>(pick(seed, 3, 50000)) - 25000;
    check_all_windows(run(seed, policy, origin), policy);
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
  }
}

int spend_all(RetryBudget& budget, Instant now) {
  int spent = 0;
  while (budget.spend(now)) ++spent;
  return spent;
}

TEST(RetryBudget, FiveRequestsEarnOneRepeat) {
  RetryBudget budget({200000, 0});
  for (int i = 0; i < 4; ++i) budget.deposit({0});
  EXPECT_FALSE(budget.spend({0}));
  budget.deposit({0});
  EXPECT_TRUE(budget.spend({0}));
  EXPECT_FALSE(budget.spend({0}));
}

TEST(RetryBudget, EarnedTokensAreGoneAfterTenSeconds) {
  RetryBudget budget({1000000, 0});
  budget.deposit({5000});
  budget.deposit({9999});
  EXPECT_EQ(budget.left({14999}), 2);
  EXPECT_EQ(budget.left({15000}), 1);
  EXPECT_EQ(budget.left({19999}), 0);
}

TEST(RetryBudget, R2_TheReserveHoldsTenSecondsAndRefillsEvenly) {
  RetryBudget budget({0, 1000000});
  EXPECT_EQ(spend_all(budget, {0}), 10);
  EXPECT_EQ(spend_all(budget, {999}), 0);
  EXPECT_EQ(spend_all(budget, {1000}), 1);
  EXPECT_EQ(spend_all(budget, {3500}), 2);
  EXPECT_EQ(spend_all(budget, {4000}), 1);  // the half second was not lost
  EXPECT_EQ(spend_all(budget, {86400000}), 10);
}

TEST(RetryBudget, EarnedTokensGoBeforeTheReserve) {
  RetryBudget budget({1000000, 1000000});
  budget.deposit({0});
  EXPECT_TRUE(budget.spend({0}));
  EXPECT_EQ(budget.left({9000}), 10);
}

TEST(RetryBudget, ATimeThatGoesBackStandsStill) {
  RetryBudget budget({1000000, 0});
  budget.deposit({20000});
  EXPECT_EQ(budget.left({1000}), 1);
  budget.deposit({0});
  EXPECT_EQ(budget.left({29999}), 2);
}

// ---- reservations ----

TEST(RetryBudget, ReservesNoMoreThanThereIs) {
  RetryBudget budget({1000000, 1000000});
  budget.deposit({0});
  EXPECT_EQ(budget.reserve({0}, 3).tokens, 3);
  EXPECT_EQ(budget.reserve({0}, -1).tokens, 0);
  EXPECT_EQ(budget.reserve({0}, 100).tokens, 8);
  EXPECT_EQ(budget.reserve({0}, 100).tokens, 0);
  EXPECT_FALSE(budget.spend({0}));
}

TEST(RetryBudget, WhatComesBackLivesNoLonger) {
  RetryBudget budget({1000000, 0});
  budget.deposit({1000});
  budget.deposit({5000});
  const auto both = budget.reserve({6000}, 2);
  budget.give_back({7000}, both, 2);
  EXPECT_EQ(budget.left({10999}), 2);
  EXPECT_EQ(budget.left({11000}), 0);  // both are as old as the older one
}

TEST(RetryBudget, WhatComesBackTooLateIsLost) {
  RetryBudget budget({1000000, 0});
  budget.deposit({1000});
  const auto one = budget.reserve({1000}, 1);
  budget.give_back({11000}, one, 1);
  EXPECT_EQ(budget.left({11000}), 0);
}

TEST(RetryBudget, OnlyTheUnspentComesBack) {
  RetryBudget budget({1000000, 0});
  for (int i = 0; i < 4; ++i) budget.deposit({0});
  const auto three = budget.reserve({0}, 3);
  budget.give_back({100}, three, 1);
  EXPECT_EQ(budget.left({100}), 2);
  const auto two = budget.reserve({100}, 2);
  budget.give_back({200}, two, 50);  // more than was taken
  EXPECT_EQ(budget.left({200}), 2);
  const auto again = budget.reserve({200}, 2);
  budget.give_back({200}, again, -3);
  EXPECT_EQ(budget.left({200}), 0);
}

// A reservation takes up its room: what refills meanwhile and what comes back are 10 s of it together.
TEST(RetryBudget, TheReserveTakesBackNoMoreThanItHolds) {
  RetryBudget budget({0, 1000000});
  const auto four = budget.reserve({0}, 4);
  EXPECT_EQ(budget.left({9000}), 6);
  budget.give_back({9000}, four, 4);
  EXPECT_EQ(budget.left({9000}), 10);
}

TEST(RetryBudget, AHolderThatVanishesCostsTheReserveTenSeconds) {
  RetryBudget budget({0, 1000000});
  const auto ten = budget.reserve({0}, 10);
  EXPECT_EQ(budget.left({9999}), 0);
  EXPECT_EQ(budget.left({20000}), 10);
  budget.give_back({20000}, ten, 10);  // long refilled
  EXPECT_EQ(budget.left({20000}), 10);
}

TEST(RetryBudget, AnyNumbersFit) {
  RetryBudget budget({INT64_MAX, INT64_MAX});
  for (int i = 0; i < 1000; ++i) budget.deposit({i});
  EXPECT_GT(budget.left({1000}), 0);
  const auto all = budget.reserve({1000}, INT64_MAX);
  EXPECT_EQ(budget.left({1000}), 0);
  budget.give_back({2000}, all, INT64_MAX);
  EXPECT_GT(budget.left({2000}), 0);
}

TEST(RetryBudget, NegativePolicyGivesNothing) {
  RetryBudget budget({-5, -5});
  budget.deposit({0});
  EXPECT_FALSE(budget.spend({100000}));
}

}  // namespace
}  // namespace shunt::route
