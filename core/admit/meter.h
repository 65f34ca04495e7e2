// One quota and all that is used of it: rates, concurrency, the day. Both layers of admission are made of
// meters; a meter knows no owner.
#pragma once

#include <array>
#include <cstdint>

#include "admit/bucket.h"
#include "admit/day_budget.h"
#include "admit/slots.h"
#include "admit/use.h"
#include "base/time.h"
#include "canonical/quota.h"

namespace shunt::admit {

struct Times {
  Instant now;
  WallTime wall;
};

// The limits a use does not fit into, over several meters: the worst is named. One that nobody can tell the
// end of outranks all others, then the latest; of equals the first.
struct Shortage {
  bool any = false;
  What what = What::rpm;
  std::uint32_t of = 0;  // the caller's number for the meter named
  bool sure = true;      // at `at` all of them are over, if nothing else happens
  Instant at = {};       // if not sure: not before; kNever: never

  void add(What which, std::uint32_t whose, Instant when, bool is_sure = true);
};

// What a meter gave.
struct Taken {
  Slots::Id slot;
  std::int64_t day = 0;
};

// The two rates by number: rpm and tpm.
inline constexpr std::uint32_t kRates = 2;
constexpr std::array<std::int64_t, kRates> rates_of(const Use& use) { return {1, use.tokens}; }

// Rates that a store fills (granted.h): the buckets here neither refuse nor book them.
using RateSet = std::uint8_t;
inline constexpr RateSet kAllRates = (1U << kRates) - 1;

class Meter {
 public:
  explicit Meter(const Quota& quota = {});

  // Adds the limits that `use` does not fit into now, except those of `skipped` rates. Takes nothing.
  void check(const Use& use, Times at, RateSet skipped, std::uint32_t whose, Shortage& into);
  // Takes all of it but `skipped` rates, and a slot until `end`. check() has just found nothing.
  Taken take(const Use& use, Times at, RateSet skipped, Instant end);
  // The request is over: its real use, or null when nothing was sent and all goes back.
  void settle(const Taken& taken, const Use& estimated, const Use* used, RateSet skipped, Times at);

  std::int64_t share_left_micros(Times at);  // of the tightest limit
  bool limited() const { return limited_; }  // else it counts, and only the bound of all slots is left
  Slots& slots() { return slots_; }
  const Slots& slots() const { return slots_; }
  Bucket& rate(std::uint32_t number) { return rates_[number]; }

 private:
  std::array<Bucket, kRates> rates_;
  DayBudget day_;
  Slots slots_;
  bool limited_;
};

}  // namespace shunt::admit
