// Sentences and names of quotas as rules look at them. Knows no envelope and no rule.
#include "classify/sentence.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/strings.h"

namespace shunt::classify {
namespace {

constexpr std::size_t kMatchedBytes = 1024;  // of a sentence: what decides stands at its beginning

// Characters at which a sentence is not taken as it is: white space but the blank, marks of quotation, and a
// second blank in a row.
constexpr std::uint8_t is_special(char c, char before) {
  const auto is = [](char one, char other) { return static_cast<std::uint8_t>(one == other ? 1 : 0); };
  return static_cast<std::uint8_t>(is(c, '\t') | is(c, '\r') | is(c, '\n') | is(c, '"') | is(c, '`') |
                                   is(c, '\'') | (is(c, ' ') & is(before, ' ')));
}

// How much of the text is taken as it is. The blocks are plain arithmetic over a fixed count, which compilers
// do sixteen at a time.
std::size_t ordinary(std::string_view text, char before) {
  constexpr std::size_t kBlock = 32;
  if (text.empty() || is_special(text.front(), before) != 0) return 0;
  std::size_t size = 1;
  for (; size + kBlock <= text.size(); size += kBlock) {
    const char* const block = text.data() + size;
    std::array<std::uint8_t, kBlock> marks;
    for (std::size_t n = 0; n < kBlock; ++n) marks[n] = is_special(block[n], block[n - 1]);
    std::array<std::uint64_t, kBlock / 8> eights;
    std::memcpy(eights.data(), marks.data(), kBlock);
    if ((eights[0] | eights[1] | eights[2] | eights[3]) != 0) break;
  }
  while (size < text.size() && is_special(text[size], text[size - 1]) == 0) ++size;
  return size;
}

// The words of a name: "RequestsPerDay" is "requests per day".
void append_parted(std::string& out, std::string_view name) {
  char before = ' ';
  for (const char c : name) {
    if (is_capital(c) && (is_small(before) || is_digit(before))) out += ' ';
    out += to_lower(c);
    before = c;
  }
}

}  // namespace

std::string sentence_of(std::string_view message) {
  message = message.substr(0, kMatchedBytes);
  std::string out;
  out.reserve(message.size());
  while (!message.empty()) {
    const std::size_t size = ordinary(message, out.empty() ? ' ' : out.back());
    out += message.substr(0, size);
    message.remove_prefix(size);
    if (message.empty()) break;
    const char c = message.front();
    message.remove_prefix(1);
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      if (!out.empty() && out.back() != ' ') out += ' ';
      continue;
    }
    const bool opens = c != '\'' || out.empty() || !(is_alpha(out.back()) || is_digit(out.back()));
    const std::size_t end = opens ? message.find(c) : std::string_view::npos;
    out += end == std::string_view::npos ? c : '#';
    if (end != std::string_view::npos) message.remove_prefix(end + 1);
  }
  for (char& c : out) c = to_lower(c);
  return out;
}

std::string matched_text(const Reading& reading) {
  std::string out = sentence_of(reading.message);
  out += ' ';
  append_parted(out, reading.quota);
  return out;
}

}  // namespace shunt::classify
