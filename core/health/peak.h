// A latency that believes bad news at once and good news slowly: a peak-sensitive moving average. Integers
// only; knows no line.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/time.h"

namespace shunt::health {

// Rises to a greater sample at once, falls toward lesser ones by half in kHalfLife, and toward nothing where
// none come: a line that was slow is tried again. In microseconds.
class Peak {
 public:
  static constexpr Duration kHalfLife{10000};

  void record(Instant now, std::uint32_t micros) {
    const std::uint32_t faded = read(now);
    value_ = micros >= faded ? micros : micros + fade(value_ > micros ? value_ - micros : 0, now);
    at_ = std::max(at_, now);
  }
  // 0 = no data, or none that still counts.
  std::uint32_t read(Instant now) const { return fade(value_, now); }

 private:
  // `amount` after the time since the last sample: whole half-lives by shifts, a part of one along the chord.
  std::uint32_t fade(std::uint32_t amount, Instant now) const {
    if (now <= at_) return amount;
    const std::int64_t age = (now - at_).ms;
    const std::int64_t halves = age / kHalfLife.ms;
    if (halves >= 32) return 0;
    const std::uint64_t whole = amount >> static_cast<unsigned>(halves);
    const auto part = static_cast<std::uint64_t>(age % kHalfLife.ms);
    return static_cast<std::uint32_t>(whole - whole * part / static_cast<std::uint64_t>(2 * kHalfLife.ms));
  }

  std::uint32_t value_ = 0;
  Instant at_{};
};

}  // namespace shunt::health
