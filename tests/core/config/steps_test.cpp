// A route's further steps keep the names they use for the cross-checks.
#include "config/steps.h"

#include <gtest/gtest.h>

namespace shunt::config {
namespace {

RouteDraft read_by(std::string_view text, void (*read_step)(Reader& in, RouteDraft& into)) {
  Report report;
  Reader in(text, report);
  RouteDraft draft;
  read_step(in, draft);
  EXPECT_FALSE(report.failed()) << text;
  return draft;
}

using To = Reference::To;

using Said = std::vector<std::string>;
Said named(const RouteDraft& draft, To what) {
  Said names;
  for (const auto& [to, name] : draft.references) {
    if (to == what) names.push_back(name.value);
  }
  return names;
}

TEST(Steps, FallbackNamesLinesAndRoutes) {
  const RouteDraft draft = read_by(
      R"([{"cached":{"max_age_s":7200}},{"deployment":"d"},{"route":"r"},{"static":{"message":"m","status":503}}])",
      read_fallback);
  EXPECT_EQ(named(draft, To::line), Said{"d"});
  EXPECT_EQ(named(draft, To::route), Said{"r"});
}

TEST(Steps, FallbackKeepsWhatIsInForceInOrder) {
  const RouteDraft draft = read_by(
      R"([{"deployment":"d"},{"static":{"message":"m","status":503}},{"queue":{"max_wait_ms":5}},{"static":{"message":"n"}}])",
      read_fallback);
  const std::vector<FallbackStep>& steps = draft.row.fallback;
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].deployment, "d");
  EXPECT_EQ(steps[1].message, "m");
  EXPECT_EQ(steps[1].status, 503);
  EXPECT_EQ(steps[2].status, 200);
}

TEST(Steps, AssessNamesItsLineRolesAndPrompts) {
  const RouteDraft draft = read_by(
      R"({"deployment":"d","prompt":"p","rules":[{"when":"a > 1","role":"pro"},{"when":"b","prompt":"q","reject":7,"message":"no"}]})",
      read_assess);
  EXPECT_EQ(named(draft, To::line), Said{"d"});
  EXPECT_EQ(named(draft, To::role), Said{"pro"});
  EXPECT_EQ(named(draft, To::prompt), (Said{"p", "q"}));
}

TEST(Steps, PromptsAreKeptWithTheirPlaces) {
  const RouteDraft draft = read_by(R"({"p":"x","q":"y\n"})", read_prompts);
  EXPECT_EQ(draft.row.prompts, (std::vector<std::pair<std::string, std::string>>{{"p", "x"}, {"q", "y\n"}}));
  ASSERT_EQ(draft.prompts.size(), 2U);
  EXPECT_EQ(draft.prompts.back().value, "q");
  EXPECT_EQ(draft.prompts.back().at, 9U);
}

TEST(Steps, ShadowAndOutputNameTheirLines) {
  const RouteDraft draft = read_by(
      R"({"deployment":"d","share":0.5,"gate":{"min_calls":9,"success":0.98,"p90_ms":4000}})", read_shadow);
  EXPECT_EQ(named(draft, To::line), Said{"d"});
  EXPECT_EQ(draft.row.shadow.deployment, "d");
  EXPECT_EQ(draft.row.shadow.share_micros, 500'000);
  EXPECT_EQ(draft.row.shadow.gate.min_calls, 9U);
  EXPECT_EQ(draft.row.shadow.gate.success_micros, 980'000);
  EXPECT_EQ(draft.row.shadow.gate.p90_ms, 4000U);
  EXPECT_EQ(
      named(read_by(R"({"repair":true,"deployment":"d","on_unrepaired":{"a":1}})", read_output), To::line),
      Said{"d"});
}

}  // namespace
}  // namespace shunt::config
