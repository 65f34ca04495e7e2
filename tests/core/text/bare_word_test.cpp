// Words without quotes: where they end and what they stand for.
#include "text/bare_word.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace shunt::text {
namespace {

struct Case {
  Place place;
  std::string text;
  std::string json;
  std::size_t end;
};

TEST(BareWord, Values) {
  const std::vector<Case> cases = {
      {Place::member, "one two, b: 1", R"("one two")", 7},
      {Place::member, "True }", "true", 4},
      {Place::member, "5 apples, b: 1", R"("5 apples")", 8},
      {Place::member, "5 b: 1", "5", 1},
      {Place::member, "1,000}", "1000", 5},
      {Place::member, "1,000: 2}", "1", 1},
      {Place::member, "x{y}z}", R"("x{y}z")", 5},
      {Place::member, "b, c.\",}", R"("b, c.")", 5},
      {Place::member, "http://x/y // c", R"("http://x/y")", 10},
      {Place::member, "1/3}", R"("1/3")", 3},
      {Place::member, "0xG}", R"("0xG")", 3},
      {Place::item, "1 2]", "1", 1},
      {Place::item, "1,000]", "1", 1},
      {Place::item, "a b]", R"("a b")", 3},
      {Place::root, "2 b\nc", R"("2 b")", 3},
  };
  for (const auto& [place, text, json, end] : cases) {
    Source source(text);
    const BareValue value = bare_value(source, 0, place, false);
    EXPECT_EQ(value.json, json) << text;
    EXPECT_EQ(value.end, end) << text;
  }
}

TEST(BareWord, AClosingRoundBracketEndsAWordInside) {
  Source source("a(b) c) d");
  EXPECT_EQ(bare_end(source, 0, Place::item, true), 6U);
  EXPECT_EQ(bare_end(source, 0, Place::item, false), 9U);
}

TEST(BareWord, KeysEndAtTheColon) {
  Source source("a b: c");
  EXPECT_EQ(bare_end(source, 0, Place::key, false), 3U);
}

TEST(BareWord, CallsAndRegularExpressions) {
  EXPECT_EQ(call_bracket("f({", 0), 1U);
  EXPECT_EQ(call_bracket("f_1 (2)", 0), 4U);
  EXPECT_EQ(call_bracket("1(2)", 0), 0U);
  EXPECT_EQ(call_bracket("f g(2)", 0), 0U);
  EXPECT_EQ(regex_end(R"(/a\/b/,)", 0), 6U);
  EXPECT_EQ(regex_end("/a\n/", 0), 0U);
}

}  // namespace
}  // namespace shunt::text
