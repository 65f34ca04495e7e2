// Sliding windows: a ring of time buckets with running totals, and a ring of the last calls.
#include "health/window.h"

namespace shunt::health {
namespace {

// Rounded towards minus infinity, so that buckets are equally wide on both sides of the clock's origin.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

void add(Tally& to, const Tally& t) {
  to.calls += t.calls;
  to.failures += t.failures;
  to.slow += t.slow;
}

void subtract(Tally& from, const Tally& t) {
  from.calls -= t.calls;
  from.failures -= t.failures;
  from.slow -= t.slow;
}

}  // namespace

TimeWindow::TimeWindow(Duration span) : width_ms_((span.ms + kBuckets - 1) / kBuckets) {
  if (width_ms_ < 1) width_ms_ = 1;
}

Tally& TimeWindow::bucket(std::int64_t tick) {
  return buckets_[static_cast<std::size_t>(tick - floor_div(tick, kBuckets) * kBuckets)];
}

void TimeWindow::slide(Instant now) {
  const std::int64_t tick = floor_div(now.ms, width_ms_);
  if (tick <= newest_) return;
  if (tick - newest_ >= kBuckets) {
    clear();
  } else {
    for (std::int64_t t = newest_ + 1; t <= tick; ++t) {
      subtract(total_, bucket(t));
      bucket(t) = {};
    }
  }
  newest_ = tick;
}

void TimeWindow::record(Instant now, bool failed, bool slow) {
  if (buckets_.empty()) {
    buckets_.resize(kBuckets);
    newest_ = floor_div(now.ms, width_ms_);
  }
  slide(now);
  const Tally call{1, failed ? 1U : 0U, slow ? 1U : 0U};
  add(bucket(newest_), call);
  add(total_, call);
}

Tally TimeWindow::tally(Instant now) {
  if (!buckets_.empty()) slide(now);
  return total_;
}

void TimeWindow::clear() {
  for (Tally& t : buckets_) t = {};
  total_ = {};
}

void CountWindow::record(Instant now, bool failed) {
  if (calls_.size() < kCalls) {
    if (calls_.empty()) calls_.reserve(kCalls);
    calls_.push_back({now, failed});
    return;
  }
  calls_[next_] = {now, failed};
  next_ = (next_ + 1) % kCalls;
}

Tally CountWindow::tally(Instant now) const {
  Tally total;
  for (const Call& call : calls_) {
    if (now - call.at < kWithin) add(total, {1, call.failed ? 1U : 0U, 0});
  }
  return total;
}

std::uint32_t CountWindow::success_micros(Instant now) const {
  const Tally t = tally(now);
  if (t.calls == 0) return 1'000'000;
  return static_cast<std::uint32_t>((t.calls - t.failures) * 1'000'000ULL / t.calls);
}

}  // namespace shunt::health
