// Every trip rule and form of open time over every sequence of eight events, against a slow oracle that keeps
// the list of calls and counts it anew each time. Calls that overlap are breaker_model_test's.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/health/breaker_rig.h"

namespace shunt::health {
namespace {

enum class Step { ok, slow, fail, weak, limit, wait };
constexpr int kSteps = 6;
constexpr const char* kNames[kSteps] = {"ok", "slow", "fail", "weak", "limit", "wait"};
constexpr Duration kWait = seconds(20);  // a third of the window, and the base open time
constexpr Duration kFast = seconds(1);
constexpr Duration kSlow = milliseconds(1001);

struct Past {
  std::int64_t at_ms;
  bool failed;
  bool slow;
};

struct Oracle {
  BreakerPolicy policy;
  std::int64_t now = 0;
  enum { well, out, trying, stuck } state = well;
  std::vector<Past> calls;  // since it was last well
  std::int64_t end = 0;
  std::uint32_t in_a_row = 0;
  int opened = 0;
  Trip why = Trip::none;

  // Calls of the last minute: all, failed, slow.
  std::uint32_t recent(bool failed, bool slow) const {
    return static_cast<std::uint32_t>(std::count_if(calls.begin(), calls.end(), [&](const Past& c) {
      return now - c.at_ms < 60'000 && (!failed || c.failed) && (!slow || c.slow);
    }));
  }
  // The p99 by sorting: the value at rank ceil(0.99 n).
  bool p99_is_slow() const {
    std::vector<int> sorted;
    for (const Past& c : calls) {
      if (now - c.at_ms < 60'000) sorted.push_back(c.slow ? 1 : 0);
    }
    std::sort(sorted.begin(), sorted.end());
    return !sorted.empty() && sorted[(sorted.size() * 99 + 99) / 100 - 1] == 1;
  }
  void judge() {
    if (state != well) return;
    const WindowRule& w = policy.window;
    const std::int64_t n = recent(false, false);
    Trip reason = Trip::none;
    if (w.p99_limit.ms > 0 && n >= w.p99_min_calls && p99_is_slow()) reason = Trip::p99;
    if (n > 0 && n >= w.min_calls) {
      if (w.slow_rate_micros > 0 && recent(false, true) * 1'000'000LL >= w.slow_rate_micros * n)
        reason = Trip::slow_rate;
      if (w.failure_rate_micros > 0 && recent(true, false) * 1'000'000LL >= w.failure_rate_micros * n)
        reason = Trip::failure_rate;
    }
    if (policy.consecutive.failures > 0 && in_a_row >= policy.consecutive.failures)
      reason = Trip::consecutive;
    if (reason != Trip::none) go_out(reason);
  }
  void go_out(Trip reason) {
    why = reason;
    if (policy.open.form == OpenTime::Form::manual) {
      state = stuck;
      return;
    }
    state = out;
    std::int64_t span = policy.open.base.ms;
    for (int i = 0; policy.open.form == OpenTime::Form::growing && i < opened; ++i)
      span = std::min(span * policy.open.factor, policy.open.cap.ms);
    ++opened;
    end = now + span;
  }
  void time_passes(std::int64_t ms) {
    now += ms;
    if (state == out && now >= end) state = trying;
  }
  void call(Step step) {
    judge();
    if (state == out || state == stuck) return;
    const bool failed = step == Step::fail || step == Step::weak || step == Step::limit;
    const bool hard = step == Step::fail;
    if (state == trying) {
      if (hard) ++in_a_row;
      if (failed && step != Step::limit) go_out(Trip::probe);
      if (failed) return;
      state = well;
      calls.clear();
      in_a_row = 0;
      opened = 0;
      return;
    }
    if (step != Step::limit) calls.push_back({now, failed, step == Step::slow});
    if (hard) ++in_a_row;
    if (!failed) in_a_row = 0;
    judge();
  }
  State expected() const {
    constexpr State kStatesOf[] = {State::closed, State::open, State::half_open, State::latched};
    return kStatesOf[state];
  }
};

void take(BreakerRig& rig, Oracle& oracle, Step step) {
  if (step == Step::wait) {
    rig.wait(kWait);
    oracle.time_passes(kWait.ms);
    return;
  }
  oracle.call(step);
  rig.breaker.review(rig.policy, rig.next());
  if (rig.availability() == Availability::out) return;
  Call call = rig.begin();
  call.first_byte = call.response = step == Step::slow ? kSlow : kFast;
  if (step == Step::ok || step == Step::slow) {
    rig.ok(call);
  } else {
    rig.fail(call, step == Step::fail   ? Penalty::normal
                   : step == Step::weak ? Penalty::weak
                                        : Penalty::cooldown);
    rig.breaker.give_back(call.order);
  }
}

bool agree(const BreakerRig& rig, const Oracle& oracle) {
  if (rig.state() != oracle.expected() || rig.breaker.failures() != oracle.in_a_row) return false;
  if (rig.breaker.trip() != oracle.why) return false;
  return oracle.state != Oracle::out || rig.until().ms == oracle.end;
}

std::string explore(const BreakerRig& rig, const Oracle& oracle, int depth, const std::string& path,
                    std::uint32_t& reasons) {
  if (!agree(rig, oracle)) return path;
  reasons |= 1U << static_cast<unsigned>(rig.breaker.trip());
  if (depth == 0) return {};
  for (int i = 0; i < kSteps; ++i) {
    BreakerRig next = rig;
    Oracle same = oracle;
    take(next, same, static_cast<Step>(i));
    std::string failed = explore(next, same, depth - 1, path + kNames[i] + " ", reasons);
    if (!failed.empty()) return failed;
  }
  return {};
}

// Rules scaled so that each fires within eight events, and the reasons that must have been seen.
struct Row {
  const char* name;
  BreakerPolicy policy;
  std::vector<Trip> reasons;
};

BreakerPolicy base() {
  BreakerPolicy p;
  p.consecutive.counts = Penalties{} | Penalty::normal | Penalty::long_;
  p.open.base = kWait;
  return p;
}

Row failure_rate() {
  BreakerPolicy p = base();
  p.window = failure_rate_above(500'000, seconds(60), 3);
  return {"failure rate", p, {Trip::failure_rate, Trip::probe}};
}

Row slow_rate() {
  BreakerPolicy p = base();
  p.window = failure_rate_above(1'000'000, seconds(60), 2);
  p.window.slow_after = kFast;
  p.window.slow_rate_micros = 500'000;
  return {"slow rate", p, {Trip::slow_rate, Trip::probe}};
}

Row three_layer() {
  BreakerPolicy p = preset_policy(Preset::three_layer);
  p.consecutive.failures = 3;
  p.window.min_calls = 4;
  p.window.failure_rate_micros = above(400'000);
  p.window.p99_limit = kFast;
  p.window.p99_min_calls = 5;
  p.open.base = kWait;
  return {"three layers", p, {Trip::consecutive, Trip::failure_rate, Trip::p99, Trip::probe}};
}

Row growing() {
  BreakerPolicy p = base();
  p.consecutive.failures = 2;
  p.open.form = OpenTime::Form::growing;
  p.open.factor = 2;
  p.open.cap = seconds(60);
  return {"growing", p, {Trip::consecutive, Trip::probe}};
}

Row manual() {
  BreakerPolicy p = preset_policy(Preset::latched);
  p.window = failure_rate_above(500'000, seconds(60), 4);
  return {"manual", p, {Trip::consecutive, Trip::failure_rate}};
}

TEST(BreakerRules, EverySequenceOfEightEventsAgreesWithTheOracle) {
  for (const Row& row : {failure_rate(), slow_rate(), three_layer(), growing(), manual()}) {
    BreakerRig rig;
    rig.policy = row.policy;
    Oracle oracle;
    oracle.policy = row.policy;
    std::uint32_t seen = 0;
    EXPECT_EQ(explore(rig, oracle, 8, "", seen), "") << row.name;
    for (const Trip reason : row.reasons)
      EXPECT_NE(seen & 1U << static_cast<unsigned>(reason), 0U) << row.name << ": " << name_of(reason);
  }
}

}  // namespace
}  // namespace shunt::health
