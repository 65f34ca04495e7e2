// Cooldowns: stated waits are maxima, unstated ones an exponential backoff with jitter.
#include "health/cooldown.h"

#include <algorithm>

namespace shunt::health {
namespace {

constexpr std::uint8_t kMaxLevel = 32;  // far beyond any cap; keeps the doubling finite

}  // namespace

Duration backoff(const CooldownPolicy& policy, std::uint32_t level, std::uint64_t seed) {
  Duration span = policy.base;
  for (std::uint32_t i = 0; i < level && span < policy.backoff_cap; ++i) span = span * 2;
  span = std::min(span, policy.backoff_cap);
  const std::uint32_t width = 2 * policy.jitter_permille + 1;
  const std::int64_t shift = draw_below(seed, Draw::backoff_jitter, level, width);
  return {span.ms * (1000 - static_cast<std::int64_t>(policy.jitter_permille) + shift) / 1000};
}

void Cooldown::limit(const CooldownPolicy& policy, const Limit& limit) {
  if (limit.stated && limit.stated->ms > 0) {
    facts_.until = std::max(facts_.until, limit.now + std::min(*limit.stated, policy.stated_cap));
  } else {
    // Calls that were under way together meet the same limit: only one begun after it shows that it still
    // holds.
    const bool known = facts_.level > 0 && limit.call < last_limit_;
    if (known) return;
    facts_.until = std::max(facts_.until, limit.now + backoff(policy, facts_.level, limit.seed));
    if (facts_.level < kMaxLevel) ++facts_.level;
  }
  last_limit_ = limit.order;
}

void Cooldown::succeed(std::uint64_t call, bool leased) {
  if (call < last_limit_) return;
  facts_.level = 0;
  if (leased) facts_.until = kPast;
}

void Cooldown::hear(Instant until, std::uint64_t order) {
  if (until <= facts_.until) return;
  facts_.until = until;
  last_limit_ = order;
}

void Cooldown::restore(const CooldownFacts& facts, std::uint64_t order) {
  facts_ = facts;
  last_limit_ = order;
}

}  // namespace shunt::health
