// The limits in time of attempts and exchanges, and how one level of the configuration overrides another.
// Values only.
#pragma once

#include "base/time.h"

namespace shunt {

// Limits of one attempt and one exchange; 0 = no limit of this kind.
struct Timeouts {
  Duration connect{5000};
  Duration first_byte{60000};     // streams: to the first byte of the head
  Duration first_token{120000};   // streams: to the first content (reasoning models think that long)
  Duration idle{60000};           // streams: between chunks, only while we want bytes
  Duration attempt{0};            // one attempt, streams
  Duration total{0};              // the whole exchange, streams
  Duration plain_total{600000};   // plain answers: in all, and no first-byte limit
  Duration client_stall{300000};  // the client does not read
  friend bool operator==(const Timeouts&, const Timeouts&) = default;
};

// Limits that one level of the configuration sets; what it leaves unset comes from the level outside it.
inline constexpr Duration kInherited{-1};
struct TimeoutOverrides : Timeouts {
  constexpr TimeoutOverrides()
      : Timeouts{kInherited, kInherited, kInherited, kInherited,
                 kInherited, kInherited, kInherited, kInherited} {}
  bool empty() const { return *this == TimeoutOverrides{}; }
  friend bool operator==(const TimeoutOverrides&, const TimeoutOverrides&) = default;
};
// What `by` sets, over what `limits` holds.
void override_limits(Timeouts& limits, const TimeoutOverrides& by);
Timeouts overridden(const Timeouts& base, const TimeoutOverrides& by);

}  // namespace shunt
