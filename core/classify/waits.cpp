// Waits from headers and sentences. Providers disagree on notation, not on meaning: how long until
// it makes sense to come back.
#include "classify/waits.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "base/strings.h"

namespace shunt::classify {
namespace {

std::optional<Duration> until(std::int64_t ms, const ReplyTime& written) {
  const auto now = written.read();
  if (!now || ms <= now->ms) return std::nullopt;
  return milliseconds(ms - now->ms);
}

// The value of retry-after or of a reset: a span, a moment since 1970, or a date.
std::optional<Duration> parse_value(std::string_view value, const ReplyTime& now, bool may_be_epoch) {
  if (may_be_epoch) {
    const auto number = parse_int(value);
    if (number && *number >= kEpochMillis) return until(*number, now);
    if (number && *number >= kEpochSeconds) return until(*number * 1000, now);
  }
  if (const auto span = parse_span(value)) return span;
  const auto date = parse_date(value);
  return date ? until(date->ms, now) : std::nullopt;
}

std::optional<Duration> larger(std::optional<Duration> a, std::optional<Duration> b) {
  if (!a || !b) return a ? a : b;
  return std::max(*a, *b);
}

// The place in a list of the first entry that the text ends with, which is taken off; none: -1.
int take_end(std::string_view list, std::string_view& text) {
  for (int place = 0; !list.empty(); ++place) {
    const std::string_view end = cut(list, '|');
    if (!text.ends_with(end)) continue;
    text.remove_suffix(end.size());
    return place;
  }
  return -1;
}

// "try again in about 20s": what stands before each number is looked at, for numbers are few. The earlier
// lead of the list wins.
std::optional<Duration> span_behind_lead(std::string_view text) {
  constexpr std::string_view kLeads =
      "try again in|try again after|retry after|retry in|reset after|reset in|resets in|resets "
      "after|available in|"
      "timed out for|please wait|wait for|请等待";
  constexpr std::string_view kFillers = " |~|:|about|approximately|another|at least";
  std::optional<Duration> found;
  int best = std::numeric_limits<int>::max();
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (!is_digit(text[at]) || is_digit(text[at - 1])) continue;
    std::string_view before = text.substr(0, at);
    while (take_end(kFillers, before) >= 0) continue;
    const int lead = take_end(kLeads, before);
    if (lead < 0 || lead >= best) continue;
    std::string_view rest;
    const auto span = take_span(text.substr(at), rest);
    if (!span) continue;
    found = span;
    best = lead;
  }
  return found;
}

// The span that ends where `end` is.
std::optional<Duration> span_before(std::string_view text, std::size_t end) {
  constexpr std::size_t kLongest = 40;
  for (std::size_t at = end > kLongest ? end - kLongest : 0; at < end; ++at) {
    if (!is_digit(text[at]) || (at > 0 && (is_digit(text[at - 1]) || text[at - 1] == '.'))) continue;
    std::string_view rest;
    const auto span = take_span(text.substr(at, end - at), rest);
    if (span && (rest.empty() || rest == "之")) return span;
  }
  return std::nullopt;
}

// Calls visit(reset value, remaining value or none) for every limit the headers name:
// x-ratelimit-reset-tokens beside x-ratelimit-remaining-tokens, anthropic-ratelimit-requests-reset
// beside anthropic-ratelimit-requests-remaining, ratelimit-reset.
template <typename Visit>
void each_limit(const HeaderBlock& headers, Visit visit) {
  constexpr std::string_view kReset = "reset";
  headers.each([&](std::string_view name, std::string_view value) {
    const std::size_t at = name.find(kReset);
    if (at == std::string_view::npos || name.find("ratelimit") == std::string_view::npos) return;
    std::string beside(name.substr(0, at));
    beside += "remaining";
    beside += name.substr(at + kReset.size());
    visit(value, headers.get(beside));
  });
}

bool is_zero(std::string_view text) {
  const auto value = parse_micros(text);
  return value && *value <= 0;
}

}  // namespace

std::optional<WallTime> ReplyTime::read() const {
  const auto date = parse_date(headers_.get("date"));
  return date ? date : wall_;
}

std::optional<Duration> wait_until(std::string_view moment, const ReplyTime& now) {
  const auto number = parse_int(moment);
  if (number) return *number >= kEpochSeconds ? parse_value(moment, now, true) : std::nullopt;
  const auto date = parse_date(moment);
  return date ? until(date->ms, now) : std::nullopt;
}

std::optional<Duration> header_wait(const HeaderBlock& headers, std::optional<WallTime> wall) {
  const ReplyTime now(headers, wall);
  std::string_view seconds;
  std::string_view milliseconds_text;
  headers.each([&](std::string_view name, std::string_view value) {
    if (equal_fold(name, "retry-after") && seconds.empty()) seconds = value;
    if (equal_fold(name, "retry-after-ms") && milliseconds_text.empty()) milliseconds_text = value;
  });
  std::optional<Duration> wait;
  std::string_view rest;
  if (const auto micros = take_micros(milliseconds_text, rest); micros && rest.empty()) {
    wait = rounded_up_to_ms(*micros / 1000 + (*micros % 1000 != 0 ? 1 : 0));
  }
  if (!wait && !seconds.empty()) wait = parse_value(seconds, now, false);
  each_limit(headers, [&](std::string_view reset, std::string_view remaining) {
    if (is_zero(remaining)) wait = larger(wait, parse_value(reset, now, true));
  });
  return wait;
}

std::optional<Duration> unclaimed_reset(const HeaderBlock& headers, std::optional<WallTime> wall) {
  const ReplyTime now(headers, wall);
  std::optional<Duration> wait;
  each_limit(headers, [&](std::string_view reset, std::string_view remaining) {
    if (remaining.empty()) wait = larger(wait, parse_value(reset, now, true));
  });
  return wait;
}

std::optional<Duration> sentence_wait(std::string_view sentence, const ReplyTime& now) {
  constexpr std::string_view kReset = "reset|again|regain|until|available|重置|恢复|再试|重试";
  sentence = sentence.substr(0, 1024);
  int digits = 0;
  for (const char c : sentence)
    digits += is_digit(c) ? 1 : 0;       // summed, which compilers do sixteen at a time
  if (digits == 0) return std::nullopt;  // spans and dates have some
  const std::string text = to_lower(sentence);
  if (const auto span = span_behind_lead(text)) return span;
  // "30秒后重试", "请在 1 分钟后再试": the span stands before the word that tells it.
  for (std::size_t at = text.find("后"); at != std::string::npos; at = text.find("后", at + 1)) {
    if (const auto span = span_before(text, at)) return span;
  }
  const auto date = find_date(text);
  if (!date ||
      !any_of_list(kReset, [&](std::string_view word) { return text.find(word) != std::string::npos; }))
    return std::nullopt;
  return until(date->ms, now);
}

}  // namespace shunt::classify
