// What a store has granted one bucket of a quota that several engines share, and what is known of the store.
// Knows neither the store nor whose bucket it is.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "admit/bucket.h"
#include "base/time.h"

namespace shunt::admit {

// Granted tokens that nobody uses are lost: 10 s after they came, or up to 5 s earlier when they came beside
// older ones (they are kept in two cells by age). So no engine hoards what others lack.
class Granted {
 public:
  std::int64_t level(Instant now);                    // whole tokens; below 0 = owed
  void add(std::int64_t tokens, Instant now);         // pays what is owed first
  void take(std::int64_t tokens, Instant now);        // more than there is, is owed
  void lend(std::int64_t tokens, std::int64_t most);  // owed beside what there is, up to `most` in all

  static constexpr Instant kPast{std::numeric_limits<std::int64_t>::min()};
  Instant asked_until = kPast;  // a question is under way, until its asker is given up for lost
  Instant not_before = kPast;   // the store has no token before
  Instant alone_until = kPast;  // the store did not answer: the limit is enforced here alone
  Instant heard = kPast;        // when the store last answered, in time or late
  Bucket plausible;             // what of its grants can be true: no more than the whole quota

 private:
  struct Cell {
    std::int64_t tokens = 0;
    Instant came;
  };
  std::array<Cell, 2> cells_;  // older first
  std::int64_t owed_ = 0;
};

}  // namespace shunt::admit
