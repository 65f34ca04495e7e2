// Sentences and names of quotas as rules look at them. Knows no envelope and no rule.
#include "classify/sentence.h"

#include <cstddef>

#include "base/simd.h"
#include "base/simd_find.h"
#include "base/strings.h"

namespace shunt::classify {
namespace {

constexpr bool is_white(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

constexpr std::size_t kMatchedBytes = 1024;  // of a sentence: what decides stands at its beginning

// What is not taken as it is: white space but the blank, marks of quotation, and a blank before a blank.
simd::Block specials(const char* at) {
  const auto block = simd::Block::load(at);
  const auto blanks = block.equal_to(' ') & simd::Block::load(at + 1).equal_to(' ');
  return block.within('\t', '\r') | block.equal_to('"') | block.equal_to('`') | block.equal_to('\'') | blanks;
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

// Three digits stand there, and what tells a status before them.
bool names_status(std::string_view sentence, std::size_t at) {
  constexpr std::string_view kNaming = "status|code|http|returned|error|状态码";
  constexpr std::string_view kLast = "sepdr\x81";  // their last bytes
  const auto digit = [&](std::size_t i) { return i < sentence.size() && is_digit(sentence[i]); };
  if (!digit(at + 1) || !digit(at + 2) || digit(at + 3) || (at > 0 && digit(at - 1))) return false;
  std::string_view name = sentence.substr(0, at);
  while (!name.empty() && std::string_view(" :=([").find(name.back()) != std::string_view::npos)
    name.remove_suffix(1);
  if (name.empty() || kLast.find(name.back()) == std::string_view::npos) return false;
  return any_of_list(kNaming, [name](std::string_view naming) { return name.ends_with(naming); });
}

}  // namespace

std::string sentence_of(std::string_view message) {
  message = message.substr(0, kMatchedBytes);
  std::string out;
  out.reserve(message.size());
  std::size_t taken = 0;  // what is before has been
  const auto skip_blanks = [&] {
    while (taken < message.size() && message[taken] == ' ') ++taken;
  };
  skip_blanks();
  simd::each_place<1>(message, specials, [&](std::size_t at) {
    if (at < taken) return false;  // quoted
    out += message.substr(taken, at - taken);
    taken = at + 1;
    const char c = message[at];
    if (is_white(c)) {
      if (!out.empty() && out.back() != ' ') out += ' ';
      skip_blanks();
      return false;
    }
    const bool opens = c != '\'' || out.empty() || !(is_alpha(out.back()) || is_digit(out.back()));
    const std::size_t end = opens ? message.find(c, taken) : std::string_view::npos;
    out += end == std::string_view::npos ? c : '#';
    if (end != std::string_view::npos) taken = end + 1;
    return false;
  });
  if (taken < message.size()) out += message.substr(taken);
  for (char& c : out) c = to_lower(c);
  return out;
}

std::string matched_text(const Reading& reading) {
  std::string out = sentence_of(reading.message);
  out += ' ';
  append_parted(out, reading.quota);
  return out;
}

int named_status(std::string_view sentence) {
  int named = 0;
  const auto begins = [](const char* at) { return simd::Block::load(at).within('4', '5'); };
  simd::each_place<0>(sentence, begins, [&](std::size_t at) {
    if (names_status(sentence, at)) named = static_cast<int>(*parse_int(sentence.substr(at, 3)));
    return false;
  });
  return named;
}

}  // namespace shunt::classify
