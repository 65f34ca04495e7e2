// What stands in a broken string, as the content of a JSON string. Knows escapes, not where strings end.
#pragma once

#include <string>
#include <string_view>

namespace shunt::text {

struct ContentRules {
  bool latex = false;    // control escapes that begin a LaTeX command keep their backslash
  bool cut_off = false;  // the text ends in this string: an escape cut short is dropped
  bool alone = false;    // the string is all there is: control characters in it say that this is no text
};

// Appends `raw` as JSON string content. False for what no string holds, when nothing can be saved: a \u that
// is neither four hexadecimal digits nor a word; in a string alone, a control character that has no escape.
[[nodiscard]] bool append_content(std::string& out, std::string_view raw, ContentRules rules);

// A hexadecimal digit's value; -1 for anything else.
int hex_value(char c);

}  // namespace shunt::text
