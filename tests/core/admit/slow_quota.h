// A whole quota as it is meant, slowly: what meters, admission and line limits are compared with.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "admit/use.h"
#include "canonical/quota.h"
#include "core/admit/slow.h"

namespace shunt::admit {

class SlowQuota {
 public:
  struct Taken {
    std::size_t lease = 0;
    std::int64_t day = 0;
    Use use;
  };

  SlowQuota(const Quota& quota, std::int64_t now)
      : quota_(quota), rpm_(quota.rpm, now), tpm_(quota.tpm, now) {}

  // The limits `use` does not fit into now, by name, a space behind each.
  std::string lacks(const Use& use, std::int64_t now, std::int64_t wall) {
    go_to(now);
    std::string out;
    if (quota_.rpm > 0 && !rpm_.could(1)) out += "rpm ";
    if (quota_.tpm > 0 && !tpm_.could(use.tokens)) out += "tpm ";
    const std::int64_t running = in_flight(now);
    if (quota_.concurrency > 0 && running >= quota_.concurrency) out += "concurrency ";
    const Use& today = ledger_[turn(wall)];
    if (quota_.usd_micros_day > 0 && today.cost_micros + use.cost_micros > quota_.usd_micros_day) {
      out += "usd_day ";
    }
    if (quota_.tokens_day > 0 && today.tokens + use.tokens > quota_.tokens_day) out += "tokens_day ";
    return out;
  }
  Taken take(const Use& use, std::int64_t now, std::int64_t wall, std::int64_t end) {
    go_to(now);
    if (quota_.rpm > 0) rpm_.book(1);
    if (quota_.tpm > 0) tpm_.book(use.tokens);
    add(turn(wall), use, 1);
    return {slots_.take(now, end), day_, use};
  }
  bool renew(const Taken& taken, std::int64_t end) { return slots_.renew(taken.lease, end); }
  void settle(const Taken& taken, const Use& used, std::int64_t now, bool sent = true) {
    go_to(now);
    if (quota_.rpm > 0 && !sent) rpm_.book(-1);
    if (quota_.tpm > 0) tpm_.book(used.tokens - taken.use.tokens);
    add(taken.day, taken.use, -1);
    add(taken.day, used, 1);
    slots_.give_back(taken.lease);
  }
  std::int64_t in_flight(std::int64_t now) { return static_cast<std::int64_t>(slots_.count(now)); }
  bool limited() const { return !quota_.empty(); }

 private:
  // A wall clock that is set back a little brings no day back.
  std::int64_t turn(std::int64_t wall) { return day_ = std::max(day_, wall / kDayMs); }
  void go_to(std::int64_t now) {
    if (quota_.rpm > 0) rpm_.go_to(now);
    if (quota_.tpm > 0) tpm_.go_to(now);
  }
  void add(std::int64_t day, const Use& use, std::int64_t sign) {
    ledger_[day].tokens += sign * use.tokens;
    ledger_[day].cost_micros += sign * use.cost_micros;
  }

  Quota quota_;
  SlowBucket rpm_;
  SlowBucket tpm_;
  SlowSlots slots_;
  std::map<std::int64_t, Use> ledger_;
  std::int64_t day_ = 0;
};

}  // namespace shunt::admit
