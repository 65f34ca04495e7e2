// The words of broken JSON: lengths of what stands at a place.
#include "text/loose_lex.h"

#include <gtest/gtest.h>

namespace shunt::text {
namespace {

TEST(LooseLex, WhiteSpaceOfEveryKind) {
  for (const std::string_view space :
       {" ", "\t", "\n", "\r", "\xC2\xA0", "\xE1\xA0\x8E", "\xE2\x80\x80", "\xE2\x80\x8A", "\xE2\x80\xAF",
        "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(space_length(space, 0), space.size()) << space;
  }
  EXPECT_EQ(space_length("\xE2\x80\x9C", 0), 0U);  // “
  EXPECT_EQ(space_length("\xC2", 0), 0U);
  EXPECT_EQ(space_length("", 0), 0U);
}

TEST(LooseLex, Comments) {
  EXPECT_EQ(comment_length("// a\nb", 0), 4U);
  EXPECT_EQ(comment_length("# a", 0), 3U);
  EXPECT_EQ(comment_length("/* a */b", 0), 7U);
  EXPECT_EQ(comment_length("/* a", 0), 4U);
  EXPECT_EQ(comment_length("/ a", 0), 0U);
  EXPECT_EQ(skip_space(" /* a */ // b\n c", 0), 15U);
  EXPECT_EQ(skip_space(" /* a */ // b\n c", 0, true), 13U);
}

TEST(LooseLex, FencesAndEllipses) {
  EXPECT_EQ(fence_length("```json\n", 0), 7U);
  EXPECT_EQ(fence_length("~~~~", 0), 4U);
  EXPECT_EQ(fence_length("``", 0), 0U);
  EXPECT_EQ(ellipsis_length("...]", 0), 3U);
  EXPECT_EQ(ellipsis_length("…]", 0), 3U);
  EXPECT_EQ(ellipsis_length(".5", 0), 0U);
}

TEST(LooseLex, APlainQuoteIsEndedByItsLikeOnly) {
  const auto kind = [](std::string_view text) { return quote_at(text, 0).kind; };
  EXPECT_TRUE(ends(kind("\""), kind("\"")));
  EXPECT_FALSE(ends(kind("\""), kind("”")));
  EXPECT_FALSE(ends(kind("'"), kind("’")));
  EXPECT_TRUE(ends(kind("“"), kind("\"")));
  EXPECT_TRUE(ends(kind("`"), kind("´")));
  EXPECT_FALSE(ends(kind("“"), kind("'")));
  EXPECT_EQ(kind("a"), Quote::none);
  EXPECT_FALSE(ends(Quote::none, Quote::none));
}

TEST(LooseLex, TrimsCharactersWhole) {
  const std::string_view text = "a\xE3\x80\x80 \n";
  EXPECT_EQ(trimmed_end(text, 0, text.size()), 1U);
  EXPECT_EQ(trimmed_end(text, 4, text.size()), 4U);
  EXPECT_EQ(trimmed_end("é", 0, 2), 2U);
}

TEST(LooseLex, KeywordsWithoutCase) {
  EXPECT_EQ(keyword("TRUE"), "true");
  EXPECT_EQ(keyword("None"), "null");
  EXPECT_EQ(keyword("-Infinity"), "null");
  EXPECT_EQ(keyword("nil"), "");
}

TEST(LooseLex, AnEmptyPurseSaysSo) {
  Source source("abc");
  EXPECT_TRUE(source.pay(source.purse));
  EXPECT_FALSE(source.pay(1));
  EXPECT_EQ(source.peek(3), '\0');
}

}  // namespace
}  // namespace shunt::text
