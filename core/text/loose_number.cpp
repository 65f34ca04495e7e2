// Loose numbers: cut into sign, whole, fraction and exponent, then written as JSON.
#include "text/loose_number.h"

#include <cstdint>
#include <optional>

#include "base/strings.h"
#include "text/string_content.h"

namespace shunt::text {
namespace {

// The largest double is 1.7976931348623157e308.
constexpr std::int64_t kMostExponent = 308;
constexpr std::string_view kMostDigits = "17976931348623157";
constexpr std::size_t kHexDigits = 15;

std::string_view take_digits(std::string_view& rest) {
  std::size_t count = 0;
  while (count < rest.size() && is_digit(rest[count])) ++count;
  const std::string_view digits = rest.substr(0, count);
  rest.remove_prefix(count);
  return digits;
}

bool take(std::string_view& rest, std::string_view any_of) {
  if (rest.empty() || any_of.find(rest.front()) == std::string_view::npos) return false;
  rest.remove_prefix(1);
  return true;
}

// 0.ddd × 10^place of all digits in a row: whether a double reaches that far.
bool fits_a_double(std::string_view whole, std::string_view fraction, std::string_view exponent) {
  std::string digits = std::string(whole).append(fraction);
  const std::size_t zeros = digits.find_first_not_of('0');
  if (zeros == std::string::npos) return true;
  const bool small = exponent.starts_with('-');
  if (small) return true;
  std::string_view power = exponent;
  take(power, "+");
  const auto value = parse_int(power.empty() ? "0" : power);
  if (!value) return false;
  const std::int64_t place =
      *value + static_cast<std::int64_t>(whole.size()) - static_cast<std::int64_t>(zeros) - 1;
  if (place != kMostExponent) return place < kMostExponent;
  digits.erase(0, zeros);
  digits.resize(kMostDigits.size(), '0');
  return std::string_view(digits) < kMostDigits;
}

std::string from_hex(std::string_view digits) {
  if (digits.empty() || digits.size() > kHexDigits) return {};
  std::uint64_t value = 0;
  for (const char c : digits) {
    const int digit = hex_value(c);
    if (digit < 0) return {};
    value = value * 16 + static_cast<std::uint64_t>(digit);
  }
  std::string out;
  append_uint(out, value);
  return out;
}

// 1_000 and 12_000_000: underscores between digits.
std::optional<std::string> without_underscores(std::string_view word) {
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '_') {
      out += word[i];
    } else if (i == 0 || i + 1 == word.size() || !is_digit(word[i - 1]) || !is_digit(word[i + 1])) {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace

std::string loose_number(std::string_view word) {
  const auto plain = without_underscores(word);
  if (!plain) return {};
  std::string_view rest = *plain;
  const std::string sign = rest.starts_with('-') ? "-" : "";
  take(rest, "+-");
  if (rest.starts_with("0x") || rest.starts_with("0X")) {
    const std::string value = from_hex(rest.substr(2));
    return value.empty() ? value : sign + value;
  }
  const std::string_view whole = take_digits(rest);
  const bool point = take(rest, ".");
  const std::string_view fraction = point ? take_digits(rest) : "";
  const bool marked = !(whole.empty() && fraction.empty()) && take(rest, "eE");
  std::string exponent;
  if (marked) {
    if (rest.starts_with('-') || rest.starts_with('+')) exponent = rest.front();
    take(rest, "+-");
    exponent.append(take_digits(rest));
    if (exponent.empty() || !is_digit(exponent.back())) exponent += '0';  // cut off: 2e, 2e-
  }
  if (!rest.empty() || (whole.size() > 1 && whole.front() == '0')) return {};
  if (whole.empty() && fraction.empty())
    return plain->size() == 1 && !sign.empty() ? "-0" : "";  // cut off: -
  if (!fits_a_double(whole, fraction, exponent)) return {};
  std::string out = sign + (whole.empty() ? "0" : std::string(whole));
  if (point) out.append(".").append(fraction.empty() ? "0" : fraction);
  if (marked) out.append("e").append(exponent);
  return out;
}

}  // namespace shunt::text
