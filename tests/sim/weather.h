// How the simulated providers do, by time: spells of one fault, planned or drawn, and token buckets that are
// the same for all isolates. Knows lines and keys as numbers; sees no engine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/time.h"
#include "catalog/catalog.h"
#include "sim/dice.h"
#include "sim/faults.h"
#include "sim/replies.h"

namespace shunt::sim {

// From `from` until `to`, `permille` of a line's calls meet `fault`. Times are of the world's clock.
struct Spell {
  std::uint32_t line = 0;
  std::int64_t from_ms = 0;
  std::int64_t to_ms = 0;
  Fault fault = Fault::outage;
  std::uint64_t permille = 1000;
  std::optional<std::uint32_t> isolate = {};  // none = all of them
};

// What a provider lets through on one key.
struct Throttle {
  std::int64_t per_s = 0;  // 0 = all
  std::int64_t burst = 1;
};

// A provider's own limit on one key and model, told to nobody but by its answers.
struct HardLimit {
  std::int64_t per_minute = 0;  // 0 = none
  bool window = false;          // counts by the minute; else a bucket that refills evenly
  std::int64_t burst = 0;       // … and holds this
  bool tells = false;           // what is left, and when there is more, in each answer's head
};

struct Climate {
  bool stormy = false;  // spells are drawn besides: two of five stretches of a line are bad
  std::vector<Spell> spells;
  std::vector<Throttle> throttles;  // by line; missing = none
  std::vector<HardLimit> limits;    // by line; missing = none
};

class Weather {
 public:
  Weather(std::uint64_t seed, const Climate& climate, Faults faults)
      : seed_(seed), climate_(climate), faults_(faults) {}

  // What the provider does with the call that an exchange makes as its attempt.
  struct Asked {
    std::uint32_t isolate = 0;
    std::uint32_t line = 0;
    std::uint32_t slot = 0;
    std::uint64_t exchange = 0;
    std::uint32_t attempt = 0;
    Call call;
  };
  Reply answer(const Asked& asked, std::int64_t now_ms);

 private:
  struct Bucket {
    std::int64_t milli = 0;
    std::int64_t at_ms = 0;
    bool begun = false;
  };
  std::optional<Fault> fault_at(const Asked& asked, std::int64_t now_ms, Dice& dice) const;
  Reply within(const HardLimit& limit, const Asked& asked, std::int64_t now_ms, Dice& dice);
  std::optional<Duration> wait_of(const Asked& asked, const Throttle& throttle, std::int64_t now_ms);

  std::uint64_t seed_;
  const Climate& climate_;
  Faults faults_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Bucket> buckets_;  // by line and slot
  std::map<std::pair<std::uint32_t, std::uint32_t>, Bucket> limits_;   // … of a minute; in 60,000ths
};

}  // namespace shunt::sim
