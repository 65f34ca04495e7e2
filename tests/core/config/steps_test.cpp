// A route's further steps keep the names they use for the cross-checks.
#include "config/steps.h"

#include <gtest/gtest.h>

namespace shunt::config {
namespace {

template <typename ReadStep>
RouteDraft read_by(std::string_view text, ReadStep read_step) {
  Report report;
  Reader in(text, report);
  RouteDraft draft;
  read_step(in, draft);
  EXPECT_FALSE(report.failed()) << text;
  return draft;
}

TEST(Steps, FallbackNamesLinesAndRoutes) {
  const RouteDraft draft = read_by(
      R"([{"cached":{"max_age_s":7200}},{"deployment":"d"},{"route":"r"},{"static":{"message":"m","status":503}}])",
      read_fallback);
  ASSERT_EQ(draft.lines_named.size(), 1U);
  EXPECT_EQ(draft.lines_named[0].value, "d");
  ASSERT_EQ(draft.routes_named.size(), 1U);
  EXPECT_EQ(draft.routes_named[0].value, "r");
}

TEST(Steps, AssessNamesItsLineRolesAndPrompts) {
  const RouteDraft draft = read_by(
      R"({"deployment":"d","prompt":"p","rules":[{"when":"a > 1","role":"pro"},{"when":"b","prompt":"q","reject":7,"message":"no"}]})",
      read_assess);
  EXPECT_EQ(draft.lines_named.size(), 1U);
  EXPECT_EQ(draft.roles_named.size(), 1U);
  EXPECT_EQ(draft.prompts_named.size(), 2U);
  EXPECT_EQ(read_by(R"({"p":"x","q":"y"})", read_prompts).prompts, (std::vector<std::string>{"p", "q"}));
}

TEST(Steps, ShadowAndOutputNameTheirLines) {
  EXPECT_EQ(
      read_by(R"({"deployment":"d","share":0.5,"gate":{"min_calls":9}})", read_shadow).lines_named.size(),
      1U);
  EXPECT_EQ(
      read_by(R"({"repair":true,"deployment":"d","on_unrepaired":{"a":1}})", read_output).lines_named.size(),
      1U);
}

}  // namespace
}  // namespace shunt::config
