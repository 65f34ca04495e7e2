// Weighted draws: tickets over the weights that are left.
#include "route/draws.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "base/rng.h"

namespace shunt::route {
namespace {

static_assert(std::uint64_t{kMaxWeight} * limits::kPlanLines < (std::uint64_t{1} << 32U),
              "draw_below takes 32 bits");

constexpr std::size_t kFew = 16;  // lines that are ordered on the stack

}  // namespace

std::uint32_t weight_of(const LineView& view) {
  return static_cast<std::uint32_t>(std::clamp(view.weight, 0, kMaxWeight));
}

void draw(const Group& group, std::size_t from, std::size_t to) {
  if (from + 1 >= to) return;
  const std::span<std::uint16_t> lines = group.lines.subspan(from, to - from);
  std::array<std::uint32_t, kFew> few;
  std::vector<std::uint32_t> many(lines.size() > kFew ? lines.size() : 0);
  std::uint16_t* line = lines.data();
  std::uint32_t* share = many.empty() ? few.data() : many.data();
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) total += share[i] = weight_of(group.views[line[i]]);
  for (std::size_t left = lines.size(); left > 1; --left, ++line, ++share, ++from) {
    if (total == 0) {  // those that are left are equals
      total = static_cast<std::uint32_t>(left);
      std::fill(share, share + left, 1U);
    }
    std::uint32_t ticket = draw_below(group.seed, Draw::route, group.place + from, total);
    std::size_t pick = 0;
    for (; ticket >= share[pick]; ++pick) ticket -= share[pick];
    total -= share[pick];
    const std::uint16_t picked = line[pick];
    for (; pick > 0; --pick) {  // who was not picked stays in configuration order
      line[pick] = line[pick - 1];
      share[pick] = share[pick - 1];
    }
    *line = picked;
  }
}

void choose(const Group& group, std::size_t pick) {
  std::rotate(group.lines.begin(), group.lines.begin() + static_cast<std::ptrdiff_t>(pick),
              group.lines.begin() + static_cast<std::ptrdiff_t>(pick) + 1);
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
  const std::uint16_t* const all = lines.data();
  std::size_t sorted = 1;
  while (sorted < lines.size() && !before(context, all[sorted], all[sorted - 1])) ++sorted;
  if (sorted >= lines.size()) return;
  if (lines.size() <= kFew) {
    // Each is compared with each: in no order in particular, branches would be guessed wrong.
    std::array<std::uint16_t, kFew> line;
    std::array<std::uint8_t, kFew> place{};
    std::copy(lines.begin(), lines.end(), line.begin());
    for (std::size_t b = 1; b < lines.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        const bool ahead = before(context, line[b], line[a]);
        place[a] += ahead;
        place[b] += !ahead;
      }
    }
    for (std::size_t i = 0; i < lines.size(); ++i) lines[place[i]] = line[i];
    return;
  }
  std::vector<std::uint32_t> numbers(lines.begin(), lines.end());
  stable_order(numbers, before, context);
  for (std::size_t i = 0; i < numbers.size(); ++i) lines[i] = static_cast<std::uint16_t>(numbers[i]);
}

}  // namespace shunt::route
