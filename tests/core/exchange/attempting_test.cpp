// Attempts: failover before content, protection after failures, and who is never asked.
#include "exchange/exchange.h"

#include "core/exchange/lines.h"

namespace shunt::exchange {
namespace {

TEST(Attempting, FailsOverBeforeContentInStreams) {
  for (const Failure& failure : stream_failures()) {
    SCOPED_TRACE(failure.name);
    World world(kConfig);
    world.on("a@p", failure.script);
    world.on("b@q", openai_stream("from b"));
    const Seen seen = world.chat(kStream);
    EXPECT_EQ(seen.status, 200);
    EXPECT_EQ(seen.body, openai_chunk("from b") + openai_finish() + openai_done());
    EXPECT_TRUE(seen.clean);
    EXPECT_EQ(world.called(), (std::vector<std::string>{"a@p", "b@q"}));
    EXPECT_EQ(seen.header("x-shunt-deployment"), "b@q");
    EXPECT_EQ(seen.header("x-shunt-attempts"), "2");
  }
}

TEST(Attempting, FailsOverInPlainAnswers) {
  const std::vector<Failure> failures = {
      {"500", says(500, R"({"error":{"message":"oops"}})")},
      {"reset", breaks(TransportFault::reset)},
      {"cut body",
       {200,
        "content-type: application/json\n",
        {R"({"id":"c1","choices":[{"ind)"},
        Script::End::reset,
        TransportFault::reset}},
      {"half a JSON, clean end", says(200, R"({"id":"c1","choices":[{"ind)")},
      {"error in a 200", says(200, R"({"error":{"message":"boom","type":"server_error"}})")},
      {"empty body", says(200, "")},
      {"no choices", says(200, R"({"id":"c1","object":"chat.completion","choices":[]})")},
  };
  for (const Failure& failure : failures) {
    SCOPED_TRACE(failure.name);
    World world(kConfig);
    world.on("a@p", failure.script);
    world.on("b@q", says(200, openai_answer("from b")));
    const Seen seen = world.chat(kPlain);
    EXPECT_EQ(seen.status, 200);
    EXPECT_EQ(seen.body, openai_answer("from b"));
    EXPECT_EQ(world.called(), (std::vector<std::string>{"a@p", "b@q"}));
  }
}

TEST(Attempting, NoSecondProviderForTheCallersOwnFault) {
  const std::vector<Failure> failures = {
      {"400",
       says(
           400,
           R"({"error":{"message":"bad temperature","type":"invalid_request_error","code":"invalid_value"}})")},
      {"content refusal",
       says(
           400,
           R"({"error":{"message":"refused","type":"invalid_request_error","code":"content_policy_violation"}})")},
  };
  for (const Failure& failure : failures) {
    SCOPED_TRACE(failure.name);
    World world(kConfig);
    world.on("a@p", failure.script);
    const Seen seen = world.chat(kStream);
    EXPECT_EQ(seen.status, 400);
    EXPECT_EQ(world.called(), std::vector<std::string>{"a@p"});
    EXPECT_EQ(seen.header("x-should-retry"), "false");
  }
}

TEST(Attempting, AfterA429NobodyTouchesTheLineInsideItsWait) {
  World world(kConfig);
  world.on("a@p",
           says(429, R"({"error":{"message":"slow down","type":"rate_limit_error"}})", "retry-after: 7\n"));
  world.on("a@p", openai_stream("a again"));
  world.on("b@q", openai_stream("b"));
  const Instant failed = world.now;
  world.chat(kStream);
  while (world.now < failed + seconds(7)) {
    world.calls.clear();
    world.chat(kStream);
    EXPECT_EQ(world.called(), std::vector<std::string>{"b@q"});
    world.now = world.now + milliseconds(500);
  }
  world.calls.clear();
  world.now = failed + seconds(8);
  world.chat(kStream);
  EXPECT_EQ(world.called(), std::vector<std::string>{"a@p"});
}

TEST(Attempting, AfterTheThirdFailureTheBreakerIsOpenAndOneProbeEndsIt) {
  World world(kConfig);
  for (int i = 0; i < 3; ++i) world.on("a@p", says(500, "{}"));
  world.on("a@p", openai_stream("well"));
  world.on("b@q", openai_stream("b"));
  for (int i = 0; i < 3; ++i) world.chat(kStream);
  const Instant opened = world.now;
  world.calls.clear();
  while (world.now < opened + seconds(59)) {
    world.chat(kStream);
    world.now = world.now + seconds(5);
  }
  for (const Call& call : world.calls) EXPECT_EQ(call.deployment, "b@q");
  world.now = opened + seconds(61);
  const Seen probe = world.chat(kStream);
  EXPECT_EQ(probe.header("x-shunt-deployment"), "a@p");
  EXPECT_EQ(world.chat(kStream).header("x-shunt-deployment"), "a@p");
}

// Whatever form a failure takes, three of them take the line out.
TEST(Attempting, ErrorsInsideA200CountAgainstTheLine) {
  const Failure failures[] = {
      {"error JSON", says(200, R"({"error":{"message":"boom","type":"server_error"}})")},
      {"error JSON without a class", says(200, R"({"error":{"message":"boom"}})")},
      {"error as first event", streams({"data: {\"error\":{\"message\":\"boom\"}}\n\n"})},
      {"empty stream", streams({})},
  };
  for (const Failure& failure : failures) {
    SCOPED_TRACE(failure.name);
    World world(kConfig);
    world.on("a@p", failure.script);
    world.on("b@q", openai_stream("b"));
    for (int i = 0; i < 3; ++i) world.chat(kStream);
    world.calls.clear();
    world.chat(kStream);
    EXPECT_EQ(world.called(), std::vector<std::string>{"b@q"});
  }
}

TEST(Attempting, AllLinesProtectedIsA503WithTheTrueWait) {
  World world(kConfig);
  world.on("a@p",
           says(429, R"({"error":{"message":"slow down","type":"rate_limit_error"}})", "retry-after: 20\n"));
  const std::string body = R"({"model":"one","messages":[{"role":"user","content":"hi"}]})";
  EXPECT_EQ(world.chat(body).status, 429);
  world.now = world.now + seconds(5);
  const Seen seen = world.chat(body);
  EXPECT_EQ(seen.status, 503);
  EXPECT_EQ(seen.header("retry-after"), "15");
  EXPECT_EQ(world.calls.size(), 1u);
}

TEST(Attempting, TheLastLineIsKeptAgainstItsOwnBreaker) {
  World world(kConfig);
  world.on("a@p", says(500, "{}"));
  const std::string body = R"({"model":"kept","messages":[{"role":"user","content":"hi"}]})";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(world.chat(body).status, 503);
  world.calls.clear();
  const Seen seen = world.chat(body);
  EXPECT_EQ(world.called(), std::vector<std::string>{"a@p"});
  EXPECT_NE(seen.records.back().find("\"kept\":true"), std::string::npos);
}

TEST(Attempting, ADeploymentMayBeAddressedDirectly) {
  World world(kConfig);
  world.on("b@q", openai_stream("b"));
  const Seen seen = world.run("/v1/chat/completions", kStream, "x-shunt-deployment: b@q\n");
  EXPECT_EQ(seen.header("x-shunt-deployment"), "b@q");
}

}  // namespace
}  // namespace shunt::exchange
