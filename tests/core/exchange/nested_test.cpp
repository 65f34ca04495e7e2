// A gateway before this one, and one behind a line: together they make no more attempts than the outermost
// allows.
#include <gtest/gtest.h>

#include "core/exchange/world.h"

namespace shunt::exchange {
namespace {

// Lines g and h are gateways, a and b are not; breakers stay shut.
std::string config_of(const std::string& lines, const std::string& retry) {
  const auto line = [](const std::string& id, const std::string& provider) {
    return R"({"id": ")" + id + R"(", "provider": ")" + provider +
           R"(", "model": "m", "breaker": {"consecutive_failures": 1000}})";
  };
  return R"({"providers": {"in": {"preset": "shunt", "base_url": "http://127.0.0.1:1/v1"},
    "p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:2/v1"}}, "deployments": [)" +
         line("g", "in") + "," + line("h", "in") + "," + line("a", "p") + "," + line("b", "p") +
         R"(], "routes": {"r": {"strategy": "order", "deployments": [)" + lines + R"(], "retry": )" + retry +
         "}}}";
}
const char kAsk[] = R"({"model": "r", "messages": [{"role": "user", "content": "hi"}]})";
const char kChat[] = "/v1/chat/completions";

Script failed(const std::string& attempts) {
  const std::string made = attempts.empty() ? "" : "x-shunt-attempts: " + attempts + "\n";
  return says(500, R"({"error": {"message": "boom"}})", "content-type: application/json\n" + made);
}

std::string lent(const Call& call) {
  return std::string(HeaderBlock(call.headers).get("x-shunt-retries-left"));
}

TEST(Nested, ALineThatIsNoGatewayIsToldNothing) {
  World world(config_of(R"("a", "b")", R"({"attempts": 3})"));
  world.on("a", says(200, openai_answer("hi")));
  EXPECT_EQ(world.chat(kAsk).status, 200);
  EXPECT_EQ(lent(world.calls[0]), "");
}

TEST(Nested, WhatIsLeftIsLentButOneForAnotherLine) {
  for (const auto& [lines, wanted] : {std::pair{R"("g")", "3"}, std::pair{R"("g", "a")", "2"}}) {
    World world(config_of(lines, R"({"attempts": 4})"));
    world.on("g", says(200, openai_answer("hi")));
    EXPECT_EQ(world.chat(kAsk).status, 200);
    EXPECT_EQ(lent(world.calls[0]), wanted);
  }
}

TEST(Nested, AttemptsMadeFurtherInCountHere) {
  World world(config_of(R"("g", "a", "b")", R"({"attempts": 4})"));
  world.on("g", failed("3"));
  world.on("a", failed(""));
  world.on("b", failed(""));
  const Seen seen = world.chat(kAsk);
  EXPECT_EQ(world.called(), (std::vector<std::string>{"g", "a"})) << "three and one";
  EXPECT_EQ(seen.header("x-shunt-attempts"), "4");
}

TEST(Nested, WhatWasNotUsedIsUsedHere) {
  World world(config_of(R"("g", "a", "b")", R"({"attempts": 4})"));
  world.on("g", failed("1"));
  world.on("a", failed(""));
  world.on("b", says(200, openai_answer("hi")));
  const Seen seen = world.chat(kAsk);
  EXPECT_EQ(world.called(), (std::vector<std::string>{"g", "a", "b"}));
  EXPECT_EQ(seen.header("x-shunt-attempts"), "3");
}

TEST(Nested, OneThatSaysNothingHasUsedAllAndOneThatLiesNoMore) {
  for (const char* said : {"", "no", "-1", "999999999999999999999", "4000000000"}) {
    World world(config_of(R"("g", "a", "b")", R"({"attempts": 4})"));
    world.on("g", failed(said));
    world.on("a", failed(""));
    world.on("b", failed(""));
    world.chat(kAsk);
    EXPECT_EQ(world.called(), (std::vector<std::string>{"g", "a"})) << said;
  }
}

TEST(Nested, TwoGatewaysInARowOfLinesShareTheAttempts) {
  for (int attempts = 1; attempts <= 8; ++attempts) {
    World world(config_of(R"("g", "h", "a")", R"({"attempts": )" + std::to_string(attempts) + "}"));
    std::int64_t made = 0;
    // Each uses all it is lent.
    for (const char* line : {"g", "h", "a"}) world.on(line, failed(""));
    world.chat(kAsk);
    for (const Call& call : world.calls) made += 1 + (lent(call).empty() ? 0 : std::stoi(lent(call)));
    EXPECT_EQ(made, attempts);
    EXPECT_EQ(world.calls.size(), static_cast<std::size_t>(std::min(attempts, 2)));
  }
}

TEST(Nested, TheShareOfAGatewayBeforeThisOneIsKeptAndPassedOn) {
  for (int left = 0; left <= 3; ++left) {
    World world(config_of(R"("g", "a", "b")", R"({"attempts": 8})"));
    for (const char* line : {"g", "a", "b"}) world.on(line, failed(""));
    const Seen seen = world.run(kChat, kAsk, "x-shunt-retries-left: " + std::to_string(left) + "\n");
    int made = 0;
    for (const Call& call : world.calls) made += 1 + (lent(call).empty() ? 0 : std::stoi(lent(call)));
    EXPECT_EQ(made, left + 1);
    EXPECT_EQ(seen.header("x-shunt-attempts"), std::to_string(made));
    EXPECT_EQ(seen.header("x-should-retry"), "false") << "its share is spent: " << left;
  }
}

TEST(Nested, WhoIsToldNotToRepeatGoesElsewhere) {
  World world(config_of(R"("g", "a")", R"({"attempts": 3})"));
  world.on("g", says(503, R"({"error": {"message": "boom"}})",
                     "content-type: application/json\nx-should-retry: false\nx-shunt-attempts: 1\n"));
  world.on("a", says(200, openai_answer("hi")));
  EXPECT_EQ(world.chat(kAsk).status, 200);
  EXPECT_EQ(world.called(), (std::vector<std::string>{"g", "a"}));
  World alone(config_of(R"("g")", R"({"attempts": 3})"));
  alone.on("g", says(503, R"({"error": {"message": "boom"}})",
                     "content-type: application/json\nx-should-retry: false\nx-shunt-attempts: 1\n"));
  alone.chat(kAsk);
  EXPECT_EQ(alone.calls.size(), 1u);
}

TEST(Nested, AnAnswerTellsAllAttempts) {
  World world(config_of(R"("a", "g")", R"({"attempts": 4})"));
  world.on("a", failed(""));
  world.on("g", says(200, openai_answer("hi"), "content-type: application/json\nx-shunt-attempts: 2\n"));
  EXPECT_EQ(world.chat(kAsk).header("x-shunt-attempts"), "3");
}

}  // namespace
}  // namespace shunt::exchange
