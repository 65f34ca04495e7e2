// "Not before T": what a rate limit asks for. It never shortens but by a leased success. Knows no breaker.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "health/policy.h"

namespace shunt::health {

struct CooldownFacts {
  Instant until = kPast;   // out while now < until
  std::uint8_t level = 0;  // rate limits in a row without a stated wait
  friend constexpr bool operator==(const CooldownFacts&, const CooldownFacts&) = default;
};

class Cooldown {
 public:
  bool in_force(Instant now) const { return now < facts_.until; }
  Instant until() const { return facts_.until; }

  // A rate limit, answered at `order` to a call begun at `call`. A stated wait is believed up to the policy's
  // cap and leaves the backoff alone; without one the backoff grows, once for all calls under way together.
  struct Limit {
    std::uint64_t call = 0;
    std::uint64_t order = 0;
    Instant now;
    std::optional<Duration> stated;
    std::uint64_t seed = 0;
  };
  void limit(const CooldownPolicy& policy, const Limit& limit);

  // A success begun after the last rate limit ends the backoff; a leased one also what is left of the wait.
  void succeed(std::uint64_t call, bool leased);
  void reset() { facts_ = {}; }
  // Another isolate was told to wait until then.
  void hear(Instant until, std::uint64_t order);

  const CooldownFacts& facts() const { return facts_; }
  void restore(const CooldownFacts& facts, std::uint64_t order);

 private:
  CooldownFacts facts_;
  std::uint64_t last_limit_ = 0;
};

// The n-th backoff in a row (from 0) with its jitter.
Duration backoff(const CooldownPolicy& policy, std::uint32_t level, std::uint64_t seed);

}  // namespace shunt::health
