// The bytes decoded texts live in. See scratch.h.
#include "dialect/scratch.h"

#include "base/strings.h"

namespace shunt::dialect {
namespace {

constexpr std::size_t kEscape = 6;  // "\ud83d"
// Pairs joined from frames before: 3 bytes of U+FFFD at most for each text of each choice (128 × 2).
constexpr std::size_t kCarried = 1024;

bool is_high_surrogate(std::string_view escape) {
  const char second = to_lower(escape[3]);
  return escape[0] == '\\' && escape[1] == 'u' && to_lower(escape[2]) == 'd' &&
         (second == '8' || second == '9' || second == 'a' || second == 'b');
}

// Ends in an escape that is the first half of a pair; the backslash before it must not itself be escaped.
bool ends_in_high_surrogate(std::string_view raw) {
  if (raw.size() < kEscape || !is_high_surrogate(raw.substr(raw.size() - kEscape))) return false;
  std::size_t slashes = 0;
  for (std::size_t i = raw.size() - kEscape; i > 0 && raw[i - 1] == '\\'; --i) ++slashes;
  return slashes % 2 == 0;
}

}  // namespace

void Scratch::reset(std::size_t source_bytes) {
  block_.clear();
  block_.reserve(2 * source_bytes + kCarried);
}

std::string_view Scratch::unescaped(std::string_view raw) {
  const std::size_t begin = block_.size();
  json::unescape(raw, block_);
  return since(begin);
}

std::string_view Scratch::text(std::string_view raw, bool escaped) {
  return escaped && room(raw.size()) ? unescaped(raw) : raw;
}

std::string_view Scratch::text(std::string_view raw, bool escaped, SplitPair& split) {
  if (raw.empty() || (split.high.empty() && !escaped)) return raw;
  std::string whole;
  whole.swap(split.high);
  whole += raw;
  if (ends_in_high_surrogate(whole)) {
    split.high.assign(whole, whole.size() - kEscape);
    whole.resize(whole.size() - kEscape);
  }
  return room(whole.size()) ? unescaped(whole) : raw;
}

std::string_view Scratch::joined(std::string_view head, std::string_view tail) {
  if (!room(head.size() + tail.size())) return tail;
  const std::size_t begin = block_.size();
  block_ += head;
  block_ += tail;
  return since(begin);
}

std::string_view Scratch::compact(std::string_view json) {
  if (json.find_first_of(" \t\r\n") == std::string_view::npos || !room(json.size())) return json;
  const std::size_t begin = block_.size();
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (!in_string && (c == ' ' || c == '\t' || c == '\r' || c == '\n')) continue;
    block_ += c;
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\' && i + 1 < json.size()) block_ += json[++i];
  }
  return since(begin);
}

std::string_view take_text(json::Cursor& cursor, Scratch& scratch) {
  std::string_view raw;
  bool escaped = false;
  return cursor.read_string(raw, escaped) ? scratch.text(raw, escaped) : std::string_view{};
}

std::string_view take_raw(json::Cursor& cursor) {
  return cursor.read_null() ? std::string_view{} : cursor.skip();
}

}  // namespace shunt::dialect
