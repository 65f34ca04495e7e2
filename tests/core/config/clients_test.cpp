// Who may call, from where, and how much is held for all.
#include <gtest/gtest.h>

#include "sample.h"

namespace shunt::config {
namespace {

TEST(ClientKeys, IdsAndHashesReachTheEngine) {
  const Read result = read(kFull);
  ASSERT_EQ(result.loaded.engine.clients.size(), 1U);
  EXPECT_EQ(result.loaded.engine.clients[0].id, "web");
  EXPECT_EQ(result.loaded.engine.clients[0].key_sha256.size(), 64U);
  EXPECT_EQ(result.loaded.engine.clients[0].priority, PriorityClass::high);
  EXPECT_EQ(result.loaded.engine.clients[0].limits, (Quota{600, 0, 0, 20'000'000, 0}));
}

TEST(ClientKeys, OneThatSignsNeedsNoKey) {
  const Read result = read(with_line(R"("clients":[{"id":"s","hmac":{"secret":"S","window_s":60}}])"));
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.loaded.engine.clients[0].key_sha256, "");
}

TEST(EngineKeys, LimitsAndOriginsAreTaken) {
  const Read result =
      read(with_line(R"("limits":{"held_bytes":1048576,"body_buffer_bytes":4096,"max_wait_ms":0},
    "cors":{"origins":["*"]})"));
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.loaded.engine.held_bytes, 1048576U);
  EXPECT_EQ(result.loaded.engine.body_buffer_bytes, 4096U);
  EXPECT_EQ(result.loaded.engine.longest_wait, milliseconds(0));
  EXPECT_EQ(result.loaded.engine.cors_origins, std::vector<std::string>{"*"});
  EXPECT_EQ(read(with_line("\"routes\":{}")).loaded.engine, exchange::EnginePolicy{});
}

TEST(EngineKeys, LimitsOfAllAndTheQueueAreTaken) {
  const Read result = read(with_line(
      R"("limits":{"concurrency":150,"rpm":6000,"tpm":9000000,"budget_usd_day":0.5,"budget_tokens_day":77,
    "queue":{"size":0,"max_wait_ms":2500}})"));
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.loaded.engine.limits, (Quota{6000, 9'000'000, 150, 500'000, 77}));
  EXPECT_EQ(result.loaded.engine.queue.size, 0U);
  EXPECT_EQ(result.loaded.engine.queue.max_wait, milliseconds(2500));
}

TEST(EngineKeys, TaskTypesHaveLimits) {
  const Read result = read(with_line(
      R"("routes":{"r":{"deployments":["a"],"task":"completion"},"image":{"deployments":["a"]}},
    "state":{"store":"durable_object"},
    "tasks":{"completion":{"limits":{"tpm":5}},"image":{"limits":{"budget_usd_day":3}}})"));
  ASSERT_TRUE(result.ok);
  EXPECT_TRUE(result.loaded.warnings.empty());
  ASSERT_EQ(result.loaded.engine.tasks.size(), 2U);
  EXPECT_EQ(result.loaded.engine.tasks[0], (exchange::TaskLimits{"completion", {0, 5, 0, 0, 0}}));
  EXPECT_EQ(result.loaded.engine.tasks[1], (exchange::TaskLimits{"image", {0, 0, 0, 3'000'000, 0}}));
}

}  // namespace
}  // namespace shunt::config
