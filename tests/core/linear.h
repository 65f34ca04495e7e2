// Time that grows with the bytes and no faster: ten times as many must not take much more than ten times as
// long. Counts this process's own CPU time, so that a busy machine does no harm. SHUNT_LINEAR_BYTES says how
// far to go (1,000,000).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

namespace shunt {

inline std::size_t linear_bytes() {
  const char* asked = std::getenv("SHUNT_LINEAR_BYTES");
  return asked != nullptr ? std::strtoull(asked, nullptr, 10) : 1'000'000;
}

template <typename Work>
double cpu_ms(const Work& work) {
  const std::clock_t begin = std::clock();
  work();
  return 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// `make(bytes)`: an input of about that size; `work(input)`: what is measured. Ten times the bytes cost 10
// when time is linear, 100 when it is quadratic; caches that overflow, fresh memory and tables that fill up
// to their bound stay below 60. Below half a millisecond nothing is compared; what seems too long is measured
// again, and the least counts. Ends at the first size that fails: the next would take for ever.
template <typename Make, typename Work>
void expect_linear(const std::string& what, const Make& make, const Work& work) {
  constexpr double kMost = 60;
  constexpr double kSmall = 0.5;
  double before = kSmall;
  for (std::size_t bytes = 1000; bytes <= linear_bytes(); bytes *= 10) {
    const auto input = make(bytes);
    double now = cpu_ms([&] { work(input); });
    for (int round = 0; round < 2 && now > kMost * before; ++round)
      now = std::min(now, cpu_ms([&] { work(input); }));
    EXPECT_LE(now, kMost * before) << what << ", " << bytes << " bytes";
    if (now > kMost * before) return;
    before = std::max(now, kSmall);
  }
}

// `before`, `unit` again and again up to `bytes`, `after`. Each # in a unit is its number.
inline std::string repeated(std::string_view before, std::string_view unit, std::string_view after,
                            std::size_t bytes) {
  std::string out(before);
  for (std::size_t i = 0; out.size() + unit.size() + after.size() <= bytes || i == 0; ++i) {
    for (const char c : unit) c == '#' ? out += std::to_string(i) : out += c;
  }
  return out += after;
}

}  // namespace shunt
