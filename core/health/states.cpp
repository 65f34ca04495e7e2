// Names of states, events and reasons, as records and the README spell them.
#include "health/states.h"

namespace shunt::health {

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

std::string_view name_of(Trip trip) {
  switch (trip) {
    case Trip::none: return "none";
    case Trip::consecutive: return "consecutive";
    case Trip::failure_rate: return "failure_rate";
    case Trip::slow_rate: return "slow_rate";
    case Trip::p99: return "p99";
    case Trip::outlier: return "outlier";
    case Trip::probe: return "probe";
    case Trip::long_penalty: return "long_penalty";
    case Trip::told: return "told";
  }
  return "none";
}

}  // namespace shunt::health
