// Where a value falls, what its bucket stands for, and how little memory that takes.
#include "health/sketch.h"

#include <algorithm>
#include <bit>

namespace shunt::health {
namespace {

constexpr std::uint32_t kMostValue = (1U << 30U) - 1;
constexpr std::uint32_t kMostCount = 0xFFFF;

// 2^31 times 2^(i/12): where the buckets of an octave begin, with the value's highest bit shifted to the top.
constexpr std::array<std::uint32_t, kPerOctave> kBorders = {2147483648, 2275179671, 2410468894, 2553802834,
                                                            2705659852, 2866546760, 3037000500, 3217589947,
                                                            3408917802, 3611622603, 3826380858, 4053909305};

std::uint32_t bucket_of(std::uint32_t value) {
  const auto shift = static_cast<unsigned>(std::countl_zero(value));
  std::uint32_t step = kPerOctave - 1;
  while (kBorders[step] > value << shift) --step;
  return (31 - shift) * kPerOctave + step;
}

std::uint64_t least_of(std::uint32_t bucket) {
  const unsigned shift = 31 - bucket / kPerOctave;
  return (kBorders[bucket % kPerOctave] + (std::uint64_t{1} << shift) - 1) >> shift;
}

// The harmonic middle is as far from the least value as from the greatest, in proportion.
std::uint32_t middle_of(std::uint32_t bucket) {
  const std::uint64_t least = least_of(bucket);
  const std::uint64_t greatest = least_of(bucket + 1) - 1;
  const std::uint64_t sum = least + greatest;
  return static_cast<std::uint32_t>((4 * least * greatest + sum) / (2 * sum));
}

std::int64_t half_of(Instant now, Duration span) {
  const std::int64_t width = std::max<std::int64_t>(span.ms / 2, 1);
  return now.ms / width - (now.ms % width < 0 ? 1 : 0);
}

}  // namespace

void Sketch::cover(std::uint32_t bucket) {
  std::uint32_t begin = bucket / kPerOctave * kPerOctave;
  std::uint32_t end = begin + kPerOctave;
  if (!counts_.empty()) {
    begin = std::min(begin, first_);
    end = std::max(end, first_ + static_cast<std::uint32_t>(counts_.size()));
    if (end - begin > kMostBuckets) begin = end - kMostBuckets;
    if (begin == first_ && end - begin == counts_.size()) return;
  }
  std::vector<std::uint16_t> wider(end - begin);
  for (std::uint32_t i = 0; i < counts_.size(); ++i) {
    std::uint16_t& to = wider[std::max(first_ + i, begin) - begin];
    to = static_cast<std::uint16_t>(std::min(to + std::uint32_t{counts_[i]}, kMostCount));
  }
  counts_ = std::move(wider);
  first_ = begin;
}

void Sketch::add(std::uint32_t value) {
  const std::uint32_t bucket = bucket_of(std::clamp(value, 1U, kMostValue));
  cover(bucket);
  std::uint16_t& count = counts_[std::max(bucket, first_) - first_];
  // A full bucket halves them all: the shape stays, and the past weighs less.
  if (count == kMostCount) {
    for (std::uint16_t& c : counts_) c = static_cast<std::uint16_t>((c + 1U) / 2);
  }
  ++count;
}

void Spread::add(const Sketch& sketch) {
  for (std::uint32_t i = 0; i < sketch.counts_.size(); ++i) {
    counts_[sketch.first_ + i] += sketch.counts_[i];
    count_ += sketch.counts_[i];
  }
}

std::uint32_t Spread::quantile(std::uint32_t permille) const {
  if (count_ == 0) return 0;
  const std::uint64_t rank = std::max<std::uint64_t>((count_ * permille + 999) / 1000, 1);
  std::uint64_t seen = 0;
  std::uint32_t bucket = 0;
  while (bucket < kBuckets - 1 && (seen += counts_[bucket]) < rank) ++bucket;
  return middle_of(bucket);
}

void RecentSketch::record(Instant now, Duration span, std::uint32_t value) {
  const std::int64_t tick = std::max(half_of(now, span), tick_);
  if (tick > tick_ + 1) halves_[static_cast<std::size_t>(~tick & 1)].clear();
  if (tick > tick_) halves_[static_cast<std::size_t>(tick & 1)].clear();
  tick_ = tick;
  halves_[static_cast<std::size_t>(tick & 1)].add(value);
}

void RecentSketch::collect(Instant now, Duration span, Spread& into) const {
  const std::int64_t age = half_of(now, span) - tick_;
  if (age <= 1) into.add(halves_[static_cast<std::size_t>(tick_ & 1)]);
  if (age <= 0) into.add(halves_[static_cast<std::size_t>(~tick_ & 1)]);
}

std::size_t LineLatency::place_of(Latency what, std::uint32_t task) const {
  if (what == Latency::first_byte) return 0;
  if (what == Latency::inter_token) return 1;
  std::size_t place = 0;
  while (place < known_tasks_ && tasks_[place] != task) ++place;
  return 2 + 2 * place + (what == Latency::total ? 1 : 0);
}

void LineLatency::record(Latency what, std::uint32_t task, Instant now, std::int64_t micros) {
  const std::size_t place = place_of(what, task);
  if (is_new_task(place)) tasks_[known_tasks_++] = task;
  const auto value = static_cast<std::uint32_t>(std::clamp<std::int64_t>(micros, 0, kMostValue));
  sketches_[place].record(now, span_, value);
  if (what == Latency::first_token) peak_.record(now, value);
}

std::uint32_t LineLatency::p90_total(std::uint32_t task, Instant now) const {
  const std::size_t place = place_of(Latency::total, task);
  if (is_new_task(place)) return 0;
  Read& read = reads_[(place - 2) / 2];
  if (!read.known || now >= read.at + kStale || read.p90 == 0) {
    Spread spread;
    sketches_[place].collect(now, span_, spread);
    read = {now, spread.quantile(900), true};
  }
  return read.p90;
}

void LineLatency::collect(Latency what, std::uint32_t task, Instant now, Spread& into) const {
  const std::size_t place = place_of(what, task);
  if (!is_new_task(place)) sketches_[place].collect(now, span_, into);
}

std::size_t LineLatency::memory() const {
  std::size_t bytes = sizeof *this;
  for (const RecentSketch& sketch : sketches_) bytes += sketch.memory();
  return bytes;
}

}  // namespace shunt::health
