// What a provider's headers say of one limit of a minute.
#pragma once

#include <cstdint>

#include "admit/learner.h"

namespace shunt::admit {

inline SaidLimits words(LimitUnit unit, std::int64_t limit, std::int64_t remaining, std::int64_t reset_ms) {
  SaidLimits said;
  SaidLimit* one = said.at(unit, 0);
  one->limit = limit;
  one->remaining = remaining;
  one->reset_ms = reset_ms;
  return said;
}

}  // namespace shunt::admit
