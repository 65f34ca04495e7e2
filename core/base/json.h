// The one JSON grammar of the core: a forward-only scanner that can stop at any byte, and a cursor for whole
// texts. No DOM, no allocation on whole texts, located errors.
//
// Accepts and refuses what nlohmann's SAX parser (3.11) does: RFC 8259, strict UTF-8, one byte order mark in
// front. The differences, all of them deliberate:
// - A lone or ill-paired surrogate escape ("\uD83D") is accepted and reads as U+FFFD: providers split pairs
//   over two deltas, and a stream must not end over half an emoji.
// - The range of a number is for its reader: 1e999 is well formed.
// - A NUL byte outside a string is an unexpected character, not the end of the text.
// - Limits: depth (kJsonDepth) and, in the Scanner, keys and numbers over kTokenBytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_lex.h"
#include "base/limits.h"

namespace shunt::json {

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

enum class Token : std::uint8_t {
  need_more,  // the slice is used up and was not the last: feed() the next
  end,        // the document is complete and nothing but white space followed
  object_begin,
  object_end,
  array_begin,
  array_end,
  key,     // an object's key; text() is its raw content
  string,  // a string value; text() is its raw content, or its head when !whole()
  number,
  boolean_true,
  boolean_false,
  null,
  error,  // see error(); final
};

// Where and what. `offset` counts bytes from the start of the document.
struct Error {
  std::uint64_t offset = 0;
  const char* what = "";  // static, plain words: "unexpected character", "unterminated string", …
  friend bool operator==(const Error& a, const Error& b) {
    return a.offset == b.offset && std::string_view(a.what) == b.what;
  }
};

// The scanner. Feed slices in order (any split gives the same tokens, offsets and errors); after each feed
// call next() until need_more, end or error. The bytes of a slice must live until the next feed(). Whole
// tokens inside one slice are views of it; a token that straddles slices is gathered in an own buffer of at
// most kTokenBytes.
class Scanner {
 public:
  void feed(std::string_view slice, bool last);
  Token next();
  // The next value, if it is a string, is gathered up to `most` bytes instead of kTokenBytes.
  void gather_next(std::size_t most) { next_most_ = most; }

  // Of the token just returned. Offsets span the token's bytes in the document, quotes included for strings
  // and keys.
  std::uint64_t begin() const { return token_begin_; }
  std::uint64_t end() const { return token_end_; }
  // Raw content without quotes (strings, keys) or the digits (numbers); dies at next()/feed().
  std::string_view text() const { return straddles_ ? std::string_view(gathered_) : view_; }
  // A string or key holds a backslash (so text() needs unescape()).
  bool escaped() const { return string_.escaped; }
  // False for a string over kTokenBytes that straddled slices: text() is then its first kTokenBytes raw
  // bytes, less an escape or character cut by that, and the whole is the range begin()+1 .. end()-1 of the
  // document.
  bool whole() const { return !straddles_ || length_ <= most_; }
  int depth() const { return nesting_.depth(); }  // open containers after this token
  const Error& error() const { return error_; }
  // A string value is being read across slices and has already passed what is gathered of it: its offset (of
  // the opening quote) and its head. For bodies sent on while they arrive.
  bool in_long_string() const { return pending_ == Pending::string && length_ > most_; }
  std::uint64_t long_string_begin() const { return token_begin_; }
  std::string_view long_string_head() const { return gathered_; }
  bool long_string_escaped() const { return string_.escaped; }
  std::size_t memory() const { return gathered_.capacity(); }  // bytes held beyond the object itself

 private:
  enum class Expect : std::uint8_t {
    mark,
    value,
    value_or_close,
    key,
    key_or_close,
    colon,
    comma_or_close,
    nothing,
    failed
  };
  enum class Pending : std::uint8_t { none, key, string, number, literal };

  std::uint64_t offset() const { return base_ + static_cast<std::uint64_t>(at_ - slice_); }
  void read_mark();
  Token begin_value(char c);
  Token begin_word(Pending word, const char* content);
  Token read_on();
  Token finish(std::string_view piece);
  void gather(std::string_view piece);
  Token open(bool object);
  Token close(char c);
  Token out_of_bytes();
  Token fail(const char* what) { return fail_at(offset(), what); }
  Token fail_at(std::uint64_t offset, const char* what);

  // The slice and the place in it; base_ is the document offset of its first byte.
  const char* slice_ = nullptr;
  const char* at_ = nullptr;
  const char* slice_end_ = nullptr;
  std::uint64_t base_ = 0;
  bool last_ = false;

  Expect expect_ = Expect::mark;
  lex::Nesting nesting_;
  Error error_;

  // The token being read, or read last.
  Pending pending_ = Pending::none;
  bool straddles_ = false;  // its content is in gathered_, else view_
  std::uint64_t token_begin_ = 0;
  std::uint64_t token_end_ = 0;
  std::size_t most_ = limits::kTokenBytes;       // bytes gathered of it
  std::size_t next_most_ = limits::kTokenBytes;  // … of the next value
  std::uint64_t length_ = 0;  // raw bytes of content in earlier slices; of all slices once finished
  std::string_view view_;
  std::string gathered_;
  lex::StringScan string_;
  lex::NumberScan number_;
  lex::LiteralRest literal_ = lex::kByteOrderMark;
  Token literal_token_ = Token::null;
};

// Unescapes the raw content of a JSON string: appends UTF-8 to `out`. \uXXXX pairs join; a lone surrogate
// becomes U+FFFD. Raw content came from a Scanner or Cursor, so its escapes are well formed.
void unescape(std::string_view raw, std::string& out);

// Pull reading of one whole text held in memory; views are of that text and live as long as it. Every read
// either consumes exactly one value or (on a wrong type) nothing and returns none/false; a value nobody
// consumed is skipped by the next next_key()/next_element(). After a syntax error ok() is false and
// everything returns none/false.
class Cursor {
 public:
  explicit Cursor(std::string_view whole);

  std::optional<Kind> peek();  // kind of the value that comes next
  bool enter_object();         // consumes '{'
  // False at '}' (consumed). The key is unescaped; valid until the next next_key().
  bool next_key(std::string_view& key);
  bool enter_array();                                      // consumes '['
  bool next_element();                                     // false at ']' (consumed)
  bool read_string(std::string_view& raw, bool& escaped);  // raw content
  // The string's text: a view of the input when nothing is escaped, else unescaped into `scratch` (replaced).
  std::optional<std::string_view> read_text(std::string& scratch);
  // A number without fraction or exponent that fits; else nothing is consumed.
  std::optional<std::int64_t> read_int();
  std::string_view read_number();  // its digits; empty = not a number
  std::optional<bool> read_bool();
  bool read_null();
  // Consumes any value and returns its bytes, checked for balance and strings only; empty on error.
  std::string_view skip();
  bool at_end();  // only white space is left

  bool ok() const { return !failed_; }
  const Error& error() const { return error_; }
  // Of the next unread byte.
  std::uint64_t offset() const { return static_cast<std::uint64_t>(at_ - begin_); }

 private:
  bool next_is(Kind kind);
  bool enter(Kind kind);
  bool next_member(char close);
  bool skip_space();
  bool string_content(std::string_view& raw, bool& escaped);
  bool word();
  bool skip_container();
  bool fail(const char* what);

  const char* begin_;
  const char* at_;
  const char* end_;
  int depth_ = 0;
  bool value_due_ = true;  // a value stands next and has not been consumed
  bool fresh_ = false;     // just entered a container: no comma before its first member
  bool failed_ = false;
  Error error_;
  std::string key_;  // the last key, when it was escaped
};

// True when the whole text is one well-formed JSON value (full walk).
bool valid(std::string_view text, Error* error = nullptr);

}  // namespace shunt::json
