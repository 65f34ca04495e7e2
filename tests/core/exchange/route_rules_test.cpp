// What a route may ask of failures: stop, wait for the same line, another key, more context, its own notion
// of empty.
#include "exchange/exchange.h"

#include "core/exchange/lines.h"

namespace shunt::exchange {
namespace {

// Line a has two keys and a small context, line b one key and a large one.
std::string config(const std::string& rules) {
  return R"({
  "providers": {
    "p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": ["K_ONE", "K_TWO"]},
    "q": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:2/v1", "keys": ["K_THREE"]}
  },
  "deployments": [
    {"id": "a@p", "provider": "p", "model": "m-a", "priority": 1, "context_tokens": 8000},
    {"id": "b@q", "provider": "q", "model": "m-b", "priority": 2, "context_tokens": 128000}
  ],
  "routes": {
    "chat": {"deployments": ["a@p", "b@q"])" +
         (rules.empty() ? "" : ", " + rules) + R"(},
    "back": {"deployments": [{"id": "b@q", "priority": 1}, {"id": "a@p", "priority": 2}]}
  }
})";
}

Script quota() {
  return says(
      429,
      R"({"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}})");
}
Script bad_key() {
  return says(
      401,
      R"({"error":{"message":"Incorrect API key","type":"invalid_request_error","code":"invalid_api_key"}})");
}
Script gone() {
  return says(
      404,
      R"({"error":{"message":"The model does not exist","type":"invalid_request_error","code":"model_not_found"}})");
}
Script too_long() {
  return says(
      400,
      R"({"error":{"message":"maximum context length is 8000","type":"invalid_request_error","code":"context_length_exceeded"}})");
}
Script slow_down(const char* wait) {
  return says(429,
              R"({"error":{"message":"slow down","type":"rate_limit_error","code":"rate_limit_exceeded"}})",
              std::string("retry-after: ") + wait + "\n");
}

TEST(RouteRules, StopEndsTheSearchForItsClassOnly) {
  struct Case {
    const char* rule;
    Script script;
  };
  const Case cases[] = {{"\"on_quota\": \"stop\"", quota()},
                        {"\"on_auth\": \"stop\"", bad_key()},
                        {"\"on_unavailable\": \"stop\"", gone()}};
  for (const Case& asked : cases) {
    for (const Case& given : cases) {
      SCOPED_TRACE(std::string(asked.rule) + " given " + given.rule);
      World world(config(asked.rule));
      world.on("a@p", given.script);
      world.on("b@q", openai_stream("b"));
      const Seen seen = world.chat(kStream);
      const bool stopped = std::string(asked.rule) == given.rule;
      EXPECT_EQ(seen.status == 200, !stopped);
      EXPECT_EQ(world.called().back(), stopped ? "a@p" : "b@q");
    }
  }
}

TEST(RouteRules, AKeysFailureIsTriedWithTheNextKeyOfTheSameLine) {
  for (const Script& script : {quota(), bad_key()}) {
    World world(config(""));
    world.on("a@p", script);
    world.on("a@p", openai_stream("a"));
    const Seen seen = world.chat(kStream);
    EXPECT_EQ(seen.status, 200);
    ASSERT_EQ(world.called(), (std::vector<std::string>{"a@p", "a@p"}));
    EXPECT_EQ(world.calls[0].slot, 0u);
    EXPECT_EQ(world.calls[1].slot, 1u);
  }
}

TEST(RouteRules, R6AnOverloadRotatesNoKey) {
  World world(config(""));
  world.on("a@p",
           says(529, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})"));
  world.on("b@q", openai_stream("b"));
  world.chat(kStream);
  EXPECT_EQ(world.called(), (std::vector<std::string>{"a@p", "b@q"}));
}

TEST(RouteRules, WaitSameUsesNoAttemptUp) {
  World waits(
      config("\"on_rate_limit\": {\"wait_same\": {\"max_wait_ms\": 10000}}, \"retry\": {\"attempts\": 1}"));
  waits.on("a@p", slow_down("2"));
  waits.on("a@p", slow_down("2"));
  waits.on("a@p", openai_stream("a"));
  EXPECT_EQ(waits.chat(kStream).status, 200);
  World once(config("\"retry\": {\"attempts\": 1}"));
  once.on("a@p", slow_down("2"));
  EXPECT_EQ(once.chat(kStream).status, 429);
  EXPECT_EQ(once.calls.size(), 1u);
}

TEST(RouteRules, WaitSameDoesNotWaitLongerThanItMay) {
  World world(config("\"on_rate_limit\": {\"wait_same\": {\"max_wait_ms\": 5000}}"));
  world.on("a@p", slow_down("60"));
  world.on("b@q", openai_stream("b"));
  const Instant began = world.now;
  world.chat(kStream);
  EXPECT_LT((world.now - began).ms, 5000);
  EXPECT_EQ(world.called().back(), "b@q");
}

TEST(RouteRules, WaitSameAsksTheLineAgainAfterItsWait) {
  World world(config("\"on_rate_limit\": {\"wait_same\": {\"max_wait_ms\": 10000}}"));
  world.on("a@p", slow_down("3"));
  world.on("a@p", openai_stream("a"));
  const Seen seen = world.chat(kStream);
  EXPECT_EQ(seen.header("x-shunt-deployment"), "a@p");
  ASSERT_EQ(world.calls.size(), 2u);
  EXPECT_GE((world.calls[1].at - world.calls[0].at).ms, 3000);
}

TEST(RouteRules, ARequestTooLongGoesOnlyToALineThatTakesMore) {
  World larger(config(""));
  larger.on("a@p", too_long());
  larger.on("b@q", openai_stream("b"));
  EXPECT_EQ(larger.chat(kStream).header("x-shunt-deployment"), "b@q");
  World smaller(config(""));
  smaller.on("b@q", too_long());
  const Seen seen = smaller.chat(R"({"model":"back","messages":[{"role":"user","content":"hi"}]})");
  EXPECT_EQ(seen.status, 400);
  EXPECT_EQ(smaller.called(), std::vector<std::string>{"b@q"});
}

TEST(RouteRules, AnAnswerTheRouteCallsEmptyMovesOnWithoutPenalty) {
  World world(config("\"empty_when\": {\"phrases\": [\"cannot solve\"]}"));
  world.on("a@p", says(200, openai_answer("Sorry, I CANNOT solve this.")));
  world.on("b@q", says(200, openai_answer("42")));
  for (int i = 0; i < 4; ++i) {
    world.calls.clear();
    EXPECT_EQ(world.chat(kPlain).body, openai_answer("42"));
    EXPECT_EQ(world.called(), (std::vector<std::string>{"a@p", "b@q"}));
  }
}

}  // namespace
}  // namespace shunt::exchange
