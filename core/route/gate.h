// What a line that is being tried out must have shown before it is ranked. Knows only numbers.
#pragma once

#include <algorithm>
#include <cstdint>

#include "catalog/route.h"

namespace shunt::route {

// Of a line, over the span in which its health is watched.
struct Shown {
  std::uint64_t calls = 0;  // with an outcome that counts
  std::int64_t success_micros = 0;
  std::uint32_t p90_ms = 0;  // 0 = not known
};

// A gate that asks nothing holds; one that asks anything asks at least for one call.
inline bool gate_holds(const Gate& gate, const Shown& shown) {
  if (!gate.asked()) return true;
  if (shown.calls < std::max<std::uint32_t>(gate.min_calls, 1)) return false;
  if (shown.success_micros < gate.success_micros) return false;
  return gate.p90_ms == 0 || (shown.p90_ms > 0 && shown.p90_ms <= gate.p90_ms);
}

}  // namespace shunt::route
