// Sentences and names of quotas as rules look at them. Knows no envelope and no rule.
#include "classify/sentence.h"

#include <array>
#include <cstddef>

#include "base/strings.h"

namespace shunt::classify {
namespace {

constexpr std::size_t kMatchedBytes = 1024;  // of a sentence: what decides stands at its beginning

// Characters at which a sentence is not taken as it is: white space but the blank, and marks of quotation.
constexpr std::array<bool, 256> kSpecial = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("\t\r\n\"`'")) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

// How much of the text is taken as it is. A second blank in a row is not.
std::size_t ordinary(std::string_view text, char before) {
  std::size_t size = 0;
  for (; size < text.size(); ++size) {
    const char c = text[size];
    const bool blanks = (static_cast<unsigned>(c ^ ' ') | static_cast<unsigned>(before ^ ' ')) == 0;
    if (kSpecial[static_cast<unsigned char>(c)] | blanks) break;
    before = c;
  }
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
