// The reader: types and ranges, and the words for what was found instead.
#include "config/reader.h"

#include <algorithm>
#include <functional>

#include "base/json_writer.h"
#include "base/strings.h"
#include "config/shown.h"

namespace shunt::config {
namespace {

std::string digits(std::int64_t value) {
  std::string out;
  append_int(out, value);
  return out;
}

}  // namespace

Reader::Reader(std::string_view text, Report& report) : text_(text), report_(report) {
  scanner_.feed(text, true);
  advance();
}

void Reader::advance() { token_ = scanner_.next(); }

std::string Reader::found() const {
  switch (token_) {
    case json::Token::string: return quoted(string_text());
    case json::Token::number: return shown(scanner_.text());
    case json::Token::boolean_true: return "true";
    case json::Token::boolean_false: return "false";
    case json::Token::null: return "null";
    case json::Token::object_begin: return "an object";
    case json::Token::array_begin: return "a list";
    case json::Token::need_more:
    case json::Token::end:
    case json::Token::object_end:
    case json::Token::array_end:
    case json::Token::key:
    case json::Token::error: break;
  }
  return "nothing";
}

bool Reader::scalar(std::string& into) {
  const std::string raw(scanner_.text());
  switch (token_) {
    case json::Token::string: into = '"' + raw + '"'; break;
    case json::Token::number: into = raw; break;
    case json::Token::boolean_true:
    case json::Token::boolean_false:
    case json::Token::null: into = found(); break;
    case json::Token::object_begin:
    case json::Token::array_begin:
    case json::Token::need_more:
    case json::Token::end:
    case json::Token::object_end:
    case json::Token::array_end:
    case json::Token::key:
    case json::Token::error: wrong("text, a number, true, false or null"); return false;
  }
  advance();
  return true;
}

void Reader::skip() {
  int depth = 0;
  do {
    switch (token_) {
      case json::Token::object_begin:
      case json::Token::array_begin: ++depth; break;
      case json::Token::object_end:
      case json::Token::array_end: --depth; break;
      case json::Token::end:
      case json::Token::need_more:
      case json::Token::error: return;
      case json::Token::key:
      case json::Token::string:
      case json::Token::number:
      case json::Token::boolean_true:
      case json::Token::boolean_false:
      case json::Token::null: break;
    }
    skipped_to_ = scanner_.end();
    advance();
  } while (depth > 0);
}

void Reader::value(std::string& into) {
  const std::uint64_t begin = at();
  skip();
  into = text_.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(skipped_to_ - begin));
}

void Reader::wrong(const char* allowed) { wrong(allowed, {}); }

void Reader::wrong(const std::string& allowed, const std::string& suggestion) {
  report_.fault(at(), found(), allowed, suggestion);
  skip();
}

bool Reader::is_string(std::string_view text) const {
  if (!is_string()) return false;
  return scanner_.escaped() ? string_text() == text : scanner_.text() == text;
}

void Reader::wrong_word(const Names& words) {
  wrong(listed(words), is_string() ? nearest(string_text(), words) : std::string());
}

std::string Reader::string_text() const {
  std::string text;
  if (scanner_.escaped()) {
    json::unescape(scanner_.text(), text);
  } else {
    text = scanner_.text();
  }
  return text;
}

bool Reader::expect(json::Token token, const char* allowed) {
  if (token_ == token) return true;
  wrong(allowed);
  return false;
}

std::optional<std::int64_t> Reader::number(bool decimals, std::int64_t least, std::int64_t most) {
  std::optional<std::int64_t> value;
  if (token_ == json::Token::number)
    value = decimals ? parse_micros(scanner_.text()) : parse_int(scanner_.text());
  if (value && *value >= least && *value <= most) {
    advance();
    return value;
  }
  const auto said = decimals ? decimal : digits;
  wrong(joined({decimals ? "a number" : "an integer", " from ", said(least), " to ", said(most)}), {});
  return std::nullopt;
}

std::optional<bool> Reader::flag() {
  const bool value = token_ == json::Token::boolean_true;
  if (!value && !expect(json::Token::boolean_false, "true or false")) return std::nullopt;
  advance();
  return value;
}

bool Reader::text(std::string& into) {
  if (!expect(json::Token::string, "a string")) return false;
  into = string_text();
  advance();
  return true;
}

bool Reader::enter_array() {
  if (!expect(json::Token::array_begin, "a list")) return false;
  advance();
  return true;
}

bool Reader::next_element() {
  if (token_ == json::Token::array_end) {
    advance();
    return false;
  }
  return token_ != json::Token::end && token_ != json::Token::error;
}

bool Reader::enter_object() {
  if (!expect(json::Token::object_begin, "an object")) return false;
  advance();
  return true;
}

bool Reader::next_key() {
  if (token_ != json::Token::key) {
    if (token_ == json::Token::object_end) advance();
    return false;
  }
  key_ = string_text();
  key_at_ = at();
  advance();
  return true;
}

void Reader::duplicate_key() {
  report_.fault_about(key_at_, "the key % a second time", key_, "each key once");
  skip();
}

void Reader::unknown_key(const Names& known) {
  report_.fault(key_at_, "unknown key " + quoted(key_), listed(known), nearest(key_, known));
  skip();
}

bool Members::next() {
  while (open_ && in_.next_key()) {
    name_ = in_.key();
    if (add(seen_, name_, 0)) {
      at_ = in_.key_at();
      return true;
    }
    in_.duplicate_key();
  }
  return false;
}

std::string nearest(const std::string& written, const Names& known) {
  const std::string word = to_lower(std::string_view(written).substr(0, 64));
  // A typo changes little: half of a short word (two letters swapped count twice), never more than three.
  const int most = std::clamp(static_cast<int>(word.size()) / 2, 1, 3);
  std::string_view best;
  int distance = most + 1;
  for (const std::string_view name : known) {
    const int d = edit_distance(word, to_lower(name), most);
    if (d < distance) {
      distance = d;
      best = name;
    }
  }
  return std::string(best);
}

std::string listed(const Names& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
    out += names[i];
  }
  return out;
}

std::string decimal(std::int64_t micros) {
  std::string out;
  json::Writer(out).micros(micros);
  return out;
}

}  // namespace shunt::config
