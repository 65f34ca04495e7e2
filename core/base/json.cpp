// The JSON cursor for whole texts, and unescaping.
#include "base/json.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "base/simd.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace shunt::json {
namespace {

constexpr bool starts_number(char c) { return c == '-' || is_digit(c); }

constexpr std::optional<Kind> kind_at(char c) {
  switch (c) {
    case '"': return Kind::string;
    case '{': return Kind::object;
    case '[': return Kind::array;
    case 't':
    case 'f': return Kind::boolean;
    case 'n': return Kind::null;
    default: return starts_number(c) ? std::optional<Kind>(Kind::number) : std::nullopt;
  }
}

// Four hexadecimal digits at once, the first in the lowest byte; of a letter the lowest bits count from 1.
std::uint32_t unit_of(const char* at) {
  std::uint32_t digits = 0;
  std::memcpy(&digits, at, sizeof digits);
  digits = (digits & 0x0F0F0F0FU) + 9U * (digits >> 6U & 0x01010101U);
  digits = (digits << 4U | digits >> 8U) & 0x00FF00FFU;
  return (digits & 0xFFU) << 8U | digits >> 16U;
}

// The value of the escape \uXXXX at raw[at], or 0 (no surrogate) when none stands there.
std::uint32_t unit_at(std::string_view raw, std::size_t at) {
  return raw.size() < at + 6 || raw[at] != '\\' || raw[at + 1] != 'u' ? 0 : unit_of(raw.data() + at + 2);
}

char short_escape(char c) {
  switch (c) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return c;  // '"', '\\' and '/' stand for themselves
  }
}

// Where a whole number without a sign ends, as most numbers are, when a value may end there; else null.
const char* whole_number(const char* at, const char* end) {
  if (!is_digit(*at)) return nullptr;
  const bool zero = *at++ == '0';
  while (!zero && at != end && is_digit(*at)) ++at;
  return at != end && (*at == ',' || *at == '}' || *at == ']') ? at : nullptr;
}

// Copies what stands before the next backslash; `to` has room for all of `raw`. How many bytes it was.
std::size_t copy_plain(char* to, std::string_view raw) {
  std::size_t at = 0;
  for (; raw.size() - at >= simd::kBlock; at += simd::kBlock) {
    std::memcpy(to + at, raw.data() + at, simd::kBlock);
    const std::uint32_t escapes = simd::Block::load(raw.data() + at).equal_to('\\').bits();
    if (escapes != 0) return at + static_cast<std::size_t>(std::countr_zero(escapes));
  }
  for (; at < raw.size() && raw.data()[at] != '\\'; ++at) to[at] = raw.data()[at];
  return at;
}

}  // namespace

void unescape(std::string_view raw, std::string& out) {
  const std::size_t before = out.size();
  out.resize(before + raw.size());  // no escape is shorter than what it stands for
  char* to = out.data() + before;
  while (!raw.empty()) {
    if (raw.front() != '\\') {
      const std::size_t plain = copy_plain(to, raw);
      to += plain;
      raw.remove_prefix(plain);
    } else if (raw.size() == 1) {
      break;
    } else if (raw[1] != 'u') {
      *to++ = short_escape(raw[1]);
      raw.remove_prefix(2);
    } else {
      const std::uint32_t unit = raw.size() < 6 ? 0 : unit_of(raw.data() + 2);
      const std::uint32_t low = (unit & 0xFC00U) == 0xD800U ? unit_at(raw, 6) : 0;
      const bool pair = (low & 0xFC00U) == 0xDC00U;
      to = put_code_point(to, pair ? 0x10000U + ((unit & 0x3FFU) << 10U | (low & 0x3FFU)) : unit);
      raw.remove_prefix(std::min<std::size_t>(raw.size(), pair ? 12 : 6));
    }
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
}

Cursor::Cursor(std::string_view whole)
    : begin_(whole.data()), at_(whole.data()), end_(whole.data() + whole.size()) {
  lex::LiteralRest mark = lex::kByteOrderMark;
  at_ = lex::advance(mark, at_, end_);
  if (offset() != 0 && !mark.empty()) fail(lex::kMark);
}

std::optional<Kind> Cursor::peek() {
  if (!value_due_ || !skip_space()) return std::nullopt;
  const std::optional<Kind> kind = kind_at(*at_);
  if (!kind) fail(lex::kUnexpected);
  return kind;
}

bool Cursor::next_is(Kind kind) { return peek() == kind; }

bool Cursor::enter(Kind kind) {
  if (!next_is(kind)) return false;
  if (depth_ == limits::kJsonDepth) return fail(lex::kTooDeep);
  ++at_;
  ++depth_;
  value_due_ = false;
  fresh_ = true;
  return true;
}

bool Cursor::enter_object() { return enter(Kind::object); }
bool Cursor::enter_array() { return enter(Kind::array); }

// Steps to the next member of the innermost container; false at its end (consumed) or on an error.
bool Cursor::next_member(char close) {
  if (value_due_) skip();
  if (failed_ || depth_ == 0 || !skip_space()) return false;
  if (*at_ == close) {
    ++at_;
    --depth_;
    fresh_ = false;
    return false;
  }
  if (!fresh_) {
    if (*at_ != ',') return fail(lex::kUnexpected);
    ++at_;
    if (!skip_space()) return false;
  }
  fresh_ = false;
  value_due_ = true;
  return true;
}

bool Cursor::next_key(std::string_view& key) {
  if (!next_member('}')) return false;
  if (*at_ != '"') return fail(lex::kUnexpected);
  bool escaped = false;
  if (!string_content(key, escaped) || !skip_space()) return false;
  if (*at_ != ':') return fail(lex::kUnexpected);
  ++at_;
  if (escaped) {
    key_.clear();
    unescape(key, key_);
    key = key_;
  }
  return true;
}

bool Cursor::next_element() { return next_member(']'); }

bool Cursor::read_string(std::string_view& raw, bool& escaped) {
  if (!next_is(Kind::string) || !string_content(raw, escaped)) return false;
  value_due_ = false;
  return true;
}

std::optional<std::string_view> Cursor::read_text(std::string& scratch) {
  std::string_view raw;
  bool escaped = false;
  if (!read_string(raw, escaped)) return std::nullopt;
  if (!escaped) return raw;
  scratch.clear();
  unescape(raw, scratch);
  return scratch;
}

std::string_view Cursor::read_number() {
  if (!next_is(Kind::number)) return {};
  const char* from = at_;
  return word() ? std::string_view(from, static_cast<std::size_t>(at_ - from)) : std::string_view{};
}

std::optional<std::int64_t> Cursor::read_int() {
  if (!next_is(Kind::number)) return std::nullopt;
  const char* from = at_;
  const std::optional<std::int64_t> value = parse_int(read_number());
  if (!value && ok()) {
    at_ = from;
    value_due_ = true;
  }
  return value;
}

std::optional<bool> Cursor::read_bool() {
  if (!next_is(Kind::boolean)) return std::nullopt;
  const bool value = *at_ == 't';
  return word() ? std::optional<bool>(value) : std::nullopt;
}

bool Cursor::read_null() { return next_is(Kind::null) && word(); }

std::string_view Cursor::skip() {
  const std::optional<Kind> kind = peek();
  if (!kind) return {};
  const char* from = at_;
  std::string_view raw;
  bool escaped = false;
  const bool read = *kind == Kind::string                           ? string_content(raw, escaped)
                    : *kind == Kind::object || *kind == Kind::array ? skip_container()
                                                                    : word();
  if (!read) return {};
  value_due_ = false;
  return {from, static_cast<std::size_t>(at_ - from)};
}

bool Cursor::at_end() {
  while (at_ != end_ && lex::is_space(*at_)) ++at_;
  return at_ == end_ && depth_ == 0 && !value_due_ && !failed_;
}

// False when nothing is left, which inside a document is an error.
bool Cursor::skip_space() {
  if (at_ != end_ && *at_ > ' ') return true;
  while (at_ != end_ && lex::is_space(*at_)) ++at_;
  return at_ != end_ || fail(lex::kUnexpectedEnd);
}

// Consumes the string at at_, quotes included.
bool Cursor::string_content(std::string_view& raw, bool& escaped) {
  const char* from = at_ + 1;
  at_ = lex::plain_run(from, end_);
  escaped = false;
  if (at_ == end_ || *at_ != '"') {  // most strings are plain to their end
    lex::StringScan scan;
    at_ = lex::advance(scan, at_, end_);
    if (scan.step != lex::Step::done) {
      return fail(scan.step == lex::Step::failed ? scan.fault : lex::kUnterminated);
    }
    escaped = scan.escaped;
  }
  raw = {from, static_cast<std::size_t>(at_ - from)};
  ++at_;
  return true;
}

// Consumes the number or literal at at_.
bool Cursor::word() {
  if (const char* whole = whole_number(at_, end_)) {
    at_ = whole;
  } else if (starts_number(*at_)) {
    lex::NumberScan scan;
    at_ = lex::advance(scan, at_, end_);
    if (!scan.complete()) return fail(lex::kNumber);
  } else {
    lex::LiteralRest rest = lex::literal_of(*at_);
    at_ = lex::advance(rest, at_, end_);
    if (!rest.empty()) return fail(lex::kLiteral);
  }
  value_due_ = false;
  return true;
}

// Consumes the container at at_: brackets must balance and strings be well formed; nothing else is looked at.
bool Cursor::skip_container() {
  lex::Nesting nesting;
  std::string_view raw;
  bool escaped = false;
  do {
    const char c = *at_;
    if (c == '"') {
      if (!string_content(raw, escaped)) return false;
    } else {
      if (c == '{' || c == '[') {
        if (depth_ + nesting.depth() >= limits::kJsonDepth) return fail(lex::kTooDeep);
        nesting.push(c == '{');
      } else if (c == '}' || c == ']') {
        if (nesting.in_object() != (c == '}')) return fail(lex::kUnexpected);
        nesting.pop();
      }
      ++at_;
    }
    if (nesting.depth() == 0) return true;
  } while (at_ != end_);
  return fail(lex::kUnexpectedEnd);
}

bool Cursor::fail(const char* what) {
  error_ = {offset(), what};
  failed_ = true;
  value_due_ = false;
  return false;
}

}  // namespace shunt::json
