// Sliding windows: a ring of time buckets with running totals, and a ring of the last calls.
#include "health/window.h"

#include <algorithm>
#include <limits>

namespace shunt::health {
namespace {

// Rounded towards minus infinity, so that buckets are equally wide on both sides of the clock's origin.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

TimeWindow::TimeWindow(Duration span) : width_ms_((span.ms + kBuckets - 1) / kBuckets) {
  if (width_ms_ < 1) width_ms_ = 1;
}

TimeWindow::Bucket& TimeWindow::bucket(std::int64_t tick) {
  return buckets_[static_cast<std::size_t>(tick - floor_div(tick, kBuckets) * kBuckets)];
}

void TimeWindow::slide(Instant now) {
  const std::int64_t tick = floor_div(now.ms, width_ms_);
  if (tick <= newest_) return;
  if (tick - newest_ >= kBuckets) {
    clear();
  } else {
    for (std::int64_t t = newest_ + 1; t <= tick; ++t) {
      Bucket& leaves = bucket(t);
      total_.calls -= leaves.calls;
      total_.failures -= leaves.failures;
      total_.slow -= leaves.slow;
      total_.over -= leaves.over;
      leaves = {};
    }
  }
  newest_ = tick;
}

void TimeWindow::record(Instant now, const Seen& call) {
  slide(now);
  Bucket& newest = bucket(newest_);
  if (newest.calls == std::numeric_limits<std::uint16_t>::max()) return;
  const auto count = [](bool is, std::uint16_t& here, std::uint32_t& in_all) {
    here = static_cast<std::uint16_t>(here + (is ? 1 : 0));
    in_all += is ? 1 : 0;
  };
  count(true, newest.calls, total_.calls);
  count(call.failed, newest.failures, total_.failures);
  count(call.slow, newest.slow, total_.slow);
  count(call.over, newest.over, total_.over);
}

Tally TimeWindow::tally(Instant now) {
  slide(now);
  return total_;
}

void TimeWindow::clear() {
  for (Bucket& b : buckets_) b = {};
  total_ = {};
}

void CountWindow::record(Instant now, bool failed) {
  failures_ += failed ? 1 : 0;
  if (calls_.size() < kCalls) {
    if (calls_.empty()) calls_.reserve(kCalls);
    calls_.push_back({calls_.empty() ? now : std::max(now, calls_.back().at), failed});
    return;
  }
  const Instant newest = calls_[(next_ + kCalls - 1) % kCalls].at;
  failures_ -= calls_[next_].failed ? 1 : 0;
  calls_[next_] = {std::max(now, newest), failed};
  next_ = static_cast<std::uint32_t>((next_ + 1) % kCalls);
}

Tally CountWindow::tally(Instant now) const {
  Tally total;
  if (calls_.empty()) return total;
  if (now - calls_[next_].at < kWithin) {  // and so are all others
    total.calls = static_cast<std::uint32_t>(calls_.size());
    total.failures = failures_;
    return total;
  }
  for (const Call& call : calls_) {
    if (now - call.at >= kWithin) continue;
    ++total.calls;
    total.failures += call.failed ? 1 : 0;
  }
  return total;
}

}  // namespace shunt::health
