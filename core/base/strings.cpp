// ASCII text helpers for protocol text.
#include "base/strings.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace shunt {
namespace {

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

std::string_view trim(std::string_view text) {
  if (!text.empty() && text.front() > ' ' && text.back() > ' ') return text;
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool equal_fold(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return to_lower(x) == to_lower(y); });
}

bool contains_fold(std::string_view text, std::string_view needle) {
  for (; text.size() >= needle.size(); text.remove_prefix(1)) {
    std::size_t same = 0;
    while (same < needle.size() && to_lower(text.data()[same]) == needle.data()[same]) ++same;
    if (same == needle.size()) return true;
  }
  return false;
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = to_lower(c);
  return out;
}

// The library's conversions bring tables of digits for a speed that no number here needs: 1 KB of the module.
std::optional<std::uint64_t> parse_uint(std::string_view text) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (kMost - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return value;
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const std::uint64_t most = (std::uint64_t{1} << 63U) - (negative ? 0 : 1);
  const auto magnitude = parse_uint(text);
  if (!magnitude || *magnitude > most) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - *magnitude : *magnitude);
}

std::optional<std::int64_t> parse_micros(std::string_view text) {
  constexpr int kScale = 6;  // digits after the point that are kept
  bool negative = false;
  if (!text.empty() && text.front() == '-') {
    negative = true;
    text.remove_prefix(1);
  }
  constexpr int kMostDigits = 41;
  int digits = 0;
  int exponent = 0;
  bool point = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    if (is_digit(text[i])) {
      if (++digits > kMostDigits) return std::nullopt;
      if (point) --exponent;
    } else if (text[i] == '.' && !point) {
      point = true;
    } else {
      break;
    }
  }
  if (digits == 0) return std::nullopt;
  if (i < text.size()) {
    if (text[i] != 'e' && text[i] != 'E') return std::nullopt;
    std::string_view rest = text.substr(i + 1);
    if (!rest.empty() && rest.front() == '+') rest.remove_prefix(1);
    const auto power = parse_int(rest);
    if (!power || *power > 400 || *power < -400) return std::nullopt;
    exponent += static_cast<int>(*power);
  }
  int shift = exponent + kScale;
  std::int64_t value = 0;
  int kept = shift < 0 ? std::max(0, digits + shift) : digits;
  for (const char c : text.substr(0, i)) {
    if (c == '.') continue;
    if (kept-- == 0) break;
    const int digit = c - '0';
    if (value > (std::numeric_limits<std::int64_t>::max() - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  for (; shift > 0 && value != 0; --shift) {
    if (value > std::numeric_limits<std::int64_t>::max() / 10) return std::nullopt;
    value *= 10;
  }
  return negative ? -value : value;
}

void append_uint(std::string& out, std::uint64_t value) {
  char digits[20];  // of the largest
  char* const end = digits + sizeof digits;
  char* begin = end;
  do {
    *--begin = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  out.append(begin, static_cast<std::size_t>(end - begin));
}

void append_int(std::string& out, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  if (value < 0) out.push_back('-');
  append_uint(out, value < 0 ? 0 - bits : bits);
}

void append_hex(std::string& out, std::uint64_t value, int digits) {
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
    out.push_back("0123456789abcdef"[(value >> static_cast<unsigned>(shift)) & 15U]);
  }
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const std::string_view part : parts) out += part;
  return out;
}

void append_percent(std::string& out, std::string_view text, std::string_view plain) {
  for (const char c : text) {
    if (is_word(c) || plain.find(c) != std::string_view::npos) {
      out.push_back(c);
    } else {
      out.push_back('%');
      append_hex(out, static_cast<unsigned char>(c), 2);
    }
  }
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  const auto digit = [&](std::size_t at) {
    const char c = to_lower(at < text.size() ? text[at] : ' ');
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool encoded = text[i] == '%' && digit(i + 1) >= 0 && digit(i + 2) >= 0;
    out.push_back(encoded ? static_cast<char>(digit(i + 1) * 16 + digit(i + 2)) : text[i]);
    if (encoded) i += 2;
  }
  return out;
}

std::string_view cut(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
  return head;
}

int edit_distance(std::string_view a, std::string_view b, int most) {
  const auto longer = static_cast<int>(std::max(a.size(), b.size()));
  const auto shorter = static_cast<int>(std::min(a.size(), b.size()));
  if (longer - shorter > most || longer > 128) return most + 1;
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return std::min(row[b.size()], most + 1);
}

}  // namespace shunt
