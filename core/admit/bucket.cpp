// The exact token bucket: whole units, so every sum is one of integers.
#include "admit/bucket.h"

#include <algorithm>
#include <limits>

#include "admit/arithmetic.h"

namespace shunt::admit {
namespace {

constexpr std::int64_t kUnits = 60'000;  // of one token: the milliseconds of a minute
constexpr std::int64_t kBurstParts = 10;
constexpr std::int64_t kDeepest = -(std::int64_t{1} << 62);  // debt ends here: sums with one amount still fit

}  // namespace

Bucket::Bucket(std::int64_t per_minute)
    : rate_(amount(per_minute)), level_(most()), last_{std::numeric_limits<std::int64_t>::min()} {}

std::int64_t Bucket::most() const {
  return rate_ == 0 ? 0 : std::max(kUnits, rate_ * (kUnits / kBurstParts));
}

std::int64_t Bucket::burst() const { return most() / kUnits; }

std::int64_t Bucket::level(Instant now) {
  advance(now);
  return level_ >= 0 ? level_ / kUnits : -steps(-level_, kUnits);
}

void Bucket::advance(Instant now) {
  if (now <= last_ || !limited()) return;
  const auto gap = static_cast<std::uint64_t>(now.ms) - static_cast<std::uint64_t>(last_.ms);
  if (gap <= std::uint64_t{INT32_MAX} &&
      rate_ <= INT32_MAX) {  // the product fits, and costs less than a division
    level_ = std::min(level_ + static_cast<std::int64_t>(gap) * rate_, most());
    last_ = now;
    return;
  }
  const std::int64_t due = steps(most() - level_, rate_);
  level_ = gap >= static_cast<std::uint64_t>(due) ? most() : level_ + static_cast<std::int64_t>(gap) * rate_;
  last_ = now;
}

Instant Bucket::ready(std::int64_t n, Instant now) {
  if (!limited()) return now;
  advance(now);
  const std::int64_t missing = std::min(amount(n) * kUnits, most()) - level_;
  return missing <= 0 ? now : later(last_, steps(missing, rate_));
}

Duration Bucket::wait_for(std::int64_t n, Instant now) { return span(now, ready(n, now)); }

bool Bucket::take(std::int64_t n, Instant now) {
  if (ready(n, now) > now) return false;
  settle(0, n, now);
  return true;
}

void Bucket::settle(std::int64_t estimated, std::int64_t used, Instant now) {
  if (!limited()) return;
  advance(now);
  level_ = std::clamp(level_ + (amount(estimated) - amount(used)) * kUnits, kDeepest, most());
}

void Bucket::drain(std::int64_t n, Instant now) {
  advance(now);
  if (level_ > 0) level_ = std::max<std::int64_t>(level_ - amount(n) * kUnits, 0);
}

std::int64_t Bucket::share_left_micros(Instant now) {
  advance(now);
  return limited() ? share_micros(level_, most()) : kMicros;
}

}  // namespace shunt::admit
