// How much was sent in each moment of the last minute and a half. Counts and time only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/time.h"

namespace shunt::admit {

inline constexpr std::int64_t kMinuteMs = 60000;  // the window of every limit that states none

class Recent {
 public:
  static constexpr std::int64_t kCellMs = 937;  // a 64th of a minute
  static constexpr std::size_t kCells = 96;

  void add(Instant now, std::int64_t amount) {
    advance(now);
    std::uint32_t& cell = cells_[place(last_)];
    cell = static_cast<std::uint32_t>(std::min<std::int64_t>(cell + amount, UINT32_MAX));
  }
  // Takes back what was added at `then`: it did not count.
  void take_back(Instant then, std::int64_t amount) {
    const std::int64_t at = cell_of(then);
    if (at > last_ || at <= last_ - static_cast<std::int64_t>(kCells)) return;
    std::uint32_t& cell = cells_[place(at)];
    cell -= static_cast<std::uint32_t>(std::min<std::int64_t>(cell, amount));
  }
  // What was added in the minute before `now`.
  std::int64_t last_minute(Instant now) const {
    return between(now - milliseconds(kMinuteMs), now + milliseconds(kCellMs));
  }
  // What was added in the cells that lie wholly between two moments.
  std::int64_t between(Instant from, Instant to) const {
    if (to - from < milliseconds(kCellMs)) return 0;
    std::int64_t sum = 0;
    const std::int64_t first = std::max(cell_of(from + milliseconds(kCellMs - 1)), oldest());
    const std::int64_t end = std::min(cell_of(to), last_ + 1);
    if (first >= end) return 0;
    std::size_t cell = place(first);
    for (std::int64_t at = first; at < end; ++at) {
      sum += cells_[cell];
      if (++cell == kCells) cell = 0;
    }
    return sum;
  }
  // The first moment by which `amount` was added since `from`, in whole cells; kNever when less was added.
  Instant reached(Instant from, std::int64_t amount) const {
    std::int64_t sum = 0;
    for (std::int64_t at = std::max(cell_of(from + milliseconds(kCellMs - 1)), oldest()); at <= last_; ++at) {
      sum += cells_[place(at)];
      if (sum >= amount) return {(at + 1) * kCellMs};
    }
    return kNever;
  }

 private:
  static std::int64_t cell_of(Instant t) {
    return t.ms >= 0 ? t.ms / kCellMs : -((kCellMs - 1 - t.ms) / kCellMs);
  }
  static std::size_t place(std::int64_t at) {
    constexpr auto cells = static_cast<std::int64_t>(kCells);
    return static_cast<std::size_t>(((at % cells) + cells) % cells);
  }
  std::int64_t oldest() const { return last_ - static_cast<std::int64_t>(kCells) + 1; }
  void advance(Instant now) {
    const std::int64_t to = cell_of(now);
    if (to <= last_) return;
    for (std::int64_t at = std::max(last_ + 1, to - static_cast<std::int64_t>(kCells) + 1); at <= to; ++at)
      cells_[place(at)] = 0;
    last_ = to;
  }

  std::array<std::uint32_t, kCells> cells_{};
  std::int64_t last_ = -(std::int64_t{1} << 53U);  // before every moment
};

}  // namespace shunt::admit
