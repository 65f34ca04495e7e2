// Documents every reader of JSON must agree on, and ways to feed them; knows no reader but the scanner.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/strings.h"

namespace shunt::json {

using namespace std::string_view_literals;

// Well formed by RFC 8259 (and, where named in json.h, by decision).
inline constexpr std::string_view kGoodDocuments[] = {
    "{}",
    "[]",
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "10",
    "1234567890123456789012345678901234567890",
    "0.5",
    "-0.0",
    "1.25",
    "1e5",
    "1E5",
    "1e+5",
    "1e-5",
    "0e0",
    "0.0e-0",
    "123.456e+78",
    "\"\"",
    "\"a\"",
    " null ",
    "\t\r\n []\t\r\n ",
    "[ ]",
    "{ }",
    "[1]",
    "[1,2]",
    "[ 1 , 2 ]",
    "[[]]",
    "[[],[]]",
    "[{}]",
    "[[[[]]]]",
    R"({"a":1})",
    R"({"a":1,"b":2})",
    R"({ "a" : 1 , "b" : [ ] })",
    R"({"a":{"b":{"c":null}}})",
    R"({"":0})",
    R"({"a":1,"a":2})",
    R"({"\u0061":1})",
    R"(["\"","\\","\/","\b","\f","\n","\r","\t"])",
    R"("\u0041")",
    R"("\u00e9\u20AC\uFfFf")",
    R"("\uD83D\uDE00")",
    R"("\u0000")",
    R"("\\u0041")",
    R"("\\\\")",
    R"("a\\")",
    "\"\x7f\"",
    "\"\xC2\x80\"",
    "\"\xDF\xBF\"",
    "\"\xE0\xA0\x80\"",
    "\"\xED\x9F\xBF\"",
    "\"\xEE\x80\x80\"",
    "\"\xEF\xBF\xBF\"",
    "\"\xF0\x90\x80\x80\"",
    "\"\xF4\x8F\xBF\xBF\"",
    "\"h\xC3\xA9llo w\xC3\xB6rld, \xE4\xBD\xA0\xE5\xA5\xBD\"",
    "\xEF\xBB\xBF{}",
    "\xEF\xBB\xBF 1",
    "\"\xEF\xBB\xBF\"",
    "[true,false,null]",
    "[\"a\",1,true,{},[]]",
    "[1,-2,3.5,4e6]",
    "[1 ]",
    "[\"eight by\",\"eight byt\",\"seven b\"]",
    "\"01234567\"",
    "\"0123456789abcdef\\n\"",
    R"({"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,)"
    R"("model":"m","choices":[{"index":0,"delta":{"content":"Hel\"lo"},"finish_reason":null}]})",
    R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta",)"
    R"("partial_json":"{\"city\": \"Z\u00fcrich"}})",
    R"([{"role":"user","content":[{"type":"image_url",)"
    R"("image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}])",
    // Lone and ill-paired surrogates, the range of numbers.
    R"("\uD83D")",
    R"("\uDE00")",
    R"("\uDE00\uD83D")",
    R"("\uD83Dx")",
    R"("\uD83D\n")",
    R"("\uD83D\u0041")",
    "1e999",
    "-1e9999",
    "[1e400,1]",
};

struct BadDocument {
  std::string_view text;
  std::uint64_t offset;
  const char* what;
};

using namespace lex;
inline constexpr BadDocument kBadDocuments[] = {
    {"", 0, kUnexpectedEnd},
    {"  ", 2, kUnexpectedEnd},
    {"{", 1, kUnexpectedEnd},
    {"[", 1, kUnexpectedEnd},
    {"[1", 2, kUnexpectedEnd},
    {"[1,", 3, kUnexpectedEnd},
    {"{\"a\"", 4, kUnexpectedEnd},
    {"{\"a\":", 5, kUnexpectedEnd},
    {"{\"a\":1", 6, kUnexpectedEnd},
    {"{\"a\":1,", 7, kUnexpectedEnd},
    {"[[]", 3, kUnexpectedEnd},
    {"\xEF\xBB\xBF", 3, kUnexpectedEnd},
    {"}", 0, kUnexpected},
    {"]", 0, kUnexpected},
    {",", 0, kUnexpected},
    {":", 0, kUnexpected},
    {"[}", 1, kUnexpected},
    {"{]", 1, kUnexpected},
    {"[1}", 2, kUnexpected},
    {"{\"a\":1]", 6, kUnexpected},
    {"[,]", 1, kUnexpected},
    {"[1,]", 3, kUnexpected},
    {"[1,,2]", 3, kUnexpected},
    {"[1 2]", 3, kUnexpected},
    {"[1:2]", 2, kUnexpected},
    {"{,}", 1, kUnexpected},
    {"{\"a\":1,}", 7, kUnexpected},
    {"{\"a\",1}", 4, kUnexpected},
    {"{\"a\" 1}", 5, kUnexpected},
    {"{\"a\":}", 5, kUnexpected},
    {"{a:1}", 1, kUnexpected},
    {"{1:1}", 1, kUnexpected},
    {"{'a':1}", 1, kUnexpected},
    {"{\"a\":1 \"b\":2}", 7, kUnexpected},
    {"{null:1}", 1, kUnexpected},
    {"{[]:1}", 1, kUnexpected},
    {"['a']", 1, kUnexpected},
    {"[a]", 1, kUnexpected},
    {"[NaN]", 1, kUnexpected},
    {"Infinity", 0, kUnexpected},
    {"+1", 0, kUnexpected},
    {".5", 0, kUnexpected},
    {"[/**/]", 1, kUnexpected},
    {"// x", 0, kUnexpected},
    {"\f1", 0, kUnexpected},
    {"\xC2\xA0"
     "1",
     0, kUnexpected},
    {"\x80", 0, kUnexpected},
    {"\0"sv, 0, kUnexpected},
    {"[\0]"sv, 1, kUnexpected},
    {"1\0"sv, 1, kAfterValue},
    {"1 2", 2, kAfterValue},
    {"01", 1, kAfterValue},
    {"-01", 2, kAfterValue},
    {"1a", 1, kAfterValue},
    {"{}{}", 2, kAfterValue},
    {"[]]", 2, kAfterValue},
    {"\"a\"\"b\"", 3, kAfterValue},
    {"null,", 4, kAfterValue},
    {"nulll", 4, kAfterValue},
    {"0x1", 1, kAfterValue},
    {"1-", 1, kAfterValue},
    {"[01]", 2, kUnexpected},
    {"[1a]", 2, kUnexpected},
    {"[\xEF\xBB\xBF]", 1, kUnexpected},
    {"-", 1, kNumber},
    {"--1", 1, kNumber},
    {"-a", 1, kNumber},
    {"1.", 2, kNumber},
    {"1.e5", 2, kNumber},
    {"1e", 2, kNumber},
    {"1e+", 3, kNumber},
    {"1e+-1", 3, kNumber},
    {"[1.]", 3, kNumber},
    {"-.5", 1, kNumber},
    {"1.2.3", 3, kAfterValue},
    {"1e5.2", 3, kAfterValue},
    {"nul", 3, kLiteral},
    {"t", 1, kLiteral},
    {"tru ", 3, kLiteral},
    {"trUe", 2, kLiteral},
    {"[falsy]", 5, kLiteral},
    {"nulL", 3, kLiteral},
    {"\"", 1, kUnterminated},
    {"\"abc", 4, kUnterminated},
    {"\"\\", 2, kUnterminated},
    {"\"\\\"", 3, kUnterminated},
    {"\"\\u12", 5, kUnterminated},
    {"\"\xC3", 2, kUnterminated},
    {"[\"a", 3, kUnterminated},
    {"{\"a", 3, kUnterminated},
    {"\"0123456789abcdef", 17, kUnterminated},
    {"\"\n\"", 1, kControl},
    {"\"\x1f\"", 1, kControl},
    {"\"a\tb\"", 2, kControl},
    {"\"\0\""sv, 1, kControl},
    {"\"0123456\x01\"", 8, kControl},
    {"\"01234567\x01\"", 9, kControl},
    {"{\"\n\":1}", 2, kControl},
    {"\"\\a\"", 2, kEscape},
    {"\"\\x41\"", 2, kEscape},
    {"\"\\U0041\"", 2, kEscape},
    {"\"\\u\"", 3, kEscape},
    {"\"\\u12\"", 5, kEscape},
    {"\"\\u00g0\"", 5, kEscape},
    {"\"\\\n\"", 2, kEscape},
    {"\"\\'\"", 2, kEscape},
    {"{\"\\q\":1}", 3, kEscape},
    {"\"\x80\"", 1, kUtf8},
    {"\"\xBF\"", 1, kUtf8},
    {"\"\xC0\x80\"", 1, kUtf8},
    {"\"\xC1\xBF\"", 1, kUtf8},
    {"\"\xC3\"", 2, kUtf8},
    {"\"\xE0\x9F\xBF\"", 2, kUtf8},
    {"\"\xE4\xBD\"", 3, kUtf8},
    {"\"\xED\xA0\x80\"", 2, kUtf8},
    {"\"\xF0\x8F\xBF\xBF\"", 2, kUtf8},
    {"\"\xF4\x90\x80\x80\"", 2, kUtf8},
    {"\"\xF5\x80\x80\x80\"", 1, kUtf8},
    {"\"\xFF\"", 1, kUtf8},
    {"\"01234567\xFE\"", 9, kUtf8},
    {"\xEF", 1, kMark},
    {"\xEF\xBB", 2, kMark},
    {"\xEF\xBB{}", 2, kMark},
    {"\xEF{}", 1, kMark},
    {" \xEF\xBB\xBF{}", 1, kUnexpected},
    {"\xEF\xBB\xBF\xEF\xBB\xBF{}", 3, kUnexpected},
};

inline std::vector<std::string_view> all_documents() {
  std::vector<std::string_view> all(std::begin(kGoodDocuments), std::end(kGoodDocuments));
  for (const BadDocument& bad : kBadDocuments) all.push_back(bad.text);
  return all;
}

// A copy on the heap of exactly the text's size, so that a sanitizer sees the first byte read beyond it.
class Exact {
 public:
  explicit Exact(std::string_view text) : bytes_(new char[text.size()]), size_(text.size()) {
    if (!text.empty()) std::memcpy(bytes_.get(), text.data(), text.size());
  }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

// What the scanner says of a document fed in these pieces, one token a line. Each piece is gone when the next
// is fed.
inline std::string token_stream(const std::vector<std::string_view>& pieces) {
  Scanner scanner;
  std::string out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Exact piece(pieces[i]);
    scanner.feed(piece.view(), i + 1 == pieces.size());
    for (Token token = scanner.next(); token != Token::need_more; token = scanner.next()) {
      append_int(out, static_cast<int>(token));
      if (token == Token::error) {
        append_uint(out += " @", scanner.error().offset);
        return (out += ' ') += scanner.error().what;
      }
      if (token == Token::end) return out;
      append_uint(out += ' ', scanner.begin());
      append_uint(out += '-', scanner.end());
      append_int(out += " depth ", scanner.depth());
      const bool word = token == Token::key || token == Token::string || token == Token::number;
      if (word)
        (((out += scanner.escaped() ? " escaped " : " ") += scanner.whole() ? "" : "part of ") +=
         scanner.text());
      out += '\n';
    }
  }
  return out += "still hungry";
}

}  // namespace shunt::json
