// CUBIC by integers: a cube root by halving, the curve in thousandths.
#include "admit/cubic.h"

#include <algorithm>

namespace shunt::admit {
namespace {

constexpr std::int64_t kUnitMs = 6000;  // of t
// The slowest limit that providers state is 3 requests a minute; slower ones the hold serves.
constexpr std::int64_t kLeast = 3000;
constexpr std::int64_t kMost = 1000000000;      // a million requests a minute
constexpr std::int64_t kCall = 1000000;         // level
constexpr std::int64_t kMostOwed = 10 * kCall;  // by calls that began in spite of until()
constexpr std::int64_t kMinute = 60000;
constexpr std::int64_t kTrialMs = 3000;   // an answer takes so long
constexpr std::uint8_t kLongestHold = 6;  // 2^6 s is over a minute

// The largest x with x^3 <= value, for values below 2^60.
std::int64_t cube_root(std::int64_t value) {
  std::int64_t root = 0;
  for (std::int64_t bit = std::int64_t{1} << 20U; bit > 0; bit >>= 1U) {
    const std::int64_t next = root + bit;
    if (next * next * next <= value) root = next;
  }
  return root;
}

}  // namespace

void Cubic::cut(std::int64_t measured, bool fresh, Instant now) {
  if (started_ && !fresh) return;
  measured = std::clamp(started_ ? std::min(measured, rate(now)) : measured, kLeast, kMost);
  started_ = true;
  most_ = measured;
  bound_ = 2 * measured;
  // K^3 = 0.3 Wmax / C = 0.75 Wmax units^3; the root is taken of (1000 units)^3
  k_ms_ = std::max<std::int64_t>(1, cube_root(most_ * 750000) * kUnitMs / 1000);
  cut_ = now;
  filled_ = now;
  level_ = kCall;
}

void Cubic::back_off(Instant now) {
  hold({now.ms + std::min<std::int64_t>(std::int64_t{1000} << in_a_row_, kMinute)});
  if (in_a_row_ < kLongestHold) ++in_a_row_;
}

std::int64_t Cubic::rate(Instant now) const {
  // C t^3 with t in thousandths of a unit: beyond 2^20 of them any bound is passed.
  const std::int64_t since = std::clamp<std::int64_t>(now.ms - cut_.ms, 0, 3600000);
  const std::int64_t t = std::clamp<std::int64_t>((since - k_ms_) * 1000 / kUnitMs, -1000000, 1000000);
  const std::int64_t grown = most_ + 4 * (t * t * t / 1000000) / 10;
  return std::clamp(std::min(grown, bound_), kLeast, kMost);
}

std::int64_t Cubic::capacity(std::int64_t rate) const { return std::max(kCall, rate * 1000 / 10); }

std::int64_t Cubic::level(Instant now) const {
  const Instant from = std::max(filled_, hold_);
  const std::int64_t rate_now = rate(now);
  const std::int64_t elapsed = std::clamp<std::int64_t>(now.ms - from.ms, 0, kMinute);
  // thousandths of a request a minute times ms, in millionths of a request
  return std::min(level_ + rate_now * elapsed / (kMinute / 1000), capacity(rate_now));
}

void Cubic::sent(std::int64_t measured, Instant now) {
  if (!started_) return;
  bound_ = std::max(bound_, std::min(2 * measured, kMost));
  if (in_a_row_ > 0) trial_ = {now.ms + kTrialMs};
  level_ = std::max(level(now), -kMostOwed) - kCall;
  filled_ = std::max(filled_, now);
}

Instant Cubic::until(Instant now) const {
  const Instant from = std::max({now, hold_, trial_});
  if (!started_) return from;
  const std::int64_t short_of = kCall - level(from);
  if (short_of <= 0) return from;
  const std::int64_t rate_then = rate(from);
  return {from.ms + (short_of * (kMinute / 1000) + rate_then - 1) / rate_then};
}

std::int64_t Cubic::share_left_micros(Instant now) const {
  if (hold_ > now) return 0;
  if (!started_) return 1000000;
  const std::int64_t level_now = std::clamp<std::int64_t>(level(now), 0, capacity(rate(now)));
  return level_now * 1000 / std::max<std::int64_t>(1, capacity(rate(now)) / 1000);
}

}  // namespace shunt::admit
