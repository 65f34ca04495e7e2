// The growing text, byte by byte; runs inside strings at once.
#include "text/partial_json.h"

#include "base/json_writer.h"
#include "base/limits.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "text/latex.h"
#include "text/loose_lex.h"
#include "text/loose_number.h"
#include "text/string_content.h"

namespace shunt::text {
namespace {

namespace lex = json::lex;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::size_t kFenceMarks = 3;
constexpr std::size_t kCommandBytes = 24;  // the longest LaTeX command of latex.h has 17

// A number that no double reaches is its text.
std::string as_json(const std::string& number) {
  return loose_number(number).empty() ? '"' + number + '"' : number;
}

void append_unit(std::string& out, std::uint32_t unit) {
  out += "\\u";
  append_hex(out, unit, 4);
}

}  // namespace

void PartialJson::feed(std::string_view chunk) {
  const char* at = chunk.data();
  const char* const end = at + chunk.size();
  while (at != end && !malformed()) {
    if (expect_ == Expect::string && escape_ == Escape::none) {
      at = read_string(at, end);
    } else if (expect_ == Expect::number) {
      at = read_number(at, end);
    } else {
      step(*at++);
    }
  }
}

std::optional<std::string> PartialJson::completed() const {
  if (malformed()) return std::nullopt;
  if (out_.empty()) {  // a number alone, as far as it is one: 12. is 12
    const std::size_t digits = expect_ == Expect::number ? number_.find_last_of("0123456789") + 1 : 0;
    if (digits == 0) return std::nullopt;
    return as_json(number_.substr(0, digits));
  }
  return out_ + closing();
}

std::string PartialJson::closing() const {
  std::string tail = expect_ == Expect::string && !in_key_ ? "\"" : "";
  return tail.append(closers_.rbegin(), closers_.rend());
}

void PartialJson::step(char c) {
  if (expect_ == Expect::string) return step_escape(c);
  if (expect_ == Expect::literal) {
    if (c != literal_.front()) return fail();
    literal_.remove_prefix(1);
    if (literal_.empty()) value_ended();
    return;
  }
  if (expect_ == Expect::start && mark_ < 3 && c == lex::kByteOrderMark[mark_]) {
    ++mark_;
    return;
  }
  if (expect_ == Expect::fence) {
    if (c == '`' && mark_ < kFenceMarks) {
      ++mark_;
      return;
    }
    if (mark_ < kFenceMarks) return fail();
    if (c == '`' || is_alpha(c)) return;
    expect_ = Expect::value;
  }
  if (lex::is_space(c)) return;
  switch (expect_) {
    case Expect::start:
      if (mark_ != 0 && mark_ != 3) return fail();
      fenced_ = c == '`';
      mark_ = 1;
      expect_ = fenced_ ? Expect::fence : Expect::value;
      if (fenced_) return;
      [[fallthrough]];
    case Expect::value: return begin_value(c);
    case Expect::value_or_close: return c == ']' ? close(c) : begin_value(c);
    case Expect::key_or_close:
      if (c == '}') return close(c);
      [[fallthrough]];
    case Expect::key: return c == '"' ? begin_string(true) : fail();
    case Expect::colon:
      if (c != ':') return fail();
      prefix_ += ':';
      expect_ = Expect::value;
      return;
    case Expect::comma_or_close:
      if (c != ',') return close(c);
      prefix_ = ",";
      expect_ = closers_.back() == '}' ? Expect::key : Expect::value;
      return;
    case Expect::nothing:
      if (!fenced_ || (c != '`' && mark_ != 0)) return fail();
      mark_ = 0;  // behind the closing fence anything may stand
      return;
    case Expect::fence:
    case Expect::string:
    case Expect::number:
    case Expect::literal:
    case Expect::failed: return;
  }
}

void PartialJson::show_prefix() {
  out_ += prefix_;
  prefix_.clear();
}

void PartialJson::begin_value(char c) {
  if (c == '"') return begin_string(false);
  if (c == '{' || c == '[') return open(c == '{' ? '}' : ']');
  if (c == '-' || is_digit(c)) {
    scan_ = {};
    number_.clear();
    expect_ = Expect::number;
    read_number(&c, &c + 1);
    return;
  }
  const std::string_view word = lex::literal_of(c);
  if (word.empty()) return fail();
  show_prefix();
  out_ += word;
  literal_ = word.substr(1);
  expect_ = Expect::literal;
}

void PartialJson::open(char closer) {
  if (closers_.size() == limits::kRepairDepth) return fail();
  show_prefix();
  out_ += closer == '}' ? '{' : '[';
  closers_ += closer;
  expect_ = closer == '}' ? Expect::key_or_close : Expect::value_or_close;
}

void PartialJson::close(char c) {
  if (closers_.empty() || closers_.back() != c) return fail();
  out_ += c;
  closers_.pop_back();
  value_ended();
}

void PartialJson::value_ended() { expect_ = closers_.empty() ? Expect::nothing : Expect::comma_or_close; }

const char* PartialJson::read_number(const char* at, const char* end) {
  const char* const stop = lex::advance(scan_, at, end);
  number_.append(at, stop);
  if (stop == end) return stop;
  if (!scan_.complete()) {
    fail();
    return stop;
  }
  show_prefix();
  out_ += as_json(number_);
  value_ended();
  return stop;
}

void PartialJson::begin_string(bool key) {
  if (!key) show_prefix();
  in_key_ = key;
  target() += '"';
  expect_ = Expect::string;
}

// The bytes up to the next quote or backslash; an unfinished character waits in held_.
const char* PartialJson::read_string(const char* at, const char* end) {
  const char* stop = at;
  while (stop != end && *stop != '"' && *stop != '\\') ++stop;
  if (stop != at) {
    end_unit();
    held_.append(at, stop);
    const std::size_t whole = utf8_whole(held_);
    json::append_escaped(target(), std::string_view(held_).substr(0, whole));
    held_.erase(0, whole);
  }
  if (stop == end) return stop;
  flush_bytes();
  if (*stop == '"') {
    end_string();
  } else {
    escape_ = Escape::begun;
  }
  return stop + 1;
}

void PartialJson::flush_bytes() {
  json::append_escaped(target(), held_);
  held_.clear();
}

void PartialJson::end_string() {
  end_unit();
  target() += '"';
  if (in_key_) {
    in_key_ = false;
    expect_ = Expect::colon;
  } else {
    value_ended();
  }
}

// A high surrogate that no other half follows.
void PartialJson::end_unit() {
  if (high_ != 0) target() += kReplacement;
  high_ = 0;
}

void PartialJson::step_escape(char c) {
  switch (escape_) {
    case Escape::begun:
      if (c != 'u') end_unit();
      if (c == 'u') {
        unit_ = digits_ = 0;
        escape_ = Escape::hex;
      } else if (options_.latex && is_alpha(c)) {
        held_ = c;
        escape_ = Escape::word;
      } else if (is_one_of(c, "\"\\/bfnrt")) {
        (target() += '\\') += c;
        escape_ = Escape::none;
      } else {
        fail();
      }
      return;
    case Escape::hex: {
      const int digit = hex_value(c);
      if (digit < 0) return fail();
      unit_ = unit_ * 16 + static_cast<std::uint32_t>(digit);
      if (++digits_ == 4) end_escape();
      return;
    }
    case Escape::word:
      if (is_alpha(c) && held_.size() < kCommandBytes) {
        held_ += c;
        return;
      }
      end_escape();
      read_string(&c, &c + 1);
      return;
    case Escape::none: return;
  }
}

void PartialJson::end_escape() {
  const Escape ended = escape_;
  escape_ = Escape::none;
  if (ended == Escape::word) {
    const bool command = is_latex_command(held_) || !is_one_of(held_.front(), "bfnrt");
    (target() += command ? "\\\\" : "\\") += held_;
    held_.clear();
    return;
  }
  const bool low = (unit_ & 0xFC00U) == 0xDC00U;
  if (low && high_ != 0) {
    append_unit(target(), high_);
    append_unit(target(), unit_);
    high_ = 0;
    return;
  }
  end_unit();
  if ((unit_ & 0xFC00U) == 0xD800U) {
    high_ = unit_;
  } else if (low) {
    target() += kReplacement;
  } else {
    append_unit(target(), unit_);
  }
}

}  // namespace shunt::text
