// How long something takes, on the machine's own clock. For native benchmarks; knows none of them.
#pragma once

#include <chrono>
#include <cstddef>

namespace shunt::bench {

// Nanoseconds a turn, the mean of `times` calls of work(turn).
template <typename Work>
double ns_of(std::size_t times, Work work) {
  const auto began = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < times; ++i) work(i);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
  return took.count() / static_cast<double>(times);
}

}  // namespace shunt::bench
