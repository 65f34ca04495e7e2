// Weighted draws: tickets over the weights that are left.
#include "route/draws.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "base/order.h"
#include "base/rng.h"

namespace shunt::route {
namespace {

static_assert(std::uint64_t{kMaxWeight} * limits::kPlanLines < (std::uint64_t{1} << 32U),
              "draw_below takes 32 bits");

constexpr std::size_t kFew = Keys::kFew;

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
    const std::uint32_t ticket = draw_below(group.seed, Draw::route, group.place + from, total);
    // Every line is looked at, whoever is picked: the way out of a shorter search would be guessed wrong.
    std::size_t pick = 0;
    std::uint32_t reached = 0;
    for (std::size_t i = 0; i < left; ++i) pick += (reached += share[i]) <= ticket;
    total -= share[pick];
    const std::uint16_t picked = line[pick];
    for (std::size_t i = left - 1; i > 0; --i) {  // who was not picked stays in configuration order
      const std::size_t next = i - (i <= pick ? 1 : 0);
      line[i] = line[next];
      share[i] = share[next];
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

Keys::Keys(std::size_t count) : many(count > kFew ? count : 0) {}

bool sort_lines(std::span<std::uint16_t> lines, const std::uint64_t* keys) {
  const std::size_t count = lines.size();
  bool sorted = true;
  bool ties = false;
  for (std::size_t i = 1; i < count; ++i) {
    sorted &= keys[i - 1] <= keys[i];
    ties |= keys[i - 1] == keys[i];
  }
  if (sorted) return ties;
  if (count <= kFew) {
    // Each is compared with each: in no order in particular, branches would be guessed wrong.
    std::array<std::uint16_t, kFew> ordered;
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t place = 0;
      for (std::size_t a = 0; a < i; ++a) {
        place += keys[a] <= keys[i];
        ties |= keys[a] == keys[i];
      }
      for (std::size_t b = i + 1; b < count; ++b) place += keys[b] < keys[i];
      ordered[place] = lines[i];
    }
    std::copy_n(ordered.begin(), count, lines.begin());
    return ties;
  }
  const std::vector<std::uint16_t> before(lines.begin(), lines.end());
  std::vector<std::uint32_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::uint32_t>(i);
  stable_order(order, [keys](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  for (std::size_t i = 0; i < count; ++i) lines[i] = before[order[i]];
  for (std::size_t i = 1; i < count; ++i) ties = ties || keys[order[i - 1]] == keys[order[i]];
  return ties;
}

}  // namespace shunt::route
