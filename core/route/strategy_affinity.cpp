// affinity: weighted rendezvous. Each line draws a number from the session's hash and its own name; the one
// with the smallest -log2(draw) / weight serves. So a line's share is its weight, one more line takes only
// the sessions that it wins itself, and one that goes out gives its own to those that come next.
#include <bit>

#include "base/rng.h"
#include "route/draws.h"
#include "route/strategy.h"

namespace shunt::route {
namespace {

// -log2(x / 2^64) in units of 2^-24, from 1 to 64 x 2^24: enough for a line whose weight is a millionth of
// another's. Monotone, within 2^-23 of the true value. The whole part is the place of the highest bit; what
// follows it, m from 1 to 2, has log2 m = 1/2 + 2/ln 2 x atanh z with z = (m - root) / (m + root), the root
// that of 2. |z| is at most 0.172, so five terms of the series z + z^3/3 + z^5/5 ... do. In whole numbers,
// with 2^30 for 1.
std::uint64_t minus_log2(std::uint64_t x) {
  if (x == 0) return std::uint64_t{64} << 24U;
  constexpr unsigned kOne = 30;
  constexpr std::int64_t kRoot = 3037000500;  // where 2^31 is 1
  constexpr std::int64_t kTerms[] = {344240445, 442594858, 619632802, 1032721336, 3098164009};
  const int zeros = std::countl_zero(x);
  const auto m = static_cast<std::int64_t>(x << static_cast<unsigned>(zeros) >> 32U);
  const std::int64_t z = (m - kRoot) * (std::int64_t{1} << kOne) / (m + kRoot);
  const std::int64_t square = z * z >> kOne;
  std::int64_t sum = 0;
  for (const std::int64_t term : kTerms) sum = term + (sum * square >> kOne);
  const std::int64_t log2 = (std::int64_t{1} << (kOne - 1)) + (z * sum >> kOne);
  return static_cast<std::uint64_t>(((zeros + std::int64_t{1}) << 24U) - (log2 >> (kOne - 24)));
}

// Lines of weight 0 come last, as equals.
std::uint64_t distance(std::uint64_t draw, std::uint32_t weight) {
  const std::uint64_t far = minus_log2(draw);
  return weight == 0 ? std::uint64_t{1} << 63U | far : (far << 32U) / weight;
}

}  // namespace

void affinity(const Group& group) {
  if (group.policy.affinity == 0) return draw(group, 0, group.lines.size());
  const std::uint64_t session = mix64(group.policy.affinity);
  sort_lines(group.lines, [&](std::uint16_t line) {
    const LineView& view = group.views[line];
    return distance(mix64(session ^ view.name_hash), weight_of(view));
  });
}

}  // namespace shunt::route
