// Chance that a run can be cut apart by: each draw belongs to a purpose and a number, so leaving one exchange
// out moves no draw of another.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "base/rng.h"

namespace shunt::sim {

// What is drawn for. Any order, any number: nothing is kept of it.
enum class Luck : std::uint64_t {
  seed,
  arrival,
  ask,
  client,
  host,
  weather,
  answer,
  store,
  upkeep,
  plant,
  settings
};

class Dice {
 public:
  Dice(std::uint64_t seed, Luck purpose, std::initializer_list<std::uint64_t> numbers = {})
      : state_(mix64(seed ^ (static_cast<std::uint64_t>(purpose) << 56U))) {
    for (const std::uint64_t number : numbers) state_ = mix64(state_ ^ number);
  }
  std::uint64_t next() { return state_ = mix64(state_ + 1); }
  std::uint64_t below(std::uint64_t bound) { return ((next() >> 32U) * bound) >> 32U; }
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most - least + 1)));
  }
  bool permille(std::uint64_t share) { return below(1000) < share; }
  bool once_in(std::uint64_t n) { return below(n) == 0; }
  template <typename T, std::size_t N>
  const T& of(const T (&all)[N]) {
    return all[below(N)];
  }

 private:
  std::uint64_t state_;
};

}  // namespace shunt::sim
