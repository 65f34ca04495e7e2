// The words of JSON, one automaton at a time. Verdicts over whole documents are in json_scanner_test.cpp.
#include "base/json_lex.h"

#include <gtest/gtest.h>

#include <string>

namespace shunt::json::lex {
namespace {

// Where a stop byte is found, whatever stands before it and however the run begins relative to a block.
TEST(JsonLex, StringsStopAtTheFirstByteThatMatters) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool plain = byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
    for (std::size_t before = 0; before < 20; ++before) {
      std::string text(before, '!');
      text += static_cast<char>(byte);
      text += "\"\x01\"\xFF\"\"\"\"\"\"";
      StringScan scan;
      const char* end = text.data() + text.size();
      const auto at = static_cast<std::size_t>(advance(scan, text.data(), end) - text.data());
      if (plain) {
        EXPECT_EQ(at, before + 1) << byte;
        EXPECT_EQ(scan.step, Step::done);
      } else if (byte == '"') {
        EXPECT_EQ(at, before);
        EXPECT_EQ(scan.step, Step::done);
      } else if (byte == '\\') {
        EXPECT_EQ(at, before + 2) << "an escaped quote, then a control character";
        EXPECT_STREQ(scan.fault, kControl);
      } else {
        EXPECT_EQ(at, utf8_tail(static_cast<unsigned char>(byte)).due > 0 ? before + 1 : before) << byte;
        EXPECT_STREQ(scan.fault, byte < 0x20 ? kControl : kUtf8);
      }
    }
  }
}

TEST(JsonLex, AnyBlockFindsTheSameStop) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (std::size_t before = 0; before < 40; ++before) {
      const std::string text = std::string(before, '~') + static_cast<char>(byte) + std::string(20, ' ');
      const char* const end = text.data() + text.size();
      EXPECT_EQ(plain_run(text.data(), end), plain_run<simd::ScalarBlock>(text.data(), end));
    }
  }
}

TEST(JsonLex, NumbersStopAtTheFirstForeignByte) {
  struct Case {
    std::string_view text;
    std::size_t stop;
    bool complete;
  };
  for (const Case& c : {Case{"0", 1, true},
                        {"-", 1, false},
                        {"01", 1, true},
                        {"12.", 3, false},
                        {"12.5e", 5, false},
                        {"12.5e+7,", 7, true},
                        {"1e5.", 3, true},
                        {"-0]", 2, true},
                        {"1-", 1, true},
                        {"x", 0, false}}) {
    NumberScan scan;
    const char* stop = advance(scan, c.text.data(), c.text.data() + c.text.size());
    EXPECT_EQ(static_cast<std::size_t>(stop - c.text.data()), c.stop) << c.text;
    EXPECT_EQ(scan.complete(), c.complete) << c.text;
  }
}

TEST(JsonLex, PrefixesEndBetweenCharacters) {
  const auto prefix = [](std::string_view raw) { return std::string(whole_prefix(raw)); };
  EXPECT_EQ(prefix(""), "");
  EXPECT_EQ(prefix("abc"), "abc");
  EXPECT_EQ(prefix("a\\"), "a");
  EXPECT_EQ(prefix("a\\\\"), "a\\\\");
  EXPECT_EQ(prefix("a\\\\\\"), "a\\\\");
  EXPECT_EQ(prefix("\\u"), "");
  EXPECT_EQ(prefix("a\\u004"), "a");
  EXPECT_EQ(prefix("a\\u0041"), "a\\u0041");
  EXPECT_EQ(prefix("a\\\\u004"), "a\\\\u004") << "an escaped backslash, then plain text";
  EXPECT_EQ(prefix("\\n\xE4\xBD"), "\\n");
  EXPECT_EQ(prefix("\xE4\xBD\xA0"), "\xE4\xBD\xA0");
}

TEST(JsonLex, NestingRemembersEveryKind) {
  Nesting nesting;
  EXPECT_FALSE(nesting.in_object());
  for (int depth = 0; depth < limits::kJsonDepth; ++depth) ASSERT_TRUE(nesting.push(depth % 3 == 0));
  EXPECT_FALSE(nesting.push(true));
  for (int depth = limits::kJsonDepth - 1; depth >= 0; --depth) {
    ASSERT_EQ(nesting.in_object(), depth % 3 == 0);
    nesting.pop();
  }
  EXPECT_EQ(nesting.depth(), 0);
}

}  // namespace
}  // namespace shunt::json::lex
