// affinity: weighted rendezvous. Each line draws a number from the session's hash and its own name; the one
// with the smallest -log2(draw) / weight serves. So a line's share is its weight, one more line takes only
// the sessions that it wins itself, and one that goes out gives its own to those that come next.
#include "route/draws.h"

#include "base/rng.h"
#include "route/strategy.h"

namespace shunt::route {
namespace {

// Enough for a line whose weight is a millionth of another's; each bit costs a multiplication.
constexpr std::uint32_t kFractionBits = 24;

// -log2(x / 2^64) in units of 2^-24, from 1 to 64 x 2^24; monotone, within 2^-23 of the true value. The
// whole part is the place of the highest bit; squaring what follows it gives one bit of the fraction after
// the other.
std::uint64_t minus_log2(std::uint64_t x) {
  if (x == 0) return std::uint64_t{64} << kFractionBits;
  std::uint64_t whole = 63;
  for (; (x >> 63U) == 0; x <<= 1U) --whole;
  std::uint64_t mantissa = x >> 32U;  // 2^31 stands for 1
  std::uint64_t fraction = 0;
  for (std::uint32_t bit = 0; bit < kFractionBits; ++bit) {
    mantissa = mantissa * mantissa >> 31U;
    const std::uint64_t two = mantissa >> 32U;  // 1 when the square has reached 2
    mantissa >>= two;
    fraction = fraction << 1U | two;
  }
  return (std::uint64_t{64} << kFractionBits) - (whole << kFractionBits | fraction);
}

}  // namespace

void affinity(const Group& group) {
  const std::uint64_t session = group.policy.affinity;
  if (session == 0) return draw(group, 0, group.lines.size());
  std::vector<std::uint64_t> distance(group.views.size());
  for (const std::uint16_t line : group.lines)
    distance[line] = minus_log2(mix64(mix64(session) ^ group.views[line].name_hash));
  // Below 2^31 x 2^20. Lines of weight 0 come last, as equals.
  sort_lines(group.lines, [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t of_a = weight_of(group.views[a]);
    const std::uint64_t of_b = weight_of(group.views[b]);
    if ((of_a == 0) != (of_b == 0)) return of_b == 0;
    if (of_a == 0) return distance[a] < distance[b];
    return distance[a] * of_b < distance[b] * of_a;
  });
}

}  // namespace shunt::route
