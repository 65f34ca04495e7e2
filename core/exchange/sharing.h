// What an engine remembers of the shared health document between two upkeeps: when it is read and written
// next, who sees to it, and which probe leases the store has given. Asks no store.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/time.h"
#include "exchange/policy.h"
#include "health/policy.h"
#include "health/publish.h"

namespace shunt::exchange {

class Sharing {
 public:
  // A granted lease, or somebody else's, counts this long: a probe's attempt and its settling.
  static constexpr Duration kLease{30000};
  // What is due within this time is worth an upkeep exchange, and one that is open waits for it.
  static constexpr Duration kSoon{5000};

  explicit Sharing(const StatePolicy& policy);

  health::Publisher& publisher() { return publisher_; }
  bool shared() const { return policy_.shared(); }
  // An upkeep exchange is wanted and none is open.
  bool wanted(Instant now) const { return keeper_end_ <= now && due() <= now + kSoon; }
  // The next read or write; kNever = nothing is shared.
  Instant due() const { return shared() ? std::min(next_read_, publisher_.due()) : kNever; }
  Instant next_read() const { return next_read_; }
  void was_read(Instant now) { next_read_ = now + policy_.refresh; }

  // One upkeep at a time: its number, 0 = another is open or nothing is shared. One that does not come back
  // in time is taken for lost.
  std::uint32_t open(Instant now, Instant end);
  bool renew(std::uint32_t keeper, Instant end);  // false: another took its place
  void close(std::uint32_t keeper);

  // Whether a line may be probed by the exchange with this seed. Alone it may; where the store grants leases,
  // it must not while another holds this line's; where that is not known, by lot.
  bool may_probe(std::uint32_t line, const health::BreakerPolicy& policy, std::uint64_t seed,
                 Instant now) const;
  // Whether the store grants leases and should be asked for this line's.
  bool lacks_lease(std::uint32_t line, Instant now) const;
  void leased(std::uint32_t line, bool granted, Instant until);

 private:
  struct Lease {
    std::uint32_t line = 0;
    bool granted = false;  // else another's
    Instant until;
  };
  const Lease* lease_of(std::uint32_t line, Instant now) const;

  StatePolicy policy_;
  health::Publisher publisher_;
  Instant next_read_ = health::kPast;
  std::uint32_t keepers_ = 0;  // upkeeps so far
  Instant keeper_end_ = health::kPast;
  std::vector<Lease> leases_;
};

}  // namespace shunt::exchange
