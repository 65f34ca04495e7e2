// The bound on what a bad day can cost: main and hedge attempts <= requests x (1 + failover + ratio + hedge)
// and the reserves, for any arrivals and failures, also through a gateway behind a gateway. The model spends
// as exchange does: the first switch of a request on failover, later ones and repeats on repeats, hedges on
// hedge.
#include <gtest/gtest.h>

#include <vector>

#include "core/dice.h"
#include "route/budget.h"

namespace shunt::route {
namespace {

constexpr std::int64_t kToken = 1000000000;
constexpr std::size_t kGaps[] = {1, 40, 700, 3000, 12000};

struct Policies {
  RetryBudget::Policy repeats;
  RetryBudget::Policy failover;
  std::int64_t hedge_micros;
};
constexpr Policies kPolicies[] = {
    {{200000, 1000000}, {1000000, 1000000}, 50000}, {{200000, 0}, {1000000, 0}, 50000},
    {{100000, 333333}, {500000, 0}, 1000000},       {{0, 0}, {0, 0}, 0},
    {{1000000, 3000000}, {0, 1000000}, 300000},
};

// What happened at one moment.
struct Moment {
  std::int64_t ms;
  std::int64_t requests = 0;
  std::int64_t attempts = 0;  // one a request, and one a token, counted when the token was taken
};

class Model {
 public:
  Model(Dice& dice, const Policies& policies, bool nested)
      : dice_(dice),
        policies_(policies),
        nested_(nested),
        budgets_{RetryBudget(policies.repeats), RetryBudget(policies.failover),
                 RetryBudget({policies.hedge_micros, 0})} {}

  void run() {
    const std::size_t gap = dice_.of(kGaps);
    const std::size_t greed = 1 + dice_.below(8);
    std::int64_t now = static_cast<std::int64_t>(dice_.below(50000)) - 25000;
    for (int i = 0; i < 16; ++i) {
      now += static_cast<std::int64_t>(dice_.below(gap));
      log_.push_back({now});
      for (std::size_t n = dice_.below(10); n > 0; --n) arrive();
      for (std::size_t n = dice_.below(4) * greed; n > 0 && !open_.empty(); --n) fail();
      for (std::size_t n = dice_.below(6); n > 0 && !inner_.empty(); --n) answer();
    }
  }

  // Over every window that begins and ends at a moment; the whole run is one of them.
  void check() const {
    const std::int64_t each =
        policies_.repeats.ratio_micros + policies_.failover.ratio_micros + policies_.hedge_micros;
    const std::int64_t reserves = policies_.repeats.min_per_s_micros + policies_.failover.min_per_s_micros;
    for (std::size_t from = 0; from < log_.size(); ++from) {
      std::int64_t attempts = 0;
      std::int64_t requests = 0;
      std::int64_t earning = 0;  // requests of the window and of the 10 s before
      for (std::size_t before = 0; before < from; ++before) {
        if (log_[before].ms >= log_[from].ms - 10000) earning += log_[before].requests;
      }
      for (std::size_t to = from; to < log_.size(); ++to) {
        attempts += log_[to].attempts;
        requests += log_[to].requests;
        earning += log_[to].requests;
        const std::int64_t length_ms = log_[to].ms - log_[from].ms;
        ASSERT_LE((attempts - requests) * kToken, each * 1000 * earning + reserves * (length_ms + 10000));
      }
    }
    ASSERT_LE(leaves_, counted());  // nobody called more often than was counted
  }

  std::int64_t requests() const {
    std::int64_t sum = 0;
    for (const Moment& moment : log_) sum += moment.requests;
    return sum;
  }
  std::int64_t leaves() const { return leaves_; }

 private:
  struct Request {
    int switches = 0;
    bool hedged = false;
  };
  // One attempt of the outer gateway under way in the inner one.
  struct Inner {
    RetryBudget::Reservation reserved;
    std::int64_t spent = 0;
    std::size_t moment = 0;  // of the taking
  };

  Instant now() const { return {log_.back().ms}; }

  std::int64_t counted() const {
    std::int64_t sum = 0;
    for (const Moment& moment : log_) sum += moment.attempts;
    return sum;
  }

  void attempt() {
    ++log_.back().attempts;
    ++leaves_;
    if (!nested_) return;
    // As many as the inner one could use; they are counted as spent until they come back.
    Inner inner{budgets_.repeats.reserve(now(), static_cast<std::int64_t>(dice_.below(4))), 0,
                log_.size() - 1};
    log_.back().attempts += inner.reserved.tokens;
    inner_.push_back(inner);
  }

  void arrive() {
    budgets_.deposit(now());
    ++log_.back().requests;
    open_.push_back({});
    attempt();
  }

  // One open request's attempt is slow or fails; what an exhausted budget forbids ends the request.
  void fail() {
    const std::size_t which = dice_.below(open_.size());
    Request& request = open_[which];
    bool went_on = false;
    switch (dice_.below(3)) {
      case 0:
        if (request.hedged) return;
        request.hedged = true;
        if (budgets_.hedge.spend(now())) attempt();
        return;
      case 1:
        went_on = (request.switches == 0 ? budgets_.failover : budgets_.repeats).spend(now());
        ++request.switches;
        break;
      default: went_on = budgets_.repeats.spend(now()); break;
    }
    if (went_on) {
      attempt();
    } else {
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(which));
    }
  }

  // The inner gateway makes further attempts, gives the rest back, or is never heard of again.
  void answer() {
    const std::size_t which = dice_.below(inner_.size());
    Inner& inner = inner_[which];
    const std::int64_t left = inner.reserved.tokens - inner.spent;
    if (left > 0 && dice_.below(2) == 0) {
      ++inner.spent;
      ++leaves_;
      return;
    }
    if (dice_.below(4) != 0) {
      budgets_.repeats.give_back(now(), inner.reserved, left);
      log_[inner.moment].attempts -= left;
    }
    inner_.erase(inner_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  Dice& dice_;
  const Policies& policies_;
  bool nested_;
  Budgets budgets_;
  std::vector<Moment> log_;
  std::vector<Request> open_;
  std::vector<Inner> inner_;
  std::int64_t leaves_ = 0;  // calls that reached a provider
};

void hold_bound(bool nested) {
  std::int64_t further = 0;
  for (std::uint64_t seed = 0; seed < 100000; ++seed) {
    Dice dice(seed);
    Model model(dice, kPolicies[seed % 5], nested);
    model.run();
    model.check();
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed;
    further += model.leaves() - model.requests();
  }
  EXPECT_GT(further, 1000000);  // the bound was under load
}

TEST(Amplification, R1_HoldsForAnyArrivalsAndFailures) { hold_bound(false); }

TEST(Amplification, R1_HoldsThroughTwoNestedGateways) { hold_bound(true); }

// Every attempt fails for ever: with reserves of nothing, 1000 requests make at most 1000 x (1 + 1 + 0.2)
// calls, and that many are really made.
TEST(Amplification, R1_AllFailing) {
  Budgets budgets{RetryBudget({200000, 0}), RetryBudget({1000000, 0})};
  int attempts = 0;
  for (int i = 0; i < 1000; ++i) {
    budgets.deposit({i});
    ++attempts;
    if (budgets.failover.spend({i})) ++attempts;
    while (budgets.repeats.spend({i})) ++attempts;
  }
  EXPECT_EQ(attempts, 2200);
}

// An exhausted budget leaves nothing to reserve: the inner gateway has no further attempt, and says so to the
// outer one, which has none either.
TEST(Amplification, R3_AnExhaustedBudgetIsExhaustedForTheInnerGatewayToo) {
  RetryBudget budget({200000, 0});
  for (int i = 0; i < 5; ++i) budget.deposit({0});
  EXPECT_TRUE(budget.spend({0}));
  EXPECT_EQ(budget.reserve({0}, 3).tokens, 0);
  EXPECT_FALSE(budget.spend({0}));
}

TEST(Amplification, R3_WhatTheInnerGatewayHoldsTheOuterCannotSpend) {
  RetryBudget budget({1000000, 0});
  budget.deposit({0});
  const auto one = budget.reserve({0}, 1);
  EXPECT_FALSE(budget.spend({0}));
  budget.give_back({10}, one, 1);
  EXPECT_TRUE(budget.spend({10}));
}

TEST(Hedge, H1_NoneBeforeRequestsHaveEarnedIt) {
  Budgets budgets{RetryBudget({200000, 1000000}), RetryBudget({1000000, 1000000}), RetryBudget({50000, 0})};
  EXPECT_FALSE(budgets.hedge.spend({0}));
  for (int i = 0; i < 19; ++i) budgets.deposit({0});
  EXPECT_FALSE(budgets.hedge.spend({0}));
  budgets.deposit({0});
  EXPECT_TRUE(budgets.hedge.spend({0}));
}

TEST(Hedge, H1_ARouteThatDoesNotHedgeEarnsNone) {
  Budgets budgets{RetryBudget({200000, 1000000}), RetryBudget({1000000, 1000000})};
  for (int i = 0; i < 1000; ++i) budgets.deposit({0});
  EXPECT_FALSE(budgets.hedge.spend({0}));
}

// A hedge is an attempt like any other: 5 in 100, whatever becomes of the loser, and none of them from the
// budget of the others.
TEST(Hedge, H2_EachOneIsAccounted) {
  Budgets budgets{RetryBudget({200000, 0}), RetryBudget({1000000, 0}), RetryBudget({50000, 0})};
  int hedges = 0;
  for (int i = 0; i < 1000; ++i) {
    budgets.deposit({i});
    if (budgets.hedge.spend({i})) ++hedges;
  }
  EXPECT_EQ(hedges, 50);
  EXPECT_EQ(budgets.repeats.left({1000}), 200);
  EXPECT_EQ(budgets.failover.left({1000}), 1000);
}

// All requests of a route draw on one budget: a burst of slow ones hedges no more than the route has earned.
TEST(Hedge, H3_OneBudgetForAllRequestsOfTheRoute) {
  Budgets budgets{RetryBudget({200000, 0}), RetryBudget({1000000, 0}), RetryBudget({50000, 0})};
  for (int i = 0; i < 60; ++i) budgets.deposit({0});
  int hedges = 0;
  for (int i = 0; i < 60; ++i) hedges += budgets.hedge.spend({10}) ? 1 : 0;
  EXPECT_EQ(hedges, 3);
}

}  // namespace
}  // namespace shunt::route
