// Sentences and names of quotas as rules look at them. Knows no envelope and no rule.
#include "classify/sentence.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/simd.h"
#include "base/strings.h"

namespace shunt::classify {
namespace {

constexpr std::size_t kMatchedBytes = 1024;  // of a sentence: what decides stands at its beginning

// Characters at which a sentence is not taken as it is: white space but the blank, marks of quotation, and a
// second blank in a row.
constexpr std::string_view kSpecial = "\t\r\n\"`'";

// How much of the text is taken as it is.
std::size_t ordinary(std::string_view text, char before) {
  using simd::Block;
  std::size_t at = 0;
  std::uint32_t blank = before == ' ' ? 1 : 0;  // the byte before is one
  for (; at + simd::kBlock <= text.size(); at += simd::kBlock) {
    const Block block = Block::load(text.data() + at);
    const std::uint32_t blanks = block.equal_to(' ').bits();
    Block marks = block.equal_to(kSpecial.front());
    for (const char c : kSpecial.substr(1)) marks = marks | block.equal_to(c);
    const std::uint32_t special = marks.bits() | (blanks & (blanks << 1U | blank));
    if (special != 0) return at + static_cast<std::size_t>(std::countr_zero(special));
    blank = blanks >> (simd::kBlock - 1);
  }
  for (bool after = blank != 0; at < text.size(); ++at) {
    const bool now = text[at] == ' ';
    if ((now && after) || kSpecial.find(text[at]) != std::string_view::npos) break;
    after = now;
  }
  return at;
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

int named_status(std::string_view sentence) {
  constexpr std::array<std::string_view, 6> kNaming = {"status",   "code",  "http",
                                                       "returned", "error", "状态码"};
  for (std::size_t end = sentence.size(); end > 3;) {
    const std::size_t last = sentence.find_last_of("0123456789", end - 1);
    if (last == std::string_view::npos) return 0;
    const std::size_t before = sentence.find_last_not_of("0123456789", last);
    if (before == std::string_view::npos) return 0;
    end = before + 1;
    const auto number = parse_uint(sentence.substr(end, last - before));
    if (!number || *number < 400 || *number > 599) continue;
    const std::string_view name = sentence.substr(0, sentence.find_last_not_of(" :=([", before) + 1);
    for (const std::string_view naming : kNaming) {
      if (name.ends_with(naming)) return static_cast<int>(*number);
    }
  }
  return 0;
}

}  // namespace shunt::classify
