// HTTP dates, RFC 3339 times and dates in sentences to milliseconds since 1970, by calendar arithmetic alone.
#include "base/spans.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/simd.h"
#include "base/simd_find.h"
#include "base/strings.h"

namespace shunt {
namespace {

struct Civil {
  std::int64_t year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
};

// Days since 1970-01-01 in the proleptic Gregorian calendar (Howard Hinnant's days_from_civil).
constexpr std::int64_t days_from_civil(std::int64_t y, std::int64_t m, std::int64_t d) {
  y -= m <= 2 ? 1 : 0;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t year_of_era = y - era * 400;
  const std::int64_t day_of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

bool is_valid(const Civil& c) {
  return c.year >= 1970 && c.year <= 9999 && c.month >= 1 && c.month <= 12 && c.day >= 1 && c.day <= 31 &&
         c.hour >= 0 && c.hour <= 23 && c.minute >= 0 && c.minute <= 59 && c.second >= 0 && c.second <= 60;
}

std::optional<WallTime> wall_of(const Civil& c) {
  if (!is_valid(c)) return std::nullopt;
  const std::int64_t seconds =
      days_from_civil(c.year, c.month, c.day) * 86400 + c.hour * 3600 + c.minute * 60 + c.second;
  return WallTime{seconds * 1000};
}

std::int64_t month_of(std::string_view name) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (name.size() != 3) return 0;
  const std::size_t at = kMonths.find(name);
  return at == std::string_view::npos || at % 3 != 0 ? 0 : static_cast<std::int64_t>(at / 3) + 1;
}

std::int64_t number(std::string_view text) {
  if (text.empty() || text.size() > 4) return -1;
  std::int64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

// 2026-03-02T10:00:41Z, with an optional fraction (dropped) and offset.
std::optional<WallTime> parse_rfc3339(std::string_view text) {
  if (text.size() < 20 || text[4] != '-' || text[7] != '-' || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  const auto at = [&](std::size_t from, std::size_t count) { return number(text.substr(from, count)); };
  const auto wall = wall_of({at(0, 4), at(5, 2), at(8, 2), at(11, 2), at(14, 2), at(17, 2)});
  std::string_view zone = text.substr(19);
  if (zone.front() == '.') {
    zone.remove_prefix(1);
    while (!zone.empty() && is_digit(zone.front())) zone.remove_prefix(1);
  }
  if (!wall || zone == "Z" || zone == "z") return wall;
  if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') return std::nullopt;
  const std::int64_t hours = number(zone.substr(1, 2));
  const std::int64_t minutes = number(zone.substr(4, 2));
  if (hours < 0 || minutes < 0) return std::nullopt;
  const std::int64_t offset_ms = (hours * 60 + minutes) * 60000;
  return WallTime{zone[0] == '+' ? wall->ms - offset_ms : wall->ms + offset_ms};
}

// "2026-09-01" and what may follow it: "T00:00", " 00:00:00", " at 00:00 UTC", " +0800", "Z".
std::optional<WallTime> date_at(std::string_view sentence, std::size_t at) {
  const std::string_view text = sentence.substr(at);
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  Civil civil{number(text.substr(0, 4)), number(text.substr(5, 2)), number(text.substr(8, 2))};
  if (!is_valid(civil)) return std::nullopt;
  std::string_view rest = text.substr(10);
  const auto skip = [&rest](std::string_view lead) {
    if (rest.starts_with(lead)) rest.remove_prefix(lead.size());
  };
  skip("t");
  skip(" ");
  skip("at ");
  if (rest.size() >= 5 && rest[2] == ':') {
    civil.hour = number(rest.substr(0, 2));
    civil.minute = number(rest.substr(3, 2));
    rest.remove_prefix(5);
    if (rest.size() >= 3 && rest[0] == ':') {
      civil.second = number(rest.substr(1, 2));
      rest.remove_prefix(3);
    }
    if (rest.starts_with('.'))
      rest.remove_prefix(std::min(rest.find_first_not_of("0123456789", 1), rest.size()));
  }
  const auto wall = wall_of(civil);
  if (!wall) return std::nullopt;
  skip(" ");
  constexpr std::int64_t kHour = 3600000;
  if (rest.size() >= 5 && (rest[0] == '+' || rest[0] == '-')) {
    const std::string_view minutes = rest[3] == ':' ? rest.substr(4, 2) : rest.substr(3, 2);
    const std::int64_t hours = number(rest.substr(1, 2));
    if (hours < 0 || number(minutes) < 0) return std::nullopt;
    const std::int64_t offset = hours * kHour + number(minutes) * 60000;
    return WallTime{rest[0] == '+' ? wall->ms - offset : wall->ms + offset};
  }
  const bool universal = rest.starts_with('z') || rest.starts_with("utc") || rest.starts_with("gmt");
  const bool chinese = std::any_of(sentence.begin(), sentence.end(),
                                   [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  return WallTime{chinese && !universal ? wall->ms - 8 * kHour : wall->ms};
}

}  // namespace

std::optional<WallTime> parse_date(std::string_view text) {
  text = trim(text);
  if (!text.empty() && is_digit(text.front())) return parse_rfc3339(text);
  // "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"
  std::array<std::string_view, 8> words{};
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" ,-:", at), text.size());
    if (end > at) {
      if (count == words.size()) return std::nullopt;
      words[count++] = text.substr(at, end - at);
    }
    at = end + 1;
  }
  if (count == 8 && words[7] == "GMT" && month_of(words[2]) != 0) {
    std::int64_t year = number(words[3]);
    if (words[3].size() == 2 && year >= 0) year += year < 70 ? 2000 : 1900;
    return wall_of(
        {year, month_of(words[2]), number(words[1]), number(words[4]), number(words[5]), number(words[6])});
  }
  if (count == 7 && month_of(words[1]) != 0) {
    return wall_of({number(words[6]), month_of(words[1]), number(words[2]), number(words[3]),
                    number(words[4]), number(words[5])});
  }
  return std::nullopt;
}

std::optional<WallTime> find_date(std::string_view text) {
  using simd::Block;
  const auto written = [](const char* at) {  // "20..-..-.0"
    const Block dashes = Block::load(at + 4).equal_to('-') & Block::load(at + 7).equal_to('-');
    if (dashes.bits() == 0) return dashes;
    return dashes & Block::load(at).equal_to('2') & Block::load(at + 1).equal_to('0') &
           Block::load(at + 9).within('0', '9');
  };
  std::optional<WallTime> date;
  simd::each_place<9>(text, written, [&](std::size_t at) {
    const char before = at > 0 ? text[at - 1] : ' ';
    const bool inside = is_alpha(before) || is_digit(before) || before == '-';  // "gpt-4o-2026-08-06"
    if (!inside) date = date_at(text, at);
    return date.has_value();
  });
  return date;
}

}  // namespace shunt
