// Writing JSON: commas, escapes, numbers; and reading back what was written.
#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/json.h"
#include "base/utf8.h"

namespace shunt::json {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  append_escaped(out, text);
  return out;
}

TEST(JsonWriter, PutsCommasWhereTheyAreDue) {
  std::string out;
  Writer w(out);
  w.begin_object().field("a", "x").field("n", std::int64_t{-1}).flag("t", true).key("z").null();
  w.key("o").begin_object().end_object().key("l").begin_array().integer(1).begin_array().end_array().string(
      "s");
  w.begin_object().end_object().end_array().key("r").raw("[ 1 ]").end_object();
  EXPECT_EQ(out, R"({"a":"x","n":-1,"t":true,"z":null,"o":{},"l":[1,[],"s",{}],"r":[ 1 ]})");
}

TEST(JsonWriter, AppendsToWhatIsThere) {
  std::string out = "data: ";
  Writer(out).begin_array().boolean(false).end_array();
  EXPECT_EQ(out, "data: [false]");
}

TEST(JsonWriter, WritesIntegersOfAnySize) {
  std::string out;
  Writer w(out);
  w.begin_array()
      .integer(std::numeric_limits<std::int64_t>::min())
      .integer(std::numeric_limits<std::int64_t>::max());
  w.uinteger(std::numeric_limits<std::uint64_t>::max()).end_array();
  EXPECT_EQ(out, "[-9223372036854775808,9223372036854775807,18446744073709551615]");
}

TEST(JsonWriter, WritesMillionthsAsDecimals) {
  const auto micros = [](std::int64_t value) {
    std::string out;
    Writer(out).micros(value);
    return out;
  };
  EXPECT_EQ(micros(2500000), "2.5");
  EXPECT_EQ(micros(0), "0");
  EXPECT_EQ(micros(1), "0.000001");
  EXPECT_EQ(micros(-1000001), "-1.000001");
  EXPECT_EQ(micros(-500000), "-0.5");
  EXPECT_EQ(micros(120000), "0.12");
  EXPECT_EQ(micros(std::numeric_limits<std::int64_t>::min()), "-9223372036854.775808");
}

TEST(JsonWriter, EscapesWhatMustBeEscapedAndNothingElse) {
  EXPECT_EQ(escaped("a\"b\\c/d"), R"(a\"b\\c/d)");
  EXPECT_EQ(escaped("\b\f\n\r\t"), R"(\b\f\n\r\t)");
  EXPECT_EQ(escaped(std::string_view("\0\x01\x1f", 3)), R"(\u0000\u0001\u001f)");
  EXPECT_EQ(escaped("\x7f h\xC3\xA9 \xF0\x9F\x98\x80"), "\x7f h\xC3\xA9 \xF0\x9F\x98\x80");
  EXPECT_EQ(escaped("eight by\"eight bytes\n"), R"(eight by\"eight bytes\n)");
}

TEST(JsonWriter, IllFormedBytesBecomeReplacements) {
  EXPECT_EQ(escaped("a\xFF"
                    "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(escaped("\xE4\xBD\""), "\xEF\xBF\xBD\\\"");
  EXPECT_EQ(escaped("x\xF0\x9F\x98"), "x\xEF\xBF\xBD");
}

// Every byte string is written as well-formed JSON, and well-formed text comes back as it was.
TEST(JsonWriter, ReadsBackWhatWasWritten) {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      const std::string text = {'x', static_cast<char>(a), static_cast<char>(b), 'y'};
      std::string out;
      Writer(out).begin_array().string(text).end_array();
      ASSERT_TRUE(valid(out)) << a << ' ' << b;
      if (!valid_utf8(text)) continue;
      Cursor c(out);
      std::string scratch;
      ASSERT_TRUE(c.enter_array() && c.next_element());
      ASSERT_EQ(c.read_text(scratch), text);
    }
  }
}

}  // namespace
}  // namespace shunt::json
