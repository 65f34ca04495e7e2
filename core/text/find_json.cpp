// Finding JSON in prose by its first few characters.
#include "text/find_json.h"

#include "base/strings.h"
#include "text/loose_lex.h"

namespace shunt::text {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kNameBytes = 64;  // of a key without quotes

struct Disguise {
  std::string_view seen, plain;
};
constexpr Disguise kEntities[] = {{"&quot;", "\""}, {"&#34;", "\""}, {"&apos;", "'"}, {"&#39;", "'"},
                                  {"&lt;", "<"},    {"&gt;", ">"},   {"&amp;", "&"}};
constexpr Disguise kEscapes[] = {{"\\\"", "\""}, {"\\\\", "\\"}, {"\\n", "\n"}, {"\\t", "\t"}, {"\\r", "\r"}};

template <std::size_t N>
std::string replaced(std::string_view text, const Disguise (&table)[N]) {
  std::string out;
  while (!text.empty()) {
    std::size_t used = 0;
    for (const auto& [seen, plain] : table) {
      if (used > 0 || !text.starts_with(seen)) continue;
      out += plain;
      used = seen.size();
    }
    if (used == 0) {
      out += text.front();
      used = 1;
    }
    text.remove_prefix(used);
  }
  return out;
}

char char_at(std::string_view text, std::size_t at) { return at < text.size() ? text[at] : '\0'; }

bool begins_object(std::string_view text, std::size_t at) {
  const std::size_t next = skip_space(text, at + 1);
  if (next >= text.size() || text[next] == '}' || text[next] == '{' || quote_at(text, next).length > 0)
    return true;
  std::size_t end = next;
  while (end < text.size() && end < next + kNameBytes && is_name(text[end])) ++end;
  if (end == next) return false;
  const char then = char_at(text, skip_space(text, end));
  return then == ':' || then == '=';
}

bool begins_array(std::string_view text, std::size_t at) {
  const std::size_t next = skip_space(text, at + 1);
  if (next >= text.size() || quote_at(text, next).length > 0 || is_digit(text[next])) return true;
  if (is_one_of(text[next], "{[]-")) return true;
  std::size_t end = next;
  while (end < text.size() && is_alpha(text[end])) ++end;
  return end > next && !keyword(text.substr(next, end - next)).empty();
}

// A bracket directly behind a fence, whichever it is: what follows a closing one is rarely a bracket.
std::size_t find_fenced(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size();) {
    const std::size_t length = fence_length(text, at);
    if (length == 0) {
      ++at;
      continue;
    }
    at = skip_space(text, at + length);
    const char c = char_at(text, at);
    if (c == '{' || c == '[' || c == '(') return at;
  }
  return kNone;
}

// "{"a":1}": quotes around an object that has its own, unescaped. In ` ` anything in brackets is code.
bool quoted_object(std::string_view text) {
  if (text.size() < 4 || text.front() != text.back() || !is_one_of(text[text.size() - 2], "}]")) return false;
  if (text.front() == '`') return is_one_of(text[1], "{[");
  if (text.front() != '"') return false;
  std::size_t at = 1;
  bool object = false;
  while (is_one_of(char_at(text, at), "{[")) {
    object = text[at] == '{';
    at = skip_space(text, at + 1);
  }
  return object && char_at(text, at) == '"';
}

}  // namespace

std::optional<std::string> undisguised(std::string_view text) {
  std::size_t at = skip_space(text, 0);
  if (char_at(text, at) == '{' || char_at(text, at) == '[') at = skip_space(text, at + 1);
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("&quot;") || rest.starts_with("&#34;")) return replaced(text, kEntities);
  const bool escaped = rest.starts_with("\\\"") || rest.starts_with("\\n");
  if (escaped) return replaced(text, kEscapes);
  return std::nullopt;
}

std::string_view unwrapped(std::string_view text) {
  constexpr std::string_view kThinkEnd = "</think>";
  std::size_t at = skip_space(text, 0);
  if (text.substr(at).starts_with("<think>")) {
    const std::size_t end = text.find(kThinkEnd, at);
    if (end != kNone) at = end + kThinkEnd.size();
  }
  at = skip_space(text, at);
  const char c = char_at(text, at);
  if ((c == '[' || c == '{') && fence_length(text, at + 1) > 0) ++at;  // [```json … ```]
  text.remove_prefix(at);
  std::size_t end = trimmed_end(text, 0, text.size());
  if (quoted_object(text.substr(0, end))) return text.substr(1, end - 2);
  if (text.substr(0, end).ends_with("```") && (c == '{' || c == '[')) {
    while (end > 0 && text[end - 1] == '`') --end;
    text = text.substr(0, end);
  }
  return text;
}

std::size_t find_json(std::string_view text, std::size_t from, bool fenced) {
  if (fenced) return find_fenced(text, from);
  for (std::size_t at = from; at < text.size(); ++at) {
    if (text[at] == '{' ? begins_object(text, at) : text[at] == '[' && begins_array(text, at)) return at;
  }
  return kNone;
}

}  // namespace shunt::text
