// Reads a configuration once, front to back, with every mistake reported where it stands. Knows JSON and
// types, no key.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "config/faults.h"

namespace shunt::config {

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

  std::optional<std::int64_t> integer(std::int64_t least, std::int64_t most);
  std::optional<std::int64_t> micros(std::int64_t least, std::int64_t most);  // a decimal, in millionths
  std::optional<bool> flag();
  std::optional<std::string> text();
  std::optional<std::string> scalar();  // text, number, true, false or null, as JSON
  void skip();
  // Reports what comes next as wrong, and skips it.
  void wrong(std::string_view allowed, std::string_view suggestion = {});
  // The same where a word of a list belongs: names them, and the nearest.
  void wrong_word(std::span<const std::string_view> words);
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

  // Every member of an object whose names are the user's own: visit(name, offset of the name). A name that
  // stands twice is reported and its second value skipped.
  template <typename Visit>
  void each_member(Visit visit) {
    if (!enter_object()) return;
    std::set<std::string, std::less<>> seen;
    while (next_key()) {
      const auto [name, fresh] = seen.emplace(key_);
      if (fresh) {
        visit(std::string_view(*name), key_at_);
      } else {
        duplicate_key();
      }
    }
  }

  void duplicate_key();
  void unknown_key(std::span<const std::string_view> known);

 private:
  void advance();
  std::string string_text() const;  // of the string or key that comes next
  bool expect(json::Token token, std::string_view allowed);

  json::Scanner scanner_;
  json::Token token_ = json::Token::end;
  Report& report_;
  std::string key_;
  std::uint64_t key_at_ = 0;
};

// The nearest of `known` to what was written, a typo or two away; empty when none is.
std::string nearest(std::string_view written, std::span<const std::string_view> known);
// `a, b or c` for messages.
std::string listed(std::span<const std::string_view> names);
// A decimal of millionths: 2500000 -> 2.5.
std::string decimal(std::int64_t micros);

}  // namespace shunt::config
