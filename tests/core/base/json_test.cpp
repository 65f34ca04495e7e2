// The cursor, and unescaping.
#include "base/json.h"

#include <gtest/gtest.h>

#include "core/base/json_documents.h"
#include "core/base/json_walk.h"

namespace shunt::json {
namespace {

TEST(JsonCursor, AgreesWithTheScanner) {
  for (const std::string_view text : all_documents()) {
    const Exact exact(text);
    Error scanned;
    const bool good = valid(exact.view(), &scanned);
    Error walked;
    EXPECT_EQ(walk(exact.view(), &walked), good) << text;
    if (!good) {
      EXPECT_EQ(walked.offset, scanned.offset) << text;
      EXPECT_STREQ(walked.what, scanned.what) << text;
    }
  }
}

TEST(JsonCursor, ReadsEveryKind) {
  Cursor c(R"({"s":"x","e":"a\nb","i":-7,"n":2.50,"t":true,"f":false,"z":null,"o":{},"a":[1,2]})");
  std::string scratch;
  std::string_view key;
  ASSERT_TRUE(c.enter_object());
  ASSERT_TRUE(c.next_key(key));
  EXPECT_EQ(key, "s");
  EXPECT_EQ(c.read_text(scratch), "x");
  ASSERT_TRUE(c.next_key(key));
  EXPECT_EQ(c.read_text(scratch), "a\nb");
  ASSERT_TRUE(c.next_key(key));
  EXPECT_EQ(c.read_int(), -7);
  ASSERT_TRUE(c.next_key(key));
  EXPECT_EQ(c.read_int(), std::nullopt);
  EXPECT_EQ(c.read_number(), "2.50");
  ASSERT_TRUE(c.next_key(key));
  EXPECT_EQ(c.read_bool(), true);
  ASSERT_TRUE(c.next_key(key));
  EXPECT_EQ(c.read_bool(), false);
  ASSERT_TRUE(c.next_key(key));
  EXPECT_TRUE(c.read_null());
  ASSERT_TRUE(c.next_key(key));
  ASSERT_TRUE(c.enter_object());
  EXPECT_FALSE(c.next_key(key));
  ASSERT_TRUE(c.next_key(key));
  ASSERT_TRUE(c.enter_array());
  ASSERT_TRUE(c.next_element());
  EXPECT_EQ(c.read_int(), 1);
  ASSERT_TRUE(c.next_element());
  EXPECT_EQ(c.skip(), "2");
  EXPECT_FALSE(c.next_element());
  EXPECT_FALSE(c.next_key(key));
  EXPECT_TRUE(c.at_end());
  EXPECT_TRUE(c.ok());
}

TEST(JsonCursor, AWrongTypeConsumesNothing) {
  Cursor c("[\"x\"]");
  std::string scratch;
  ASSERT_TRUE(c.enter_array());
  ASSERT_TRUE(c.next_element());
  EXPECT_EQ(c.read_int(), std::nullopt);
  EXPECT_EQ(c.read_bool(), std::nullopt);
  EXPECT_EQ(c.read_number(), "");
  EXPECT_FALSE(c.read_null());
  EXPECT_FALSE(c.enter_object());
  EXPECT_FALSE(c.enter_array());
  EXPECT_TRUE(c.ok());
  EXPECT_EQ(c.peek(), Kind::string);
  EXPECT_EQ(c.read_text(scratch), "x");
  EXPECT_EQ(c.peek(), std::nullopt) << "a value is read once";
  EXPECT_FALSE(c.next_element());
  EXPECT_TRUE(c.at_end());
}

TEST(JsonCursor, AValueNobodyReadIsSkipped) {
  Cursor c(R"({"a":{"x":[1,"]"]},"b":2})");
  std::string_view key;
  ASSERT_TRUE(c.enter_object());
  ASSERT_TRUE(c.next_key(key));
  ASSERT_TRUE(c.next_key(key));
  EXPECT_EQ(key, "b");
  EXPECT_EQ(c.read_int(), 2);
  EXPECT_FALSE(c.next_key(key));
  EXPECT_TRUE(c.at_end());
}

TEST(JsonCursor, SkipReturnsTheBytesOfAnyValue) {
  for (const std::string_view value :
       {"{}"sv, "[]"sv, "\"a\\\"]\""sv, "-1.5e3"sv, "true"sv, "null"sv, R"({"a":[{"b":"}"}]})"sv}) {
    const std::string text = "[ " + std::string(value) + " ,1]";
    Cursor c(text);
    ASSERT_TRUE(c.enter_array());
    ASSERT_TRUE(c.next_element());
    EXPECT_EQ(c.skip(), value);
    ASSERT_TRUE(c.next_element());
    EXPECT_EQ(c.read_int(), 1);
  }
}

TEST(JsonCursor, SkipChecksBalanceAndStrings) {
  for (const std::string_view bad : {"[1"sv, "{]"sv, "[}"sv, "[[]"sv, "[\"a]"sv, "[\"\n\"]"sv, "[\"\xFF\"]"sv,
                                     "x"sv, ""sv, "nul"sv, "-"sv}) {
    Cursor c(bad);
    EXPECT_EQ(c.skip(), "") << bad;
    EXPECT_FALSE(c.ok()) << bad;
  }
  const std::string deep(static_cast<std::size_t>(limits::kJsonDepth) + 1, '[');
  Cursor c(deep);
  EXPECT_EQ(c.skip(), "");
  EXPECT_EQ(c.error(), (Error{limits::kJsonDepth, lex::kTooDeep}));
}

TEST(JsonCursor, IntegersMustFit) {
  const auto read = [](std::string_view text) { return Cursor(text).read_int(); };
  EXPECT_EQ(read("9223372036854775807"), 9223372036854775807);
  EXPECT_EQ(read("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read("9223372036854775808"), std::nullopt);
  EXPECT_EQ(read("1.0"), std::nullopt);
  EXPECT_EQ(read("1e3"), std::nullopt);
  EXPECT_EQ(read("-0"), 0);
}

TEST(JsonCursor, AfterAnErrorEverythingIsNone) {
  Cursor c("[1 2]");
  std::string_view key;
  ASSERT_TRUE(c.enter_array());
  ASSERT_TRUE(c.next_element());
  EXPECT_EQ(c.read_int(), 1);
  EXPECT_FALSE(c.next_element());
  EXPECT_FALSE(c.ok());
  EXPECT_EQ(c.error(), (Error{3, lex::kUnexpected}));
  EXPECT_EQ(c.peek(), std::nullopt);
  EXPECT_EQ(c.read_int(), std::nullopt);
  EXPECT_EQ(c.skip(), "");
  EXPECT_FALSE(c.next_element());
  EXPECT_FALSE(c.next_key(key));
  EXPECT_FALSE(c.at_end());
}

TEST(JsonCursor, EscapedKeysAreUnescaped) {
  Cursor c(R"({"\u0061\n":1,"plain":2})");
  std::string_view key;
  ASSERT_TRUE(c.enter_object());
  ASSERT_TRUE(c.next_key(key));
  EXPECT_EQ(key, "a\n");
  ASSERT_TRUE(c.next_key(key));
  EXPECT_EQ(key, "plain");
}

TEST(JsonUnescape, ByTheTableOfTheRfc) {
  const auto text = [](std::string_view raw) {
    std::string out;
    unescape(raw, out);
    return out;
  };
  EXPECT_EQ(text(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(text(R"(\u0041\u00e9\u20AC)"), "A\xC3\xA9\xE2\x82\xAC");
  EXPECT_EQ(text(R"(\uD83D\uDE00)"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(text(R"(\uDBFF\uDFFF)"), "\xF4\x8F\xBF\xBF");
  EXPECT_EQ(text(R"(\u0000)"), std::string(1, '\0'));
  EXPECT_EQ(text(R"(\\u0041)"), "\\u0041");
  EXPECT_EQ(text("plain"), "plain");
  EXPECT_EQ(text(""), "");
}

TEST(JsonUnescape, WhereverAnEscapeStands) {
  for (std::size_t before = 0; before < 40; ++before) {
    for (std::size_t between = 0; between < 40; ++between) {
      const std::string first(before, 'a');
      const std::string second(between, 'b');
      std::string out = "kept";
      unescape(first + R"(\n)" + second + R"(\u00e9)" + second, out);
      ASSERT_EQ(out, "kept" + first + "\n" + second + "\xC3\xA9" + second) << before << ' ' << between;
    }
  }
}

TEST(JsonUnescape, LoneSurrogatesBecomeReplacements) {
  const auto text = [](std::string_view raw) {
    std::string out;
    unescape(raw, out);
    return out;
  };
  EXPECT_EQ(text(R"(\uD83D)"), "\xEF\xBF\xBD");
  EXPECT_EQ(text(R"(\uDE00x)"), "\xEF\xBF\xBDx");
  EXPECT_EQ(text(R"(\uD83D\n)"), "\xEF\xBF\xBD\n");
  EXPECT_EQ(text(R"(\uD83D\u0041)"),
            "\xEF\xBF\xBD"
            "A");
  EXPECT_EQ(text(R"(\uD83D\uD83D\uDE00)"), "\xEF\xBF\xBD\xF0\x9F\x98\x80");
  EXPECT_EQ(text(R"(\uDE00\uD83D)"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace shunt::json
