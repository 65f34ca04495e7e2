// "routes" as they are written.
#include <gtest/gtest.h>

#include "config/drafts.h"
#include "route/strategies.h"

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

TEST(RouteKeys, DefaultsAreTheDesigns) {
  const Route row = route(R"({"deployments":["a"]})").row;
  EXPECT_EQ(row.strategy, Strategy::priority_weighted);
  EXPECT_EQ(row.last_line, LastLine::keep);
  EXPECT_EQ(row.on_stream_break, OnStreamBreak::error);
  EXPECT_FALSE(row.content_policy_switch);
  EXPECT_EQ(row.keepalive, milliseconds(0));
}

}  // namespace
}  // namespace shunt::config
