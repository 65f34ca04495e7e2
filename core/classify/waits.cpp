// Waits from values and sentences. Providers disagree on notation, not on meaning: how long until it makes
// sense to come back.
#include "classify/waits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/packed_texts.h"
#include "base/simd.h"
#include "base/simd_find.h"
#include "base/strings.h"

namespace shunt::classify {
namespace {

std::optional<Duration> until(std::int64_t ms, const ReplyTime& written) {
  const auto now = written.read();
  if (!now || ms <= now->ms) return std::nullopt;
  return milliseconds(ms - now->ms);
}

constexpr std::uint32_t kBlockBits = (1U << simd::kBlock) - 1;
constexpr std::size_t kNowhere = std::string_view::npos;

// Takes the first of these ends that the text has off it. Its place in the list; none: kNowhere.
std::size_t take_off(std::string_view& text, PackedTexts ends) {
  for (std::size_t place = 0; !ends.empty(); ++place) {
    const std::string_view end = ends.text();
    if (text.empty() || end.back() != text.back() || !text.ends_with(end)) continue;
    text.remove_suffix(end.size());
    return place;
  }
  return kNowhere;
}

constexpr std::string_view kLeadList =
    "try again in|try again after|retry after|retry in|reset after|reset in|resets in|resets after|available "
    "in|replenished in|"
    "timed out for|please wait|wait for|请等待";
constexpr std::string_view kFillerList = "about|approximately|another|at least";
constexpr auto kLeadTexts = packed_texts<ListTable<kLeadList>>();
constexpr auto kFillerTexts = packed_texts<ListTable<kFillerList>>();

// Which lead the text ends with, fillers left out.
std::size_t lead_before(std::string_view text) {
  do {
    const char* const begin = text.data();
    const char* end = begin + text.size();
    while (end != begin && (end[-1] == ' ' || end[-1] == '~' || end[-1] == ':')) --end;
    text = {begin, static_cast<std::size_t>(end - begin)};
    if (const std::size_t lead = take_off(text, kLeadTexts); lead != kNowhere) return lead;
  } while (take_off(text, kFillerTexts) != kNowhere);
  return kNowhere;
}

// The last bytes of leads and fillers: numbers behind anything else are passed over, sixteen bytes at once.
constexpr std::string_view kLastBytes = "nrty\x85";
constexpr bool all_end_so(std::string_view ends) {
  bool all = true;
  each_part(ends, [&all](std::string_view end) { all = all && kLastBytes.find(end.back()) != kNowhere; });
  return all;
}
static_assert(all_end_so(kLeadList) && all_end_so(kFillerList));

// "06:11:23": hours, minutes and seconds.
std::optional<Duration> take_clock(std::string_view text) {
  if (text.size() < 8 || text[2] != ':' || text[5] != ':') return std::nullopt;
  std::int64_t seconds = 0;
  for (std::size_t at = 0; at < 8; at += 3) {
    const auto part = parse_int(text.substr(at, 2));
    if (!part) return std::nullopt;
    seconds = seconds * 60 + *part;
  }
  return milliseconds(seconds * 1000);
}

// "try again in about 20s": what stands before each number is looked at. The earlier lead of the list wins.
std::optional<Duration> span_behind_lead(std::string_view text) {
  std::optional<Duration> found;
  std::size_t best = kNowhere;
  std::uint32_t told = 0;  // before this byte may stand a lead, and nothing or signs behind it
  for (std::size_t from = 0; from < text.size(); from += simd::kBlock) {
    const auto block = simd::next_block(text, from);
    auto ends = block.equal_to(kLastBytes.front());
    for (const char c : kLastBytes.substr(1)) ends = ends | block.equal_to(c);
    told |= ends.bits() << 1U;
    const std::uint32_t signs = (block.equal_to(' ') | block.equal_to('~') | block.equal_to(':')).bits();
    told |= (told & signs) + signs;  // the sum's carry goes over all signs that follow
    std::uint32_t begin = block.within('0', '9').bits() & told & ~signs & kBlockBits;
    told = told >> simd::kBlock & 1U;
    for (; begin != 0; begin &= begin - 1) {
      const std::size_t at = from + static_cast<std::size_t>(std::countr_zero(begin));
      const std::size_t lead = lead_before(text.substr(0, at));
      if (lead >= best) continue;
      std::string_view rest;
      auto span = take_span(text.substr(at), rest);
      if (!span) span = take_clock(text.substr(at));
      if (!span) continue;
      found = span;
      best = lead;
    }
  }
  return found;
}

// The span that ends where `end` is, as long as it may be. Whatever is a span from some number on is one from
// each later number on, so the first that is none ends the search.
std::optional<Duration> span_before(std::string_view text, std::size_t end, std::size_t from) {
  std::optional<Duration> found;
  if (end == from || is_digit(text[end - 1])) return found;  // no unit
  for (std::size_t at = end; at-- > from;) {
    if (!is_digit(text[at]) || (at > 0 && (is_digit(text[at - 1]) || text[at - 1] == '.'))) continue;
    std::string_view rest;
    const auto span = take_span(text.substr(at, end - at), rest);
    if (!span || !(rest.empty() || rest == "之")) break;
    found = span;
  }
  return found;
}

// "30秒后重试", "请在 1 分钟后再试": the span stands before the word that tells it.
std::optional<Duration> span_before_after(std::string_view text) {
  static constexpr std::string_view kAfter = "后";
  constexpr std::size_t kLongest = 40;
  using simd::Block;
  const auto after = [](const char* at) {
    return Block::load(at).equal_to(kAfter[0]) & Block::load(at + 1).equal_to(kAfter[1]) &
           Block::load(at + 2).equal_to(kAfter[2]);
  };
  std::optional<Duration> span;
  std::size_t from = 0;
  simd::each_place<2>(text, after, [&](std::size_t at) {
    span = span_before(text, at, std::max(from, at - std::min(at, kLongest)));
    from = at + kAfter.size();
    return span.has_value();
  });
  return span;
}

}  // namespace

std::optional<Duration> wait_of(std::string_view value, const ReplyTime& now, bool may_be_epoch) {
  if (may_be_epoch) {
    const auto number = parse_int(value);
    if (number && *number >= kEpochMillis) return until(*number, now);
    if (number && *number >= kEpochSeconds) return until(*number * 1000, now);
  }
  if (const auto span = parse_span(value)) return span;
  const auto date = parse_date(value);
  return date ? until(date->ms, now) : std::nullopt;
}

std::optional<Duration> longer(std::optional<Duration> a, std::optional<Duration> b) {
  if (!a || !b) return a ? a : b;
  return std::max(*a, *b);
}

std::optional<WallTime> ReplyTime::read() const {
  const auto date = parse_date(headers_.get("date"));
  return date ? date : wall_;
}

std::optional<Duration> wait_until(std::string_view moment, const ReplyTime& now) {
  const auto number = parse_int(moment);
  if (number) return *number >= kEpochSeconds ? wait_of(moment, now, true) : std::nullopt;
  const auto date = parse_date(moment);
  return date ? until(date->ms, now) : std::nullopt;
}

std::optional<Duration> sentence_wait(std::string_view sentence, const ReplyTime& now) {
  constexpr std::string_view kReset = "reset|again|regain|until|available|重置|恢复|再试|重试";
  sentence = sentence.substr(0, 1024);
  bool digits = false;  // spans and dates have some
  simd::each_place<0>(
      sentence, [](const char* at) { return simd::Block::load(at).within('0', '9'); },
      [&digits](std::size_t) { return digits = true; });
  if (!digits) return std::nullopt;
  const std::string text = to_lower(sentence);
  if (const auto span = span_behind_lead(text)) return span;
  if (const auto span = span_before_after(text)) return span;
  const auto date = find_date(text);
  if (!date ||
      !any_of_list(kReset, [&](std::string_view word) { return text.find(word) != std::string::npos; }))
    return std::nullopt;
  return until(date->ms, now);
}

}  // namespace shunt::classify
