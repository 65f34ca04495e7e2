// Two gateways, one budget: what is lent to the inner one, what comes back, and what it makes of it.
#include "exchange/lending.h"

#include <gtest/gtest.h>

#include "core/exchange/world.h"

namespace shunt::exchange {
namespace {

const char kOuter[] = R"({
  "providers": {"inner": {"preset": "shunt", "base_url": "http://127.0.0.1:1/v1"},
                "p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:2/v1"}},
  "deployments": [{"id": "g@inner", "provider": "inner", "model": "r"},
                  {"id": "b@p", "provider": "p", "model": "m"}],
  "routes": {"r": {"deployments": ["g@inner", {"id": "b@p", "priority": 2}],
                   "retry": {"attempts": 4, "budget": {"ratio": 0, "min_per_s": 0.3}}}}})";
const char kInner[] = R"({
  "providers": {"p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:2/v1"}},
  "deployments": [{"id": "a@p", "provider": "p", "model": "a"}, {"id": "b@p", "provider": "p", "model": "b"},
                  {"id": "c@p", "provider": "p", "model": "c"}],
  "routes": {"r": {"strategy": "order", "deployments": ["a@p", "b@p", "c@p"]}}})";
const char kAsk[] = R"({"model": "r", "messages": [{"role": "user", "content": "hi"}]})";

std::string told(const Call& call, std::string_view name) {
  return std::string(HeaderBlock(call.headers).get(name));
}

TEST(Lending, AGatewayIsToldWhatItMaySpendAndOthersAreToldNothing) {
  World world(kOuter);  // the reserve holds 3 tokens at first
  world.on("g@inner", says(500, "{}", "content-type: application/json\nx-shunt-attempts: 1\n"));
  world.on("b@p", says(200, openai_answer("hi")));
  world.chat(kAsk);
  ASSERT_EQ(world.called(), (std::vector<std::string>{"g@inner", "b@p"}));
  EXPECT_EQ(told(world.calls[0], "x-shunt-attempt"), "1");
  EXPECT_EQ(told(world.calls[0], "x-shunt-retries-left"), "2") << "one is kept for the other line";
  EXPECT_EQ(told(world.calls[1], "x-shunt-retries-left"), "");
}

TEST(Lending, WhatTheGatewayUsedIsGoneAndTheRestComesBack) {
  World world(kOuter);
  const std::string json = "content-type: application/json\n";
  world.on("g@inner", says(200, openai_answer("hi"), json + "x-shunt-attempts: 3\n"));
  world.on("g@inner", says(200, openai_answer("hi"), json + "x-shunt-attempts: 1\n"));
  world.on("g@inner", says(200, openai_answer("hi"), json));
  world.on("g@inner", says(200, openai_answer("hi"), json));
  for (int i = 0; i < 4; ++i) world.chat(kAsk);
  ASSERT_EQ(world.calls.size(), 4u);
  EXPECT_EQ(told(world.calls[0], "x-shunt-retries-left"), "2");
  EXPECT_EQ(told(world.calls[1], "x-shunt-retries-left"), "1") << "two of three tokens were used";
  EXPECT_EQ(told(world.calls[2], "x-shunt-retries-left"), "1") << "none was used";
  EXPECT_EQ(told(world.calls[3], "x-shunt-retries-left"), "0") << "one that says nothing has used all";
}

TEST(Lending, AnInnerGatewayMakesNoMoreAttemptsThanItWasLent) {
  for (const auto& [header, calls] : {std::pair<std::string, std::size_t>{"", 3},
                                      {"x-shunt-retries-left: 5\n", 3},
                                      {"x-shunt-retries-left: 1\n", 2},
                                      {"x-shunt-retries-left: 0\n", 1},
                                      {"x-shunt-retries-left: -4\n", 1},
                                      {"x-shunt-retries-left: many\n", 1}}) {
    World world(kInner);
    for (const char* id : {"a@p", "b@p", "c@p"}) world.on(id, says(500, "{}"));
    const Seen seen = world.run("/v1/chat/completions", kAsk, header);
    EXPECT_EQ(world.calls.size(), calls) << header;
    EXPECT_EQ(seen.header("x-shunt-attempts"), std::to_string(calls)) << header;
  }
}

TEST(Lending, ASpentBudgetIsToldAsNotToBeRepeated) {
  World world(R"({
    "providers": {"p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:2/v1"}},
    "deployments": [{"id": "a@p", "provider": "p", "model": "a"}, {"id": "b@p", "provider": "p", "model": "b"}],
    "routes": {"r": {"strategy": "order", "deployments": ["a@p", "b@p"],
                     "retry": {"budget": {"ratio": 0, "min_per_s": 0}, "failover": 0}}}})");
  world.on("a@p", says(500, "{}"));
  const Seen seen = world.chat(kAsk);
  EXPECT_EQ(world.calls.size(), 1u);
  EXPECT_EQ(seen.header("x-should-retry"), "false");
}

}  // namespace
}  // namespace shunt::exchange
