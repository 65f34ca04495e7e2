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
    "cost_per_mtok_usd":{"input":2.5,"cached_input":0.000001},"task_scores":{"completion":85,"code":0},
    "limits":{"rpm":500,"tpm":30000,"concurrency":50,"budget_usd_day":12.5,"budget_tokens_day":1000000},
    "override":{"system_prefix":"Be brief.","params":{"temperature": 0.2,"x":{"a":[1, "\u0041"]}},"drop":["logit_bias","n"]}}])",
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
  EXPECT_EQ(row.task_scores, (std::vector<std::pair<std::string, int>>{{"completion", 85}, {"code", 0}}));
  EXPECT_EQ(row.limits, (Quota{500, 30000, 50, 12'500'000, 1'000'000}));
  EXPECT_EQ(row.adaptation.system_prefix, "Be brief.");
  EXPECT_EQ(row.adaptation.params, (std::vector<std::pair<std::string, std::string>>{
                                       {"temperature", "0.2"}, {"x", R"({"a":[1, "\u0041"]})"}}));
  EXPECT_EQ(row.adaptation.drop, (std::vector<std::string>{"logit_bias", "n"}));
}

}  // namespace
}  // namespace shunt::config
