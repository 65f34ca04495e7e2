// UTF-8 as Unicode defines it (table 3-7 of the standard: no overlongs, no surrogates, nothing above
// U+10FFFF); knows no JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace shunt {

// What must follow a lead byte: `due` continuation bytes, the first of them within low..high (any further
// within 80..BF). due == 0: the byte never starts a sequence of several bytes.
struct Utf8Tail {
  std::uint8_t due = 0;
  std::uint8_t low = 0x80;
  std::uint8_t high = 0xBF;
};

constexpr Utf8Tail utf8_tail(unsigned char lead) {
  if (lead < 0xC2 || lead > 0xF4) return {};
  if (lead < 0xE0) return {1, 0x80, 0xBF};
  if (lead == 0xE0) return {2, 0xA0, 0xBF};  // below A0: overlong
  if (lead == 0xED) return {2, 0x80, 0x9F};  // above 9F: surrogates
  if (lead < 0xF0) return {2, 0x80, 0xBF};
  if (lead == 0xF0) return {3, 0x90, 0xBF};  // below 90: overlong
  if (lead == 0xF4) return {3, 0x80, 0x8F};  // above 8F: beyond U+10FFFF
  return {3, 0x80, 0xBF};
}

// The length of the well-formed sequence at the start of `text` (1 for ASCII); 0 when it is ill-formed or cut
// short.
std::size_t utf8_length(std::string_view text);

bool valid_utf8(std::string_view text);

// Over well-formed characters of three bytes (all of CJK) that follow each other; near the end it may stop
// early. For short texts, and those of one script.
const char* three_byte_run(const char* at, const char* end);

// Over well-formed text, from where a character begins: to the first that is ill-formed or cut short, or to a
// quote, a backslash or a control character. For long texts that mix scripts: it begins slowly.
const char* json_text_run(const char* at, const char* end);

// After so many runs of one script the other way is faster.
inline constexpr int kFewRuns = 8;

// How much of `text` can be cut off without splitting a character: all of it, less an unfinished but so far
// well-formed sequence at its end.
std::size_t utf8_whole(std::string_view text);

// Appends `text` with U+FFFD for every maximal ill-formed part, as the WHATWG decoder does. Returns how many
// bytes were used: all of them when `last`, else all but an unfinished sequence at the end, which the caller
// puts before the bytes that follow.
std::size_t append_replacing(std::string& out, std::string_view text, bool last = true);

// Writes a scalar value, at most four bytes; a surrogate or anything above U+10FFFF becomes U+FFFD. Returns
// its end.
inline char* put_code_point(char* at, std::uint32_t code_point) {
  const bool scalar = code_point <= 0x10FFFFU && (code_point < 0xD800U || code_point > 0xDFFFU);
  if (!scalar) code_point = 0xFFFD;
  const auto put = [&](std::uint32_t byte) { *at++ = static_cast<char>(byte); };
  const auto put_tail = [&](unsigned shift) { put(0x80U | (code_point >> shift & 0x3FU)); };
  if (code_point < 0x80U) {
    put(code_point);
    return at;
  }
  if (code_point < 0x800U) {
    put(0xC0U | code_point >> 6U);
  } else {
    put(code_point < 0x10000U ? 0xE0U | code_point >> 12U : 0xF0U | code_point >> 18U);
    if (code_point >= 0x10000U) put_tail(12);
    put_tail(6);
  }
  put_tail(0);
  return at;
}

}  // namespace shunt
