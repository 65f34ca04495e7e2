// Spans of time in text to milliseconds.
#include "base/spans.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

#include "base/packed_texts.h"
#include "base/strings.h"

namespace shunt {
namespace {

constexpr std::int64_t kMicrosPerSecond = 1000000;

// Names of units, parted by '|'.
struct Unit {
  std::int64_t micros;
  std::string_view names;
};
constexpr Unit kUnits[] = {
    {1000, "ms|milliseconds"},
    {kMicrosPerSecond, "s|sec|secs|second|seconds|秒"},
    {60 * kMicrosPerSecond, "m|min|mins|minute|minutes|分钟|分"},
    {3600 * kMicrosPerSecond, "h|hr|hrs|hour|hours|小时|个小时"},
    {86400 * kMicrosPerSecond, "d|day|days|天|日"},
};
struct UnitTable {
  template <typename Out>
  static constexpr void write(Out& out) {
    for (unsigned unit = 0; unit < std::size(kUnits); ++unit) {
      each_part(kUnits[unit].names, [&](std::string_view name) {
        out.byte(unit);
        out.text(name);
      });
    }
  }
};
constexpr auto kUnitTexts = packed_texts<UnitTable>();
constexpr std::int64_t kMicros[] = {kUnits[0].micros, kUnits[1].micros, kUnits[2].micros, kUnits[3].micros,
                                    kUnits[4].micros};

// Their first bytes, by the lowest bits.
constexpr std::uint32_t bit(char c) { return 1U << (static_cast<unsigned char>(c) & 31U); }
constexpr std::uint32_t kFirsts = [] {
  std::uint32_t bits = 0;
  for (const Unit& unit : kUnits)
    each_part(unit.names, [&bits](std::string_view name) { bits |= bit(name.front()); });
  return bits;
}();

// The micros of the unit at the front of `text`; 0: none stands there.
std::int64_t take_unit(std::string_view text, std::string_view& rest) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  const char first = text.empty() ? ' ' : to_lower(text.front());
  if ((kFirsts & bit(first)) == 0) return 0;
  for (PackedTexts units(kUnitTexts); !units.empty();) {
    const unsigned unit = units.byte();
    const std::string_view name = units.text();
    if (name.front() != first || !equal_fold(text.substr(0, name.size()), name)) continue;
    rest = text.substr(name.size());
    // The "m" of "ms", "min" or "models" is no minute; that of "6m0s" is.
    if (rest.empty() || !is_alpha(rest.front())) return kMicros[unit];
  }
  return 0;
}

// Where the decimal at the front of `text` ends.
std::size_t decimal_end(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == 0 || end + 1 >= text.size() || text[end] != '.' || !is_digit(text[end + 1])) return end;
  for (++end; end < text.size() && is_digit(text[end]);) ++end;
  return end;
}

}  // namespace

std::optional<std::int64_t> take_micros(std::string_view text, std::string_view& rest) {
  const std::size_t end = decimal_end(text);
  if (end == 0) return std::nullopt;
  rest = text.substr(end);
  return parse_micros(text.substr(0, end));
}

Duration rounded_up_to_ms(std::int64_t micros) {
  return milliseconds(micros / 1000 + (micros % 1000 != 0 ? 1 : 0));
}

std::optional<Duration> take_span(std::string_view text, std::string_view& rest) {
  std::optional<std::int64_t> total;
  for (;;) {
    std::string_view after;
    const std::size_t end = decimal_end(text);
    const std::int64_t unit = end > 0 ? take_unit(text.substr(end), after) : 0;
    const auto value = unit > 0 ? parse_micros(text.substr(0, end)) : std::nullopt;
    if (!value) break;
    // micros of the number times micros of the unit, without leaving 64 bits
    const std::int64_t whole = *value / kMicrosPerSecond;
    const std::int64_t part = *value % kMicrosPerSecond;
    if (whole > std::numeric_limits<std::int64_t>::max() / 4 / unit) return std::nullopt;
    const std::int64_t micros = whole * unit + (unit >= kMicrosPerSecond ? part * (unit / kMicrosPerSecond)
                                                                         : part * unit / kMicrosPerSecond);
    total = total.value_or(0) + micros;
    if (*total > std::numeric_limits<std::int64_t>::max() / 2) return std::nullopt;
    text = after;
    while (text.size() > 1 && text.front() == ' ' && is_digit(text[1])) text.remove_prefix(1);
  }
  if (!total) return std::nullopt;
  rest = text;
  return rounded_up_to_ms(*total);
}

std::optional<Duration> parse_span(std::string_view text) {
  text = trim(text);
  std::string_view rest;
  if (const auto span = take_span(text, rest); span && rest.empty()) return span;
  const auto seconds = take_micros(text, rest);
  if (!seconds || !rest.empty()) return std::nullopt;
  return rounded_up_to_ms(*seconds);
}

}  // namespace shunt
