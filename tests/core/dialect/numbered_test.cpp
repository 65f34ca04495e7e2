// Things counted from 0.
#include "dialect/numbered.h"

#include <gtest/gtest.h>

#include <string>

namespace shunt::dialect::test {
namespace {

TEST(Numbered, MakesWhatIsAskedForAndNeverMovesIt) {
  Numbered<std::string> things;
  EXPECT_TRUE(things.empty());
  std::string& third = things[2];
  third = "c";
  EXPECT_EQ(things.size(), 3U);
  EXPECT_EQ(things[0], "") << "a number that was passed over";
  for (std::size_t i = 3; i < 100; ++i) things.add() = std::to_string(i);
  EXPECT_EQ(&things[2], &third);
  EXPECT_EQ(things[99], "99");
}

TEST(Numbered, ADroppedThingKeepsItsNumber) {
  Numbered<std::string> things;
  things.add() = "a";
  things.add() = "b";
  things.drop(0);
  things.drop(0);
  EXPECT_EQ(things.size(), 2U);
  EXPECT_EQ(things[0], "");
  things.clear();
  EXPECT_TRUE(things.empty());
}

}  // namespace
}  // namespace shunt::dialect::test
