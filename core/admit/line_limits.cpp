// A meter for each line that has limits or was called.
#include "admit/line_limits.h"

namespace shunt::admit {

LineLimits::LineLimits(const std::vector<Quota>& lines) : places_(lines.size()) {
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    if (!lines[i].empty()) make(i, lines[i]);
  }
}

Meter& LineLimits::make(std::uint32_t line, const Quota& quota) {
  meters_.emplace_back(quota);
  places_[line] = static_cast<std::uint32_t>(meters_.size());
  return meters_.back();
}

Look LineLimits::look(Meter& meter, std::uint32_t line, const Use& use, Times at, std::uint32_t count) {
  Shortage shortage;
  meter.check(use, at, 0, line, shortage);
  return {shortage.any ? shortage.at : at.now, meter.share_left_micros(at), count, shortage.sure};
}

std::optional<LinePermit> LineLimits::take(std::uint32_t line, const Use& use, Times at, Instant lease_end) {
  LinePermit permit{line, use, {}, true};
  if (line >= places_.size()) return permit;
  Meter* const known = meter(line);
  Meter& own = known != nullptr ? *known : make(line, {});
  Shortage shortage;
  own.check(use, at, 0, line, shortage);
  if (shortage.any) return {};
  permit.taken = own.take(use, at, 0, lease_end);
  return permit;
}

bool LineLimits::renew(const LinePermit& permit, Instant lease_end) {
  if (!permit.open) return false;
  Meter* const known = meter(permit.line);
  return known == nullptr || known->slots().renew(permit.taken.slot, lease_end);
}

void LineLimits::close(LinePermit& permit, const Use* used, Times at) {
  if (!permit.open) return;
  permit.open = false;
  if (Meter* const known = meter(permit.line)) known->settle(permit.taken, permit.estimated, used, 0, at);
}

void LineLimits::settle(LinePermit& permit, const Use& used, Times at) { close(permit, &used, at); }

void LineLimits::cancel(LinePermit& permit, Times at) { close(permit, nullptr, at); }

std::size_t LineLimits::memory() const {
  std::size_t bytes = places_.capacity() * sizeof(places_[0]) + meters_.capacity() * sizeof(Meter);
  for (const Meter& meter : meters_) bytes += meter.slots().memory();
  return bytes;
}

}  // namespace shunt::admit
