// A rate for a provider that says 429 and nothing more: CUBIC (RFC 9438, as the AWS SDKs use it) in integers.
// Knows no headers.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace shunt::admit {

// A 429 cuts the rate to 0.7 of what was measured; from there it grows along W(t) = C (t - K)^3 + Wmax: fast
// at first, flat around the last maximum, then faster again. Providers count by the minute, so W is in
// requests a minute and t in tenths of one: with C = 0.4 the maximum is met again after K = cbrt(0.75 Wmax) x
// 6 s (43 s at 500 a minute). In the seconds of the AWS SDKs it would be met after 2 s, and each of the many
// windows it would overshoot is full until its end. Calls draw on a bucket that refills at W and holds a
// tenth of a minute's worth.
//
// A 429 also holds every call: for the stated wait, else for 1 s, doubled by each 429 in a row up to a
// minute. A window that is full stays full, and only the hold keeps a rate from running into it. After it one
// call tries.
class Cubic {
 public:
  bool started() const { return started_; }
  // A 429 to a call that `fresh`: began after the last cut and after a success. `measured` in thousandths of
  // a request a minute.
  void cut(std::int64_t measured, bool fresh, Instant now);
  void hold(Instant until) { hold_ = until > hold_ ? until : hold_; }
  void back_off(Instant now);
  void succeeded() {
    in_a_row_ = 0;
    trial_ = Instant{INT64_MIN};
  }
  // A call begins. `measured` bounds the growth: twice what is sent proves nothing about more.
  void sent(std::int64_t measured, Instant now);

  Instant held_until() const { return hold_; }
  // The first moment at which a call may begin.
  Instant until(Instant now) const;
  std::int64_t share_left_micros(Instant now) const;
  // In thousandths of a request a minute.
  std::int64_t rate(Instant now) const;

 private:
  std::int64_t level(Instant now) const;
  std::int64_t capacity(std::int64_t rate) const;

  bool started_ = false;
  std::uint8_t in_a_row_ = 0;  // 429s without a success
  std::int64_t most_ = 0;      // Wmax
  std::int64_t bound_ = 0;     // of the growth
  std::int64_t k_ms_ = 1;
  Instant cut_{};     // t = 0
  Instant filled_{};  // when level_ was so
  Instant hold_{INT64_MIN};
  Instant trial_{INT64_MIN};  // until then the one call after a hold may answer
  std::int64_t level_ = 0;    // millionths of a call
};

}  // namespace shunt::admit
