// UTF-8 by table 3-7 of the Unicode standard, and replacement as the WHATWG decoder does it.
#include "base/utf8.h"

#include <gtest/gtest.h>

#include "base/utf8_run.h"

namespace shunt {
namespace {

void append_code_point(std::string& out, std::uint32_t code_point) {
  char bytes[4];
  out.append(bytes, static_cast<std::size_t>(put_code_point(bytes, code_point) - bytes));
}

constexpr std::string_view kBad = "\xEF\xBF\xBD";

std::string mended(std::string_view text) {
  std::string out;
  append_replacing(out, text);
  return out;
}

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (; times > 0; --times) out += text;
  return out;
}

// A slow decoder, by code points: the oracle.
bool slow_valid(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto at = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
    const unsigned lead = at(i);
    const std::size_t size = lead < 0x80                   ? 1
                             : lead >= 0xF0 && lead < 0xF8 ? 4
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xC0 && lead < 0xE0 ? 2
                                                           : 0;
    if (size == 0) return false;
    unsigned code = size == 1 ? lead : lead & (0xFFU >> (size + 1));
    for (std::size_t k = 1; k < size; ++k) {
      if ((at(i + k) & 0xC0U) != 0x80U) return false;
      code = code << 6U | (at(i + k) & 0x3FU);
    }
    constexpr unsigned kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kLeast[size] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    i += size;
  }
  return true;
}

TEST(Utf8, EveryCodePointIsWrittenAndAccepted) {
  for (std::uint32_t code = 0; code <= 0x10FFFF; ++code) {
    std::string out;
    append_code_point(out, code);
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    ASSERT_EQ(out == kBad, surrogate || code == 0xFFFD);
    ASSERT_TRUE(valid_utf8(out));
    ASSERT_TRUE(slow_valid(out));
    ASSERT_EQ(utf8_length(out), out.size());
  }
  std::string out;
  append_code_point(out, 0x110000);
  EXPECT_EQ(out, kBad);
}

TEST(Utf8, AgreesWithTheSlowDecoderOnAllShortTexts) {
  constexpr std::string_view kBytes =
      "\x41\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xff";
  for (const char a : kBytes) {
    for (const char b : kBytes) {
      for (const char c : kBytes) {
        for (const char d : kBytes) {
          const std::string text = {a, b, c, d};
          ASSERT_EQ(valid_utf8(text), slow_valid(text));
          ASSERT_EQ(valid_utf8("01234567" + text + "89"), slow_valid(text + "8"));
          const std::string out = mended(text);
          ASSERT_TRUE(slow_valid(out));
          ASSERT_EQ(out == text, slow_valid(text));
        }
      }
    }
  }
}

// How far a text is well formed and may stand in a JSON string.
std::size_t slow_run(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = utf8_length(text.substr(at));
    const char c = text[at];
    if (size == 0 || c == '"' || c == '\\' || (c >= 0 && c < 0x20)) return at;
    at += size;
  }
  return text.size();
}

// Sixteen bytes are looked at together: each kind of character, and each that is none, at every place.
TEST(Utf8, AgreesWithTheSlowDecoderOnRunsOfCharacters) {
  constexpr std::string_view kParts[] = {"a",
                                         "\xE8\xAF\xB7",
                                         "\xE0\xA0\x80",
                                         "\xED\x9F\xBF",
                                         "\xEF\xBF\xBD",
                                         "\xE0\x9F\x80",
                                         "\xED\xA0\x80",
                                         "\xE8\xAF",
                                         "\xC3\xA9",
                                         "\xF0\x9F\x98\x80",
                                         "\xE8",
                                         "\xF0\x8F\x98\x80",
                                         "\xF4\x8F\xBF\xBF",
                                         "\xF4\x90\x80\x80",
                                         "\xC1\x80",
                                         "\x80",
                                         "\"",
                                         "\\",
                                         "\x1F",
                                         "\xFF"};
  std::uint32_t state = 1;
  for (int round = 0; round < 200'000; ++round) {
    std::string text;
    for (std::uint32_t left = round % 13; left > 0; --left) {
      state = state * 1664525U + 1013904223U;
      const std::uint32_t draw = (state >> 8U) % 40U;
      text += kParts[draw < std::size(kParts) ? draw : 1];
    }
    ASSERT_EQ(valid_utf8(text), slow_valid(text)) << round;
    ASSERT_EQ(mended(text) == text, slow_valid(text)) << round;
    const char* const end = text.data() + text.size();
    ASSERT_EQ(json_text_run(text.data(), end), text.data() + slow_run(text)) << round;
    ASSERT_EQ(utf8_run<simd::ScalarBlock>(text.data(), end, true), text.data() + slow_run(text)) << round;
  }
}

// The examples of the Unicode standard, tables 3-8 to 3-11.
TEST(Utf8, OneReplacementForEachMaximalPart) {
  EXPECT_EQ(mended("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), repeated(kBad, 8) + "A");
  EXPECT_EQ(mended("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), repeated(kBad, 8) + "A");
  EXPECT_EQ(mended("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
            repeated(kBad, 5) + "A" + repeated(kBad, 2) + "B");
  EXPECT_EQ(mended("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), repeated(kBad, 4) + "A");
  EXPECT_EQ(mended("plain"), "plain");
  EXPECT_EQ(mended("ends \xE4\xBD"), "ends " + std::string(kBad));
}

TEST(Utf8, PiecesAreMendedAsTheWholeIs) {
  constexpr std::string_view kText =
      "a\xE4\xBD\xA0\xFF\xF0\x9F\x98\x80\xE4\xBD"
      "b\xF0\x9F\x98\xC3";
  for (std::size_t cut = 0; cut <= kText.size(); ++cut) {
    std::string out;
    std::string rest(kText.substr(0, cut));
    rest.erase(0, append_replacing(out, rest, false));
    EXPECT_LE(rest.size(), 3U);
    rest += kText.substr(cut);
    EXPECT_EQ(append_replacing(out, rest), rest.size());
    EXPECT_EQ(out, mended(kText));
  }
}

TEST(Utf8, CutsBetweenCharacters) {
  EXPECT_EQ(utf8_whole(""), 0U);
  EXPECT_EQ(utf8_whole("ab"), 2U);
  EXPECT_EQ(utf8_whole("a\xC3"), 1U);
  EXPECT_EQ(utf8_whole("a\xC3\xA9"), 3U);
  EXPECT_EQ(utf8_whole("a\xF0\x9F\x98"), 1U);
  EXPECT_EQ(utf8_whole("a\xF0\x9F\x98\x80"), 5U);
  EXPECT_EQ(utf8_whole("\xE4\xBD"), 0U);
  EXPECT_EQ(utf8_whole("\x80\x80\x80\x80"), 4U) << "ill-formed is not unfinished";
  EXPECT_EQ(utf8_whole("\xE0\x80"), 2U);
  EXPECT_EQ(utf8_length(""), 0U);
  EXPECT_EQ(utf8_length("\xC3"), 0U);
  EXPECT_EQ(utf8_length("\xFFx"), 0U);
}

}  // namespace
}  // namespace shunt
