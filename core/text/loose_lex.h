// The words of broken JSON: white space of every kind, comments, quotes of every kind. Knows no structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/strings.h"

namespace shunt::text {

// A text with a place in it, and a purse. Reading on is free: each byte is read a fixed number of times. What
// looks ahead and comes back pays a step a byte; with an empty purse the caller decides without looking. So
// the whole is linear whatever the text looks like.
struct Source {
  explicit Source(std::string_view whole);

  std::string_view text;
  std::size_t at = 0;
  std::size_t purse;
  std::size_t steps = 0;  // looked at in all, for the tests

  bool ended() const { return at >= text.size(); }
  char peek(std::size_t i) const { return i < text.size() ? text[i] : '\0'; }
  char here() const { return peek(at); }
  bool pay(std::size_t count);
};

enum class Quote : std::uint8_t { none, double_plain, single_plain, double_like, single_like };

struct QuoteMark {
  Quote kind = Quote::none;
  std::size_t length = 0;
};

// “ ” „ « » ‘ ’ ` ´ are quotes besides " and '.
QuoteMark quote_at(std::string_view text, std::size_t at);
// A plain quote is ended by its like only, any other by every quote of its family.
bool ends(Quote opening, Quote candidate);

// Length of the white space character at `at` (ASCII, no-break, ideographic, …); 0 when there is none.
std::size_t space_length(std::string_view text, std::size_t at);
// Length of the comment at `at`: // … and # … to the end of the line, /* … */; unclosed to the end of the
// text.
std::size_t comment_length(std::string_view text, std::size_t at);
// Length of the fence at `at`: three or more ` or ~ and the language behind them; 0 when there is none.
std::size_t fence_length(std::string_view text, std::size_t at);
// Length of … or three or more dots.
std::size_t ellipsis_length(std::string_view text, std::size_t at);

// Behind white space and comments; with `in_line` it stops at a line break.
std::size_t skip_space(std::string_view text, std::size_t at, bool in_line = false);
// Where the white space before `at` begins, not before `from`.
std::size_t trimmed_end(std::string_view text, std::size_t from, std::size_t at);

constexpr bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// What a keyword of JSON, JavaScript or Python stands for, as JSON, upper or lower case: "None" -> "null".
// Empty when the word is none.
std::string_view keyword(std::string_view word);

}  // namespace shunt::text
