// Runs: what stands between spaces, quotes and brackets of a sentence, and what of it may be shown. Knows no
// sentence.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "classify/secrets.h"

namespace shunt::classify {

inline constexpr std::string_view kHiddenKey = "[key]";
inline constexpr std::string_view kHiddenHost = "[host]";
inline constexpr std::string_view kHiddenPerson = "[email]";

// What a character is to a run: 0 ends it, kName may stand in one name or number, the others are signs that
// part several. A set of them tells what need not be looked for.
enum RunCharacter : std::uint16_t {
  kName = 1U << 0U,
  kDot = 1U << 1U,  // and %
  kAt = 1U << 2U,
  kColon = 1U << 3U,
  kSlash = 1U << 4U,
  kEquals = 1U << 5U,
  kQuestion = 1U << 6U,
  kNext = 1U << 7U,     // & and #
  kTelling = 1U << 8U,  // beside kName: what no name of a secret is without
};
inline constexpr unsigned kSigns = 0xFFU ^ kName;

inline constexpr std::array<std::uint16_t, 256> kRunCharacters = [] {
  std::array<std::uint16_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const char c = static_cast<char>(i);
    if (is_word(c)) table[i] = is_in_secret_names(c) ? kName | kTelling : kName;
  }
  for (const char c : {'-', '_', '+', '~', '*'}) table[static_cast<unsigned char>(c)] = kName;
  table['.'] = table['%'] = kDot;
  table['@'] = kAt;
  table[':'] = kColon;
  table['/'] = kSlash;
  table['='] = kEquals;
  table['?'] = kQuestion;
  table['&'] = table['#'] = kNext;
  return table;
}();
constexpr unsigned run_character(char c) { return kRunCharacters[static_cast<unsigned char>(c)]; }
constexpr bool is_run(char c) { return run_character(c) != 0; }

// "localhost", "ip-10-0-0-5". Nearly every word is neither, for its length or its third character.
bool names_a_machine(std::string_view host);
inline bool is_local_name(std::string_view host) {
  return (host.size() == 9 || (host.size() > 3 && host[2] == '-')) && names_a_machine(host);
}

// Appends a run as it may be shown, as far as `out` is then no longer than `most`; `signs` are those that it
// may hold. At the cost of its length, whatever it is.
void hide_run(std::string_view run, unsigned signs, std::string& out, std::size_t most);

}  // namespace shunt::classify
