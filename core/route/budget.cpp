// The retry budget: ten one-second cells of earned tokens and a leaky reserve.
#include "route/budget.h"

#include <algorithm>

namespace shunt::route {
namespace {

constexpr std::int64_t kToken = 1000000000;    // one attempt, in billionths
constexpr std::int64_t kNanosPerMicro = 1000;  // policy speaks in millionths

// Floor division, so that the seconds of a clock whose origin is arbitrary are all of one length.
constexpr std::int64_t second_of(Instant t) { return t.ms >= 0 ? t.ms / 1000 : -((-t.ms + 999) / 1000); }

constexpr std::size_t cell_of(std::int64_t second, std::int64_t cells) {
  return static_cast<std::size_t>(((second % cells) + cells) % cells);
}

}  // namespace

RetryBudget::RetryBudget(const Policy& policy) : policy_(policy) {
  policy_.ratio_micros = std::max<std::int64_t>(policy_.ratio_micros, 0);
  policy_.min_per_s_micros = std::max<std::int64_t>(policy_.min_per_s_micros, 0);
  reserve_ = policy_.min_per_s_micros * kNanosPerMicro * kLifeSeconds;
}

void RetryBudget::advance(Instant now) {
  if (!started_) {
    started_ = true;
    last_ = now;
    return;
  }
  if (now <= last_) return;
  const std::int64_t elapsed_ms = std::min<std::int64_t>((now - last_).ms, kLifeSeconds * 1000);
  // millionths per second times milliseconds are billionths
  reserve_ = std::min(reserve_ + elapsed_ms * policy_.min_per_s_micros,
                      policy_.min_per_s_micros * kNanosPerMicro * kLifeSeconds);
  const std::int64_t to = second_of(now);
  const std::int64_t from = std::max(second_of(last_) + 1, to - kLifeSeconds + 1);
  for (std::int64_t second = from; second <= to; ++second) earned_[cell_of(second, kLifeSeconds)] = 0;
  last_ = now;
}

std::int64_t RetryBudget::total() const {
  std::int64_t sum = reserve_;
  for (const std::int64_t cell : earned_) sum += cell;
  return sum;
}

void RetryBudget::deposit(Instant now) {
  advance(now);
  earned_[cell_of(second_of(last_), kLifeSeconds)] += policy_.ratio_micros * kNanosPerMicro;
}

bool RetryBudget::spend(Instant now) {
  advance(now);
  if (total() < kToken) return false;
  std::int64_t due = kToken;
  // The oldest first: they would be lost first. The reserve last: it is there when nobody asks.
  for (std::int64_t second = second_of(last_) - kLifeSeconds + 1; second <= second_of(last_); ++second) {
    std::int64_t& cell = earned_[cell_of(second, kLifeSeconds)];
    const std::int64_t taken = std::min(cell, due);
    cell -= taken;
    due -= taken;
  }
  reserve_ -= due;
  return true;
}

std::int64_t RetryBudget::left(Instant now) {
  advance(now);
  return total() / kToken;
}

}  // namespace shunt::route
