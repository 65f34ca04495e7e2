// One circuit breaker: a state machine over outcomes and the time handed in. Knows no line, scope or store.
//
// Nothing happens by itself: an open breaker whose end has passed reads as half-open, and the call that
// takes a permit makes it so. Order does not come from the clock, which may stand still between two calls,
// but from a counter that the table raises at each begin and settle: a call is late when it began before
// the state it would speak about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "canonical/failure.h"
#include "health/policy.h"
#include "health/states.h"
#include "health/window.h"

namespace shunt::health {

struct Access {
  Availability availability = Availability::ready;
  Cause cause = Cause::none;
  Instant until;  // out: when it may be tried; kNever = not by time
};

// A point in the host's time and in the table's order of events.
struct Moment {
  Instant now;
  std::uint64_t order = 0;
};

// The call an outcome belongs to.
struct Call {
  std::uint64_t order = 0;  // when it began; also the name of its permits
  bool leased = false;      // it holds its line's early-probe lease
  Duration first_byte;      // 0: says nothing of speed
  Duration response;        // to the first token of a stream, to the end of a plain answer
};

// What another isolate knows of a breaker.
struct Told {
  Instant rule_end = kPast;
  Instant long_end = kPast;
  bool latched = false;
};

// What outlives the process. Ends are kept by cause, so a long penalty is never taken for the breaker's
// own rule.
struct BreakerFacts {
  State state = State::closed;
  Trip trip = Trip::none;
  std::uint8_t long_level = 0;  // long penalties in a row
  std::uint16_t openings = 0;   // in a row, for growing open times
  std::uint32_t failures = 0;   // in a row
  Instant rule_end = kPast;
  Instant long_end = kPast;
  friend constexpr bool operator==(const BreakerFacts&, const BreakerFacts&) = default;
};

class Breaker {
 public:
  State state(Instant now) const;
  bool closed() const { return facts_.state == State::closed; }  // then calls pass
  Access access(const BreakerPolicy& policy, Instant now) const;
  std::uint32_t failures() const { return facts_.failures; }
  Trip trip() const { return facts_.trip; }

  Instant last_lease() const;  // the end of the last lease to end; kPast = none

  // The call takes a permit until `lease_end`; access() must read probe. Leases that have expired are
  // reclaimed.
  void lend(Moment at, Instant lease_end);
  void renew(std::uint64_t call, Instant lease_end);
  // A neutral end: the permit comes back, nothing else is learnt.
  void give_back(std::uint64_t call);

  void succeed(const BreakerPolicy& policy, const Call& call, Moment at);
  void fail(const BreakerPolicy& policy, const Call& call, Penalty penalty, Moment at);
  // A long penalty: out until a stated end, else for a time that doubles whenever a call begun after the last
  // one meets it again.
  void hold(const CooldownPolicy& policy, const Call& call, std::optional<Duration> stated, Moment at);
  void order(Event event, Moment at);
  // An operator takes his order back: the ends of before hold again, and so does a latch beneath it.
  void lift(bool latched_beneath, Moment at);
  // Rules are read at each outcome and before each call: as a window slides, its rate changes.
  void review(const BreakerPolicy& policy, Moment at);
  // A trip that only the table can see: worse than the siblings.
  void eject(const BreakerPolicy& policy, Moment at);
  Tally tally(Instant now) { return window_.empty() ? Tally{} : window_[0].tally(now); }

  // Ends of another isolate are maxima with the own ones and leave counts alone.
  void hear(const Told& told, Moment at);
  // Another isolate ended all that was in force. What an operator ordered stays.
  void forget(Moment at);

  const BreakerFacts& facts() const { return facts_; }
  void restore(const BreakerFacts& facts, std::uint64_t order);
  std::size_t memory() const;

 private:
  struct Lease {
    std::uint64_t call = 0;
    Instant end;
  };

  void settle_time(Moment at);
  bool apply(Event event, std::uint64_t order);
  bool take_lease(std::uint64_t call);
  void start_anew();
  void observe_failure(const BreakerPolicy& policy, const Call& call, Penalty penalty, Moment at);
  void observe_success(const BreakerPolicy& policy, const Call& call, Moment at);
  void record(const BreakerPolicy& policy, const Call& call, bool failed, Instant now);
  void count(Moment at);
  Trip met(const BreakerPolicy& policy, Instant now);
  void trip(const BreakerPolicy& policy, Moment at);
  void open(const BreakerPolicy& policy, Event event, Trip reason, Moment at);
  void climb(const BreakerPolicy& policy, Moment at);
  std::uint32_t permits(const BreakerPolicy& policy) const;

  BreakerFacts facts_;
  std::vector<TimeWindow> window_;  // one, from the first call on, if a rule needs it
  std::uint64_t generation_ = 0;    // order of the last change of state
  std::uint64_t last_failure_ = 0;  // order of the last counted failure
  std::uint64_t last_opened_ = 0;   // order of what last opened or lengthened it
  std::uint64_t last_held_ = 0;     // order of the last long penalty
  std::uint32_t probe_successes_ = 0;
  std::vector<Lease> leases_;
};

// Open time after so many failures and openings in a row.
Duration open_time(const OpenTime& open, std::uint32_t failures, std::uint32_t openings);

}  // namespace shunt::health
