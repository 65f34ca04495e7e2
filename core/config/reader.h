// Reads a configuration once, front to back, with every mistake reported where it stands. Knows JSON and
// types, no key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "catalog/catalog.h"
#include "config/faults.h"

namespace shunt::config {

using Names = std::vector<std::string_view>;  // in the order in which messages list them
// One token ahead over a text that json::valid() has accepted. Every read consumes exactly one value; one of
// the wrong type or out of range is reported, consumed and gives none.
class Reader {
 public:
  Reader(std::string_view text, Report& report);

  Report& report() { return report_; }
  std::uint64_t at() const { return scanner_.begin(); }  // offset of the key or value that comes next
  bool is_string() const { return token_ == json::Token::string; }
  bool is_string(std::string_view text) const;  // … and it is this one
  bool is_object() const { return token_ == json::Token::object_begin; }

  // An integer, or a decimal in millionths.
  std::optional<std::int64_t> number(bool decimals, std::int64_t least, std::int64_t most);
  std::optional<std::int64_t> integer(std::int64_t least, std::int64_t most) {
    return number(false, least, most);
  }
  std::optional<std::int64_t> micros(std::int64_t least, std::int64_t most) {
    return number(true, least, most);
  }
  std::optional<bool> flag();
  bool text(std::string& into);
  bool scalar(std::string& into);  // text, number, true, false or null, as JSON
  void value(std::string& into);   // whatever comes, as it is written
  void skip();
  // Reports what comes next as wrong, and skips it.
  void wrong(const char* allowed);
  void wrong(const std::string& allowed, const std::string& suggestion);
  // The same where a word of a list belongs: names them, and the nearest.
  void wrong_word(const Names& words);
  // What comes next, for messages: `"abc"`, `12`, `a list`.
  std::string found() const;

  // while (in.next_element()) read one value; false at the end, which is consumed.
  bool enter_array();
  bool next_element();
  // while (in.next_key()) read the value of key(); false at the end, which is consumed.
  bool enter_object();
  bool next_key();
  std::string_view key() const { return key_; }  // until the next next_key(), at any depth
  std::uint64_t key_at() const { return key_at_; }

  void duplicate_key();
  void unknown_key(const Names& known);

 private:
  void advance();
  std::string string_text() const;  // of the string or key that comes next
  bool expect(json::Token token, const char* allowed);

  std::string_view text_;
  json::Scanner scanner_;
  json::Token token_ = json::Token::end;
  Report& report_;
  std::string key_;
  std::uint64_t key_at_ = 0;
  std::uint64_t skipped_to_ = 0;  // end of the last value that skip() passed
};

// Every member of an object whose names are the user's own. A name that stands twice is reported and its
// second value skipped.
class Members {
 public:
  explicit Members(Reader& in) : in_(in), open_(in.enter_object()) {}
  bool next();  // then the value of name() is to be read
  const std::string& name() const { return name_; }
  std::uint64_t at() const { return at_; }  // offset of the name

 private:
  Reader& in_;
  bool open_;
  Index seen_;
  std::string name_;
  std::uint64_t at_ = 0;
};

// The nearest of `known` to what was written, a typo or two away; empty when none is.
std::string nearest(const std::string& written, const Names& known);
// `a, b or c` for messages.
std::string listed(const Names& names);
// A decimal of millionths: 2500000 -> 2.5.
std::string decimal(std::int64_t micros);

}  // namespace shunt::config
