// What requests cost on a line: expected before, known after. Knows prices and counts of tokens, no limits.
#pragma once

#include <cstdint>
#include <optional>

#include "canonical/usage.h"
#include "catalog/catalog.h"

namespace shunt::exchange {

// What a client that sets no limit is taken to be answered, in tokens.
inline constexpr std::int64_t kUsualOutput = 1000;

// Nano-dollars of `input` tokens of prompt, `cached` of them from the provider's cache, and `output` tokens;
// -1 = the line states no price. Stops at the ends of 60 bits.
std::int64_t cost_nanos(const Cost& cost, std::int64_t input, std::int64_t cached, std::int64_t output);
// Of what the provider counted; what it did not say counts as 0.
std::int64_t cost_nanos(const Cost& cost, const Usage& usage);

// The same in micro-dollars, rounded up; no price = 0.
std::int64_t cost_micros(const Cost& cost, const Usage& usage);

// Tokens of an answer at most, as far as anyone has said: the client, else the line, else what is usual.
constexpr std::int64_t output_tokens(std::optional<std::int64_t> asked, const Deployment& line) {
  return asked.value_or(line.max_tokens.value_or(kUsualOutput));
}
std::int64_t tokens_of(const Usage& usage);

}  // namespace shunt::exchange
