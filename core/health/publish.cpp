// The debounce of the shared document.
#include "health/publish.h"

#include <algorithm>

#include "base/rng.h"

namespace shunt::health {

void Publisher::note(News news, Instant now) {
  if (news == News::none) return;
  if (most_ == kNever) most_ = now + kMost;
  if (news == News::urgent) most_ = std::min(most_, now);
  debounced_ = std::min(now + kQuiet, most_);
}

void Publisher::saw(bool missing, Instant now, std::uint64_t seed) {
  if (!missing || !written_) {
    again_ = kNever;
    return;
  }
  if (again_ != kNever) return;
  const auto width =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(pace_.staleness.ms / 4, 0, 3'600'000));
  const std::uint32_t jitter_ms = draw_below(seed, Draw::publish_jitter, 0, width + 1);
  again_ = std::max(now, last_write_ + pace_.staleness) + milliseconds(jitter_ms);
}

void Publisher::wrote(Instant now) {
  written_ = true;
  last_write_ = now;
  debounced_ = most_ = again_ = kNever;
}

Instant Publisher::due() const {
  const Instant wanted = std::min(debounced_, again_);
  if (wanted == kNever || !written_) return wanted;
  return std::max(wanted, last_write_ + pace_.least_gap);
}

}  // namespace shunt::health
