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
  return rate_micros > 0 &&
         static_cast<std::int64_t>(part) * 1'000'000 >= rate_micros * static_cast<std::int64_t>(calls);
}

}  // namespace

std::string_view name_of(State state) {
  switch (state) {
    case State::closed: return "closed";
    case State::open: return "open";
    case State::half_open: return "half_open";
    case State::latched: return "latched";
    case State::forced_open: return "forced_open";
    case State::disabled: return "disabled";
    case State::metrics_only: return "metrics_only";
  }
  return "closed";
}

std::string_view name_of(Event event) {
  switch (event) {
    case Event::tripped: return "tripped";
    case Event::latched: return "latched";
    case Event::held: return "held";
    case Event::ended: return "ended";
    case Event::probe_failed: return "probe_failed";
    case Event::recovered: return "recovered";
    case Event::reset: return "reset";
    case Event::force_open: return "force_open";
    case Event::disable: return "disable";
    case Event::metrics_only: return "metrics_only";
  }
  return "reset";
}

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

void Breaker::restore(const BreakerFacts& facts, std::uint64_t order) {
  facts_ = facts;
  generation_ = last_failure_ = last_opened_ = last_held_ = order;
  probe_successes_ = 0;
  leases_.clear();
  window_.reset();
}

std::size_t Breaker::memory() const {
  return leases_.capacity() * sizeof(Lease) + (window_ ? window_->memory() : 0);
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
  if (window_) window_->clear();
}

void Breaker::record(const BreakerPolicy& policy, const Call& call, bool failed, Instant now) {
  if (!policy.window.on()) return;
  if (!window_) window_.emplace(policy.window.span);
  const bool slow = policy.window.slow_after.ms > 0 && call.first_byte > policy.window.slow_after;
  window_->record(now, failed, slow);
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

void Breaker::trip(const BreakerPolicy& policy, Moment at) {
  Trip reason = Trip::none;
  if (policy.consecutive.failures > 0 && facts_.failures >= policy.consecutive.failures) {
    reason = Trip::consecutive;
  } else if (window_) {
    const Tally t = window_->tally(at.now);
    if (t.calls < policy.window.min_calls) return;
    if (reaches(t.failures, t.calls, policy.window.failure_rate_micros)) {
      reason = Trip::failure_rate;
    } else if (reaches(t.slow, t.calls, policy.window.slow_rate_micros)) {
      reason = Trip::slow_rate;
    }
  }
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
