// The engine's clock: made only from the times a host hands in. Never runs backwards, survives a host clock
// that does.
#pragma once

#include "base/time.h"

namespace shunt::exchange {

// A host time a little below the largest seen is late news: time stands. More than kRebase below it, the
// host's clock was set back (a migrated isolate, a new machine): the offset is taken anew so that time goes
// on from where it stood.
class Clock {
 public:
  static constexpr Duration kRebase{5000};

  Instant observe(Instant host) {
    const Instant seen = host + offset_;
    if (seen + kRebase < now_) {
      offset_ = now_ - host;
    } else if (seen > now_) {
      now_ = seen;
    }
    return now_;
  }
  // A timer armed for `at` has fired: that time has come, whatever the host's clock says.
  Instant advance_to(Instant at) {
    if (at != kNever && at > now_) now_ = at;
    return now_;
  }
  Instant now() const { return now_; }
  // A moment of this clock in the host's terms, for arming its timer.
  Instant to_host(Instant at) const { return at == kNever ? kNever : at - offset_; }

 private:
  Instant now_{0};
  Duration offset_{0};
};

}  // namespace shunt::exchange
