// Granted tokens by age.
#include "admit/granted.h"

#include <algorithm>

#include "admit/arithmetic.h"

namespace shunt::admit {
namespace {

constexpr std::int64_t kLifeMs = 10'000;
constexpr std::int64_t kMostOwed = std::int64_t{1} << 60;

}  // namespace

std::int64_t Granted::level(Instant now) {
  for (Cell& cell : cells_) {
    if (now >= later(cell.came, kLifeMs)) cell.tokens = 0;
  }
  return cells_[0].tokens + cells_[1].tokens - owed_;
}

void Granted::add(std::int64_t tokens, Instant now) {
  level(now);
  const std::int64_t paid = std::min(amount(tokens), owed_);
  owed_ -= paid;
  // The cell before the last is empty by then: it is older than the life of a token.
  if (now >= later(cells_[1].came, kLifeMs / 2) && cells_[1].tokens > 0)
    cells_[0] = cells_[1], cells_[1] = {};
  if (cells_[1].tokens == 0) cells_[1].came = now;
  cells_[1].tokens = amount(cells_[1].tokens + amount(tokens) - paid);
}

void Granted::take(std::int64_t tokens, Instant now) {
  level(now);
  std::int64_t due = amount(tokens);
  for (Cell& cell : cells_) {
    const std::int64_t part = std::min(cell.tokens, due);
    cell.tokens -= part;
    due -= part;
  }
  owed_ = std::min(owed_ + due, kMostOwed);
}

void Granted::lend(std::int64_t tokens, std::int64_t most) {
  owed_ = std::max(owed_, std::min(owed_ + amount(tokens), most));
}

}  // namespace shunt::admit
