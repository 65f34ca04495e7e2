// Which line is asked: one more when every line has failed or is out, the route's own words, or a lease asked
// for now.
#include <gtest/gtest.h>

#include "core/exchange/lines.h"

namespace shunt::exchange {
namespace {

// Lines a and b behind the route, c behind both; `rules` are the route's.
std::string config(const std::string& rules, const std::string& more = "") {
  return R"({
  "providers": {
    "p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1"},
    "q": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:2/v1"},
    "c": {"dialect": "anthropic_messages", "base_url": "http://127.0.0.1:3"}
  },
  "deployments": [
    {"id": "a@p", "provider": "p", "model": "m-a", "priority": 1},
    {"id": "b@q", "provider": "q", "model": "m-b", "priority": 2},
    {"id": "c@c", "provider": "c", "model": "m-c", "max_tokens": 100}
  ],
  "routes": {"chat": {"deployments": ["a@p", "b@q"], )" +
         rules + "}}" + more + "}";
}

constexpr char kWords[] = R"("fallback": [{"static": {"message": "Back soon."}}])";
constexpr char kLineThenWords[] =
    R"("fallback": [{"deployment": "c@c"}, {"static": {"message": "Back soon."}}])";

Script fails() { return says(500, R"({"error":{"message":"oops","type":"server_error"}})"); }
Script anthropic_answer(const std::string& text) {
  return says(
      200,
      R"({"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":")" +
          text + R"("}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}})");
}
void all_fail(World& world) {
  for (const char* line : {"a@p", "b@q", "c@c"}) world.on(line, fails());
}

TEST(Fallback, TheRoutesOwnWordsAreAnOrdinaryAnswerOfTheClientsDialect) {
  World world(config(kWords));
  all_fail(world);
  const Seen plain = world.chat(kPlain);
  EXPECT_EQ(plain.status, 200);
  EXPECT_TRUE(plain.clean);
  EXPECT_EQ(plain.header("x-shunt-fallback"), "static");
  EXPECT_NE(plain.body.find(R"("content":"Back soon.")"), std::string::npos) << plain.body;
  EXPECT_NE(plain.records.at(0).find(R"("fallback":"static")"), std::string::npos);

  const Seen stream = world.chat(kStream);
  EXPECT_EQ(stream.header("content-type"), "text/event-stream; charset=utf-8");
  EXPECT_NE(stream.body.find(R"("content":"Back soon.")"), std::string::npos) << stream.body;
  EXPECT_TRUE(stream.body.ends_with(openai_done()));

  const Seen other = world.run(
      "/v1/messages", R"({"model":"chat","max_tokens":9,"messages":[{"role":"user","content":"hi"}]})");
  EXPECT_NE(other.body.find(R"({"type":"text","text":"Back soon."})"), std::string::npos) << other.body;
}

TEST(Fallback, WithAnErrorsStatusTheWordsAreAnError) {
  World world(config(R"("fallback": [{"static": {"message": "Closed on Sundays.", "status": 503}}])"));
  all_fail(world);
  const Seen seen = world.chat(kPlain);
  EXPECT_EQ(seen.status, 503);
  EXPECT_NE(seen.body.find(R"("message":"Closed on Sundays.")"), std::string::npos) << seen.body;
  EXPECT_EQ(seen.header("x-shunt-fallback"), "static");
}

TEST(Fallback, AnotherLineIsAskedAfterTheRoutesOwnAndMarked) {
  World world(config(kLineThenWords));
  world.on("a@p", fails());
  world.on("b@q", fails());
  world.on("c@c", anthropic_answer("from c"));
  const Seen seen = world.chat(kPlain);
  EXPECT_EQ(seen.status, 200);
  EXPECT_EQ(world.called().back(), "c@c");
  EXPECT_EQ(seen.header("x-shunt-deployment"), "c@c");
  EXPECT_EQ(seen.header("x-shunt-fallback"), "deployment");
  EXPECT_NE(seen.body.find("from c"), std::string::npos);
}

TEST(Fallback, ItsStepsAreTakenInOrderOneAfterTheOther) {
  World world(config(kLineThenWords));
  all_fail(world);
  const Seen seen = world.chat(kPlain);
  EXPECT_EQ(world.called().back(), "c@c");
  EXPECT_EQ(seen.header("x-shunt-fallback"), "static");
  EXPECT_NE(seen.body.find("Back soon."), std::string::npos);
}

TEST(Fallback, ServesWhereEveryLineIsProtectedWithoutACall) {
  World world(config(kWords));
  const Script wait =
      says(429, R"({"error":{"message":"slow down","type":"rate_limit_error"}})", "retry-after: 60\n");
  world.on("a@p", wait);
  world.on("b@q", wait);
  EXPECT_EQ(world.chat(kPlain).header("x-shunt-fallback"), "static");
  world.calls.clear();
  const Seen seen = world.chat(kPlain);
  EXPECT_TRUE(world.calls.empty()) << "both lines have said when";
  EXPECT_EQ(seen.status, 200);
  EXPECT_NE(seen.body.find("Back soon."), std::string::npos);
}

TEST(Fallback, IsNoAnswerToTheClientsOwnMistake) {
  World world(config(kLineThenWords));
  world.on("a@p", says(400, R"({"error":{"message":"bad","type":"invalid_request_error"}})"));
  const Seen seen = world.chat(kPlain);
  EXPECT_EQ(seen.status, 400);
  EXPECT_EQ(world.called(), std::vector<std::string>{"a@p"});
}

TEST(Fallback, ARequestThatMustNotBeRepeatedIsNotSentToAnotherLine) {
  World world(config(kLineThenWords));
  world.on("a@p", breaks(TransportFault::reset));
  const Seen seen = world.run("/v1/chat/completions", kPlain, "x-shunt-repeatable: no\n");
  EXPECT_EQ(world.called(), std::vector<std::string>{"a@p"});
  EXPECT_EQ(seen.header("x-shunt-fallback"), "static");
}

TEST(Fallback, NothingIsCalledOnceTheWholeTimeIsOver) {
  World world(config(std::string(R"("timeouts": {"plain_total_ms": 5000}, )") + kLineThenWords));
  world.on("a@p", hangs());
  const Seen seen = world.chat(kPlain);
  EXPECT_EQ(world.called(), std::vector<std::string>{"a@p"});
  EXPECT_EQ(seen.header("x-shunt-fallback"), "static");
}

TEST(Fallback, AfterContentNothingTakesItsPlace) {
  World world(config(kWords));
  world.on("a@p", streams({openai_chunk("half")}, Script::End::reset));
  const Seen seen = world.chat(kStream);
  EXPECT_EQ(seen.body.find("Back soon."), std::string::npos);
  EXPECT_NE(seen.body.find("\"error\""), std::string::npos);
}

// ---- the probe lease, when every line is out ----

std::string leased() {
  return config(R"("last_line": "protect", "retry": {"attempts": 1})",
                R"(, "state": {"store": "durable_object"}, "defaults": {"breaker": {"preset": "stepped"}})");
}

// Both lines' breakers are open; nobody holds a lease.
void open_both(World& world) {
  all_fail(world);
  for (int i = 0; i < 8; ++i) world.chat(R"({"model":"a@p","messages":[{"role":"user","content":"x"}]})");
  for (int i = 0; i < 8; ++i) world.chat(R"({"model":"b@q","messages":[{"role":"user","content":"x"}]})");
  world.calls.clear();
}

TEST(ProbeLease, IsAskedForWhenEveryLineIsOutAndItsHolderProbes) {
  World world(leased());
  open_both(world);
  World::Play play(world, 7);
  play.send("/v1/chat/completions", kPlain);
  ASSERT_EQ(play.asked.size(), 1u);
  EXPECT_EQ(play.asked[0].what, "lease");
  EXPECT_EQ(play.wake.reason, TimerReason::store);
  EXPECT_EQ(play.wake.at, world.now + milliseconds(200));
  EXPECT_TRUE(world.calls.empty());
  const std::string line = play.asked[0].key.substr(std::string("shunt/probe/default/").size());
  play.tell(StoreAnswered{play.asked[0].request, StoreResult::ok, {}});
  EXPECT_EQ(world.called(), std::vector<std::string>{line});
  play.to_end();
}

TEST(ProbeLease, WhoIsRefusedItGetsTheWaitAtOnce) {
  World world(leased());
  open_both(world);
  World::Play play(world, 7);
  play.send("/v1/chat/completions", kPlain);
  ASSERT_EQ(play.asked.size(), 1u);
  play.tell(StoreAnswered{play.asked[0].request, StoreResult::missing, {}});
  EXPECT_EQ(play.seen.status, 503);
  EXPECT_FALSE(play.seen.header("retry-after").empty());
  EXPECT_TRUE(world.calls.empty());
}

TEST(ProbeLease, AStoreThatIsSilentOrDownLeavesItToTheLot) {
  int probes = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    World world(leased());
    open_both(world);
    World::Play play(world, seed);
    play.send("/v1/chat/completions", kPlain);
    ASSERT_EQ(play.asked.size(), 1u);
    if (seed % 2 == 0) play.tell(StoreAnswered{play.asked[0].request, StoreResult::failed, {}});
    play.to_end();
    EXPECT_EQ(play.asked.size(), 1u) << "asked once";
    EXPECT_LE(world.calls.size(), 1u);
    probes += static_cast<int>(world.calls.size());
  }
  // 1 in 8 of 200 by the binomial law: 25 ± 4 standard deviations of 4.7.
  EXPECT_GT(probes, 6);
  EXPECT_LT(probes, 44);
}

TEST(ProbeLease, AClientThatLeavesWhileItIsAwaitedLeavesNothing) {
  World world(leased());
  open_both(world);
  World::Play play(world, 7);
  play.send("/v1/chat/completions", kPlain);
  play.tell(ClientGone{});
  EXPECT_TRUE(play.exchange.finished());
  EXPECT_TRUE(world.calls.empty());
}

}  // namespace
}  // namespace shunt::exchange
