// Strings' content: escapes mended, controls escaped, ill-formed UTF-8 and lone surrogates replaced.
#include "text/string_content.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/json_writer.h"
#include "base/strings.h"
#include "text/latex.h"
#include "text/loose_lex.h"

namespace shunt::text {
namespace {

constexpr std::string_view kEscapes = "\"\\/bfnrt";
constexpr std::string_view kControlEscapes = "bfnrt";
constexpr std::string_view kRawControls = "\b\t\n\f\r";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The code unit of \uXXXX at `at`.
std::optional<std::uint32_t> unit_at(std::string_view raw, std::size_t at) {
  if (raw.substr(at, 2) != "\\u" || raw.size() < at + 6) return std::nullopt;
  std::uint32_t unit = 0;
  for (std::size_t i = at + 2; i < at + 6; ++i) {
    const int digit = hex_value(raw[i]);
    if (digit < 0) return std::nullopt;
    unit = unit * 16 + static_cast<std::uint32_t>(digit);
  }
  return unit;
}

// A \u escape at the start of `raw`: appended; returns its length, 0 when it is none and no word either.
std::size_t append_unicode(std::string& out, std::string_view raw, bool cut_off) {
  const auto unit = unit_at(raw, 0);
  if (!unit) {
    std::size_t digits = 2;
    while (digits < raw.size() && hex_value(raw[digits]) >= 0) ++digits;
    if (cut_off && digits == raw.size()) return raw.size();
    if (raw.size() < 4 || !is_small(raw[2]) || !is_small(raw[3])) return 0;
    out += "\\\\u";  // \underset, C:\users
    return 2;
  }
  const bool high = (*unit & 0xFC00U) == 0xD800U;
  if ((*unit & 0xF800U) != 0xD800U) {
    out += raw.substr(0, 6);
    return 6;
  }
  const auto second = unit_at(raw, 6);
  if (high && second && (*second & 0xFC00U) == 0xDC00U) {
    out += raw.substr(0, 12);
    return 12;
  }
  if (!(high && cut_off && raw.size() == 6)) out += kReplacement;  // half a pair
  return 6;
}

// A backslash at the start of `raw`; as append_unicode.
std::size_t append_escape(std::string& out, std::string_view raw, ContentRules rules) {
  if (raw.size() == 1) {
    if (!rules.cut_off) out += "\\\\";
    return 1;
  }
  const char c = raw[1];
  if (c == 'u') return append_unicode(out, raw, rules.cut_off);
  if (is_one_of(c, kEscapes)) {
    const bool command = rules.latex && is_one_of(c, kControlEscapes) && is_latex_command(raw.substr(1));
    out += command ? "\\\\" : "\\";
    out += c;
    return 2;
  }
  if (c == '\n') {
    out += "\\n";
    return 2;
  }
  // \' and an escaped “ mean the quote; before anything else the backslash is meant: \alpha, C:\Users, \d.
  if (c != '\'' && c != '`' && static_cast<unsigned char>(c) < 0x80) out += "\\\\";
  return 1;
}

}  // namespace

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool append_content(std::string& out, std::string_view raw, ContentRules rules) {
  while (!raw.empty()) {
    std::size_t run = 0;
    while (run < raw.size() && raw[run] != '\\') {
      const bool control = static_cast<unsigned char>(raw[run]) < 0x20 && !is_one_of(raw[run], kRawControls);
      if (control && rules.alone) return false;
      ++run;
    }
    json::append_escaped(out, raw.substr(0, run));
    raw.remove_prefix(run);
    if (raw.empty()) return true;
    const std::size_t used = append_escape(out, raw, rules);
    if (used == 0) return false;
    raw.remove_prefix(used);
  }
  return true;
}

}  // namespace shunt::text
