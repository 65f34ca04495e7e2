// ASCII text helpers for protocol text: integers, case, trimming, lists. No locale, no allocation unless
// said.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace shunt {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_small(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_word(char c) { return is_alpha(c) || is_digit(c); }
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// Of a short set: a loop that compilers unroll.
constexpr bool is_one_of(char c, std::string_view set) {
  for (const char one : set) {
    if (one == c) return true;
  }
  return false;
}

// Without leading and trailing space, tab, CR and LF.
std::string_view trim(std::string_view text);
// Equal when ASCII case is ignored.
bool equal_fold(std::string_view a, std::string_view b);
// `needle` occurs in `text` when ASCII case is ignored; `needle` must be lower case.
bool contains_fold(std::string_view text, std::string_view needle);
std::string to_lower(std::string_view text);
// The parts one behind the other.
std::string joined(std::initializer_list<std::string_view> parts);

// The whole text is a decimal integer in range (leading '-' allowed for the signed one); no spaces, no '+'.
std::optional<std::int64_t> parse_int(std::string_view text);
std::optional<std::uint64_t> parse_uint(std::string_view text);
// A decimal number ("2.5", "1e-6", "-3") in millionths, rounded toward zero; none when it does not fit int64.
std::optional<std::int64_t> parse_micros(std::string_view text);

void append_int(std::string& out, std::int64_t value);
void append_uint(std::string& out, std::uint64_t value);
// Lower-case hexadecimal, fixed to `digits` places.
void append_hex(std::string& out, std::uint64_t value, int digits);

// Percent-encodes all but letters, digits and the characters of `plain`.
void append_percent(std::string& out, std::string_view text, std::string_view plain);

// With %XX read as bytes; what is no such escape stays.
std::string percent_decoded(std::string_view text);

// Cuts `text` at the first `separator`: returns what stands before it and leaves the rest in `text` (empty at
// the end).
std::string_view cut(std::string_view& text, char separator);

// Whether a part of the list "a|b|c" is accepted.
template <typename Accept>
bool any_of_list(std::string_view list, Accept accept) {
  while (!list.empty()) {
    if (accept(cut(list, '|'))) return true;
  }
  return false;
}

// Edit distance (insert, delete, replace) of two short texts, for "did you mean"; stops counting above
// `most`.
int edit_distance(std::string_view a, std::string_view b, int most);

}  // namespace shunt
