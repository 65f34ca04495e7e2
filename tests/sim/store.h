// A shared store with the faults of real ones: reads behind what was written, writes that are lost, come
// twice or are too many. Keeps bytes; knows no document.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/io.h"
#include "sim/dice.h"
#include "sim/faults.h"

namespace shunt::sim {

struct StoreNature {
  std::int64_t answer_ms = 30;       // to any question, at least
  std::int64_t stale_ms = 0;         // a read shows what stood there up to so long ago
  std::int64_t least_gap_ms = 0;     // a write sooner after another is refused
  std::uint64_t lost_permille = 0;   // of acknowledged writes
  std::uint64_t twice_permille = 0;  // land once more up to 10 s later
  std::uint64_t down_permille = 0;   // of stretches of 10 s
  std::uint64_t garbage_permille = 0;
  std::int64_t drops_within_ms = 0;  // of two writes so close together the first is lost
  bool grants = true;
  std::uint64_t slow_permille = 0;    // of questions for a share: answered seconds later
  std::uint64_t silent_permille = 0;  // … never
  std::uint64_t lies_permille = 0;    // … with nonsense
  std::uint64_t false_permille = 0;   // … with what might be true
  bool generous = false;              // every share is granted: nobody counts
};

class Store {
 public:
  Store(std::uint64_t seed, const StoreNature& nature, Faults faults)
      : seed_(seed), nature_(nature), faults_(faults) {}

  struct Answer {
    exchange::StoreResult result = exchange::StoreResult::ok;
    std::string bytes;
    std::int64_t after_ms = 0;  // below 0: never
  };
  Answer get(std::string_view key, std::int64_t now_ms);
  Answer put(std::string_view key, std::string_view bytes, std::int64_t now_ms);
  Answer lease(std::string_view key, std::int64_t ttl_ms, std::int64_t now_ms);

  // A share of a quota of all isolates.
  Answer take(const exchange::StoreTake& asked, std::int64_t now_ms);

  // How often each fault of a store struck.
  const std::array<std::uint64_t, kFaults>& struck() const { return struck_; }

 private:
  struct Version {
    std::int64_t at_ms = 0;
    std::string bytes;
  };
  bool strikes(Fault fault, bool drawn);
  bool is_down(std::int64_t now_ms);
  std::int64_t delay(Dice& dice) const { return nature_.answer_ms + dice.between(0, 2 * nature_.answer_ms); }

  std::uint64_t seed_;
  const StoreNature& nature_;
  Faults faults_;
  std::map<std::string, std::vector<Version>, std::less<>> versions_;  // in the order they land
  std::map<std::string, std::int64_t, std::less<>> last_write_;
  std::map<std::string, std::int64_t, std::less<>> leases_;  // end of each
  struct Quota {
    std::int64_t level = 0;  // in 60,000ths of a token
    std::int64_t at_ms = 0;
  };
  std::map<std::string, Quota, std::less<>> quotas_;
  std::array<std::uint64_t, kFaults> struck_{};
};

}  // namespace shunt::sim
