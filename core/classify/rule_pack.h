// Rows of rules -> bytes, at compile time. 400 rows of string_views are three times as large, and half of
// that is addresses, which do not compress.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "classify/rules.h"

namespace shunt::classify {

// A packed row: these bytes, then its name, words, sayings, sub and provider, each ended by NUL. Members that
// may be unset are 0 then, else one more than their value.
enum RowByte : std::size_t {
  kFamily,
  kStatusesLow,
  kStatusesHigh,
  kClass,
  kScope,
  kRetrySame,
  kSwitchProvider,
  kPenalty,
  kStatusLow,
  kStatusHigh,
  kRowBytes,
};

namespace pack {

template <typename T>
constexpr char byte_of(const std::optional<T>& member) {
  return member ? static_cast<char>(static_cast<int>(*member) + 1) : '\0';
}

constexpr std::array<std::string_view, 5> texts_of(const Rule& rule) {
  return {rule.name, rule.words, rule.says, rule.ruling.sub, rule.provider};
}

constexpr std::array<char, kRowBytes> bytes_of(const Rule& rule) {
  std::array<char, kRowBytes> row{};
  row[kFamily] = static_cast<char>(rule.family);
  row[kStatusesLow] = static_cast<char>(rule.at & 0xFFU);
  row[kStatusesHigh] = static_cast<char>(rule.at >> 8U);
  row[kClass] = static_cast<char>(rule.ruling.error_class);
  row[kScope] = byte_of(rule.ruling.scope);
  row[kRetrySame] = byte_of(rule.ruling.retry_same);
  row[kSwitchProvider] = byte_of(rule.ruling.switch_provider);
  row[kPenalty] = byte_of(rule.ruling.penalty);
  row[kStatusLow] = static_cast<char>(rule.status & 0xFFU);
  row[kStatusHigh] = static_cast<char>(rule.status >> 8U);
  return row;
}

}  // namespace pack

template <const auto& Rows>
constexpr auto packed() {
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
