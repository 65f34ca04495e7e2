// How many further attempts a route may make: tokens that requests earn and repeats spend. Knows no
// lines and no reasons.
#pragma once

#include <array>
#include <cstdint>

#include "base/time.h"

namespace shunt::route {

// Over any T seconds, spent <= ratio * (requests of those T and the 10 s before) + min_per_s * (T +
// 10), whatever arrives when. Earned tokens live 9 to 10 s (they are kept by whole seconds, and a
// second is dropped when its first token is 10 s old); the reserve refills at min_per_s and holds
// 10 s of it, full at first. All in billionths of a token, so nothing is rounded.
class RetryBudget {
 public:
  struct Policy {
    std::int64_t ratio_micros = 200000;       // tokens a request earns
    std::int64_t min_per_s_micros = 1000000;  // tokens the reserve gains per second
  };

  explicit RetryBudget(const Policy& policy);

  // A request arrived. `now` never goes back; a smaller one counts as the last.
  void deposit(Instant now);
  // Takes one token; false = there is none, and nothing is taken.
  bool spend(Instant now);
  // Whole tokens that could be spent now: travels in headers, so that nested gateways see it.
  std::int64_t left(Instant now);

 private:
  static constexpr int kLifeSeconds = 10;

  void advance(Instant now);
  std::int64_t total() const;

  Policy policy_;
  Instant last_{};  // of the last call
  bool started_ = false;
  std::int64_t reserve_ = 0;
  std::array<std::int64_t, kLifeSeconds> earned_{};  // by second modulo kLifeSeconds
};

// The two budgets of a route: the first switch of a request to another healthy line draws on
// `failover`; every repeat on the same line and every later switch on `repeats`.
struct Budgets {
  RetryBudget repeats;
  RetryBudget failover;

  void deposit(Instant now) {
    repeats.deposit(now);
    failover.deposit(now);
  }
};

}  // namespace shunt::route
