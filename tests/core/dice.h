// What seeded tests share: draws that are the same on every machine, and broken copies of texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace shunt {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>((state_ >> 33U) % bound);
  }
  bool once_in(std::size_t n) { return below(n) == 0; }
  template <typename T, std::size_t N>
  const T& of(const T (&values)[N]) {
    return values[below(N)];
  }

 private:
  std::uint64_t state_;
};

// `body` with up to `most` - 1 changes: a piece or another text put in, bytes taken out or made up, the end
// cut off.
template <std::size_t P, std::size_t S>
std::string mutated(std::string body, Dice& dice, std::size_t most, const std::string_view (&pieces)[P],
                    const std::string_view (&seeds)[S]) {
  for (std::size_t left = dice.below(most); left > 0; --left) {
    const std::size_t at = dice.below(body.size() + 1);
    switch (dice.below(5)) {
      case 0: body.insert(at, dice.of(pieces)); break;
      case 1: body.erase(at, dice.below(12)); break;
      case 2: body.resize(at); break;
      case 3: body.insert(at, dice.of(seeds)); break;
      default: body.insert(at, 1, static_cast<char>(dice.below(256))); break;
    }
  }
  return body;
}

}  // namespace shunt
