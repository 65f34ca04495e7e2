// Slots in one vector, the free ones in a list through it; all are looked through only when a lease may have
// ended.
#include "admit/slots.h"

#include <algorithm>

#include "base/limits.h"

namespace shunt::admit {
namespace {

constexpr std::uint32_t kNil = 0xFFFFFFFFU;
constexpr std::uint32_t kTaken = 0xFFFFFFFEU;
constexpr auto kMost = static_cast<std::int64_t>(limits::kExchanges);

}  // namespace

Slots::Slots(std::int64_t most)
    : most_(static_cast<std::uint32_t>(most <= 0 ? kMost : std::min(most, kMost))), free_(kNil) {}

Slots::Slot* Slots::find(Id id) {
  if (id.index >= slots_.size()) return nullptr;
  Slot& slot = slots_[id.index];
  return slot.next == kTaken && slot.generation == id.generation ? &slot : nullptr;
}

void Slots::release(std::uint32_t index) {
  Slot& slot = slots_[index];
  ++slot.generation;
  slot.next = free_;
  free_ = index;
  --count_;
}

void Slots::scan(Instant now) {
  earliest_ = kNever;
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].next != kTaken) continue;
    if (slots_[i].end <= now)
      release(i);
    else
      earliest_ = std::min(earliest_, slots_[i].end);
  }
}

Instant Slots::first_end(Instant now) {
  scan(now);
  return earliest_;
}

Slots::Id Slots::take(Instant now, Instant end) {
  if (full(now)) return {};
  if (free_ == kNil) {
    slots_.push_back({end, 0, kNil});
    free_ = static_cast<std::uint32_t>(slots_.size() - 1);
  }
  const std::uint32_t index = free_;
  Slot& slot = slots_[index];
  free_ = slot.next;
  slot.next = kTaken;
  slot.end = end;
  earliest_ = std::min(earliest_, end);
  ++count_;
  return {index, slot.generation};
}

bool Slots::renew(Id id, Instant end) {
  Slot* slot = find(id);
  if (slot == nullptr) return false;
  slot->end = end;
  earliest_ = std::min(earliest_, end);
  return true;
}

void Slots::give_back(Id id) {
  if (find(id) != nullptr) release(id.index);
}

}  // namespace shunt::admit
