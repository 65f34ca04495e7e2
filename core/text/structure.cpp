// The structure of broken JSON: a stack of open brackets; each step reads one member or item and decides what
// to do about what is missing, doubled or wrong.
#include "text/structure.h"

#include <algorithm>

#include "base/json_writer.h"
#include "base/limits.h"
#include "base/strings.h"
#include "text/bare_word.h"
#include "text/string_content.h"

namespace shunt::text {
bool Structure::read(std::string& out) {
  out_ = &out;
  stack_.clear();
  return begin_value(Place::root) && run();
}

bool Structure::read_on(std::string& out) {
  out_ = &out;
  stack_.clear();
  out.pop_back();
  Frame frame;
  frame.count = 1;
  stack_.push_back(frame);
  const std::size_t size = out.size();
  if (run()) return true;
  out.resize(size);
  out += '}';
  return false;
}

bool Structure::run() {
  while (!stack_.empty()) {
    if (!(top().kind == Kind::object ? step_member() : step_item())) return false;
  }
  return !failed_;
}

bool Structure::push(Kind kind, bool implied) {
  if (stack_.size() == limits::kRepairDepth) {
    too_deep_ = failed_ = true;
    return false;
  }
  Frame frame;
  frame.kind = kind;
  frame.implied = implied;
  frame.begin = out_->size();
  stack_.push_back(frame);
  *out_ += kind == Kind::object ? '{' : kind == Kind::array ? '[' : ' ';
  return true;
}

void Structure::pop() {
  const Frame frame = top();
  stack_.pop_back();
  if (frame.kind == Kind::tuple && !frame.comma && frame.count == 1) return;  // (1) is 1
  if (frame.kind == Kind::tuple) (*out_)[frame.begin] = '[';
  *out_ += frame.kind == Kind::object ? '}' : ']';
}

bool Structure::fits(const Frame& frame, char c) const {
  if (frame.set) return c == '}';
  return c == (frame.kind == Kind::object ? '}' : frame.kind == Kind::array ? ']' : ')');
}

// A closing bracket: of the innermost, or of an outer one when the inner lack theirs, or of none.
bool Structure::close_by(char c) {
  if (fits(top(), c)) {
    ++source_.at;
    pop();
    return true;
  }
  for (const Frame& frame : stack_) {
    if (fits(frame, c)) {
      pop();
      return true;
    }
  }
  if (top().implied) {
    pop();
    return true;
  }
  ++source_.at;
  return true;
}

// Skips what may stand between members and items; true when a comma was there.
bool Structure::skip_between() {
  bool comma = false;
  while (!source_.ended()) {
    source_.at = skip_space(text_, source_.at);
    std::size_t length = ellipsis_length(text_, source_.at);
    if (length == 0) length = fence_length(text_, source_.at);
    if (length == 0 && is_one_of(source_.here(), ",;")) {
      length = 1;
      comma = true;
    }
    if (length == 0) break;
    source_.at += length;
  }
  return comma;
}

void Structure::separate() {
  if (top().count++ > 0) *out_ += ',';
}

bool Structure::step_member() {
  const bool comma = skip_between();
  if (source_.ended()) {
    pop();
    return true;
  }
  const char c = source_.here();
  if (is_one_of(c, "}])")) return close_by(c);
  if (is_one_of(c, "{[")) return open_at_key(c);
  if (c == ':') {
    ++source_.at;
    return top().count > 0;  // {:2} has nothing to go by
  }
  if (top().implied && comma && !key_follows(source_, source_.at)) {
    pop();
    return true;
  }
  const std::size_t mark = out_->size();
  skip_prefix();
  const std::size_t key = source_.at;
  const bool quoted = quote_at(text_, key).length > 0 || c == '\\';
  separate();
  if (!(quoted ? read_string(Place::key) : read_bare_key())) {
    out_->resize(mark);
    --top().count;
    return !failed_;
  }
  source_.at = skip_space(text_, source_.at);
  std::size_t colon = is_one_of(source_.here(), ":=") ? 1 : 0;
  if (text_.substr(source_.at, 2) == "=>") colon = 2;
  if (colon == 0 && !source_.ended()) return without_colon(mark, key, quoted);
  source_.at += colon;
  while (source_.peek(source_.at = skip_space(text_, source_.at)) == ':') ++source_.at;
  return read_member_value();
}

// A bracket where a key should stand.
bool Structure::open_at_key(char c) {
  const bool in_list = stack_.size() > 1 && stack_[stack_.size() - 2].kind != Kind::object;
  if (c == '[' && out_->back() == ']') {  // "a": [1], [2]: the list was closed too early
    out_->pop_back();
    ++source_.at;
    Frame frame;
    frame.kind = Kind::array;
    frame.count = out_->back() == '[' ? 0 : 1;
    stack_.push_back(frame);
  } else if (c == '[' || in_list) {  // the closing brace is missing: [{"a":1,{"a":2}]
    pop();
  } else {  // {{"a":1}}
    ++source_.at;
  }
  return true;
}

// False when what stands here begins no key; it is then left out.
bool Structure::read_bare_key() {
  const std::size_t begin = source_.at;
  const std::size_t end = bare_end(source_, begin, Place::key, false);
  source_.at =
      end == begin ? end + 1 : end + quote_at(text_, end).length;  // a": the opening quote is missing
  *out_ += '"';
  json::append_escaped(*out_, text_.substr(begin, end - begin));
  *out_ += '"';
  return end > begin;
}

bool Structure::read_member_value() {
  *out_ += ':';
  if (!begin_value(Place::member)) *out_ += "null";
  return !failed_;
}

// A key, and no colon behind it: a set's item, a stray word, or a key whose colon is missing.
bool Structure::without_colon(std::size_t mark, std::size_t key, bool quoted) {
  const char c = source_.here();
  const bool first = top().count == 1;
  if (is_one_of(c, ",}])")) {
    if (first && (c == ',' || c == '}')) {  // {1, 2}
      out_->resize(mark);
      source_.at = key;
      top().kind = Kind::array;
      top().set = true;
      top().count = 0;
      if (!top().implied) (*out_)[top().begin] = '[';
      return true;
    }
    if (first) return false;
    if (quoted) {
      *out_ += ":null";
      return true;
    }
  }
  const bool stray =
      !quoted &&
      (is_one_of(c, ",}])") || (quote_at(text_, source_.at).length > 0 && key_follows(source_, source_.at)));
  if (stray) {
    out_->resize(mark);
    --top().count;
    return true;
  }
  return read_member_value();
}

bool Structure::step_item() {
  const bool comma = skip_between();
  if (source_.ended()) {
    if (top().set) return false;
    pop();
    return true;
  }
  const char c = source_.here();
  if (comma && top().count > 0) top().comma = true;
  if (is_one_of(c, "}])")) return close_by(c);
  const std::size_t mark = out_->size();
  separate();
  const std::size_t depth = stack_.size();
  if (begin_value(Place::item)) return true;
  if (failed_) return false;
  out_->resize(mark);
  if (stack_.size() == depth) --top().count;
  ++source_.at;  // a character that begins nothing
  return true;
}

bool Structure::begin_value(Place place) {
  source_.at = skip_space(text_, source_.at);
  if (source_.ended()) return false;
  source_.at += fence_length(text_, source_.at);
  skip_prefix();
  const char c = source_.here();
  const bool bracket = is_one_of(c, "{[(");
  if (bracket) {
    if (!push(c == '{' ? Kind::object : c == '[' ? Kind::array : Kind::tuple)) return false;
    ++source_.at;
    return true;
  }
  if (is_one_of(c, "}]),:;")) return false;
  if (quote_at(text_, source_.at).length > 0 || c == '\\') return read_string(place);
  if (c == '/') {
    const std::size_t end = regex_end(text_, source_.at);
    if (end == 0) return false;
    *out_ += '"';
    json::append_escaped(*out_, text_.substr(source_.at, end - source_.at));
    *out_ += '"';
    source_.at = end;
    return true;
  }
  if (const std::size_t call = call_bracket(text_, source_.at); call > 0) {
    source_.at = call + 1;
    return push(Kind::tuple);
  }
  read_bare(place);
  return true;
}

void Structure::read_bare(Place place) {
  const BareValue value = bare_value(source_, source_.at, place, in_round());
  *out_ += value.json;
  source_.at = value.end;
  const std::size_t quote = quote_at(text_, source_.at).length;  // its opening quote is missing
  if (quote > 0) source_.at += quote;
}

// What Python writes before a string: u'a', b'a'.
void Structure::skip_prefix() {
  if (is_one_of(source_.here(), "bfru") && source_.peek(source_.at + 1) == '\'') ++source_.at;
}

// A string and those joined to it by +. An item that a colon follows is a key: ["a": 1].
bool Structure::read_string(Place place) {
  const std::size_t mark = out_->size();
  source_.at += source_.here() == '\\' ? 1 : 0;
  const QuoteMark opening = quote_at(text_, source_.at);
  if (opening.length == 0) return false;
  if (source_.at + opening.length == text_.size() && (place == Place::key || place == Place::item)) {
    source_.at = text_.size();  // the text ends where a string would begin
    return false;
  }
  *out_ += '"';
  if (!read_parts(source_.at + opening.length, opening.kind, place)) return false;
  *out_ += '"';
  if (place == Place::key || place == Place::member) return true;
  const std::size_t next = skip_space(text_, source_.at);
  if (source_.peek(next) != ':') return true;
  source_.at = next + 1;
  return imply_object(mark);
}

// """a "b" c""": where the quotes begin that end what three opened, the first of which stands before `begin`;
// 0 when there are no three, or no others.
std::size_t Structure::tripled_end(std::size_t begin) {
  const std::string_view quotes = text_.substr(begin - 1, 3);
  if (quotes != "\"\"\"" && quotes != "\'\'\'") return 0;
  std::size_t end = text_.find(quotes, begin + 2);
  if (!source_.pay(std::min(end, text_.size()) - begin) || end == std::string_view::npos) return 0;
  while (source_.peek(end + 3) == quotes[0]) ++end;
  return end;
}

bool Structure::read_parts(std::size_t begin, Quote opening, Place place) {
  while (true) {
    const std::size_t tripled = tripled_end(begin);
    const StringSpan span = tripled > 0 ? StringSpan{tripled, tripled + 3, true}
                                        : find_string_end(source_, begin, opening, place);
    if (tripled > 0) begin += 2;
    std::string_view raw = text_.substr(begin, span.end - begin);
    const QuoteMark doubled = quote_at(raw, 0);
    if (tripled == 0 && span.closed && doubled.length > 0 && ends(opening, doubled.kind)) {  // ""a""
      raw.remove_prefix(doubled.length);
      if (raw.size() >= doubled.length && ends(opening, quote_at(raw, raw.size() - doubled.length).kind)) {
        raw.remove_suffix(doubled.length);
      }
    }
    // A line break before the closing quote is layout.
    if (raw.ends_with('\n')) raw = raw.substr(0, trimmed_end(raw, 0, raw.size()));
    ContentRules rules;
    rules.latex = options_.latex;
    rules.cut_off = !span.closed && span.next >= text_.size();
    rules.alone = place == Place::root;
    if (!append_content(*out_, raw, rules)) {
      failed_ = true;
      return false;
    }
    while (rules.cut_off && out_->back() == ' ') out_->pop_back();  // before an escape that was dropped
    source_.at = span.next;
    if (span.closed && tripled == 0) source_.at += stray_quote_length(source_, span.next, opening);
    std::size_t next = skip_space(text_, source_.at);
    if (source_.peek(next) != '+') return true;
    next = skip_space(text_, next + 1);
    const QuoteMark more = quote_at(text_, next);
    source_.at = next;
    if (more.length == 0) return true;
    begin = next + more.length;
    opening = more.kind;
  }
}

// The string that was written at `mark` is the key of an object without a brace.
bool Structure::imply_object(std::size_t mark) {
  const std::string key = out_->substr(mark);
  out_->resize(mark);
  if (!push(Kind::object, true)) return false;
  top().count = 1;
  *out_ += key;
  return read_member_value();
}

}  // namespace shunt::text
