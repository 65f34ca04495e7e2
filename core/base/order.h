// One stable sort of numbers for the whole core: the library's is instantiated anew for every comparison, 3
// KB of WebAssembly each.
#pragma once

#include <cstdint>
#include <span>

namespace shunt {

// Sorts `numbers` (indexes, ids) so that no number stands before one that `before` puts ahead of it; equals
// keep their order. O(n log n) comparisons, one scratch vector. `before` must be a strict weak order.
using Before = bool (*)(const void* context, std::uint32_t a, std::uint32_t b);
void stable_order(std::span<std::uint32_t> numbers, Before before, const void* context);

template <typename Compare>
void stable_order(std::span<std::uint32_t> numbers, const Compare& before) {
  stable_order(
      numbers,
      [](const void* compare, std::uint32_t a, std::uint32_t b) {
        return (*static_cast<const Compare*>(compare))(a, b);
      },
      &before);
}

}  // namespace shunt
