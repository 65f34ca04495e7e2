// "deployments" as they are written.
#include <gtest/gtest.h>

#include "config/drafts.h"

namespace shunt::config {
namespace {

TEST(DeploymentKeys, EachFindsItsPlace) {
  Report report;
  Reader in(
      R"([{"id":"a@p","provider":"p","model":"org/Model 1","priority":3,"weight":0,"max_tokens":512,"region":"eu",
    "roles":["pro","flash"],"capabilities":["vision"],"context_tokens":32000,"name":"任何名字",
    "cost_per_mtok_usd":{"input":2.5,"cached_input":0.000001}}])",
      report);
  Draft draft;
  read_deployments(in, draft);
  EXPECT_FALSE(report.failed());
  const Deployment& row = draft.deployments.front().row;
  EXPECT_EQ(row.id, "a@p");
  EXPECT_EQ(row.model, "org/Model 1");
  EXPECT_EQ(row.priority, 3);
  EXPECT_EQ(row.weight, 0);
  EXPECT_EQ(row.max_tokens, 512);
  EXPECT_EQ(row.region, "eu");
  EXPECT_EQ(row.roles, (std::vector<std::string>{"pro", "flash"}));
  EXPECT_EQ(row.context_tokens, 32000);
  EXPECT_EQ(row.cost.input, 2'500'000);
  EXPECT_EQ(row.cost.cached_input, 1);
  EXPECT_EQ(row.cost.output, std::nullopt);
}

}  // namespace
}  // namespace shunt::config
