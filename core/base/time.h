// Time as the core knows it: milliseconds handed in by the host, never read from a clock.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace shunt {

// A span of time in milliseconds. May be negative as the result of a subtraction.
struct Duration {
  std::int64_t ms = 0;
  friend constexpr auto operator<=>(const Duration&, const Duration&) = default;
  friend constexpr Duration operator+(Duration a, Duration b) { return {a.ms + b.ms}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return {a.ms - b.ms}; }
  friend constexpr Duration operator*(Duration a, std::int64_t factor) { return {a.ms * factor}; }
};

constexpr Duration milliseconds(std::int64_t ms) { return {ms}; }
constexpr Duration seconds(std::int64_t s) { return {s * 1000}; }

// A moment on the engine's own clock (monotonic, origin arbitrary). Only differences mean anything.
struct Instant {
  std::int64_t ms = 0;
  friend constexpr auto operator<=>(const Instant&, const Instant&) = default;
  friend constexpr Instant operator+(Instant t, Duration d) { return {t.ms + d.ms}; }
  friend constexpr Instant operator-(Instant t, Duration d) { return {t.ms - d.ms}; }
  friend constexpr Duration operator-(Instant a, Instant b) { return {a.ms - b.ms}; }
};

// "No such moment": later than every real one, so `min` of deadlines works unaided.
inline constexpr Instant kNever{std::numeric_limits<std::int64_t>::max()};

// Milliseconds since 1970 UTC: for stamps, HTTP dates and ends shared with other machines only.
struct WallTime {
  std::int64_t ms = 0;
  friend constexpr auto operator<=>(const WallTime&, const WallTime&) = default;
};

}  // namespace shunt
