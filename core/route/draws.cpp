// Weighted draws: tickets over the weights that are left.
#include "route/draws.h"

#include <algorithm>

#include "base/limits.h"
#include "base/rng.h"

namespace shunt::route {
namespace {

static_assert(std::uint64_t{kMaxWeight} * limits::kPlanLines < (std::uint64_t{1} << 32U),
              "draw_below takes 32 bits");

// Who was not picked stays in configuration order.
void move_up(const Group& group, std::size_t pick, std::size_t place) {
  const std::uint16_t line = group.lines[pick];
  for (; pick > place; --pick) group.lines[pick] = group.lines[pick - 1];
  group.lines[place] = line;
}

}  // namespace

std::uint32_t weight_of(const LineView& view) {
  return static_cast<std::uint32_t>(std::clamp(view.weight, 0, kMaxWeight));
}

void draw(const Group& group, std::size_t from, std::size_t to) {
  const auto weight = [&](std::size_t i) { return weight_of(group.views[group.lines[i]]); };
  std::uint32_t total = 0;
  for (std::size_t i = from; i < to; ++i) total += weight(i);
  for (std::size_t place = from; place + 1 < to; ++place) {
    const bool equals = total == 0;
    const auto bound = equals ? static_cast<std::uint32_t>(to - place) : total;
    std::uint32_t ticket = draw_below(group.seed, Draw::route, group.place + place, bound);
    std::size_t pick = place;
    for (;; ++pick) {
      const std::uint32_t share = equals ? 1 : weight(pick);
      if (ticket < share) break;
      ticket -= share;
    }
    total -= weight(pick);
    move_up(group, pick, place);
  }
}

void choose(const Group& group, std::size_t pick) {
  move_up(group, pick, 0);
  draw(group, 1, group.lines.size());
}

std::vector<std::uint32_t> shares_of(const Group& group) {
  std::vector<std::uint32_t> shares(group.lines.size());
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] = weight_of(group.views[group.lines[i]]);
    total += shares[i];
  }
  if (total == 0) std::fill(shares.begin(), shares.end(), 1U);
  return shares;
}

std::size_t drawn(const std::vector<std::uint32_t>& shares, std::uint64_t seed, std::uint64_t counter) {
  std::uint32_t total = 0;
  for (const std::uint32_t share : shares) total += share;
  std::uint32_t ticket = draw_below(seed, Draw::route, counter, total);
  std::size_t pick = 0;
  for (; ticket >= shares[pick]; ++pick) ticket -= shares[pick];
  return pick;
}

void sort_lines(std::span<std::uint16_t> lines, Before before, const void* context) {
  std::size_t sorted = 1;
  while (sorted < lines.size() && !before(context, lines[sorted], lines[sorted - 1])) ++sorted;
  if (sorted >= lines.size()) return;
  std::vector<std::uint32_t> numbers(lines.begin(), lines.end());
  stable_order(numbers, before, context);
  for (std::size_t i = 0; i < numbers.size(); ++i) lines[i] = static_cast<std::uint16_t>(numbers[i]);
}

}  // namespace shunt::route
