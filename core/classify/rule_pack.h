// Rows of rules -> bytes, at compile time. 480 rows of string_views are three times as large, and half of
// that is addresses, which do not compress.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

#include "classify/rules.h"

namespace shunt::classify {

// A packed row: these bytes, then its name, sub, sayings and words, each ended by NUL; of a row that names a
// status or a provider, then the status in two bytes and the provider. Members of a ruling that may be unset
// are 0 then, else one more than their value. Like stands beside like, for gzip's sake.
enum RowByte : std::size_t {
  kClassAndPenalty,      // from bit 4 on: the penalty
  kScopeRetryAndSwitch,  // from bit 3 on: whether to repeat; from bit 5 on: whether to switch
  kStatusesHigh,
  kStatusesLow,
  kFamily,
  kRowBytes,
};
inline constexpr unsigned kIsOwn = 0x80;  // in the byte of the family: a status and a provider follow
inline constexpr std::string_view kSubIsName = "\1";  // in place of a sub that is the name behind its '/'

namespace pack {

template <typename T>
constexpr unsigned number_of(const std::optional<T>& member) {
  return member ? static_cast<unsigned>(*member) + 1 : 0;
}

constexpr bool is_own(const Rule& rule) { return rule.status != 0 || !rule.provider.empty(); }

constexpr std::array<std::string_view, 4> texts_of(const Rule& rule) {
  const std::string_view sub = rule.ruling.sub;
  const bool named = !sub.empty() && rule.name.substr(rule.name.find('/') + 1) == sub;
  return {rule.name, named ? kSubIsName : sub, rule.says, rule.words};
}

constexpr std::array<char, kRowBytes> bytes_of(const Rule& rule) {
  const Ruling& ruling = rule.ruling;
  std::array<char, kRowBytes> row{};
  row[kClassAndPenalty] =
      static_cast<char>(static_cast<unsigned>(ruling.error_class) | number_of(ruling.penalty) << 4U);
  row[kScopeRetryAndSwitch] = static_cast<char>(number_of(ruling.scope) | number_of(ruling.retry_same) << 3U |
                                                number_of(ruling.switch_provider) << 5U);
  row[kStatusesHigh] = static_cast<char>(rule.at >> 8U);
  row[kStatusesLow] = static_cast<char>(rule.at & 0xFFU);
  row[kFamily] = static_cast<char>(static_cast<unsigned>(rule.family) | (is_own(rule) ? kIsOwn : 0U));
  return row;
}

}  // namespace pack

template <const auto& Rows>
constexpr auto packed() {
  static_assert(std::none_of(std::begin(Rows), std::end(Rows), pack::is_own), "only an operator's row is");
  constexpr std::size_t kSize = [] {
    std::size_t size = 0;
    for (const Rule& rule : Rows) {
      size += kRowBytes;
      for (const std::string_view text : pack::texts_of(rule)) size += text.size() + 1;
    }
    return size;
  }();
  std::array<char, kSize> out{};
  std::size_t at = 0;
  for (const Rule& rule : Rows) {
    for (const char byte : pack::bytes_of(rule)) out[at++] = byte;
    for (const std::string_view text : pack::texts_of(rule)) {
      for (const char c : text) out[at++] = c;
      ++at;
    }
  }
  return out;
}

}  // namespace shunt::classify
