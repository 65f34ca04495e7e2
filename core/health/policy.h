// What takes a line out, and for how long: values only. Knows no clock, line or configuration text.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "base/rng.h"
#include "base/time.h"
#include "canonical/failure.h"

namespace shunt::health {

// An end that has always been over, whatever the origin of the host's clock.
inline constexpr Instant kPast{std::numeric_limits<std::int64_t>::min()};

enum class Preset : std::uint8_t { stepped, three_layer, window_50, latched, hystrix };
inline constexpr int kPresets = 5;

constexpr std::string_view name_of(Preset p) {
  switch (p) {
    case Preset::stepped: return "stepped";
    case Preset::three_layer: return "three_layer";
    case Preset::window_50: return "window_50";
    case Preset::latched: return "latched";
    case Preset::hystrix: return "hystrix";
  }
  return "stepped";
}

// A set of penalties: which failures a rule counts.
struct Penalties {
  std::uint8_t bits = 0;
  constexpr bool has(Penalty p) const { return ((bits >> static_cast<unsigned>(p)) & 1U) != 0; }
  friend constexpr bool operator==(const Penalties&, const Penalties&) = default;
};
constexpr Penalties operator|(Penalties a, Penalty b) {
  return {static_cast<std::uint8_t>(a.bits | (1U << static_cast<unsigned>(b)))};
}

// Failures in a row that open; 0 = rule off, the failures are counted all the same.
struct ConsecutiveRule {
  std::uint32_t failures = 0;
  Penalties counts;
  friend constexpr bool operator==(const ConsecutiveRule&, const ConsecutiveRule&) = default;
};

// A line that does worse than its siblings: its success rate over at least `min_calls` lies below the mean of
// the others' by more than `factor_milli` / 1000 of their standard deviation. 0 calls = rule off.
struct OutlierRule {
  std::uint32_t min_calls = 0;
  std::int64_t factor_milli = 1900;              // Envoy's
  std::int64_t least_deviation_micros = 50'000;  // siblings that agree to the call are no yardstick
  friend constexpr bool operator==(const OutlierRule&, const OutlierRule&) = default;
};
inline constexpr OutlierRule kOutlier{.min_calls = 10};

// Rates over a sliding window that open at or above a threshold; a threshold of 0 = rule off. A call is slow
// when its first byte took longer than `slow_after` (a plain answer's head comes with its end). The p99 is of
// the time to the first token of streams, to the end of plain answers.
struct WindowRule {
  Duration span;
  std::uint32_t min_calls = 1;
  std::int64_t failure_rate_micros = 0;
  Duration slow_after;
  std::int64_t slow_rate_micros = 0;
  Duration p99_limit;
  std::uint32_t p99_min_calls = 20;
  OutlierRule outlier;
  Penalties counts;

  constexpr bool on() const {
    return failure_rate_micros > 0 || slow_rate_micros > 0 || p99_limit.ms > 0 || outlier.min_calls > 0;
  }
  friend constexpr bool operator==(const WindowRule&, const WindowRule&) = default;
};

// "More than this rate" as a threshold: one micro above it, exact for windows of less than a million calls.
constexpr std::int64_t above(std::int64_t rate_micros) { return rate_micros + 1; }

// One step of a ladder: from so many failures on, the base open time times `factor`; 0 failures = no step.
struct Rung {
  std::uint32_t failures = 0;
  std::int64_t factor = 1;
  friend constexpr bool operator==(const Rung&, const Rung&) = default;
};

// How long a tripped breaker stays open. `manual` latches until an operator resets it.
struct OpenTime {
  enum class Form : std::uint8_t { fixed, growing, ladder, manual };
  Form form = Form::fixed;
  Duration base = seconds(60);
  std::int64_t factor = 2;      // growing: per opening in a row
  Duration cap = seconds(600);  // growing
  std::array<Rung, 4> rungs{};  // ladder: ascending by failures
  friend constexpr bool operator==(const OpenTime&, const OpenTime&) = default;
};

struct BreakerPolicy {
  ConsecutiveRule consecutive;
  WindowRule window;
  OpenTime open;
  std::uint32_t half_open_permits = 1;  // this many probe successes close; one probe failure opens
  // Failures of calls begun before the breaker opened climb the ladder; the other presets drop them.
  bool late_failures_climb = false;
  Duration first_byte;  // a stream's limit where configuration sets none for the line; 0 = the general one
  std::int64_t concurrency = 0;      // … calls at once; 0 = no cap
  std::uint32_t probe_thinning = 8;  // where no store grants leases, 1 exchange in so many may probe

  friend constexpr bool operator==(const BreakerPolicy&, const BreakerPolicy&) = default;
};

inline constexpr std::uint32_t kMaxPermits = 16;

constexpr WindowRule failure_rate_above(std::int64_t rate_micros, Duration span, std::uint32_t min_calls) {
  WindowRule rule;
  rule.span = span;
  rule.min_calls = min_calls;
  rule.failure_rate_micros = above(rate_micros);
  rule.counts = Penalties{} | Penalty::weak | Penalty::normal | Penalty::long_;
  return rule;
}

constexpr BreakerPolicy preset_policy(Preset preset) {
  constexpr Penalties hard = Penalties{} | Penalty::normal | Penalty::long_;
  constexpr Penalties any = hard | Penalty::weak | Penalty::cooldown;
  BreakerPolicy p;
  switch (preset) {
    case Preset::stepped:
      p.consecutive = {.failures = 3, .counts = any};
      p.open.form = OpenTime::Form::ladder;
      p.open.rungs = {{{3, 1}, {10, 10}, {20, 60}, {50, 120}}};
      p.late_failures_climb = true;
      break;
    case Preset::three_layer:
      p.consecutive = {.failures = 5, .counts = hard};
      p.window = failure_rate_above(100'000, seconds(60), 10);
      p.window.p99_limit = seconds(8);
      break;
    case Preset::window_50:
      p.consecutive.counts = hard;
      p.window = failure_rate_above(500'000, seconds(60), 10);
      p.open.base = seconds(30);
      break;
    case Preset::latched:
      p.consecutive = {.failures = 3, .counts = hard};
      p.open.form = OpenTime::Form::manual;
      break;
    case Preset::hystrix:
      p.consecutive.counts = hard;
      p.window = failure_rate_above(300'000, seconds(300), 20);
      p.open.base = seconds(30);
      p.first_byte = milliseconds(500);
      p.concurrency = 50;
      break;
  }
  return p;
}

// "Not before T": stated waits up to a cap, else an adaptive backoff under consecutive rate limits.
struct CooldownPolicy {
  Duration base = seconds(1);
  Duration backoff_cap = seconds(60);
  std::uint32_t jitter_permille = 200;    // ± of the backoff, so that isolates part
  Duration stated_cap = seconds(3600);    // a rate limit that says "3 days" is not believed further
  Duration long_base = seconds(600);      // the long penalty, doubling …
  Duration long_cap = seconds(6 * 3600);  // … up to here
  Duration long_stated_cap = seconds(31 * 24 * 3600);  // a quota's stated reset: a billing month

  friend constexpr bool operator==(const CooldownPolicy&, const CooldownPolicy&) = default;
};

// Whether an exchange with this seed may probe where nobody grants leases.
constexpr bool drawn_to_probe(const BreakerPolicy& policy, std::uint64_t seed) {
  return policy.probe_thinning <= 1 || draw_below(seed, Draw::probe_thinning, 0, policy.probe_thinning) == 0;
}

}  // namespace shunt::health
