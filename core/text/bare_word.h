// Values and keys without quotes. Knows where they end and what they stand for.
#pragma once

#include <string>

#include "text/string_end.h"

namespace shunt::text {

// Where the word without quotes at `at` ends, trailing white space left out. `in_round`: a closing round
// bracket ends it too.
std::size_t bare_end(Source& source, std::size_t at, Place place, bool in_round);

// The value of a word without quotes, as JSON: a keyword, a number, else a string.
struct BareValue {
  std::string json;
  std::size_t end = 0;
};
BareValue bare_value(Source& source, std::size_t at, Place place, bool in_round);

// The bracket of a call (name, then a round bracket): callback({…}), ObjectId("…"); 0 when there is none.
std::size_t call_bracket(std::string_view text, std::size_t at);
// Where the regular expression /…/ at `at` ends; 0 when there is none.
std::size_t regex_end(std::string_view text, std::size_t at);

}  // namespace shunt::text
