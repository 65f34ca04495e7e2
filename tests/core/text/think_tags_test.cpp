// Thinking cut out of text, the same for every split.
#include "text/think_tags.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/fuzz.h"
#include "samples.h"

namespace shunt::text {
namespace {

enum class Start { tagged, opened };

// Pieces of one kind that follow each other are one.
struct Piece {
  bool reasoning = false;
  std::string text;
  friend bool operator==(const Piece&, const Piece&) = default;
};
using Pieces = std::vector<Piece>;

void add(const TextPiece& piece, Pieces& out) {
  if (out.empty() || out.back().reasoning != piece.reasoning) out.push_back({piece.reasoning, {}});
  out.back().text += piece.text;
}

void feed(ThinkTags& tags, std::string_view text, Pieces& out) {
  for (TextPiece piece; tags.next(text, piece);) add(piece, out);
}

struct Case {
  Start start;
  std::string text;
  Pieces pieces;
};

const std::vector<Case> kCases = {
    {Start::tagged, "<think>why</think>answer", {{true, "why"}, {false, "answer"}}},
    {Start::tagged, "a <think>b</think> c", {{false, "a "}, {true, "b"}, {false, " c"}}},
    {Start::tagged, "<thinking>b</think>c</thinking>d", {{true, "b</think>c"}, {false, "d"}}},
    {Start::tagged, "why</think>answer", {{false, "why</think>answer"}}},
    {Start::tagged, "<think>never closed", {{true, "never closed"}}},
    {Start::tagged, "a < b <thin> <thi", {{false, "a < b <thin> <thi"}}},
    {Start::tagged, "<<think>x</think>", {{false, "<"}, {true, "x"}}},
    {Start::tagged, "<think></think>x", {{false, "x"}}},
    {Start::tagged, "the `<think>` tag", {{false, "the `<think>` tag"}}},
    {Start::tagged,
     "<think>a</think>b<think>c</think>d",
     {{true, "a"}, {false, "b"}, {true, "c"}, {false, "d"}}},
    {Start::tagged,
     "```\n<think>x</think>\n```\n<think>y</think>z",
     {{false, "```\n<think>x</think>\n```\n"}, {true, "y"}, {false, "z"}}},
    {Start::tagged,
     " ~~~~html\n<think>\n```\n<think>\n ~~~\n<think>y</think>",
     {{false, " ~~~~html\n<think>\n```\n<think>\n ~~~\n"}, {true, "y"}}},
    {Start::tagged, "a ```<think>b</think>", {{false, "a ```<think>b</think>"}}},
    {Start::tagged, "``\n<think>b</think>", {{false, "``\n"}, {true, "b"}}},
    {Start::tagged, "<think>```</think>\n<think>b", {{true, "```"}, {false, "\n"}, {true, "b"}}},
    {Start::opened, "why</think>answer", {{true, "why"}, {false, "answer"}}},
    {Start::opened, "\n<think>why</think>answer", {{true, "\nwhy"}, {false, "answer"}}},
    {Start::opened, "why <think> not</thinking>x", {{true, "why <think> not"}, {false, "x"}}},
    {Start::opened, "all of it", {{true, "all of it"}}},
    {Start::opened, "a</think>b</think>c", {{true, "a"}, {false, "b</think>c"}}},
};

Pieces in_pieces(const Case& c, std::size_t first, std::size_t second) {
  ThinkTags tags;
  if (c.start == Start::opened) tags.opened();
  Pieces out;
  const std::string_view text = c.text;
  feed(tags, text.substr(0, first), out);
  feed(tags, text.substr(first, second - first), out);
  feed(tags, text.substr(second), out);
  if (TextPiece piece; tags.finish(piece)) add(piece, out);
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
  ThinkTags tags;
  Pieces out;
  feed(tags, "a <thi", out);
  EXPECT_EQ(out, (Pieces{{false, "a "}}));
  feed(tags, "s", out);
  EXPECT_EQ(out, (Pieces{{false, "a <this"}}));
}

TEST(ThinkFuzz, AnyTextInAnyPieces) {
  constexpr std::string_view kPieces[] = {"<think>", "</think>", "<thinking>", "</thinking>", "<",
                                          "</",      "think",    ">",          "`",           " a"};
  fuzz_runs("think tags", 20000, [&](Dice& dice) {
    Case c{dice.below(2) == 0 ? Start::tagged : Start::opened, "", {}};
    for (std::size_t left = dice.below(12); left > 0; --left) c.text += dice.of(kPieces);
    const std::size_t first = dice.below(c.text.size() + 1);
    ASSERT_EQ(in_pieces(c, first, first + dice.below(c.text.size() - first + 1)), in_pieces(c, 0, 0))
        << c.text;
  });
}

}  // namespace
}  // namespace shunt::text
