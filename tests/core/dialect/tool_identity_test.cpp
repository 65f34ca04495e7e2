// The identity rule, one delta a row: what providers send, and which call it is.
#include "dialect/tool_identity.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

struct Step {
  int index;  // -1 = none
  const char* id;
  const char* name;
  int call;
  bool fresh;
};

void expect_calls(const char* who, const std::vector<Step>& steps) {
  ToolIdentity identity;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    ToolIdentity::Delta delta{std::nullopt, step.id, step.name};
    if (step.index >= 0) delta.index = step.index;
    const ToolIdentity::Match match = identity.match(delta);
    EXPECT_EQ(match.call, step.call) << who << " " << i;
    EXPECT_EQ(match.fresh, step.fresh) << who << " " << i;
  }
}

TEST(ToolIdentity, FollowsWhatProvidersDo) {
  expect_calls(
      "interleaved",
      {{0, "a", "f", 0, true}, {1, "b", "g", 1, true}, {0, "", "", 0, false}, {1, "", "", 1, false}});
  expect_calls("index missing", {{-1, "a", "f", 0, true}, {-1, "b", "g", 1, true}, {-1, "", "", 1, false}});
  expect_calls("sparse index", {{1, "a", "f", 0, true}, {5, "b", "g", 1, true}, {1, "", "", 0, false}});
  expect_calls("rotating id", {{0, "a", "f", 0, true}, {0, "z1", "", 0, false}, {0, "z2", "", 0, false}});
  expect_calls(
      "all at index 0",
      {{0, "a", "f", 0, true}, {0, "", "", 0, false}, {0, "b", "g", 1, true}, {0, "", "", 1, false}});
  expect_calls("id repeated", {{0, "a", "f", 0, true}, {0, "a", "f", 0, false}});
  expect_calls("id late", {{0, "", "f", 0, true}, {0, "a", "", 0, false}, {0, "a", "", 0, false}});
  expect_calls("no id at all", {{0, "", "f", 0, true}, {1, "", "g", 1, true}, {0, "", "", 0, false}});
  expect_calls("name only", {{-1, "", "f", 0, true}, {-1, "", "", 0, false}, {-1, "", "g", 1, true}});
}

TEST(ToolIdentity, SaysWhatCameLate) {
  ToolIdentity identity;
  identity.match({0, "", ""});
  const ToolIdentity::Match late = identity.match({0, "a", "f"});
  EXPECT_TRUE(late.late_id);
  EXPECT_TRUE(late.late_name);
  const ToolIdentity::Match again = identity.match({0, "a", "f"});
  EXPECT_FALSE(again.late_id || again.late_name || again.fresh);
}

TEST(ToolIdentity, IsBounded) {
  ToolIdentity identity;
  for (std::size_t i = 0; i < kToolCalls; ++i) identity.match({std::nullopt, std::to_string(i), "f"});
  EXPECT_EQ(identity.match({std::nullopt, "one more", "f"}).call, -1);
  EXPECT_EQ(identity.match({std::nullopt, "7", ""}).call, 7);
}

}  // namespace
}  // namespace shunt::dialect::test
