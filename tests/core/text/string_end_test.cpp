// Where strings end, by what follows: each row is the text behind the opening quote, and the content.
#include "text/string_end.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace shunt::text {
namespace {

struct Case {
  Place place;
  std::string text;
  std::string content;
};

TEST(StringEnd, ByWhatFollows) {
  const std::vector<Case> cases = {
      {Place::member, R"(b", "c": 1})", "b"},
      {Place::member, R"(b", c: 1})", "b"},
      {Place::member, R"(b", and "c"})", R"(b", and "c)"},
      {Place::member, R"(b, "c": 1})", "b"},
      {Place::member, R"(b})", "b"},
      {Place::member, R"(b {"k": "v"} c"})", R"(b {"k": "v"} c)"},
      {Place::member, R"(C:\"})", R"(C:\")"},
      {Place::key, R"(a": 1})", "a"},
      {Place::key, R"(a"b": 1})", R"(a"b)"},
      {Place::key, R"(a: 1})", "a"},
      {Place::item, R"(a" "b"])", "a"},
      {Place::item, R"(a, b])", "a"},
      {Place::item, R"(a (b") c", d])", R"(a (b") c)"},
      {Place::root, R"(a, b c)", "a, b c"},
      {Place::root, "a: ", "a:"},
  };
  for (const auto& [place, text, content] : cases) {
    Source source(text);
    const StringSpan span = find_string_end(source, 0, Quote::double_plain, place);
    EXPECT_EQ(text.substr(0, span.end), content) << text;
  }
}

TEST(StringEnd, WithoutAPurseTheFirstQuoteEnds) {
  Source source("a \"b\" c\"}");
  source.purse = 0;
  EXPECT_EQ(find_string_end(source, 0, Quote::double_plain, Place::member).end, 2U);
}

TEST(StringEnd, AKeyIsKnownByItsColon) {
  const auto follows = [](std::string_view text) {
    Source source(text);
    return key_follows(source, 0);
  };
  for (const char* text :
       {"\"a\": 1", "a: 1", "a\": 1", "a b: 1", "'a' : 1", "\"a", "\"a\" {", "note \"a\": 1"}) {
    EXPECT_TRUE(follows(text)) << text;
  }
  for (const char* text : {"\"a\", 1", "a, b: 1", "a", "http://x", "}", ": 1", "\"a\" b"}) {
    EXPECT_FALSE(follows(text)) << text;
  }
}

TEST(StringEnd, AStrayQuoteBehindTheEnd) {
  const auto length = [](std::string_view text) {
    Source source(text);
    return stray_quote_length(source, 0, Quote::double_plain);
  };
  EXPECT_EQ(length("\": 1"), 1U);
  EXPECT_EQ(length("\n\",}"), 2U);
  EXPECT_EQ(length("\n\", \"b\": 1}"), 0U);
  EXPECT_EQ(length(", 1"), 0U);
}

}  // namespace
}  // namespace shunt::text
