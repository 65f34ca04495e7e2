// Where a string ends in text whose quotes cannot be trusted. Knows what may follow a string, not what is in
// one.
#pragma once

#include <cstddef>

#include "text/loose_lex.h"

namespace shunt::text {

// Where the string stands: that says what may follow it.
enum class Place : std::uint8_t { root, key, member, item };

struct StringSpan {
  std::size_t end = 0;   // behind its content
  std::size_t next = 0;  // where reading goes on: behind the closing quote, if there is one
  bool closed = false;   // by a quote; else the content's trailing white space is layout
};

// The string whose content begins at `begin`, behind its opening quote.
StringSpan find_string_end(Source& source, std::size_t begin, Quote opening, Place place);

// A quote behind a string's end that belongs to nothing: "a"": or, on a line of its own, before the last
// comma.
std::size_t stray_quote_length(Source& source, std::size_t at, Quote opening);

// What begins at `at` is a key: "a":, a: or a":. Its colon may be missing before a bracket and at the text's
// end.
bool key_follows(Source& source, std::size_t at);

}  // namespace shunt::text
