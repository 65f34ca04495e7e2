// Members of an object by a table of keys.
#include "dialect/members.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

enum Slot : std::uint8_t { kName, kCount, kSlots };
constexpr Member kMembers[] = {{"name", kName, true}, {"title", kName, true}, {"count", kCount}};

TEST(TakeMembers, FillsSlotsAndStopsAtWhatNoRowNames) {
  json::Cursor cursor(R"({"title":"a\nb","x":[1],"name":7,"count":{"a":1},"y":null,"z":2})");
  Value in[kSlots];
  std::string block, others;
  Scratch scratch(block);
  scratch.reset(100);
  std::string_view other;
  ASSERT_TRUE(cursor.enter_object());
  while (take_members(cursor, kMembers, in, other)) {
    others += other;
    others += cursor.skip();
  }
  EXPECT_TRUE(cursor.at_end());
  EXPECT_EQ(others, "x[1]name7z2") << "a name must be a string, and null is no value";
  EXPECT_EQ(text_of(in[kName], scratch), "a\nb");
  EXPECT_EQ(in[kCount].raw, R"({"a":1})");
  EXPECT_EQ(text_of(in[kCount], scratch), "");
}

TEST(TakeObject, TellsNullFromAbsentAndKeepsTheOwnJson) {
  json::Cursor cursor(R"({"count":null,"name":"q"})");
  Value in[kSlots];
  take_object(cursor, kMembers, in);
  EXPECT_TRUE(cursor.at_end());
  EXPECT_TRUE(in[kCount].named);
  EXPECT_EQ(in[kCount].kind, json::Kind::null);
  EXPECT_EQ(json_of(in[kName]), R"("q")");
}

TEST(TakeObject, AnObjectThatBreaksOffIsNotAtItsEnd) {
  for (const char* text : {R"({"name":"q")", R"({"name":"q",)", R"({"name":)", R"({"name":"q"]})", "[]"}) {
    json::Cursor cursor(text);
    Value in[kSlots];
    take_object(cursor, kMembers, in);
    EXPECT_FALSE(cursor.at_end()) << text;
  }
}

}  // namespace
}  // namespace shunt::dialect::test
