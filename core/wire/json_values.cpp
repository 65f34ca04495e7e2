// Brackets are counted outside strings; nothing else of JSON's grammar is looked at.
#include "wire/json_values.h"

#include "base/json.h"
#include "base/strings.h"

namespace shunt::wire {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kNone = std::string_view::npos;

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr bool ends_word(char c) {
  return is_space(c) || c == ',' || c == ':' || c == '"' || c == '{' || c == '}' || c == '[' || c == ']';
}

}  // namespace

bool JsonFramer::next(Frame& out) {
  open_.release();
  while (!failed_) {
    const std::size_t size = scan(open_.rest());
    failed_ = size == kNone ? !open_.hold() : !open_.take(size);
    if (size == kNone || failed_) break;
    if (in_ != In::word || json::valid(value())) return give(out);
    in_ = In::junk;
  }
  if (failed_) {
    open_.drop();
    return false;
  }
  return finished_ && at_end(out);
}

// How many bytes of `rest` end the value, or what stands in place of one.
std::size_t JsonFramer::scan(std::string_view rest) {
  const std::size_t before = open_.frame().size();
  const char* const end = rest.data() + rest.size();
  for (std::size_t at = 0; at < rest.size(); ++at) {
    if (in_ == In::string && !escape_) {
      at = static_cast<std::size_t>(json::lex::plain_run(rest.data() + at, end) - rest.data());
      if (at == rest.size()) break;
    }
    const char c = rest[at];
    if (c == '\n' && in_ != In::gap && (lines_ || in_ == In::junk)) return at + 1;
    switch (in_) {
      case In::gap: on_gap(c, before + at); break;
      case In::word:
        if (ends_word(c)) return at;
        break;
      case In::value:
      case In::string:
        if (on_value(c)) return at + 1;
        break;
      case In::junk: break;
    }
  }
  return kNone;
}

// Between values: space, commas and the brackets of the stream's own array.
void JsonFramer::on_gap(char c, std::size_t at) {
  if (mark_ < kByteOrderMark.size() && c == kByteOrderMark[mark_]) {
    ++mark_;
    return;
  }
  mark_ = kByteOrderMark.size();
  if (is_space(c) || c == ',') return;
  if (c == '[' && fresh_ && !lines_) {
    array_ = true;
  } else if (c == ']' && array_) {
    array_ = false;
  } else {
    begin_ = at;
    const bool word = c == '-' || is_digit(c) || c == 't' || c == 'f' || c == 'n';
    in_ = word ? In::word : c == '{' || c == '[' || c == '"' ? In::value : In::junk;
    if (in_ == In::value) on_value(c);
  }
  fresh_ = false;
}

// One byte of a container or string; true when it is the last.
bool JsonFramer::on_value(char c) {
  if (in_ == In::string) {
    const bool closes = c == '"' && !escape_;
    escape_ = c == '\\' && !escape_;
    if (!closes) return false;
    in_ = In::value;
    return depth_ == 0;
  }
  if (c == '"') in_ = In::string;
  if (c == '{' || c == '[') ++depth_;
  return (c == '}' || c == ']') && --depth_ == 0;
}

std::string_view JsonFramer::value() const { return trim(open_.frame().substr(begin_)); }

bool JsonFramer::give(Frame& out) {
  out = {};
  out.data = value();
  out.raw = open_.frame();
  if (in_ == In::junk && !lines_) {
    out.kind = Frame::Kind::broken;
    out.event = fault::kNotJson;
  }
  in_ = In::gap;
  depth_ = 0;
  escape_ = false;
  open_.give();
  return true;
}

// The stream has ended: a word and a line end with it, anything else is cut short.
bool JsonFramer::at_end(Frame& out) {
  if (in_ == In::gap) return false;
  const bool cut = in_ == In::value || in_ == In::string;
  if (in_ == In::word && !json::valid(value())) in_ = In::junk;
  give(out);
  if (cut) {
    out.kind = Frame::Kind::broken;
    out.event = fault::kIncomplete;
  }
  return true;
}

}  // namespace shunt::wire
