// Limits as they are meant, slowly: what the tests of this room compare with. A bucket that is refilled each
// millisecond, leases in a list, a ledger of every day.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "base/time.h"

namespace shunt::admit {

inline constexpr std::int64_t kDayMs = 86'400'000;

class SlowBucket {
 public:
  explicit SlowBucket(std::int64_t per_minute, std::int64_t now)
      : rate_(per_minute),
        most_(std::max<Wide>(60'000, Wide{per_minute} * 6'000)),
        level_(most_),
        now_(now) {}

  void go_to(std::int64_t now) {
    for (; now_ < now && level_ < most_; ++now_) level_ = std::min(level_ + rate_, most_);
    now_ = std::max(now_, now);
  }
  bool could(std::int64_t n) const { return level_ >= std::min(Wide{n} * 60'000, most_); }
  void book(std::int64_t n) { level_ = std::min(level_ - Wide{n} * 60'000, most_); }
  bool take(std::int64_t n) {
    if (!could(n)) return false;
    book(n);
    return true;
  }
  std::int64_t share_micros() const {
    return static_cast<std::int64_t>(std::max<Wide>(level_, 0) * 1'000'000 / most_);
  }

 private:
  __extension__ using Wide = __int128;
  Wide rate_;
  Wide most_;
  Wide level_;
  std::int64_t now_;
};

// Who holds a slot, and until when.
class SlowSlots {
 public:
  std::size_t take(std::int64_t now, std::int64_t end) {
    reclaim(now);
    leases_[++last_] = end;
    return last_;
  }
  bool renew(std::size_t lease, std::int64_t end) {
    if (leases_.count(lease) == 0) return false;
    leases_[lease] = end;
    return true;
  }
  void give_back(std::size_t lease) { leases_.erase(lease); }
  std::size_t count(std::int64_t now) {
    reclaim(now);
    return leases_.size();
  }
  std::int64_t first_end() const {
    std::int64_t first = kNever.ms;
    for (const auto& [lease, end] : leases_) first = std::min(first, end);
    return first;
  }

 private:
  void reclaim(std::int64_t now) {
    for (auto it = leases_.begin(); it != leases_.end();) it = it->second <= now ? leases_.erase(it) : ++it;
  }
  std::map<std::size_t, std::int64_t> leases_;
  std::size_t last_ = 0;
};

}  // namespace shunt::admit
