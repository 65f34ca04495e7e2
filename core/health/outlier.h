// Whether a line does so much worse than its siblings that it goes out. Pure; knows no breaker or time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "health/policy.h"

namespace shunt::health {

// The calls of one sibling in its window, and whether it is out already, by whatever cause.
struct Sibling {
  std::uint32_t calls = 0;
  std::uint32_t failures = 0;
  bool out = false;
};

// Siblings in configuration order. The mean is of the others alone: with three lines one bad one would drag
// it half-way to itself. From three lines up and two others with enough calls; at least one line stays in:
// when more than may go are outliers, the worst go first, equals in configuration order.
bool is_outlier(std::span<const Sibling> siblings, std::size_t self, const OutlierRule& rule);

}  // namespace shunt::health
