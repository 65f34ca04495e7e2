// Which fault a call meets.
#include "sim/weather.h"

#include <algorithm>

namespace shunt::sim {
namespace {

constexpr std::int64_t kStretchMs = 20'000;  // as long as a drawn spell lasts
constexpr Throttle kStormThrottle{2, 3};     // of a line while it throttles

constexpr Fault kOfProviders[] = {Fault::throttle,  Fault::brownout, Fault::outage,    Fault::stall,
                                  Fault::cut,       Fault::lie,      Fault::quota_end, Fault::dead_key,
                                  Fault::emptiness, Fault::slowness, Fault::slow_start};

}  // namespace

std::optional<Duration> Weather::wait_of(const Asked& asked, const Throttle& throttle, std::int64_t now_ms) {
  Bucket& bucket = buckets_[{asked.line, asked.slot}];
  const std::int64_t full = throttle.burst * 1000;
  if (!bucket.begun) bucket = {full, now_ms, true};
  bucket.milli = std::min(full, bucket.milli + (now_ms - bucket.at_ms) * throttle.per_s);
  bucket.at_ms = now_ms;
  if (bucket.milli >= 1000) {
    bucket.milli -= 1000;
    return std::nullopt;
  }
  return Duration{(1000 - bucket.milli + throttle.per_s - 1) / throttle.per_s};
}

// A call that meets the limit is refused and uses nothing of it.
Reply Weather::within(const HardLimit& limit, const Asked& asked, std::int64_t now_ms, Dice& dice) {
  constexpr std::int64_t kMinuteMs = 60'000;
  constexpr std::int64_t kPhaseMs = 17'000;  // windows begin when they like
  Bucket& bucket = limits_[{asked.line, asked.slot}];
  const std::int64_t most = limit.window ? limit.per_minute : limit.burst;
  const std::int64_t full = most * kMinuteMs;
  if (!bucket.begun) bucket = {full, now_ms, true};
  const auto window = [](std::int64_t ms) { return (ms + kPhaseMs) / kMinuteMs; };
  if (limit.window) {
    if (window(now_ms) > window(bucket.at_ms)) bucket.milli = full;
  } else {
    bucket.milli = std::min(full, bucket.milli + (now_ms - bucket.at_ms) * limit.per_minute);
  }
  bucket.at_ms = now_ms;
  const bool fits = bucket.milli >= kMinuteMs;
  if (fits) bucket.milli -= kMinuteMs;
  Reply reply = fits ? good_answer(asked.call, dice) : sim::limited(asked.call, dice);
  if (!limit.tells) return reply;
  const std::int64_t reset_ms = limit.window
                                    ? (window(now_ms) + 1) * kMinuteMs - kPhaseMs - now_ms
                                    : (full - bucket.milli + limit.per_minute - 1) / limit.per_minute;
  reply.headers += "x-ratelimit-limit-requests: " + std::to_string(most) +
                   "\nx-ratelimit-remaining-requests: " + std::to_string(bucket.milli / kMinuteMs) +
                   "\nx-ratelimit-reset-requests: " + std::to_string(reset_ms) + "ms\n";
  return reply;
}

std::optional<Fault> Weather::fault_at(const Asked& asked, std::int64_t now_ms, Dice& dice) const {
  for (const Spell& spell : climate_.spells) {
    const bool of_isolate = !spell.isolate || *spell.isolate == asked.isolate;
    const bool here =
        of_isolate && spell.line == asked.line && now_ms >= spell.from_ms && now_ms < spell.to_ms;
    if (here && faults_.has(spell.fault) && dice.permille(spell.permille)) return spell.fault;
  }
  if (!climate_.stormy) return std::nullopt;
  const auto stretch = static_cast<std::uint64_t>(now_ms / kStretchMs);
  Dice of_stretch(seed_, Luck::weather, {asked.line, stretch});
  if (of_stretch.below(5) >= 2) return std::nullopt;
  const Fault fault = of_stretch.of(kOfProviders);
  static constexpr std::uint64_t kShares[] = {30, 100, 300, 1000, 1000};
  // A dead key or an empty account is one key's.
  const bool of_key = fault == Fault::quota_end || fault == Fault::dead_key;
  const std::uint64_t share = of_stretch.of(kShares);
  if (!faults_.has(fault) || (of_key && of_stretch.below(2) != asked.slot % 2)) return std::nullopt;
  if (!dice.permille(share)) return std::nullopt;
  return fault;
}

Reply Weather::answer(const Asked& asked, std::int64_t now_ms) {
  Dice dice(seed_, Luck::answer, {asked.exchange, asked.attempt});
  if (asked.line < climate_.throttles.size() && climate_.throttles[asked.line].per_s > 0 &&
      faults_.has(Fault::throttle)) {
    if (const auto wait = wait_of(asked, climate_.throttles[asked.line], now_ms))
      return throttled(asked.call, *wait, dice);
  }
  if (asked.line < climate_.limits.size() && climate_.limits[asked.line].per_minute > 0)
    return within(climate_.limits[asked.line], asked, now_ms, dice);
  const auto fault = fault_at(asked, now_ms, dice);
  if (!fault) return good_answer(asked.call, dice);
  if (*fault != Fault::throttle) return bad_answer(*fault, asked.call, dice);
  if (const auto wait = wait_of(asked, kStormThrottle, now_ms)) return throttled(asked.call, *wait, dice);
  return good_answer(asked.call, dice);
}

}  // namespace shunt::sim
