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
// 10 s of it, full at first. All in billionths of a token, so nothing is rounded. What is reserved is
// spent when it is taken; what of it comes back counts as never taken.
class RetryBudget {
 public:
  struct Policy {
    std::int64_t ratio_micros = 200000;       // tokens a request earns
    std::int64_t min_per_s_micros = 1000000;  // tokens the reserve gains per second
  };

  // Tokens taken for a gateway further in, which spends no others, and where they came from.
  struct Reservation {
    std::int64_t tokens = 0;        // whole
    std::int64_t from_earned = 0;   // billionths
    std::int64_t from_reserve = 0;  // billionths
    std::int64_t oldest = 0;        // second of the oldest earned one
    std::int64_t taken = 0;         // second
  };

  explicit RetryBudget(const Policy& policy);

  // A request arrived. `now` never goes back; a smaller one counts as the last.
  void deposit(Instant now);
  // Takes one token; false = there is none, and nothing is taken.
  bool spend(Instant now);
  // Takes as many tokens as there are, `at_most` of them.
  Reservation reserve(Instant now, std::int64_t at_most);
  // `unspent` of a reservation's tokens come back; each reservation comes back once at most. None lives
  // longer for that: to the reserve goes back what was taken of it in the last 10 s, the others go to the
  // second of the oldest of them if that is still alive, and are lost if not. A reservation whose
  // holder vanished need not come back: it is spent.
  void give_back(Instant now, const Reservation& reservation, std::int64_t unspent);
  // Whole tokens that could be spent now: travels in headers, so that nested gateways see it.
  std::int64_t left(Instant now);

 private:
  static constexpr int kLifeSeconds = 10;

  void advance(Instant now);
  std::int64_t total() const;
  std::int64_t& earned(std::int64_t second);
  std::int64_t& lent(std::int64_t second);
  bool alive(std::int64_t second) const;
  void take(std::int64_t due, Reservation& from);

  Policy policy_;
  Instant last_{};  // of the last call
  bool started_ = false;
  std::int64_t reserve_ = 0;
  std::array<std::int64_t, kLifeSeconds> earned_{};  // by second modulo kLifeSeconds
  // Of the reserve, by the second it was reserved in: it may come back, so it takes up room there.
  std::array<std::int64_t, kLifeSeconds> lent_{};
};

// The budgets of a route: the first switch of a request to another healthy line draws on `failover`;
// every repeat on the same line and every later switch on `repeats`, and so do reservations; every hedge
// on `hedge`, which has no reserve: requests must have earned it.
struct Budgets {
  RetryBudget repeats;
  RetryBudget failover;
  RetryBudget hedge{RetryBudget::Policy{0, 0}};

  void deposit(Instant now) {
    repeats.deposit(now);
    failover.deposit(now);
    hedge.deposit(now);
  }
};

}  // namespace shunt::route
