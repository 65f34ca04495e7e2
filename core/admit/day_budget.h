// What may be used in one UTC day: micro-dollars and tokens. Knows no owner and no prices.
#pragma once

#include <array>
#include <cstdint>

#include "admit/use.h"
#include "base/time.h"

namespace shunt::admit {

// One book a day. A use belongs to the day it was taken in; when that day is over its book is closed, and
// what is settled later changes nothing. The wall clock may be set back: the book stays, and its day does not
// begin again. Only when the rest of its day has passed on the engine's own clock while the wall still shows
// an earlier day was the wall wrong before; then the day that it shows begins.
class DayBudget {
 public:
  enum class Purse : std::uint8_t { usd, tokens };

  // 0 = no limit.
  explicit DayBudget(std::int64_t usd_micros = 0, std::int64_t tokens = 0);

  bool limited() const { return limits_[0] > 0 || limits_[1] > 0; }
  // The first moment at which `use` fits into what is left in the purse, if nothing else happens and both
  // clocks go on; `now` when it does at once, kNever when it is more than a whole day's. Who is over the
  // limit (by settling) fits nothing more in, not even 0.
  Instant ready(Purse purse, const Use& use, Instant now, WallTime wall);
  // Books `use` in any case; returns the day, for settle().
  std::int64_t take(const Use& use, Instant now, WallTime wall);
  // What was taken as `estimated` on `day` came to `used`.
  void settle(std::int64_t day, const Use& estimated, const Use& used);
  // Of the purse that has least, in millionths of its limit; no limits = the whole.
  std::int64_t share_left_micros(Instant now, WallTime wall);

 private:
  void turn(Instant now, WallTime wall);

  std::array<std::int64_t, 2> limits_;
  std::array<std::int64_t, 2> spent_{};
  std::int64_t day_ = -1'000'000'000'000;  // before every real one: the first call opens its book
  Instant ends_;                           // of the day, on the engine's clock
};

}  // namespace shunt::admit
