// The words of JSON as automata that can stop at any byte: strings, numbers, literals, nesting. Knows no
// documents; shared by the Scanner and the Cursor so that there is one lexer.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "base/limits.h"
#include "base/simd.h"
#include "base/utf8.h"

namespace shunt::json::lex {

// Every fault the grammar knows, in plain words.
inline constexpr const char* kUnexpected = "unexpected character";
inline constexpr const char* kUnexpectedEnd = "unexpected end";
inline constexpr const char* kAfterValue = "text after the value";
inline constexpr const char* kUnterminated = "unterminated string";
inline constexpr const char* kControl = "control character in a string";
inline constexpr const char* kEscape = "invalid escape";
inline constexpr const char* kUtf8 = "invalid UTF-8";
inline constexpr const char* kNumber = "invalid number";
inline constexpr const char* kLiteral = "invalid literal";
inline constexpr const char* kTooDeep = "nested too deeply";
inline constexpr const char* kTooLong = "key or number too long";
inline constexpr const char* kMark = "invalid byte order mark";

constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// The hot loop of the whole core: over the bytes of a string that mean nothing but themselves (no quote, no
// backslash, no control character, ASCII).
template <typename Block = simd::Block>
const char* plain_run(const char* at, const char* end) {
  for (; end - at >= static_cast<std::ptrdiff_t>(simd::kBlock); at += simd::kBlock) {
    const Block block = Block::load(at);
    const std::uint32_t stops =
        (block.equal_to('"') | block.equal_to('\\') | block.below(0x20) | block).bits();
    if (stops != 0) return at + std::countr_zero(stops);
  }
  const auto plain = [](char c) { return c >= 0x20 && c != '"' && c != '\\'; };
  while (at != end && plain(*at) && static_cast<unsigned char>(*at) < 0x80) ++at;
  return at;
}

enum class Step : std::uint8_t { reading, done, failed };

// The content of a string, after its opening quote.
struct StringScan {
  enum class Phase : std::uint8_t { plain, escape, hex, utf8 };
  Step step = Step::reading;
  Phase phase = Phase::plain;
  std::uint8_t hex_due = 0;
  Utf8Tail tail;
  bool escaped = false;
  const char* fault = "";
};

// Reads on from `at`. Returns where it stopped: the closing quote when done, the faulty byte when failed,
// `end` while reading.
const char* advance(StringScan& scan, const char* at, const char* end);

struct NumberScan {
  enum class Phase : std::uint8_t { start, sign, zero, whole, point, fraction, mark, mark_sign, exponent };
  Phase phase = Phase::start;
  // The bytes so far are a number.
  bool complete() const {
    return phase == Phase::zero || phase == Phase::whole || phase == Phase::fraction ||
           phase == Phase::exponent;
  }
};

// Reads on from `at`; returns the first byte that cannot belong to the number, or `end`.
const char* advance(NumberScan& scan, const char* at, const char* end);

// `true`, `false`, `null` and the byte order mark: what is still to come of the word.
using LiteralRest = std::string_view;
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
const char* advance(LiteralRest& rest, const char* at, const char* end);
// The word that begins with `c`, "" for none.
constexpr std::string_view literal_of(char c) {
  return c == 't' ? "true" : c == 'f' ? "false" : c == 'n' ? "null" : "";
}

// Which containers are open, outermost first: one bit each, set for objects.
class Nesting {
 public:
  bool push(bool object) {
    if (depth_ == limits::kJsonDepth) return false;
    const std::uint64_t bit = 1ULL << (static_cast<unsigned>(depth_) % 64U);
    std::uint64_t& word = words_[static_cast<unsigned>(depth_) / 64U];
    word = object ? word | bit : word & ~bit;
    ++depth_;
    return true;
  }
  void pop() { --depth_; }
  int depth() const { return depth_; }
  bool in_object() const {
    const auto top = static_cast<unsigned>(depth_ - 1);
    return depth_ > 0 && ((words_[top / 64U] >> (top % 64U)) & 1U) != 0;
  }

 private:
  static_assert(limits::kJsonDepth % 64 == 0);
  std::array<std::uint64_t, limits::kJsonDepth / 64> words_{};
  int depth_ = 0;
};

// The longest prefix of a string's raw content that ends neither inside an escape nor inside a UTF-8
// sequence; `raw` is itself a prefix of well-formed content.
std::string_view whole_prefix(std::string_view raw);

}  // namespace shunt::json::lex
