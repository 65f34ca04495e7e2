// performance_first: of two weighted draws the line that should send its first token sooner. Two draws, not
// the best of all: many engines that saw the same numbers would else all fall on one line.
#include "route/draws.h"
#include "route/strategy.h"

namespace shunt::route {
namespace {

// Beyond every place of a plan: the second draw is no place's own.
constexpr std::uint64_t kSecondDraw = std::uint64_t{1} << 32U;

// A line without data is tried at once, but by one call at a time: until that has shown something, the line
// is behind every other (as Finagle's peak-EWMA balancer does it).
std::uint64_t expected_wait(const LineView& view) {
  if (view.ttft_micros == 0) return view.in_flight == 0 ? 0 : UINT64_MAX;
  return view.ttft_micros * (std::uint64_t{view.in_flight} + 1);
}

}  // namespace

void performance_first(const Group& group) {
  std::vector<std::uint32_t> shares = shares_of(group);
  std::size_t best = drawn(shares, group.seed, group.place);
  shares[best] = 0;
  std::uint32_t left = 0;
  for (const std::uint32_t share : shares) left += share;
  if (left != 0) {
    const std::size_t other = drawn(shares, group.seed, kSecondDraw + group.place);
    const auto wait = [&](std::size_t i) { return expected_wait(group.views[group.lines[i]]); };
    // A tie goes to the line listed first.
    if (wait(other) < wait(best) || (wait(other) == wait(best) && other < best)) best = other;
  }
  choose(group, best);
}

}  // namespace shunt::route
