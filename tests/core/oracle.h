// What tests give nlohmann, the oracle, where it refuses JSON that we read as JavaScript and Python do: lone
// surrogates and numbers beyond a double.
#pragma once

#include <string>
#include <string_view>

#include "base/strings.h"

namespace shunt {

inline bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// The same text with every surrogate escape made an ordinary one.
inline std::string without_surrogates(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i + 1 < out.size(); ++i) {
    if (out[i] != '\\') continue;
    ++i;
    if (out[i] != 'u' || i + 4 >= out.size()) continue;
    const bool surrogate =
        to_lower(out[i + 1]) == 'd' && std::string_view("89abAB").find(out[i + 2]) != std::string_view::npos;
    const bool low = to_lower(out[i + 1]) == 'd' &&
                     std::string_view("cdefCDEF").find(out[i + 2]) != std::string_view::npos;
    if ((surrogate || low) && is_hex(out[i + 3]) && is_hex(out[i + 4])) out[i + 1] = '0';
  }
  return out;
}

// The same text without surrogates, and with no exponent of more than two digits.
inline std::string for_the_oracle(std::string_view text) {
  std::string out;
  int digits = -1;  // of an exponent; -1: this is none
  for (const char c : without_surrogates(text)) {
    const bool digit = is_digit(c);
    const bool after_digit = !out.empty() && is_digit(out.back());
    if (digits >= 0 && digit && ++digits > 2) continue;
    const bool sign = digits == 0 && (c == '+' || c == '-');
    if (!digit && !sign) digits = after_digit && to_lower(c) == 'e' ? 0 : -1;
    out += c;
  }
  return out;
}

}  // namespace shunt
