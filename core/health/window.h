// Sliding windows over calls: one by time for rates, one by count for success ordering. Knows no breaker.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/time.h"

namespace shunt::health {

// One call, as windows count it.
struct Seen {
  bool failed = false;
  bool slow = false;
  bool over = false;
};

struct Tally {
  std::uint32_t calls = 0;
  std::uint32_t failures = 0;
  std::uint32_t slow = 0;
  std::uint32_t over = 0;  // beyond the limit of the p99
  friend constexpr bool operator==(const Tally&, const Tally&) = default;
};

// The last `span` in 60 buckets with running totals. It slides: each bucket leaves alone, when it is
// older than the span; a lap of the ring never restarts the count (a tumbling window forgives a dead
// provider once a minute). A bucket that is full (65,535 calls) takes no more. Time that goes back counts
// into the newest bucket.
class TimeWindow {
 public:
  static constexpr std::int64_t kBuckets = 60;

  explicit TimeWindow(Duration span);
  void record(Instant now, const Seen& call);
  Tally tally(Instant now);
  void clear();

 private:
  struct Bucket {
    std::uint16_t calls = 0;
    std::uint16_t failures = 0;
    std::uint16_t slow = 0;
    std::uint16_t over = 0;
  };
  void slide(Instant now);
  Bucket& bucket(std::int64_t tick);

  std::int64_t width_ms_;
  std::int64_t newest_ = std::numeric_limits<std::int64_t>::min() / 2;  // tick of the newest bucket
  Tally total_;
  std::array<Bucket, kBuckets> buckets_{};
};

// The last kCalls calls, of which only those younger than `within` speak (origins A: 20 calls, 10 minutes).
// Time that goes back counts as the last.
class CountWindow {
 public:
  static constexpr std::size_t kCalls = 20;
  static constexpr Duration kWithin = seconds(600);

  void record(Instant now, bool failed);
  // Successes per million calls; no data = 1,000,000: an untried line is not a bad one.
  std::uint32_t success_micros(Instant now) const {
    if (failures_ == 0) return 1'000'000;
    const Tally t = tally(now);
    static_assert(kCalls * 1'000'000 <= UINT32_MAX);
    return t.calls == 0 ? 1'000'000 : (t.calls - t.failures) * 1'000'000U / t.calls;
  }
  Tally tally(Instant now) const;
  std::size_t memory() const { return calls_.capacity() * sizeof(Call); }

 private:
  struct Call {
    Instant at;
    bool failed = false;
  };
  std::vector<Call> calls_;     // a ring once it is full, in the order of time
  std::uint32_t next_ = 0;      // the oldest
  std::uint32_t failures_ = 0;  // of all, young or not
};

}  // namespace shunt::health
