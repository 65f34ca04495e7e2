// Pieces of a body: how they join, are cut and counted.
#include "canonical/request.h"

#include <gtest/gtest.h>

namespace shunt {
namespace {

using Piece = BodyPieces::Piece;

TEST(BodyPieces, LiteralsAndAdjacentRangesJoin) {
  BodyPieces out;
  out.literal("a");
  out.literal("");
  out.literal("b");
  out.range(5, 2);
  out.range(7, 3);
  out.range(11, 1);
  out.range(12, 0);
  out.literal("c");
  EXPECT_EQ(out.pieces, (std::vector<Piece>{{true, 0, 2}, {false, 5, 5}, {false, 11, 1}, {true, 2, 1}}));
  EXPECT_EQ(out.text, "abc");
  EXPECT_EQ(out.size(), 9U);
}

TEST(BodyPieces, ContentIsARangeOrALiteral) {
  BodyPieces out;
  out.content(BodyText::of("x"));
  out.content(BodyText::range(3, 4));
  out.content(BodyText::range(9, 0));
  out.content({});
  EXPECT_EQ(out.pieces, (std::vector<Piece>{{true, 0, 1}, {false, 3, 4}}));
}

TEST(BodyPieces, CutsAfterTheFirstRangePastAnOffset) {
  BodyPieces out;
  out.literal("ab");
  out.range(3, 1);
  out.literal("c");
  out.range(20, 5);
  out.literal("d");
  EXPECT_FALSE(BodyPieces(out).cut_after_range_past(20));
  EXPECT_TRUE(out.cut_after_range_past(10));
  EXPECT_EQ(out.text, "abc");
  EXPECT_EQ(out.pieces.back(), (Piece{false, 20, 5}));
  EXPECT_EQ(out.size(), 9U);
}

TEST(BodyPieces, ListsADropOnce) {
  BodyPieces out;
  out.drop("seed");
  out.drop("top_k");
  out.drop("seed");
  EXPECT_EQ(out.dropped, (std::vector<std::string>{"seed", "top_k"}));
  out.clear();
  EXPECT_TRUE(out.dropped.empty() && out.pieces.empty() && out.text.empty());
}

TEST(BodyText, EmptyIsNotAbsent) {
  EXPECT_TRUE(BodyText::of("").present);
  EXPECT_TRUE(BodyText::of("").empty());
  EXPECT_FALSE(BodyText{}.present);
  EXPECT_EQ(BodyText::range(1, 7).bytes(), 7U);
  EXPECT_EQ(BodyText::of("abc").bytes(), 3U);
}

}  // namespace
}  // namespace shunt
