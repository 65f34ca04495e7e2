// The beginning of a JSON text, made whole at any moment while it grows: a tool call's arguments, a
// structured answer. Knows JSON only; broken JSON is repair.h's.
//
// The policy, the same for `shunt repair-json --partial`: values are whole or left out, strings may be cut. A
// number counts when what follows has ended it, true, false and null by their first letter, a key when its
// value has begun; half an escape, half a surrogate pair and half a character wait. So what has been shown
// never changes: of two moments the earlier settled() is the beginning of the later. (Only a number that is
// the whole text is shown while it grows: nothing could end it.)
// Forgiven are a fence around the text and raw control characters in strings. From the first byte that no
// JSON text can have there, malformed() holds and nothing is offered any more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_lex.h"
#include "text/repair.h"

namespace shunt::text {

class PartialJson {
 public:
  explicit PartialJson(RepairOptions options = {}) : options_(options) {}

  void feed(std::string_view chunk);

  // What is sure, without what closes it. Only grows.
  const std::string& settled() const { return out_; }
  // What closes settled(): a quote and brackets. Its cost is the depth, whatever the length of the text.
  std::string closing() const;
  // settled() and closing(): JSON. None while nothing has begun, and when malformed.
  std::optional<std::string> completed() const;
  bool complete() const { return expect_ == Expect::nothing; }  // the text's value is whole
  bool malformed() const { return expect_ == Expect::failed; }

 private:
  enum class Expect : std::uint8_t {
    start,
    fence,
    value,
    value_or_close,
    key,
    key_or_close,
    colon,
    comma_or_close,
    nothing,
    string,
    number,
    literal,
    failed
  };
  enum class Escape : std::uint8_t { none, begun, hex, word };

  void step(char c);
  void begin_value(char c);
  void begin_string(bool key);
  void open(char closer);
  void close(char c);
  void value_ended();
  void show_prefix();
  const char* read_string(const char* at, const char* end);
  const char* read_number(const char* at, const char* end);
  void step_escape(char c);
  void end_escape();
  void end_unit();
  void end_string();
  void flush_bytes();
  std::string& target() { return in_key_ ? prefix_ : out_; }
  void fail() { expect_ = Expect::failed; }

  RepairOptions options_;
  std::string out_;
  std::string closers_;  // of the open containers, the innermost last
  std::string prefix_;   // comma, key and colon of the value to come
  Expect expect_ = Expect::start;
  bool fenced_ = false;
  bool in_key_ = false;
  std::uint8_t mark_ = 0;  // bytes of the byte order mark, or backticks of a fence, so far
  Escape escape_ = Escape::none;
  std::uint8_t digits_ = 0;
  std::uint32_t unit_ = 0;  // the \u escape being read
  std::uint32_t high_ = 0;  // a high surrogate whose other half is due; 0 for none
  std::string held_;        // a word behind a backslash, or bytes of an unfinished character
  json::lex::NumberScan scan_;
  std::string number_;
  std::string_view literal_;
};

}  // namespace shunt::text
