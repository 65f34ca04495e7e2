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

}  // namespace
}  // namespace shunt::config
