// How calls end in the tests of health.
#pragma once

#include <optional>

#include "health/table.h"

namespace shunt::health {

inline Outcome success() {
  Outcome o;
  o.kind = OutcomeKind::success;
  o.total = seconds(1);
  return o;
}

inline Outcome failure(Penalty penalty, Scope scope = Scope::deployment,
                       std::optional<Duration> wait = std::nullopt) {
  Outcome o;
  o.kind = OutcomeKind::failure;
  o.penalty = penalty;
  o.scope = scope;
  o.error_class = ErrorClass::temporary;
  o.wait = wait;
  return o;
}

}  // namespace shunt::health
