// Made ids: the same for the same place, different elsewhere.
#include "dialect/call_id.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

TEST(CallId, SameAnswerAndPlaceGiveTheSameId) {
  const std::string id = made_call_id("call_", "answer", 0, 1);
  EXPECT_EQ(id, made_call_id("call_", "answer", 0, 1));
  EXPECT_EQ(id.size(), 21U);
  EXPECT_NE(id, made_call_id("call_", "answer", 1, 0));
  EXPECT_NE(id, made_call_id("call_", "answer", 0, 2));
  EXPECT_NE(id, made_call_id("call_", "another", 0, 1));
}

}  // namespace
}  // namespace shunt::dialect::test
