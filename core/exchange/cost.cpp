// Prices times tokens, without overflow.
#include "exchange/cost.h"

#include <algorithm>

namespace shunt::exchange {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 60;

// Nano-dollars of `tokens` at micro-dollars a million of them.
std::int64_t nanos(std::int64_t tokens, std::int64_t price) {
  // Most products fit, and a division costs more than the question.
  const auto bits = static_cast<std::uint64_t>(tokens | price);
  if ((bits >> 31U) == 0) return static_cast<std::int64_t>(static_cast<std::uint64_t>(tokens * price) / 1000);
  if (tokens <= 0 || price <= 0) return 0;
  return tokens > kMost / price ? kMost : tokens * price / 1000;
}

}  // namespace

std::int64_t cost_nanos(const Cost& cost, std::int64_t input, std::int64_t cached, std::int64_t output) {
  if (!cost.input && !cost.output) return -1;
  const std::int64_t price = cost.input.value_or(0);
  std::int64_t sum = 0;
  if (cached > 0) {
    cached = std::min(cached, std::max<std::int64_t>(input, 0));
    sum = nanos(cached, cost.cached_input.value_or(price));
    input -= cached;
  }
  sum = std::min(sum + nanos(input, price), kMost);
  return std::min(sum + nanos(output, cost.output.value_or(0)), kMost);
}

std::int64_t cost_nanos(const Cost& cost, const Usage& usage) {
  return cost_nanos(cost, usage.prompt.value_or(0), usage.cached.value_or(0), usage.completion.value_or(0));
}

std::int64_t cost_micros(const Cost& cost, const Usage& usage) {
  return (std::max<std::int64_t>(cost_nanos(cost, usage), 0) + 999) / 1000;
}

std::int64_t tokens_of(const Usage& usage) {
  if (!usage.prompt && !usage.completion) return std::clamp<std::int64_t>(usage.total.value_or(0), 0, kMost);
  return std::clamp<std::int64_t>(usage.prompt.value_or(0), 0, kMost / 2) +
         std::clamp<std::int64_t>(usage.completion.value_or(0), 0, kMost / 2);
}

}  // namespace shunt::exchange
