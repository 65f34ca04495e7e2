// When what changed is written to the store: a debounce with a limit, and once more while it is missing
// there. Times are handed in; knows no record, store or timer.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace shunt::health {

// An opening, a latch or an operator's act is urgent: others send calls into it meanwhile.
enum class News : std::uint8_t { none, soon, urgent };

struct PublishPace {
  Duration least_gap;  // between two writes of one key; KV: one second
  Duration staleness;  // after so long a read must show what was written; KV: 60 seconds
};

class Publisher {
 public:
  static constexpr Duration kQuiet = seconds(2);  // after the last change …
  static constexpr Duration kMost = seconds(5);   // … but under constant change after the first

  explicit Publisher(PublishPace pace) : pace_(pace) {}

  void note(News news, Instant now);
  // A read of the store showed a fact of ours still in force to be missing, or none. Another's write has
  // gone over ours: it is written again one staleness bound after the own last write, up to a quarter of it
  // later by the seed, so that writers do not overtake each other for ever.
  void saw(bool missing, Instant now, std::uint64_t seed);
  void wrote(Instant now);

  // When to write; kNever = nothing to tell. It is due while `due() <= now`: a timer set earlier that fires
  // meanwhile writes nothing.
  Instant due() const;

 private:
  PublishPace pace_;
  Instant debounced_ = kNever;  // when the changes so far want to be told
  Instant most_ = kNever;       // no change moves it past here
  Instant again_ = kNever;      // the missing fact's
  bool written_ = false;
  Instant last_write_;
};

}  // namespace shunt::health
