// What one attempt came to, as health sees it.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "canonical/failure.h"

namespace shunt {

enum class Purpose : std::uint8_t { main, hedge, shadow, probe, assess, repair, continue_ };
constexpr std::string_view name_of(Purpose p) {
  switch (p) {
    case Purpose::main: return "main";
    case Purpose::hedge: return "hedge";
    case Purpose::shadow: return "shadow";
    case Purpose::probe: return "probe";
    case Purpose::assess: return "assess";
    case Purpose::repair: return "repair";
    case Purpose::continue_: return "continue";
  }
  return "main";
}

enum class OutcomeKind : std::uint8_t {
  success,
  failure,
  neutral
};  // neutral: client gone, cancelled, our own doing

struct Outcome {
  OutcomeKind kind = OutcomeKind::neutral;
  Instant began;
  Duration first_byte;   // time to first byte; 0 = none came
  Duration first_token;  // of a stream: time to first content; 0 = none came, or a plain answer
  std::int64_t inter_token_micros = 0;  // of a stream: mean gap between chunks of content; 0 = unknown
  Duration total;                       // without the time for which the client did not read
  std::uint32_t task = 0;               // dense number of the task type: latencies are kept apart by it
  ErrorClass error_class = ErrorClass::unknown;  // of a failure
  Scope scope = Scope::deployment;               // of a failure
  Penalty penalty = Penalty::none;               // of a failure
  std::optional<Duration> wait;                  // stated by the provider, capped by policy
  // Neutral: another attempt answered first. Only first_token is learnt of it: how long it had waited by
  // then, and its own content would have come later still.
  bool superseded = false;
};

}  // namespace shunt
