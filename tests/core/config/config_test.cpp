// A whole configuration becomes the tables it describes.
#include "config/config.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/sha256.h"
#include "sample.h"

namespace shunt::config {
namespace {

const Deployment& line(const Loaded& loaded, std::string_view id) {
  return loaded.catalog.deployment(loaded.catalog.find_deployment(id).value());
}
const Route& route(const Loaded& loaded, std::string_view name) {
  return loaded.catalog.route(loaded.catalog.find_route(name).value());
}

TEST(Config, FullDocumentLoadsWithWarningsOnly) {
  const Read result = read(kFull);
  for (const Fault& fault : result.faults) ADD_FAILURE() << describe(fault);
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.loaded.catalog.providers.size(), 4U);
  EXPECT_EQ(result.loaded.catalog.deployments.size(), 4U);
  EXPECT_EQ(result.loaded.catalog.routes.size(), 3U);
  EXPECT_EQ(result.loaded.breakers.size(), 4U);
  EXPECT_EQ(result.loaded.hash, sha256_hex(kFull));
  EXPECT_FALSE(result.loaded.warnings.empty());
  for (const Fault& warning : result.loaded.warnings) {
    if (warning.found == "limits with the store memory") continue;
    if (warning.path == "$.routes.chat.affinity") continue;  // its strategy is another
    EXPECT_EQ(warning.allowed, "read, not yet in force") << describe(warning);
    EXPECT_GT(warning.line, 0);
  }
}

TEST(Config, WarnsWhereAKeyIsNotYetInForce) {
  const Read result = read(kFull);
  const auto warned = [&](std::string_view path) {
    return std::any_of(result.loaded.warnings.begin(), result.loaded.warnings.end(),
                       [&](const Fault& warning) { return warning.path == path; });
  };
  for (const char* later :
       {"$.routes.chat.assess", "$.routes.chat.output", "$.routes.chat.cache", "$.routes.chat.supervise",
        "$.routes.chat.fallback[0].cached", "$.routes.chat.fallback[2].route",
        "$.routes.chat.fallback[3].queue", "$.answers", "$.log", "$.record"})
    EXPECT_TRUE(warned(later)) << later;
  for (const char* key : {"hedge", "prompts", "gate", "shadow", "stream", "across", "quota", "min_score",
                          "task", "objective", "fallback", "text"})
    EXPECT_FALSE(warned(std::string("$.routes.chat.") + key)) << key;
  for (const char* key : {"cost_per_mtok_usd", "roles", "task_scores", "region", "override"})
    EXPECT_FALSE(warned(std::string("$.deployments[0].") + key)) << key;
  EXPECT_TRUE(warned("$.deployments[0].limits")) << "the store counts for one isolate only";
  EXPECT_FALSE(warned("$.clients[0].limits")) << "which is said once";
  EXPECT_FALSE(warned("$.clients[0].priority"));
  EXPECT_FALSE(warned("$.limits.concurrency"));
  EXPECT_FALSE(warned("$.routes.chat.retry"));
  EXPECT_FALSE(warned("$.routes.chat.strategy"));
  EXPECT_FALSE(warned("$.cors"));
  EXPECT_FALSE(warned("$.admin"));
  EXPECT_FALSE(warned("$.deployments[0].breaker.preset"));
}

TEST(Config, ProvidersComeFromPresetOrDialect) {
  const Read result = read(kFull);
  ASSERT_TRUE(result.ok);
  const Provider& openai = result.loaded.catalog.providers[0];
  EXPECT_EQ(openai.base_url, "https://api.openai.com/v1");
  EXPECT_EQ(openai.path, "/chat/completions");
  EXPECT_EQ(openai.auth, AuthKind::bearer);
  EXPECT_EQ(openai.keys, (std::vector<std::string>{"OPENAI_KEY", "OPENAI_KEY_2"}));
  const Provider& claude = result.loaded.catalog.providers[1];
  EXPECT_EQ(claude.dialect, DialectId::anthropic_messages);
  EXPECT_EQ(claude.auth_name, "x-api-key");
  ASSERT_EQ(claude.headers.size(), 1U);
  EXPECT_EQ(claude.headers[0], std::make_pair(std::string("anthropic-version"), std::string("2023-06-01")));
  EXPECT_TRUE(result.loaded.catalog.providers[2].client_key);
  const Provider& local = result.loaded.catalog.providers[3];
  EXPECT_EQ(local.base_url, "http://127.0.0.1:8000/v1");
  EXPECT_EQ(local.path, "/chat/completions");
  EXPECT_EQ(local.auth, AuthKind::none);
  EXPECT_EQ(local.headers[0].first, "x-team");
}

TEST(Config, InnerLevelsOverrideOuterOnesKeyByKey) {
  const Read result = read(kFull);
  ASSERT_TRUE(result.ok);
  const Catalog& catalog = result.loaded.catalog;
  const Timeouts& haiku = line(result.loaded, "haiku@claude").timeouts;
  EXPECT_EQ(haiku.first_byte, milliseconds(20000));    // provider's
  EXPECT_EQ(haiku.idle, milliseconds(20000));          // its own
  EXPECT_EQ(haiku.plain_total, milliseconds(300000));  // defaults
  EXPECT_EQ(haiku.connect, milliseconds(5000));        // built in
  const Timeouts asked =
      catalog.timeouts_of(*catalog.find_route("chat"), *catalog.find_deployment("haiku@claude"));
  EXPECT_EQ(asked.total, milliseconds(120000));  // the route's
  EXPECT_EQ(asked.idle, milliseconds(20000));
  EXPECT_EQ(route(result.loaded, "chat").retry.attempts, 2);
  EXPECT_EQ(route(result.loaded, "spare").retry.attempts, 4);  // defaults
}

TEST(Config, RouteEntriesTakeTheLinesPriorityAndWeightUnlessTheyHaveTheirOwn) {
  const Read result = read(kFull);
  ASSERT_TRUE(result.ok);
  const Route& chat = route(result.loaded, "chat");
  ASSERT_EQ(chat.entries.size(), 2U);
  EXPECT_EQ(chat.entries[0].weight, 70);
  EXPECT_EQ(chat.entries[1].priority, 2);
  EXPECT_EQ(chat.entries[1].weight, 20);
  EXPECT_EQ(chat.entries[1].role, "flash");
  EXPECT_EQ(chat.last_line, LastLine::protect);
  EXPECT_TRUE(chat.content_policy_switch);
  EXPECT_EQ(chat.keepalive, milliseconds(5000));
  EXPECT_EQ(chat.retry.budget_ratio_micros, 300000);
  EXPECT_EQ(chat.retry.failover_ratio_micros, 500000);
}

TEST(Config, RegionsComeFromTheLineElseItsProvider) {
  const Read result =
      read(R"({"providers":{"p":{"preset":"ollama","region":"eu-west-1"},"q":{"preset":"ollama"}},
    "deployments":[{"id":"own","provider":"p","model":"m","region":"us"},{"id":"of-p","provider":"p","model":"m"},
                   {"id":"none","provider":"q","model":"m"}]})");
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(line(result.loaded, "own").region, "us");
  EXPECT_EQ(line(result.loaded, "of-p").region, "eu-west-1");
  EXPECT_EQ(line(result.loaded, "none").region, "");
}

TEST(Config, LinesAtPrivateAddressesAreLocal) {
  const Read result = read(kFull);
  ASSERT_TRUE(result.ok);
  EXPECT_TRUE(line(result.loaded, "small@local").local);
  EXPECT_FALSE(line(result.loaded, "mini@openai").local);
  EXPECT_FALSE(line(result.loaded, "*@openai").local);
}

TEST(Config, AShadowWithoutAGateHasItsRoutes) {
  const Read result = read(kFull);
  ASSERT_TRUE(result.ok);
  const Shadow& shadow = route(result.loaded, "chat").shadow;
  EXPECT_EQ(shadow.deployment, "small@local");
  EXPECT_EQ(shadow.gate.min_calls, 50U);
  EXPECT_EQ(shadow.gate.p90_ms, 4000U);
  const Read own = read(
      with_route(R"("gate":{"min_calls":5},"shadow":{"deployment":"a","share":1,"gate":{"success":0.9}})"));
  ASSERT_TRUE(own.ok);
  EXPECT_EQ(route(own.loaded, "r").shadow.gate.min_calls, 0U);
  EXPECT_EQ(route(own.loaded, "r").shadow.gate.success_micros, 900'000);
}

TEST(Config, PatternRouteCallsOneLineWithTheModelAsked) {
  const Read result = read(kFull);
  ASSERT_TRUE(result.ok);
  const Deployment& any = line(result.loaded, "*@openai");
  EXPECT_EQ(any.model, "");
  EXPECT_EQ(result.loaded.catalog.providers[index_of(any.provider)].name, "openai");
  const Route& pattern = route(result.loaded, "openai/o4-mini");
  EXPECT_EQ(pattern.name, "openai/*");
  EXPECT_EQ(asked_model(pattern, "openai/o4-mini"), "o4-mini");
}

TEST(Config, BreakerStandsOnDeploymentElseProviderElseDefaults) {
  const Read result = read(R"({"defaults":{"breaker":{"preset":"window_50"}},
    "providers":{"p":{"preset":"ollama","breaker":{"preset":"latched"}},"q":{"preset":"ollama"}},
    "deployments":[{"id":"own","provider":"p","model":"m","breaker":{"consecutive_failures":7}},
                   {"id":"of-p","provider":"p","model":"m"},{"id":"of-defaults","provider":"q","model":"m"}]})");
  ASSERT_TRUE(result.ok);
  const auto of = [&](std::string_view id) {
    return result.loaded.breaker_of(*result.loaded.catalog.find_deployment(id));
  };
  EXPECT_EQ(of("own").consecutive.failures, 7U);
  EXPECT_EQ(of("own").open.form, health::OpenTime::Form::ladder);  // the rest is stepped's
  EXPECT_EQ(of("of-p"), health::preset_policy(health::Preset::latched));
  EXPECT_EQ(of("of-defaults"), health::preset_policy(health::Preset::window_50));
}

TEST(Config, AnUnbuiltStrategyLeavesTheDefault) {
  const Read result =
      read(with_line(R"("routes":{"r":{"deployments":["a"],"strategy":"priority_weighted"}})"));
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(route(result.loaded, "r").strategy, Strategy::priority_weighted);
}

TEST(Config, AFaultyDocumentLeavesNoTables) {
  const Read result = read(with_line(R"("routes":{"r":{"deployments":["b"]}})"));
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(result.loaded.catalog.deployments.empty());
  EXPECT_FALSE(result.loaded.hash.empty());
}

TEST(Config, FaultsAreReportedTogetherInDocumentOrder) {
  const Read result = read(
      "{\n \"providers\": {\"p\": {\"preset\": \"ollama\", \"regoin\": 1}},\n \"deployments\": [\n"
      "  {\"id\": \"a\", \"provider\": \"q\", \"model\": \"m\", \"weight\": -1}\n ],\n \"rotes\": {}\n}");
  ASSERT_EQ(result.faults.size(), 4U);
  EXPECT_EQ(result.faults[0].path, "$.providers.p.regoin");
  EXPECT_EQ(result.faults[1].path, "$.deployments[0].provider");
  EXPECT_EQ(result.faults[2].path, "$.deployments[0].weight");
  EXPECT_EQ(result.faults[3].path, "$.rotes");
  EXPECT_EQ(result.faults[3].suggestion, "routes");
}

}  // namespace
}  // namespace shunt::config
