// Words without quotes: they end at a delimiter, at a line's end and where a quote begins.
#include "text/bare_word.h"

#include "base/json_writer.h"
#include "base/strings.h"
#include "text/loose_number.h"

namespace shunt::text {
namespace {

constexpr std::size_t kThousands = 4;  // a comma and three digits

bool starts_comment(std::string_view text, std::size_t from, std::size_t at) {
  if (comment_length(text, at) == 0) return false;
  if (text[at] == '#') return at == from || space_length(text, at - 1) > 0;
  return at == from || text[at - 1] != ':';  // https://
}

// Behind a balanced {…} that stands in a word: words{in brackets}; 0 when it is none.
std::size_t braced_end(Source& source, std::size_t open) {
  const std::string_view text = source.text;
  int depth = 0;
  for (std::size_t at = open; at < text.size() && source.pay(1); ++at) {
    const char c = text[at];
    if (c == '\n' || c == ':' || quote_at(text, at).length > 0) return 0;
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) return at + 1;
  }
  return 0;
}

// "a": b, c.", lacks its opening quote: where the closing one stands, from the comma; 0 when there is none.
std::size_t lost_start_end(Source& source, std::size_t comma) {
  const std::string_view text = source.text;
  std::size_t at = comma;
  while (at < text.size() && !is_one_of(text[at], ":{}[]\n'\"")) ++at;
  source.pay(at - comma);
  if (source.peek(at) != '"' || source.purse == 0) return 0;
  const std::size_t next = skip_space(text, at + 1);
  source.pay(next - at);
  const bool ends = next >= text.size() || text[next] == ',' || text[next] == '}';
  return ends && space_length(text, at - 1) == 0 && at > comma + 1 ? at : 0;
}

std::size_t token_end(std::string_view text, std::size_t at, std::size_t end) {
  while (at < end && space_length(text, at) == 0 && !is_one_of(text[at], ",[]{}")) {
    ++at;
  }
  return at;
}

// What the whole of `word` is, other than text.
std::string word_value(std::string_view word) {
  const std::string_view known = keyword(word);
  return known.empty() ? loose_number(word) : std::string(known);
}

// A member's 1,000,000: commas and three digits each that are no keys.
BareValue with_thousands(std::string_view text, std::string value, std::size_t end, Place place) {
  const bool whole = is_digit(text[end - 1]) && value.find_first_not_of("-0123456789") == std::string::npos &&
                     !value.starts_with('0') && !value.starts_with("-0");
  while (place == Place::member && whole) {
    const std::string_view more = text.substr(end, kThousands + 1);
    const bool group = more.size() > kThousands && more[0] == ',' && is_digit(more[1]) && is_digit(more[2]) &&
                       is_digit(more[3]) && !is_word(more[4]) && more[4] != ':';
    if (!group) break;
    value.append(more.substr(1, kThousands - 1));
    end += kThousands;
  }
  return {std::move(value), end};
}

}  // namespace

std::size_t bare_end(Source& source, std::size_t begin, Place place, bool in_round) {
  const std::string_view text = source.text;
  const bool key = place == Place::key;
  int round = 0;
  std::size_t at = begin;
  while (at < text.size()) {
    const char c = text[at];
    if (c == ',' && place == Place::member) {
      if (const std::size_t end = lost_start_end(source, at); end > 0) return end;
    }
    if (c == ';' && place == Place::member && key_follows(source, skip_space(text, at + 1))) break;
    if (c == '{' && place == Place::member && at > begin && is_name(text[at - 1])) {
      if (const std::size_t end = braced_end(source, at); end > 0) {
        at = end;
        continue;
      }
    }
    if (is_one_of(c, ",[]{}\n") || (key && (c == ':' || c == '='))) break;
    if (c == ')' && --round < 0 && in_round) break;
    if (c == '(') ++round;
    if (quote_at(text, at).length > 0 || starts_comment(text, begin, at) || fence_length(text, at) > 0) break;
    if (c == '+' && at > begin && quote_at(text, skip_space(text, at + 1)).length > 0) break;
    ++at;
  }
  return trimmed_end(text, begin, at);
}

BareValue bare_value(Source& source, std::size_t at, Place place, bool in_round) {
  const std::string_view text = source.text;
  const std::size_t first = token_end(text, at, text.size());
  std::string value = word_value(text.substr(at, first - at));
  if (!value.empty() && place == Place::item) return {std::move(value), first};  // the next item may follow

  const std::size_t end = source.purse > 0 ? bare_end(source, at, place, in_round) : first;
  const std::size_t token = token_end(text, at, end);
  source.pay(end - token);
  if (token == end || key_follows(source, skip_space(text, token))) {
    value = word_value(text.substr(at, token - at));
    if (!value.empty()) return with_thousands(text, std::move(value), token, place);
  }
  std::string json = "\"";
  json::append_escaped(json, text.substr(at, end - at));
  return {json += '"', end};
}

std::size_t call_bracket(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_name(text[end])) ++end;
  if (end == at || is_digit(text[at])) return 0;
  const std::size_t open = skip_space(text, end, true);
  return open < text.size() && text[open] == '(' ? open : 0;
}

std::size_t regex_end(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '/') {
      return i + 1;
    }
  }
  return 0;
}

}  // namespace shunt::text
