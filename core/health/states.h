// The states of a breaker and every way from one to another. Values only.
#pragma once

#include <cstdint>
#include <string_view>

namespace shunt::health {

enum class State : std::uint8_t { closed, open, half_open, latched, forced_open, disabled, metrics_only };
inline constexpr int kStates = 7;

enum class Event : std::uint8_t {
  tripped,  // a trip rule is met
  latched,  // a trip rule is met and only an operator may undo it
  held,     // a long penalty, or what another isolate found
  ended,    // the open time is over
  probe_failed,
  recovered,  // enough leased probes succeeded
  reset,
  force_open,
  disable,
  metrics_only,  // an operator's
};
inline constexpr int kEvents = 10;

std::string_view name_of(State state);
std::string_view name_of(Event event);

struct Transition {
  State from;
  Event event;
  State to;
};

// Every legal change of state; an event without a row leaves the state as it is.
inline constexpr Transition kTransitions[] = {
    {State::closed, Event::tripped, State::open},
    {State::closed, Event::latched, State::latched},
    {State::closed, Event::held, State::open},
    {State::open, Event::ended, State::half_open},
    {State::open, Event::latched, State::latched},
    {State::open, Event::recovered, State::closed},
    {State::half_open, Event::recovered, State::closed},
    {State::half_open, Event::probe_failed, State::open},
    {State::half_open, Event::latched, State::latched},
    {State::half_open, Event::held, State::open},
    {State::open, Event::reset, State::closed},
    {State::half_open, Event::reset, State::closed},
    {State::latched, Event::reset, State::closed},
    {State::forced_open, Event::reset, State::closed},
    {State::disabled, Event::reset, State::closed},
    {State::metrics_only, Event::reset, State::closed},
    {State::closed, Event::force_open, State::forced_open},
    {State::open, Event::force_open, State::forced_open},
    {State::half_open, Event::force_open, State::forced_open},
    {State::latched, Event::force_open, State::forced_open},
    {State::closed, Event::disable, State::disabled},
    {State::open, Event::disable, State::disabled},
    {State::half_open, Event::disable, State::disabled},
    {State::latched, Event::disable, State::disabled},
    {State::closed, Event::metrics_only, State::metrics_only},
    {State::open, Event::metrics_only, State::metrics_only},
    {State::half_open, Event::metrics_only, State::metrics_only},
    {State::latched, Event::metrics_only, State::metrics_only},
};

// Which rule opened it last; `told`: another isolate's.
enum class Trip : std::uint8_t {
  none,
  consecutive,
  failure_rate,
  slow_rate,
  p99,
  outlier,
  probe,
  long_penalty,
  told
};
inline constexpr int kTrips = 9;
std::string_view name_of(Trip trip);

// Why a line is out, weakest first: a line shows its strongest cause.
enum class Cause : std::uint8_t { none, breaker, cooldown, long_penalty, latch, operator_ };

enum class Availability : std::uint8_t { ready, probe, out };  // probe: half-open with a free permit

}  // namespace shunt::health
