// "routes" as they are written.
#include <gtest/gtest.h>

#include "config/drafts.h"
#include "route/strategies.h"
#include "sample.h"

namespace shunt::config {
namespace {

RouteDraft route(std::string_view text) {
  std::string document = "{\"r\":";
  document.append(text).append("}");
  Report report;
  Reader in(document, report);
  Draft draft;
  read_routes(in, draft);
  EXPECT_FALSE(report.failed()) << text;
  return draft.routes.front();
}

TEST(RouteKeys, LinesAreIdsOrObjects) {
  const RouteDraft r = route(R"({"deployments":["a",{"id":"b","weight":5,"role":"pro"}]})");
  ASSERT_EQ(r.entries.size(), 2U);
  EXPECT_EQ(r.entries.front().id.value, "a");
  EXPECT_EQ(r.entries.front().weight, std::nullopt);
  EXPECT_EQ(r.entries.back().weight, 5);
  EXPECT_EQ(r.entries.back().role.value, "pro");
}

TEST(RouteKeys, AStrategyIsInForceWhenRouteHasIt) {
  for (const auto& [name, strategy] :
       {std::pair{"weighted", Strategy::weighted}, std::pair{"order", Strategy::order},
        std::pair{"score", Strategy::score}, std::pair{"affinity", Strategy::affinity}}) {
    std::string text = R"({"deployments":["a"],"strategy":")";
    text.append(name).append("\"}");
    const bool built = route::order_of(strategy) != nullptr;
    EXPECT_EQ(route(text).row.strategy, built ? strategy : Strategy::priority_weighted) << name;
  }
}

TEST(RouteKeys, EachFindsItsPlace) {
  const Route row = route(R"({"deployments":[{"id":"a","role":"pro"}],"task":"chat","objective":0.995,
    "across":false,"quota":true,"min_score":75,"degrade_threshold":0.5,"roles":["pro","flash"],
    "stream":{"role":"flash"},"hedge":{"after":"p99_ttft","budget":0.1},
    "affinity":{"by":"prefix","prefix_bytes":2048},"prompts":{"pro":"Think."},
    "shadow":{"deployment":"s","share":0.02,"gate":{"min_calls":50}},
    "text":{"math":true,"think":"opened"}})")
                        .row;
  EXPECT_EQ(row.task, "chat");
  EXPECT_EQ(row.objective_micros, 995'000);
  EXPECT_EQ(row.across, false);
  EXPECT_TRUE(row.quota);
  EXPECT_EQ(row.min_score, 75);
  EXPECT_EQ(row.degrade_micros, 500'000);
  EXPECT_EQ(row.roles, (std::vector<std::string>{"pro", "flash"}));
  EXPECT_EQ(row.stream_role, "flash");
  EXPECT_EQ(row.hedge.permille, 990);
  EXPECT_EQ(row.hedge.budget_micros, 100'000);
  EXPECT_EQ(row.affinity.by, Affinity::By::prefix);
  EXPECT_EQ(row.affinity.prefix_bytes, 2048U);
  EXPECT_EQ(row.prompts, (std::vector<std::pair<std::string, std::string>>{{"pro", "Think."}}));
  EXPECT_EQ(row.shadow.share_micros, 20'000);
  EXPECT_TRUE(row.text.math);
  EXPECT_EQ(row.text.think, Thinking::opened);
}

TEST(RouteKeys, HedgesAreForFivePercentWhereNoBudgetIsSaid) {
  const Hedge hedge = route(R"({"deployments":["a"],"hedge":{"after":"p90_ttft"}})").row.hedge;
  EXPECT_EQ(hedge.permille, 900);
  EXPECT_EQ(hedge.budget_micros, 50'000);
}

TEST(RouteKeys, AffinityGoesByThePrefixUnlessItIsSaid) {
  const Read plain = read(with_route(R"("strategy":"affinity")"));
  ASSERT_TRUE(plain.ok);
  EXPECT_EQ(plain.loaded.catalog.routes[0].affinity.by, Affinity::By::prefix);
  const Read said = read(with_route(R"("strategy":"affinity","affinity":{"by":"session"})"));
  ASSERT_TRUE(said.ok);
  EXPECT_EQ(said.loaded.catalog.routes[0].affinity.by, Affinity::By::session);
}

TEST(RouteKeys, DefaultsAreTheDesigns) {
  const Route row = route(R"({"deployments":["a"]})").row;
  EXPECT_EQ(row.strategy, Strategy::priority_weighted);
  EXPECT_EQ(row.last_line, LastLine::keep);
  EXPECT_EQ(row.on_stream_break, OnStreamBreak::error);
  EXPECT_FALSE(row.content_policy_switch);
  EXPECT_EQ(row.keepalive, milliseconds(0));
  EXPECT_EQ(row.across, std::nullopt);
  EXPECT_EQ(row.min_score, 80);
  EXPECT_EQ(row.degrade_micros, 600'000);
  EXPECT_EQ(row.hedge.permille, 0);
  EXPECT_EQ(row.affinity.by, Affinity::By::none);
  EXPECT_TRUE(row.shadow.deployment.empty());
  EXPECT_FALSE(row.text.asked());
}

}  // namespace
}  // namespace shunt::config
