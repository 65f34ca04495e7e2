// What looks like a key, and what announces one. Rather too much than too little. Knows no provider's errors.
#pragma once

#include <cstdint>
#include <string_view>

namespace shunt::classify {

// A run of ASCII without spaces that may be a key, a token or a password made by a machine.
bool is_secret(std::string_view run);

// "api_key", "Authorization", "cookie": what stands behind it is secret. "max_tokens" names an amount.
bool names_a_secret(std::string_view name);

// A letter of a word as one bit, whatever its case; and whether a word of these letters may name a secret.
constexpr std::uint32_t letter_bit(char c) { return 1U << (static_cast<unsigned>(c) & 31U); }
bool may_name_a_secret(std::uint32_t letters);

}  // namespace shunt::classify
