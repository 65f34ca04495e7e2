// The words of broken JSON, by tables.
#include "text/loose_lex.h"

#include "base/strings.h"

namespace shunt::text {
namespace {

// Looking ahead may cost this many steps for each byte of the text: a string's end is looked for once, a key
// a few times.
constexpr std::size_t kStepsPerByte = 24;

struct QuoteRow {
  std::string_view bytes;
  Quote kind;
};
constexpr QuoteRow kQuotes[] = {
    {"\xC2\xAB", Quote::double_like},     {"\xC2\xBB", Quote::double_like},
    {"\xE2\x80\x9E", Quote::double_like}, {"\"", Quote::double_plain},
    {"'", Quote::single_plain},           {"`", Quote::single_like},
    {"\xC2\xB4", Quote::single_like},     {"\xE2\x80\x9C", Quote::double_like},
    {"\xE2\x80\x9D", Quote::double_like}, {"\xE2\x80\x98", Quote::single_like},
    {"\xE2\x80\x99", Quote::single_like},
};

// White space outside ASCII: no-break, Mongolian separator, zero width, narrow no-break, mathematical,
// ideographic, byte order mark. U+2000 to U+200A are seen to below.
constexpr std::string_view kSpaces[] = {"\xC2\xA0",     "\xE1\xA0\x8E", "\xE2\x80\x8B", "\xE2\x80\xAF",
                                        "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF"};

struct Keyword {
  std::string_view word;  // lower case; the text is compared without case
  std::string_view json;
};
constexpr Keyword kKeywords[] = {
    {"true", "true"},      {"false", "false"}, {"null", "null"},     {"none", "null"},
    {"undefined", "null"}, {"nan", "null"},    {"infinity", "null"}, {"-infinity", "null"},
    {"+infinity", "null"}, {"-nan", "null"},
};

bool starts_at(std::string_view text, std::size_t at, std::string_view word) {
  return text.substr(at, word.size()) == word;
}

}  // namespace

Source::Source(std::string_view whole) : text(whole), purse(kStepsPerByte * (whole.size() + 64)) {}

bool Source::pay(std::size_t count) {
  steps += count;
  if (count > purse) {
    purse = 0;
    return false;
  }
  purse -= count;
  return true;
}

QuoteMark quote_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  const char c = text[at];
  if (is_word(c) || c == ' ' || c == '\\') return {};  // most bytes of most texts
  for (const auto& [bytes, kind] : kQuotes) {
    if (c == bytes[0] && starts_at(text, at, bytes)) return {kind, bytes.size()};
  }
  return {};
}

bool ends(Quote opening, Quote candidate) {
  switch (opening) {
    case Quote::double_plain:
    case Quote::single_plain: return candidate == opening;
    case Quote::double_like: return candidate == Quote::double_plain || candidate == Quote::double_like;
    case Quote::single_like: return candidate == Quote::single_plain || candidate == Quote::single_like;
    case Quote::none: break;
  }
  return false;
}

std::size_t space_length(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  const char c = text[at];
  if (c == ' ' || (c >= '\t' && c <= '\r')) return 1;
  if (static_cast<unsigned char>(c) < 0x80) return 0;
  for (const std::string_view space : kSpaces) {
    if (starts_at(text, at, space)) return space.size();
  }
  const bool general = starts_at(text, at, "\xE2\x80") && at + 2 < text.size();
  return general && static_cast<unsigned char>(text[at + 2]) <= 0x8A ? 3 : 0;
}

std::size_t comment_length(std::string_view text, std::size_t at) {
  const bool block = starts_at(text, at, "/*");
  if (!block && !starts_at(text, at, "//") && !starts_at(text, at, "#")) return 0;
  const std::size_t end = block ? text.find("*/", at + 2) : text.find('\n', at);
  if (end == std::string_view::npos) return text.size() - at;
  return end - at + (block ? 2 : 0);
}

std::size_t fence_length(std::string_view text, std::size_t at) {
  if (!starts_at(text, at, "```") && !starts_at(text, at, "~~~")) return 0;
  std::size_t end = at;
  while (end < text.size() && text[end] == text[at]) ++end;
  while (end < text.size() && is_alpha(text[end])) ++end;
  return end - at;
}

std::size_t ellipsis_length(std::string_view text, std::size_t at) {
  if (starts_at(text, at, "\xE2\x80\xA6")) return 3;
  std::size_t end = at;
  while (end < text.size() && text[end] == '.') ++end;
  return end - at >= 3 ? end - at : 0;
}

std::size_t skip_space(std::string_view text, std::size_t at, bool in_line) {
  while (at < text.size() && !(in_line && text[at] == '\n')) {
    std::size_t length = space_length(text, at);
    if (length == 0) length = comment_length(text, at);
    if (length == 0) break;
    at += length;
  }
  return at;
}

std::size_t trimmed_end(std::string_view text, std::size_t from, std::size_t at) {
  while (at > from) {
    std::size_t length = 1;
    while (length < 3 && length < at - from &&
           (static_cast<unsigned char>(text[at - length]) & 0xC0U) == 0x80U) {
      ++length;
    }
    if (space_length(text, at - length) != length) break;
    at -= length;
  }
  return at;
}

std::string_view keyword(std::string_view word) {
  for (const auto& [name, json] : kKeywords) {
    if (equal_fold(name, word)) return json;
  }
  return {};
}

}  // namespace shunt::text
