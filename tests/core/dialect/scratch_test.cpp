// Texts in one block that never moves.
#include "dialect/scratch.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

TEST(Scratch, UnescapedTextIsTheSourceItself) {
  std::string block;
  Scratch scratch(block);
  const std::string_view raw = "plain";
  EXPECT_EQ(scratch.text(raw, false).data(), raw.data());
}

TEST(Scratch, EarlierTextsStayWhereTheyAre) {
  std::string block;
  Scratch scratch(block);
  scratch.reset(4000);
  const std::string_view first = scratch.text(R"(a\nb)", true);
  const char* at = first.data();
  for (int i = 0; i < 1000; ++i) scratch.text(R"(\tx)", true);
  EXPECT_EQ(first.data(), at);
  EXPECT_EQ(first, "a\nb");
}

TEST(Scratch, WhenItIsFullTextStaysEscapedAndNothingMoves) {
  std::string block;
  Scratch scratch(block);
  scratch.reset(0);
  const char* at = block.data();
  const std::string raw = std::string(100000, 'x') + "\\n";
  EXPECT_EQ(scratch.text(raw, true), raw);
  EXPECT_EQ(block.data(), at);
}

TEST(Scratch, JoinsPairsSplitOverTwoTexts) {
  std::string block;
  Scratch scratch(block);
  scratch.reset(100);
  SplitPair split;
  EXPECT_EQ(scratch.text(R"(a\uD83D)", true, split), "a");
  EXPECT_EQ(scratch.text(R"(\uDE00)", true, split), "\xF0\x9F\x98\x80");
  EXPECT_EQ(scratch.text(R"(b\\uD83D)", true, split), "b\\uD83D");  // the backslash is itself escaped
  EXPECT_TRUE(split.high.empty());
  EXPECT_EQ(scratch.text(R"(\ud83d)", true, split), "");
  EXPECT_EQ(scratch.text("c", false, split),
            "\xEF\xBF\xBD"
            "c");
}

TEST(Scratch, CompactDropsSpaceOutsideOfStringsOnly) {
  std::string block;
  Scratch scratch(block);
  scratch.reset(100);
  EXPECT_EQ(scratch.compact("{ \"a b\" :\n[1, \"\\\" c\"] }"), "{\"a b\":[1,\"\\\" c\"]}");
}

}  // namespace
}  // namespace shunt::dialect::test
