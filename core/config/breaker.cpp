// The keys of a breaker: a preset, and single rules that depart from it. Which rules there are is health's.
#include <array>

#include "config/drafts.h"
#include "config/values.h"

namespace shunt::config {
namespace {

using health::BreakerPolicy;
using health::OpenTime;
using health::Preset;
using health::Rung;

// A preset, and what departs from it.
struct Departures {
  Preset preset = Preset::stepped;
  std::optional<std::uint32_t> consecutive_failures;
  std::optional<Duration> window;
  std::optional<std::uint32_t> min_calls;
  std::optional<std::int64_t> failure_rate;  // millionths
  std::optional<Duration> slow_after;
  std::optional<std::int64_t> slow_rate;  // millionths
  std::optional<Duration> p99;
  std::optional<std::uint32_t> p99_min_calls;
  std::optional<bool> outlier;
  std::optional<Duration> open;
  std::optional<std::int64_t> growth;
  std::optional<Duration> open_most;
  std::optional<std::array<Rung, 4>> ladder;
  std::optional<bool> manual;
  std::optional<std::uint32_t> permits;
  std::optional<std::uint32_t> probe_thinning;
};
using B = Departures;

constexpr std::int64_t kWindowMost = 600'000;  // health keeps 60 buckets over at most 10 minutes
constexpr std::int64_t kOpenMost = 24LL * 3600 * 1000;
constexpr std::int64_t kOne = 1'000'000;
constexpr std::int64_t kLeastRate = 1000;  // 0.001: a rate of 0 would open on any failure

// A window that is too short sees nothing, one that is too long forgets nothing.
void read_window(Reader& in, B& into) {
  const std::uint64_t at = in.at();
  const std::string found = in.found();
  const auto value = in.integer(1000, kWindowMost);
  if (!value) return;
  if (*value <= 10'000)
    in.report().warn(at, found, "a window of 10 s or less sees too few calls to judge by");
  if (*value >= 300'000)
    in.report().warn(at, found, "a window of 5 min or more keeps a line out for what is long over");
  into.window = milliseconds(*value);
}

constexpr auto kRung = table<Rung>({
    {"failures", integer<&Rung::failures>(range<1, 100'000>), Stand::required},
    {"factor", integer<&Rung::factor>(range<1, 10'000>), Stand::required},
});

void read_ladder(Reader& in, B& into) {
  const std::uint64_t at = in.at();
  if (!in.enter_array()) return;
  std::array<Rung, 4> rungs{};
  std::size_t count = 0;
  while (in.next_element()) {
    if (count == rungs.size()) {
      in.wrong("at most 4 steps");
      continue;
    }
    const std::uint64_t rung_at = in.at();
    read_object(in, rungs[count], kRung);
    if (count > 0 && rungs[count].failures <= rungs[count - 1].failures) {
      in.report().fault(rung_at, "a step not above the one before it", "steps ascending by failures");
    }
    ++count;
  }
  if (count == 0) in.report().fault(at, "an empty list", "1 to 4 steps");
  into.ladder = rungs;
}

constexpr auto kBreaker = table<B>({
    {"preset", word<&B::preset>("stepped three_layer window_50 latched hystrix")},
    {"consecutive_failures", integer<&B::consecutive_failures>(range<0, 100'000>)},
    {"window_ms", own<read_window>()},
    {"min_calls", integer<&B::min_calls>(range<1, 100'000>)},
    {"failure_rate", micros<&B::failure_rate>(range<kLeastRate, kOne>)},
    {"slow_after_ms", integer<&B::slow_after>(range<1, 3'600'000>)},
    {"slow_rate", micros<&B::slow_rate>(range<kLeastRate, kOne>)},
    {"p99_ms", integer<&B::p99>(range<1, 3'600'000>)},
    {"p99_min_calls", integer<&B::p99_min_calls>(range<1, 100'000>)},
    {"outlier", flag<&B::outlier>()},
    {"open_ms", integer<&B::open>(range<1, kOpenMost>)},
    {"open_factor", integer<&B::growth>(range<1, 100>)},
    {"open_most_ms", integer<&B::open_most>(range<1, kOpenMost>)},
    {"ladder", own<read_ladder>()},
    {"recovery", word<&B::manual>("half_open manual")},
    {"half_open_permits", integer<&B::permits>(range<1, health::kMaxPermits>)},
    {"probe_thinning", integer<&B::probe_thinning>(range<1, 1000>)},
});

OpenTime open_time_of(const B& draft, OpenTime open) {
  if (draft.open) open.base = *draft.open;
  if (draft.open_most) open.cap = *draft.open_most;
  if (draft.growth) {
    open.form = OpenTime::Form::growing;
    open.factor = *draft.growth;
  } else if (draft.ladder) {
    open.form = OpenTime::Form::ladder;
    open.rungs = *draft.ladder;
  }
  if (draft.manual) {
    if (*draft.manual) open.form = OpenTime::Form::manual;
    if (!*draft.manual && open.form == OpenTime::Form::manual) open.form = OpenTime::Form::fixed;
  }
  return open;
}

BreakerPolicy policy_of(const B& draft) {
  BreakerPolicy policy = health::preset_policy(draft.preset);
  constexpr health::Penalties kHard = health::Penalties{} | Penalty::normal | Penalty::long_;
  if (draft.consecutive_failures) policy.consecutive.failures = *draft.consecutive_failures;
  if (policy.consecutive.counts == health::Penalties{}) policy.consecutive.counts = kHard;

  const bool windowed =
      draft.window || draft.failure_rate || draft.slow_rate || draft.p99 || draft.outlier.value_or(false);
  if (windowed && !policy.window.on()) policy.window = health::failure_rate_above(kOne, seconds(60), 10);
  if (draft.window) policy.window.span = *draft.window;
  if (draft.min_calls) policy.window.min_calls = *draft.min_calls;
  if (draft.failure_rate) policy.window.failure_rate_micros = health::above(*draft.failure_rate);
  if (draft.slow_after) policy.window.slow_after = *draft.slow_after;
  if (draft.slow_rate) policy.window.slow_rate_micros = health::above(*draft.slow_rate);
  if (draft.p99) policy.window.p99_limit = *draft.p99;
  if (draft.p99_min_calls) policy.window.p99_min_calls = *draft.p99_min_calls;
  if (draft.outlier) policy.window.outlier = *draft.outlier ? health::kOutlier : health::OutlierRule{};

  policy.open = open_time_of(draft, policy.open);
  if (draft.permits) policy.half_open_permits = *draft.permits;
  if (draft.probe_thinning) policy.probe_thinning = *draft.probe_thinning;
  return policy;
}

}  // namespace

void read_breaker(Reader& in, BreakerDraft& into) {
  const std::uint64_t at = in.at();
  B draft;
  if (read_object(in, draft, kBreaker) == kNoObject) return;
  if (draft.growth && draft.ladder) {
    in.report().fault(at, "open_factor and ladder together", "one of the two: growing or by steps");
  }
  into = policy_of(draft);
}

}  // namespace shunt::config
