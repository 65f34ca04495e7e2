// Weighted draws inside a group, and what strategies share of them. Every draw is hash(seed, place in the
// plan): the draw for one place never depends on how many draws other places took.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/order.h"
#include "route/strategies.h"

namespace shunt::route {

// Weights below 0 count as 0.
std::uint32_t weight_of(const LineView& view);

// Orders lines [from, to) of the group by weighted draws without replacement. Lines of weight 0 come after
// all others, drawn as equals; so a range whose weights are all 0 is one of equals.
void draw(const Group& group, std::size_t from, std::size_t to);

// Moves line `pick` of the group to its front; the rest follows by weighted draws.
void choose(const Group& group, std::size_t pick);

// What each line of the group weighs; all equal where no line has a weight.
std::vector<std::uint32_t> shares_of(const Group& group);
// One draw among `shares`, of which one is not 0; `counter` is the draw's own.
std::size_t drawn(const std::vector<std::uint32_t>& shares, std::uint64_t seed, std::uint64_t counter);

// Sorts `lines` (indexes into the views) so that none stands before one that `before` puts ahead of it;
// equals keep their order. Nothing is moved where they are sorted already, as most configurations list them.
void sort_lines(std::span<std::uint16_t> lines, Before before, const void* context);

template <typename Compare>
void sort_lines(std::span<std::uint16_t> lines, const Compare& before) {
  sort_lines(
      lines,
      [](const void* compare, std::uint32_t a, std::uint32_t b) {
        return (*static_cast<const Compare*>(compare))(a, b);
      },
      &before);
}

}  // namespace shunt::route
