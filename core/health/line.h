// The values that a table of health takes and gives: lines, their states, tickets, an operator's acts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "canonical/failure.h"
#include "health/breaker.h"
#include "health/policy.h"

namespace shunt::health {

inline constexpr std::uint32_t kNoScope = 0xFFFFFFFF;

// One deployment, by dense scope numbers; each kind of scope is numbered apart. A shared scope takes the
// policy of the first line that names it. Without a key scope (the client brings the key) a key's failure
// is nobody's; a failure of another scope that the line does not have is the line's own.
struct LineSpec {
  std::string id;
  std::uint32_t slots = 1;
  std::uint32_t first_key_scope = kNoScope;  // slot s has key scope first_key_scope + s
  std::uint32_t model_scope = kNoScope;
  std::uint32_t region_scope = kNoScope;
  std::uint32_t provider_scope = kNoScope;
  std::uint32_t sibling_group = kNoScope;  // lines of one number are compared by the outlier rule
  BreakerPolicy policy;
};

// What a plan asks of a line.
struct Reach {
  Availability availability = Availability::ready;
  Cause cause = Cause::none;
  bool ordered = false;    // an operator has ordered something of it
  std::uint32_t slot = 0;  // the first that is not out; when all are, the one with the nearest end
  std::uint32_t success_rate_micros = 1'000'000;
  Instant until;  // out: when it may be tried again; kNever = not by time; else now
};

struct LineState : Reach {
  Trip trip = Trip::none;  // the rule that last opened the line's own breaker
  std::uint32_t failure_count = 0;
  std::optional<ErrorClass> last_error;
  std::optional<Instant> last_success;
  std::optional<Instant> last_failure;
};

// What an operator wants of a line. Breaker off: calls pass whatever happens; metrics only: failures are
// counted besides.
enum class Mode : std::uint8_t { in_service, disabled, forced_open, breaker_off, metrics_only };
inline constexpr int kModes = 5;
constexpr std::string_view name_of(Mode mode) {
  switch (mode) {
    case Mode::in_service: return "in_service";
    case Mode::disabled: return "disabled";
    case Mode::forced_open: return "forced_open";
    case Mode::breaker_off: return "breaker_off";
    case Mode::metrics_only: return "metrics_only";
  }
  return "in_service";
}

enum class Act : std::uint8_t { reset, enable, disable, force_open, breaker_off, metrics_only };

// What an operator sees beside the state. An end that is over reads as kPast.
struct LineReport {
  LineState state;
  Mode mode = Mode::in_service;
  std::optional<std::uint32_t> priority;  // an operator's, instead of the configured one
  std::optional<std::uint32_t> weight;
  Instant open_until = kPast;     // the breaker's
  Instant limited_until = kPast;  // the cooldown's
  Instant lease_until = kPast;    // of the probe under way
};

// A call under way. A plain value: losing it is no leak.
struct Ticket {
  enum class Kind : std::uint8_t { ordinary, probe, early_probe, kept };
  std::uint32_t line = 0;
  std::uint32_t slot = 0;
  std::uint64_t order = 0;  // unique in its table
  Kind kind = Kind::ordinary;
  Instant began;
  Instant lease_end;

  bool is_probe() const { return kind == Kind::probe || kind == Kind::early_probe; }
};

struct Held {
  std::uint32_t slot = 0;
  Instant until;
};

enum class LoadResult : std::uint8_t { loaded, refused };

struct Merge {
  LoadResult result = LoadResult::refused;  // refused: garbage or another version; nothing changed
  std::uint32_t changed = 0;                // records that told something new
  std::uint32_t refused = 0;                // records that lie beyond what the policy allows
  bool lacks_ours = false;                  // a fact of ours that is still in force did not stand in it
};

}  // namespace shunt::health
