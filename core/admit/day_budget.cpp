// The day's book: when it turns, and what fits in.
#include "admit/day_budget.h"

#include <algorithm>

#include "admit/arithmetic.h"

namespace shunt::admit {
namespace {

constexpr std::int64_t kDay = 86'400'000;
constexpr std::int64_t kMostSpent = std::int64_t{1} << 59;  // sums with one amount still fit, and its tenfold

// Which day, and the milliseconds to its end (1 .. kDay).
struct Clock {
  std::int64_t day;
  std::int64_t left;
};

constexpr Clock read(WallTime wall) {
  const std::int64_t past = ((wall.ms % kDay) + kDay) % kDay;
  return {wall.ms / kDay - (wall.ms % kDay < 0 ? 1 : 0), kDay - past};
}

constexpr std::array<std::int64_t, 2> amounts(const Use& use) {
  return {amount(use.cost_micros), amount(use.tokens)};
}

}  // namespace

DayBudget::DayBudget(std::int64_t usd_micros, std::int64_t tokens)
    : limits_{std::min(usd_micros, kMostSpent), std::min(tokens, kMostSpent)} {}

void DayBudget::turn(Instant now, WallTime wall) {
  const Clock clock = read(wall);
  if (clock.day == day_ || (clock.day < day_ && now < ends_)) return;
  day_ = clock.day;
  ends_ = later(now, clock.left);
  spent_ = {};
}

Instant DayBudget::ready(Purse purse, const Use& use, Instant now, WallTime wall) {
  const auto i = static_cast<std::size_t>(purse);
  const std::int64_t due = amounts(use)[i];
  if (limits_[i] <= 0) return now;
  turn(now, wall);
  if (spent_[i] + due <= limits_[i]) return now;
  if (due > limits_[i]) return kNever;
  const Clock clock = read(wall);
  // Until the wall shows the day itself; a million years are as good as never.
  const std::int64_t before = std::min<std::int64_t>(day_ - clock.day, 365'000'000) * kDay;
  const std::int64_t shown_in = before == 0 ? 0 : before - kDay + clock.left;
  if (before > 0 && span(now, ends_).ms < shown_in) return ends_;
  return later(now, before + clock.left);
}

std::int64_t DayBudget::take(const Use& use, Instant now, WallTime wall) {
  turn(now, wall);
  settle(day_, {}, use);
  return day_;
}

void DayBudget::settle(std::int64_t day, const Use& estimated, const Use& used) {
  if (day != day_) return;
  const auto before = amounts(estimated);
  const auto after = amounts(used);
  for (std::size_t i = 0; i < spent_.size(); ++i) {
    spent_[i] = std::clamp<std::int64_t>(spent_[i] - before[i] + after[i], 0, kMostSpent);
  }
}

std::int64_t DayBudget::share_left_micros(Instant now, WallTime wall) {
  turn(now, wall);
  std::int64_t least = kMicros;
  for (std::size_t i = 0; i < spent_.size(); ++i) {
    if (limits_[i] > 0) least = std::min(least, share_micros(limits_[i] - spent_[i], limits_[i]));
  }
  return least;
}

}  // namespace shunt::admit
