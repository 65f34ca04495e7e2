// Which of a few words a text is: the keys of an object, the values of an enumeration. Rows of constants;
// knows no JSON and no dialect.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace shunt::dialect {

struct Word {
  template <typename Id>  // an enum over std::uint8_t
  constexpr Word(std::string_view said, Id means) : text(said), id(static_cast<std::uint8_t>(means)) {}

  std::string_view text;
  std::uint8_t id;
};

inline constexpr int kNoWord = -1;

// Most words differ in length or first character: that is seen without a call.
constexpr bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && (a.empty() || (a[0] == b[0] && a == b));
}

// The id of the first row that says `text`.
int find_word(std::span<const Word> words, std::string_view text);

}  // namespace shunt::dialect
