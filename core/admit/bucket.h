// A token bucket, exact to the token and the millisecond. Knows neither what its tokens stand for nor whose
// they are.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace shunt::admit {

// N a minute refill evenly, N/60 a second, up to a burst of N/10 (at least 1); full at first. It counts in
// 60,000ths of a token, of which exactly N come each millisecond: nothing is ever rounded, so nothing drifts.
// A clock that stands still refills nothing; a `now` smaller than the last counts as the last.
class Bucket {
 public:
  explicit Bucket(std::int64_t per_minute = 0);  // 0 = no limit: everything is allowed and nothing counted

  bool limited() const { return rate_ > 0; }
  std::int64_t per_minute() const { return rate_; }
  std::int64_t burst() const;       // in whole tokens
  std::int64_t level(Instant now);  // whole tokens there are, rounded down; below 0 = debt

  // Takes n tokens (>= 0) or none. More than a burst is let in when the bucket is full, and leaves a debt.
  bool take(std::int64_t n, Instant now);
  // The first moment at which take(n) succeeds if nothing else happens; `now` when it does at once.
  Instant ready(std::int64_t n, Instant now);
  // The same as a span: after it take(n) succeeds, 1 ms earlier it does not.
  Duration wait_for(std::int64_t n, Instant now);
  // What was taken as `estimated` came to `used`: the difference goes back, or is taken too (as a debt).
  void settle(std::int64_t estimated, std::int64_t used, Instant now);
  // Takes n tokens as far as there are any: what was used by leave of somebody else makes no debt here.
  void drain(std::int64_t n, Instant now);
  std::int64_t share_left_micros(Instant now);  // of the burst, in millionths; no limit = the whole

 private:
  void advance(Instant now);
  std::int64_t most() const;

  std::int64_t rate_ = 0;   // units a millisecond = tokens a minute
  std::int64_t level_ = 0;  // units; below 0 = debt
  Instant last_;
};

}  // namespace shunt::admit
