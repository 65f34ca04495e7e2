// Spans of time in text to milliseconds.
#include "base/spans.h"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/strings.h"

namespace shunt {
namespace {

constexpr std::int64_t kMicrosPerSecond = 1000000;

struct Unit {
  std::int64_t micros;
  std::string_view words;  // parted by '|'
  std::string_view signs;  // in a script without spaces; the same
};
constexpr Unit kUnits[] = {
    {1000, "ms|milliseconds", ""},
    {kMicrosPerSecond, "s|sec|secs|second|seconds", "秒"},
    {60 * kMicrosPerSecond, "m|min|mins|minute|minutes", "分钟|分"},
    {3600 * kMicrosPerSecond, "h|hr|hrs|hour|hours", "小时|个小时"},
    {86400 * kMicrosPerSecond, "d|day|days", "天|日"},
};

const Unit* take_unit(std::string_view text, std::string_view& rest) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  // A word counts whole: the "m" of "ms", "min" or "models" is no minute; that of "6m0s" is.
  std::size_t size = 0;
  while (size < text.size() && is_alpha(text[size])) ++size;
  if (size == 0 && (text.empty() || static_cast<unsigned char>(text.front()) < 0x80)) return nullptr;
  const auto is_here = [&](std::string_view name) {
    if (size > 0 ? !equal_fold(text.substr(0, size), name) : !text.starts_with(name)) return false;
    rest = text.substr(name.size());
    return rest.empty() || !is_alpha(rest.front());
  };
  for (const Unit& unit : kUnits) {
    if (size > 0 && to_lower(text.front()) != unit.words.front()) continue;
    if (any_of_list(size > 0 ? unit.words : unit.signs, is_here)) return &unit;
  }
  return nullptr;
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
    const Unit* unit = end > 0 ? take_unit(text.substr(end), after) : nullptr;
    const auto value = unit != nullptr ? parse_micros(text.substr(0, end)) : std::nullopt;
    if (!value) break;
    // micros of the number times micros of the unit, without leaving 64 bits
    const std::int64_t whole = *value / kMicrosPerSecond;
    const std::int64_t part = *value % kMicrosPerSecond;
    if (whole > std::numeric_limits<std::int64_t>::max() / 4 / unit->micros) return std::nullopt;
    const std::int64_t micros =
        whole * unit->micros + (unit->micros >= kMicrosPerSecond ? part * (unit->micros / kMicrosPerSecond)
                                                                 : part * unit->micros / kMicrosPerSecond);
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
