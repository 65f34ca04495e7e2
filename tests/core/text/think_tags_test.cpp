// Thinking cut out of text, the same for every split.
#include "text/think_tags.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "samples.h"

namespace shunt::text {
namespace {

using Pieces = std::vector<TextPiece>;

struct Case {
  ThinkStart start;
  std::string text;
  Pieces pieces;
};

const std::vector<Case> kCases = {
    {ThinkStart::tagged, "<think>why</think>answer", {{true, "why"}, {false, "answer"}}},
    {ThinkStart::tagged, "a <think>b</think> c", {{false, "a "}, {true, "b"}, {false, " c"}}},
    {ThinkStart::tagged, "<thinking>b</think>c</thinking>d", {{true, "b</think>c"}, {false, "d"}}},
    {ThinkStart::tagged, "why</think>answer", {{false, "why</think>answer"}}},
    {ThinkStart::tagged, "<think>never closed", {{true, "never closed"}}},
    {ThinkStart::tagged, "a < b <thin> <thi", {{false, "a < b <thin> <thi"}}},
    {ThinkStart::tagged, "<<think>x</think>", {{false, "<"}, {true, "x"}}},
    {ThinkStart::tagged, "<think></think>x", {{false, "x"}}},
    {ThinkStart::tagged, "the `<think>` tag", {{false, "the `<think>` tag"}}},
    {ThinkStart::tagged,
     "<think>a</think>b<think>c</think>d",
     {{true, "a"}, {false, "b"}, {true, "c"}, {false, "d"}}},
    {ThinkStart::thinking, "why</think>answer", {{true, "why"}, {false, "answer"}}},
    {ThinkStart::thinking, "\n<think>why</think>answer", {{true, "\nwhy"}, {false, "answer"}}},
    {ThinkStart::thinking, "why <think> not</thinking>x", {{true, "why <think> not"}, {false, "x"}}},
    {ThinkStart::thinking, "all of it", {{true, "all of it"}}},
    {ThinkStart::thinking, "a</think>b</think>c", {{true, "a"}, {false, "b</think>c"}}},
};

Pieces in_pieces(const Case& c, std::size_t first, std::size_t second) {
  ThinkTags tags(c.start);
  Pieces out;
  const std::string_view text = c.text;
  tags.feed(text.substr(0, first), out);
  tags.feed(text.substr(first, second - first), out);
  tags.feed(text.substr(second), out);
  tags.finish(out);
  return out;
}

TEST(ThinkTags, EverySplitIsTheSame) {
  for (const Case& c : kCases) {
    for (std::size_t first = 0; first <= c.text.size(); ++first) {
      for (std::size_t second = first; second <= c.text.size(); ++second) {
        ASSERT_EQ(in_pieces(c, first, second), c.pieces) << c.text << " at " << first << ", " << second;
      }
    }
  }
}

TEST(ThinkTags, OnlyTheBeginningOfATagIsHeldBack) {
  ThinkTags tags(ThinkStart::tagged);
  Pieces out;
  tags.feed("a <thi", out);
  EXPECT_EQ(out, (Pieces{{false, "a "}}));
  tags.feed("s", out);
  EXPECT_EQ(out, (Pieces{{false, "a <this"}}));
}

TEST(ThinkFuzz, AnyTextInAnyPieces) {
  constexpr std::string_view kPieces[] = {"<think>", "</think>", "<thinking>", "</thinking>", "<",
                                          "</",      "think",    ">",          "`",           " a"};
  Dice dice(6);
  const std::int64_t runs = fuzz_runs(20000);
  for (std::int64_t run = 0; run < runs; ++run) {
    Case c{dice.below(2) == 0 ? ThinkStart::tagged : ThinkStart::thinking, "", {}};
    for (std::size_t left = dice.below(12); left > 0; --left) c.text += dice.of(kPieces);
    const std::size_t first = dice.below(c.text.size() + 1);
    ASSERT_EQ(in_pieces(c, first, first + dice.below(c.text.size() - first + 1)), in_pieces(c, 0, 0))
        << c.text;
  }
}

}  // namespace
}  // namespace shunt::text
