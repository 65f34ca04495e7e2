// How many run at once, by leases: a slot that nobody renews or gives back is free again at its end. Knows
// neither what runs nor whose it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.h"

namespace shunt::admit {

class Slots {
 public:
  // A stale id does nothing: a slot that changed hands has another generation.
  struct Id {
    std::uint32_t index = 0xFFFFFFFFU;  // this = no slot
    std::uint32_t generation = 0;
    explicit operator bool() const { return index != 0xFFFFFFFFU; }
    friend bool operator==(const Id&, const Id&) = default;
  };

  // 0 = no limit: slots are only counted, up to limits::kExchanges, which also bounds every other limit.
  explicit Slots(std::int64_t most = 0);

  // A slot until `end`, or none when all are taken.
  Id take(Instant now, Instant end);
  // False when the slot was reclaimed meanwhile: its holder was given up for lost.
  bool renew(Id id, Instant end);
  void give_back(Id id);  // twice is once
  bool full(Instant now) { return count(now) == most_; }
  std::uint32_t most() const { return most_; }
  std::uint32_t count(Instant now) {  // in use
    if (now >= earliest_) scan(now);
    return count_;
  }
  // The first end of a lease: a slot is free by then if nobody renews. kNever when none is in use.
  Instant first_end(Instant now);
  std::size_t memory() const { return slots_.capacity() * sizeof(Slot); }  // bytes held beyond the object

 private:
  struct Slot {
    Instant end;
    std::uint32_t generation = 0;
    std::uint32_t next = 0;  // free slot after this one, or kTaken
  };

  Slot* find(Id id);
  void release(std::uint32_t index);
  void scan(Instant now);

  std::vector<Slot> slots_;
  Instant earliest_ = kNever;  // no lease ends before it
  std::uint32_t most_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t free_;  // first free slot
};

}  // namespace shunt::admit
