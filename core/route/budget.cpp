// The retry budget: ten one-second cells of earned tokens and a leaky reserve.
#include "route/budget.h"

#include <algorithm>

namespace shunt::route {
namespace {

constexpr std::int64_t kToken = 1000000000;    // one attempt, in billionths
constexpr std::int64_t kNanosPerMicro = 1000;  // policy speaks in millionths
// Of either rate, a thousand tokens: so that no sum below leaves 64 bits.
constexpr std::int64_t kMostMicros = 1000000000;
// Of one second: a hundred million tokens, more than any engine sees requests.
constexpr std::int64_t kMostEarned = 100000000 * kToken;

// Floor division, so that the seconds of a clock whose origin is arbitrary are all of one length.
constexpr std::int64_t second_of(Instant t) { return t.ms >= 0 ? t.ms / 1000 : -((-t.ms + 999) / 1000); }

constexpr std::size_t cell_of(std::int64_t second, std::int64_t cells) {
  return static_cast<std::size_t>(((second % cells) + cells) % cells);
}

}  // namespace

RetryBudget::RetryBudget(const Policy& policy) : policy_(policy) {
  policy_.ratio_micros = std::clamp<std::int64_t>(policy_.ratio_micros, 0, kMostMicros);
  policy_.min_per_s_micros = std::clamp<std::int64_t>(policy_.min_per_s_micros, 0, kMostMicros);
  reserve_ = policy_.min_per_s_micros * kNanosPerMicro * kLifeSeconds;
}

std::int64_t& RetryBudget::earned(std::int64_t second) { return earned_[cell_of(second, kLifeSeconds)]; }
std::int64_t& RetryBudget::lent(std::int64_t second) { return lent_[cell_of(second, kLifeSeconds)]; }

bool RetryBudget::alive(std::int64_t second) const {
  return second > second_of(last_) - kLifeSeconds && second <= second_of(last_);
}

void RetryBudget::advance(Instant now) {
  if (!started_) {
    started_ = true;
    last_ = now;
    return;
  }
  if (now <= last_) return;
  const std::int64_t elapsed_ms = std::min<std::int64_t>((now - last_).ms, kLifeSeconds * 1000);
  const std::int64_t to = second_of(now);
  const std::int64_t from = std::max(second_of(last_) + 1, to - kLifeSeconds + 1);
  std::int64_t room = policy_.min_per_s_micros * kNanosPerMicro * kLifeSeconds;
  for (std::int64_t second = from; second <= to; ++second) {
    earned(second) = 0;
    lent(second) = 0;
  }
  for (const std::int64_t cell : lent_) room -= cell;
  // millionths per second times milliseconds are billionths
  reserve_ = std::min(reserve_ + elapsed_ms * policy_.min_per_s_micros, room);
  last_ = now;
}

std::int64_t RetryBudget::total() const {
  std::int64_t sum = reserve_;
  for (const std::int64_t cell : earned_) sum += cell;
  return sum;
}

void RetryBudget::deposit(Instant now) {
  advance(now);
  std::int64_t& cell = earned(second_of(last_));
  cell = std::min(cell + policy_.ratio_micros * kNanosPerMicro, kMostEarned);
}

// The oldest first: they would be lost first. The reserve last: it is there when nobody asks.
void RetryBudget::take(std::int64_t due, Reservation& from) {
  from.taken = second_of(last_);
  for (std::int64_t second = from.taken - kLifeSeconds + 1; second <= from.taken; ++second) {
    std::int64_t& cell = earned(second);
    const std::int64_t taken = std::min(cell, due);
    if (from.from_earned == 0) from.oldest = second;
    from.from_earned += taken;
    cell -= taken;
    due -= taken;
  }
  from.from_reserve = due;
  reserve_ -= due;
}

bool RetryBudget::spend(Instant now) {
  advance(now);
  if (total() < kToken) return false;
  Reservation spent;
  take(kToken, spent);
  return true;
}

RetryBudget::Reservation RetryBudget::reserve(Instant now, std::int64_t at_most) {
  advance(now);
  Reservation taken;
  taken.tokens = std::clamp<std::int64_t>(at_most, 0, total() / kToken);
  take(taken.tokens * kToken, taken);
  lent(taken.taken) += taken.from_reserve;
  return taken;
}

void RetryBudget::give_back(Instant now, const Reservation& reservation, std::int64_t unspent) {
  advance(now);
  std::int64_t due = std::clamp<std::int64_t>(unspent, 0, reservation.tokens) * kToken;
  if (alive(reservation.taken)) {
    // What was spent of the reservation was earned first, as `spend` does it.
    std::int64_t& out = lent(reservation.taken);
    const std::int64_t back = std::min({due, reservation.from_reserve, out});
    out -= std::min(out, reservation.from_reserve);
    reserve_ += back;
  }
  due -= std::min(due, reservation.from_reserve);
  if (!alive(reservation.oldest)) return;
  std::int64_t& cell = earned(reservation.oldest);
  cell = std::min(cell + std::min(due, reservation.from_earned), kMostEarned);
}

std::int64_t RetryBudget::left(Instant now) {
  advance(now);
  return total() / kToken;
}

}  // namespace shunt::route
