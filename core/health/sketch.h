// Latency as counts in logarithmic buckets: mergeable, integer only, forgetting. Knows no line or clock.
//
// Twelve buckets an octave, each 2^(1/12) = 5.9 % wide and answered by its harmonic middle: at most 2.91 %
// off, plus half a unit of rounding; under 3 % from 600 units up. Units are microseconds, up to 2^30 (18
// minutes).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/time.h"
#include "health/peak.h"

namespace shunt::health {

inline constexpr std::uint32_t kPerOctave = 12;
inline constexpr std::uint32_t kBuckets = 30 * kPerOctave;

// Counts as they are kept. Only the octaves between the least and the greatest value take memory, at most
// twelve: what is over 4,096 times faster than the slowest counts as that.
class Sketch {
 public:
  static constexpr std::uint32_t kMostBuckets = 12 * kPerOctave;

  void add(std::uint32_t value);
  void clear() { counts_ = {}; }
  std::size_t memory() const { return counts_.capacity() * sizeof(std::uint16_t); }

 private:
  friend class Spread;
  void cover(std::uint32_t bucket);

  std::vector<std::uint16_t> counts_;
  std::uint32_t first_ = 0;  // the bucket of counts_[0]
};

// Sketches added up, of one line or of many, in any order: what percentiles are read from.
class Spread {
 public:
  void add(const Sketch& sketch);
  std::uint64_t count() const { return count_; }
  // The value that `permille` of all do not exceed (nearest rank); 0 without data.
  std::uint32_t quantile(std::uint32_t permille) const;

 private:
  std::array<std::uint32_t, kBuckets> counts_{};
  std::uint64_t count_ = 0;
};

// The last half to whole span, as two halves of it: the older leaves at once, so nothing stays for ever.
class RecentSketch {
 public:
  void record(Instant now, Duration span, std::uint32_t value);
  void collect(Instant now, Duration span, Spread& into) const;
  std::size_t memory() const { return halves_[0].memory() + halves_[1].memory(); }

 private:
  static constexpr std::int64_t kNoTick = std::numeric_limits<std::int64_t>::min() / 2;

  std::array<Sketch, 2> halves_;  // by parity of the tick
  std::int64_t tick_ = kNoTick;   // of the newer half
};

enum class Latency : std::uint8_t { first_byte, inter_token, first_token, total };

// The latencies of one line. First byte and inter-token are kept by line; first token and total by task
// type: the first three that come, all others share one.
class LineLatency {
 public:
  explicit LineLatency(Duration span) : span_(span) {}
  void record(Latency what, std::uint32_t task, Instant now, std::int64_t micros);
  void collect(Latency what, std::uint32_t task, Instant now, Spread& into) const;
  // The 90th percentile of a task's total, in microseconds, at most kStale old; 0 = no data.
  std::uint32_t p90_total(std::uint32_t task, Instant now) const;
  // Time to first token, whatever the task.
  std::uint32_t peak_first_token(Instant now) const { return peak_.read(now); }
  std::size_t memory() const;

 private:
  static constexpr std::size_t kOwnTasks = 3;
  static constexpr Duration kStale{1000};
  struct Read {
    Instant at{};
    std::uint32_t p90 = 0;
    bool known = false;
  };
  static constexpr std::size_t kSketches = 2 + 2 * (kOwnTasks + 1);
  std::size_t place_of(Latency what, std::uint32_t task) const;
  bool is_new_task(std::size_t place) const {
    return place >= 2 && (place - 2) / 2 == known_tasks_ && known_tasks_ < kOwnTasks;
  }

  Duration span_;
  std::array<std::uint32_t, kOwnTasks> tasks_{};
  std::uint32_t known_tasks_ = 0;
  std::array<RecentSketch, kSketches> sketches_;   // of the line, then two a task
  mutable std::array<Read, kOwnTasks + 1> reads_;  // percentiles as last read: adding up a sketch takes 1 us
  Peak peak_;
};

}  // namespace shunt::health
