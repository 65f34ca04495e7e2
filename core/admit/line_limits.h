// The inner layer of admission: what configuration allows each line, and how many requests are with it. Knows
// neither names nor health.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "admit/arithmetic.h"
#include "admit/meter.h"

namespace shunt::admit {

// A line's limits for one request of a given size.
struct Look {
  Instant until;                       // the first moment it may be called: <= now = now. Where a slot is
                                       // short, the end of the first lease; kNever: not for so large a use
  std::int64_t share_left_micros = 0;  // of the tightest limit; no limits = the whole
  std::uint32_t in_flight = 0;         // counted for every line, limited or not
  bool sure = true;                    // else a slot is short, which may fall free before `until`
};

// What was taken of one line, held by the attempt.
struct LinePermit {
  std::uint32_t line = 0;
  Use estimated;
  Taken taken;
  bool open = false;  // until it is settled or cancelled
};

class LineLimits {
 public:
  explicit LineLimits(const std::vector<Quota>& lines);  // by their places in the catalog

  Look look(std::uint32_t line, const Use& use, Times at) {
    Meter* const known = meter(line);
    const std::uint32_t count = known == nullptr ? 0 : known->slots().count(at.now);
    const bool free = known == nullptr || (!known->limited() && count < known->slots().most());
    return free ? Look{at.now, kMicros, count} : look(*known, line, use, at, count);
  }
  // All of it or none; the slot is held until `lease_end` at most. A line that is not there has no limits.
  std::optional<LinePermit> take(std::uint32_t line, const Use& use, Times at, Instant lease_end);
  bool renew(const LinePermit& permit, Instant lease_end);  // false: the slot was reclaimed meanwhile
  // The attempt is over and used this much; what told no usage is settled with its estimate. Once, as cancel.
  void settle(LinePermit& permit, const Use& used, Times at);
  void cancel(LinePermit& permit, Times at);  // nothing was sent: everything goes back
  std::size_t memory() const;                 // bytes

 private:
  static Look look(Meter& meter, std::uint32_t line, const Use& use, Times at, std::uint32_t count);
  void close(LinePermit& permit, const Use* used, Times at);

  // Null: no limits, and not called yet.
  Meter* meter(std::uint32_t line) {
    return line < places_.size() && places_[line] != 0 ? &meters_[places_[line] - 1] : nullptr;
  }
  Meter& make(std::uint32_t line, const Quota& quota);

  std::vector<std::uint32_t> places_;  // by line: of its meter + 1
  std::vector<Meter> meters_;
};

}  // namespace shunt::admit
