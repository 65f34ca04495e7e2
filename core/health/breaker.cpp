// The breaker's rules. Outside closed only a leased probe speaks; what else arrives there is late.
#include "health/breaker.h"

#include <algorithm>

#include "base/check.h"

namespace shunt::health {
namespace {

constexpr std::uint32_t kMaxFailures = 1'000'000'000;
constexpr std::uint16_t kMaxOpenings = 1000;
constexpr std::uint8_t kMaxLongLevel = 32;

// How many steps of the ladder so many failures have reached.
std::size_t rung_of(const OpenTime& open, std::uint32_t failures) {
  std::size_t reached = 0;
  while (reached < open.rungs.size() && open.rungs[reached].failures != 0 &&
         failures >= open.rungs[reached].failures) {
    ++reached;
  }
  return reached;
}

bool reaches(std::uint32_t part, std::uint32_t calls, std::int64_t rate_micros) {
  return rate_micros > 0 && calls > 0 &&
         static_cast<std::int64_t>(part) * 1'000'000 >= rate_micros * static_cast<std::int64_t>(calls);
}

}  // namespace

Duration open_time(const OpenTime& open, std::uint32_t failures, std::uint32_t openings) {
  switch (open.form) {
    case OpenTime::Form::fixed: return open.base;
    case OpenTime::Form::growing: {
      Duration span = open.base;
      const std::int64_t factor = std::max<std::int64_t>(open.factor, 1);
      for (std::uint32_t i = 1; i < openings && span < open.cap; ++i) {
        span = span.ms > open.cap.ms / factor ? open.cap : span * factor;
      }
      return span;
    }
    case OpenTime::Form::ladder: {
      // A probe can fail below the first rung (after a long penalty): that rung is the least.
      const std::size_t reached = rung_of(open, failures);
      return open.base * open.rungs[reached == 0 ? 0 : reached - 1].factor;
    }
    case OpenTime::Form::manual: break;
  }
  return open.base;
}

State Breaker::state(Instant now) const {
  const bool over = facts_.state == State::open && now >= std::max(facts_.rule_end, facts_.long_end);
  return over ? State::half_open : facts_.state;
}

std::uint32_t Breaker::permits(const BreakerPolicy& policy) const {
  // After a long penalty there is one leased probe, whatever the policy says.
  return facts_.trip == Trip::long_penalty ? 1 : std::min(policy.half_open_permits, kMaxPermits);
}

Access Breaker::access(const BreakerPolicy& policy, Instant now) const {
  switch (state(now)) {
    case State::closed:
    case State::disabled:
    case State::metrics_only: return {};
    case State::open:
      return {Availability::out, now < facts_.long_end ? Cause::long_penalty : Cause::breaker,
              std::max(facts_.rule_end, facts_.long_end)};
    case State::half_open: {
      std::uint32_t used = probe_successes_;
      Instant first_end = kNever;
      for (const Lease& lease : leases_) {
        if (lease.end <= now) continue;
        ++used;
        first_end = std::min(first_end, lease.end);
      }
      if (used < permits(policy)) return {Availability::probe, Cause::none, now};
      return {Availability::out, Cause::breaker, first_end};
    }
    case State::latched: return {Availability::out, Cause::latch, kNever};
    case State::forced_open: return {Availability::out, Cause::operator_, kNever};
  }
  return {};
}

Instant Breaker::last_lease() const {
  Instant last = kPast;
  for (const Lease& lease : leases_) last = std::max(last, lease.end);
  return last;
}

void Breaker::lend(Moment at, Instant lease_end) {
  settle_time(at);
  CORE_CHECK(facts_.state == State::half_open);
  leases_.erase(
      std::remove_if(leases_.begin(), leases_.end(), [&](const Lease& l) { return l.end <= at.now; }),
      leases_.end());
  leases_.push_back({at.order, lease_end});
}

void Breaker::renew(std::uint64_t call, Instant lease_end) {
  for (Lease& lease : leases_) {
    if (lease.call == call) lease.end = lease_end;
  }
}

bool Breaker::take_lease(std::uint64_t call) {
  for (auto lease = leases_.begin(); lease != leases_.end(); ++lease) {
    if (lease->call != call) continue;
    leases_.erase(lease);
    return true;
  }
  return false;
}

void Breaker::give_back(std::uint64_t call) { take_lease(call); }

void Breaker::succeed(const BreakerPolicy& policy, const Call& call, Moment at) {
  settle_time(at);
  switch (facts_.state) {
    case State::closed:
      observe_success(policy, call, at);
      trip(policy, at);
      return;
    case State::metrics_only: observe_success(policy, call, at); return;
    case State::open:
    case State::half_open: {
      const bool last_permit = take_lease(call.order) && ++probe_successes_ >= permits(policy);
      const bool early = call.leased && call.order > last_opened_ && call.order > last_held_;
      if ((last_permit || early) && apply(Event::recovered, at.order)) start_anew();
      return;
    }
    case State::latched:
    case State::forced_open:
    case State::disabled: return;
  }
}

void Breaker::fail(const BreakerPolicy& policy, const Call& call, Penalty penalty, Moment at) {
  settle_time(at);
  switch (facts_.state) {
    case State::closed:
      observe_failure(policy, call, penalty, at);
      trip(policy, at);
      return;
    case State::metrics_only: observe_failure(policy, call, penalty, at); return;
    case State::open:
    case State::half_open: {
      const bool permit = take_lease(call.order);
      const bool counts = policy.consecutive.counts.has(penalty);
      if (counts && (permit || policy.late_failures_climb)) {
        count(at);
        climb(policy, at);
      }
      // A rate limit that the policy does not count says nothing of the line's health: the permit comes back.
      const bool speaks = counts || penalty != Penalty::cooldown;
      if (permit && speaks) open(policy, Event::probe_failed, Trip::probe, at);
      return;
    }
    case State::latched:
    case State::forced_open:
    case State::disabled: return;
  }
}

void Breaker::hold(const CooldownPolicy& policy, const Call& call, std::optional<Duration> stated,
                   Moment at) {
  settle_time(at);
  const bool closed = facts_.state == State::closed;
  if (!closed && facts_.state != State::open && facts_.state != State::half_open) return;
  if (closed && call.order < generation_) return;
  Duration span = policy.long_base;
  if (stated && stated->ms > 0) {
    span = std::min(*stated, policy.long_stated_cap);
  } else {
    const bool known = facts_.long_level > 0 && call.order < last_held_;
    if (known) return;
    for (int i = 0; i < facts_.long_level && span < policy.long_cap; ++i) span = span * 2;
    span = std::min(span, policy.long_cap);
    if (facts_.long_level < kMaxLongLevel) ++facts_.long_level;
  }
  facts_.long_end = std::max(facts_.long_end, at.now + span);
  facts_.trip = Trip::long_penalty;
  last_held_ = at.order;
  apply(Event::held, at.order);
}

void Breaker::order(Event event, Moment at) {
  settle_time(at);
  apply(event, at.order);
  if (event == Event::reset) start_anew();
}

void Breaker::lift(bool latched_beneath, Moment at) {
  const State was = facts_.state;
  if (was != State::forced_open && was != State::disabled && was != State::metrics_only) return;
  apply(Event::reset, at.order);
  if (latched_beneath) {
    apply(Event::latched, at.order);
  } else if (at.now < std::max(facts_.rule_end, facts_.long_end)) {
    apply(Event::held, at.order);
  } else {
    start_anew();
  }
}

void Breaker::review(const BreakerPolicy& policy, Moment at) {
  settle_time(at);
  if (facts_.state == State::closed) trip(policy, at);
}

void Breaker::eject(const BreakerPolicy& policy, Moment at) {
  settle_time(at);
  if (facts_.state == State::closed) open(policy, Event::tripped, Trip::outlier, at);
}

void Breaker::hear(const Told& told, Moment at) {
  const bool longer =
      told.rule_end > std::max(facts_.rule_end, at.now) || told.long_end > std::max(facts_.long_end, at.now);
  const bool latch = told.latched && facts_.state != State::latched;
  if (!longer && !latch) return;
  settle_time(at);
  facts_.trip = told.long_end > facts_.long_end ? Trip::long_penalty : Trip::told;
  facts_.rule_end = std::max(facts_.rule_end, told.rule_end);
  facts_.long_end = std::max(facts_.long_end, told.long_end);
  last_opened_ = last_held_ = at.order;
  apply(latch ? Event::latched : Event::held, at.order);
}

void Breaker::forget(Moment at) {
  settle_time(at);
  facts_.rule_end = facts_.long_end = kPast;
  if (facts_.state != State::open && facts_.state != State::half_open && facts_.state != State::latched)
    return;
  apply(Event::reset, at.order);
  start_anew();
}

void Breaker::restore(const BreakerFacts& facts, std::uint64_t order) {
  facts_ = facts;
  generation_ = last_failure_ = last_opened_ = last_held_ = order;
  probe_successes_ = 0;
  leases_.clear();
  window_.clear();
}

std::size_t Breaker::memory() const {
  return leases_.capacity() * sizeof(Lease) + window_.capacity() * sizeof(TimeWindow);
}

void Breaker::settle_time(Moment at) {
  if (facts_.state != state(at.now)) apply(Event::ended, at.order);
}

bool Breaker::apply(Event event, std::uint64_t order) {
  for (const Transition& row : kTransitions) {
    if (row.from != facts_.state || row.event != event) continue;
    facts_.state = row.to;
    generation_ = order;
    probe_successes_ = 0;
    leases_.clear();
    return true;
  }
  return false;
}

// Well again: nothing of the past counts, only why it last opened stays to be read.
void Breaker::start_anew() {
  const Trip last = facts_.trip;
  const State state = facts_.state;
  facts_ = {};
  facts_.trip = last;
  facts_.state = state;
  if (!window_.empty()) window_[0].clear();
}

void Breaker::record(const BreakerPolicy& policy, const Call& call, bool failed, Instant now) {
  const WindowRule& rule = policy.window;
  if (!rule.on()) return;
  if (window_.empty()) window_.emplace_back(rule.span);
  const auto beyond = [](Duration took, Duration limit) { return limit.ms > 0 && took > limit; };
  window_[0].record(
      now, {failed, beyond(call.first_byte, rule.slow_after), beyond(call.response, rule.p99_limit)});
}

void Breaker::observe_success(const BreakerPolicy& policy, const Call& call, Moment at) {
  if (call.order < generation_) return;
  record(policy, call, false, at.now);
  // A success under way when a failure came says nothing about the line after it.
  if (call.order > last_failure_) facts_.failures = 0;
}

void Breaker::observe_failure(const BreakerPolicy& policy, const Call& call, Penalty penalty, Moment at) {
  if (call.order < generation_) return;
  if (policy.window.counts.has(penalty)) record(policy, call, true, at.now);
  if (policy.consecutive.counts.has(penalty)) count(at);
}

void Breaker::count(Moment at) {
  if (facts_.failures < kMaxFailures) ++facts_.failures;
  last_failure_ = at.order;
}

// The first rule that is met gives the reason.
Trip Breaker::met(const BreakerPolicy& policy, Instant now) {
  if (policy.consecutive.failures > 0 && facts_.failures >= policy.consecutive.failures)
    return Trip::consecutive;
  const WindowRule& rule = policy.window;
  const Tally t = tally(now);
  if (t.calls >= rule.min_calls) {
    if (reaches(t.failures, t.calls, rule.failure_rate_micros)) return Trip::failure_rate;
    if (reaches(t.slow, t.calls, rule.slow_rate_micros)) return Trip::slow_rate;
  }
  // By nearest rank the p99 is over a limit exactly when more than one call in a hundred is: counting is
  // exact where a sketch would be near.
  const bool p99_over = std::uint64_t{t.over} * 100 > t.calls;
  if (t.calls >= rule.p99_min_calls && p99_over) return Trip::p99;
  return Trip::none;
}

void Breaker::trip(const BreakerPolicy& policy, Moment at) {
  const Trip reason = met(policy, at.now);
  if (reason != Trip::none) open(policy, Event::tripped, reason, at);
}

void Breaker::open(const BreakerPolicy& policy, Event event, Trip reason, Moment at) {
  facts_.trip = reason;
  last_opened_ = at.order;
  if (policy.open.form == OpenTime::Form::manual) {
    apply(Event::latched, at.order);
    return;
  }
  if (facts_.openings < kMaxOpenings) ++facts_.openings;
  facts_.rule_end =
      std::max(facts_.rule_end, at.now + open_time(policy.open, facts_.failures, facts_.openings));
  apply(event, at.order);
}

// A failure that reaches a higher rung opens for that rung's time from then on; one on the same rung
// moves no end.
void Breaker::climb(const BreakerPolicy& policy, Moment at) {
  if (facts_.state != State::open) return;
  if (rung_of(policy.open, facts_.failures) == rung_of(policy.open, facts_.failures - 1)) return;
  facts_.rule_end =
      std::max(facts_.rule_end, at.now + open_time(policy.open, facts_.failures, facts_.openings));
  last_opened_ = at.order;
}

}  // namespace shunt::health
