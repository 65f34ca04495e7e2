// Bytes of a frame over chunks: views while they can be, gathered when they must, bounded always.
#include "wire/open_frame.h"

#include <gtest/gtest.h>

#include <string>

namespace shunt::wire {
namespace {

TEST(OpenFrame, IsAViewOfItsChunkUntilItCrossesOne) {
  const std::string first = "abcd";
  const std::string second = "efgh";
  OpenFrame open(100);
  open.feed(first);
  ASSERT_TRUE(open.take(2));
  EXPECT_EQ(open.frame().data(), first.data());
  open.give();
  open.release();
  EXPECT_EQ(open.rest(), "cd");
  ASSERT_TRUE(open.hold());
  EXPECT_EQ(open.frame(), "cd");
  open.feed(second);
  ASSERT_TRUE(open.take(1));
  EXPECT_EQ(open.frame(), "cde");
  EXPECT_EQ(open.tail(), "cde");
  open.give();
  open.release();
  EXPECT_EQ(open.tail(), "fgh");
  ASSERT_TRUE(open.take(3));
  EXPECT_EQ(open.frame().data(), second.data() + 1);
}

TEST(OpenFrame, TakesNothingBeyondItsLimit) {
  OpenFrame open(3);
  open.feed("abcd");
  EXPECT_FALSE(open.take(4));
  EXPECT_FALSE(open.hold());
  EXPECT_TRUE(open.take(3));
  EXPECT_FALSE(open.take(1));
  EXPECT_EQ(open.frame(), "abc");
}

TEST(OpenFrame, DroppedItHoldsNothing) {
  OpenFrame open(10);
  open.feed("ab");
  ASSERT_TRUE(open.hold());
  open.drop();
  EXPECT_EQ(open.tail(), "");
  EXPECT_EQ(open.rest(), "");
}

}  // namespace
}  // namespace shunt::wire
