// When the shared document is read and written, and who may probe.
#include "exchange/sharing.h"

#include <algorithm>

namespace shunt::exchange {
namespace {

// KV takes one write of a key a second; none of the others needs more.
constexpr Duration kLeastGap{1000};

}  // namespace

Sharing::Sharing(const StatePolicy& policy) : policy_(policy), publisher_({kLeastGap, policy.staleness}) {}

std::uint32_t Sharing::open(Instant now, Instant end) {
  if (!shared() || keeper_end_ > now) return 0;
  keeper_end_ = end;
  return ++keepers_;
}

bool Sharing::renew(std::uint32_t keeper, Instant end) {
  if (keeper != keepers_) return false;
  keeper_end_ = end;
  return true;
}

void Sharing::close(std::uint32_t keeper) { renew(keeper, health::kPast); }

const Sharing::Lease* Sharing::lease_of(std::uint32_t line, Instant now) const {
  const auto at = std::find_if(leases_.begin(), leases_.end(),
                               [&](const Lease& lease) { return lease.line == line && lease.until > now; });
  return at == leases_.end() ? nullptr : &*at;
}

bool Sharing::may_probe(std::uint32_t line, const health::BreakerPolicy& policy, std::uint64_t seed,
                        Instant now) const {
  switch (policy_.store) {
    case Store::memory:
    case Store::file: return true;
    case Store::durable_object:
      if (const Lease* lease = lease_of(line, now)) return lease->granted;
      break;
    case Store::kv:
    case Store::redis:
    case Store::fastly_kv: break;
  }
  return drawn_to_probe(policy, seed);
}

bool Sharing::lacks_lease(std::uint32_t line, Instant now) const {
  return policy_.store == Store::durable_object && lease_of(line, now) == nullptr;
}

void Sharing::leased(std::uint32_t line, bool granted, Instant until) {
  const auto at =
      std::find_if(leases_.begin(), leases_.end(), [line](const Lease& lease) { return lease.line == line; });
  const Lease lease{line, granted, until};
  if (at == leases_.end()) {
    leases_.push_back(lease);
  } else {
    *at = lease;
  }
}

}  // namespace shunt::exchange
