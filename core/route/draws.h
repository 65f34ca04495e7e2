// Weighted draws inside a group, and what strategies share of them. Every draw is hash(seed, place in the
// plan): the draw for one place never depends on how many draws other places took.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

// Of signed numbers: in the same order, as unsigned ones.
constexpr std::uint32_t ascending(std::int32_t n) { return static_cast<std::uint32_t>(n) ^ 0x80000000U; }

// A number for each line of a group; few of them lie on the stack.
struct Keys {
  static constexpr std::size_t kFew = 16;
  explicit Keys(std::size_t count);
  std::uint64_t* data() { return many.empty() ? few : many.data(); }

  std::uint64_t few[kFew];
  std::vector<std::uint64_t> many;
};

// Sorts `lines` (indexes into the views) by a number of each, the smallest first; equals keep their order.
// Nothing is moved where they are sorted already, as most configurations list them. Whether any are equals.
bool sort_lines(std::span<std::uint16_t> lines, const std::uint64_t* keys);

template <typename Key>
bool sort_lines(std::span<std::uint16_t> lines, const Key& key) {
  Keys keys(lines.size());
  std::uint64_t* next = keys.data();
  for (const std::uint16_t line : lines) *next++ = key(line);
  return sort_lines(lines, static_cast<const std::uint64_t*>(keys.data()));
}

}  // namespace shunt::route
