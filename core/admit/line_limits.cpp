// One meter for each line.
#include "admit/line_limits.h"

#include "admit/arithmetic.h"

namespace shunt::admit {

LineLimits::LineLimits(const std::vector<Quota>& lines) : lines_(lines.begin(), lines.end()) {}

Look LineLimits::look(std::uint32_t line, const Use& use, Times at) {
  if (line >= lines_.size()) return {at.now, kMicros, 0};
  Meter& meter = lines_[line];
  Shortage shortage;
  meter.check(use, at, 0, line, shortage);
  return {shortage.any ? shortage.at : at.now, meter.share_left_micros(at), meter.slots().count(at.now)};
}

std::optional<LinePermit> LineLimits::take(std::uint32_t line, const Use& use, Times at, Instant lease_end) {
  LinePermit permit{line, use, {}, true};
  if (line >= lines_.size()) return permit;
  Shortage shortage;
  lines_[line].check(use, at, 0, line, shortage);
  if (shortage.any) return {};
  permit.taken = lines_[line].take(use, at, 0, lease_end);
  return permit;
}

bool LineLimits::renew(const LinePermit& permit, Instant lease_end) {
  return permit.open &&
         (permit.line >= lines_.size() || lines_[permit.line].slots().renew(permit.taken.slot, lease_end));
}

void LineLimits::close(LinePermit& permit, const Use* used, Times at) {
  if (!permit.open) return;
  permit.open = false;
  if (permit.line < lines_.size()) {
    lines_[permit.line].settle(permit.taken, permit.estimated, used, 0, at);
  }
}

void LineLimits::settle(LinePermit& permit, const Use& used, Times at) { close(permit, &used, at); }

void LineLimits::cancel(LinePermit& permit, Times at) { close(permit, nullptr, at); }

}  // namespace shunt::admit
