// A breaker under a clock and an order of events that the test moves by hand.
#pragma once

#include "health/breaker.h"

namespace shunt::health {

inline constexpr Duration kLease = seconds(5);

struct BreakerRig {
  BreakerPolicy policy;
  CooldownPolicy cooldown;
  Breaker breaker;
  Instant now{0};
  std::uint64_t order = 0;

  Moment next() { return {now, ++order}; }
  void wait(Duration span) { now = now + span; }
  State state() const { return breaker.state(now); }
  Availability availability() const { return breaker.access(policy, now).availability; }
  Instant until() const { return breaker.access(policy, now).until; }

  // An ordinary call, or a probe when the breaker is half-open with a free permit.
  Call begin() {
    const bool probe = availability() == Availability::probe;
    const Moment at = next();
    if (probe) breaker.lend(at, now + kLease);
    return {at.order, false, {}, {}};
  }
  Call begin_early() { return {next().order, true, {}, {}}; }
  void ok(const Call& call) { breaker.succeed(policy, call, next()); }
  void fail(const Call& call, Penalty penalty = Penalty::normal) {
    breaker.fail(policy, call, penalty, next());
  }
  void hold(const Call& call, std::optional<Duration> stated = std::nullopt) {
    breaker.hold(cooldown, call, stated, next());
  }
  void ok() { ok(begin()); }
  void fail(Penalty penalty = Penalty::normal) { fail(begin(), penalty); }
  void slow_ok(Duration first_byte) {
    Call call = begin();
    call.first_byte = first_byte;
    ok(call);
  }
  void answers_in(Duration response) {
    Call call = begin();
    call.response = response;
    ok(call);
  }
  void fail_times(int times) {
    for (int i = 0; i < times; ++i) fail();
  }
};

inline BreakerRig rig_of(Preset preset) {
  BreakerRig rig;
  rig.policy = preset_policy(preset);
  return rig;
}

}  // namespace shunt::health
