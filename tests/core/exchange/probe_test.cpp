// Active checks: real calls on lines that are out, within a budget, and nothing that a client could see.
#include "exchange/probe.h"

#include <gtest/gtest.h>

#include "core/exchange/shared_store.h"

namespace shunt::exchange {
namespace {

std::string config(std::string_view checks, std::string_view store = "memory") {
  std::string text = R"({
  "providers": {"p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1"},
                "q": {"dialect": "anthropic_messages", "base_url": "http://127.0.0.1:2"}},
  "deployments": [{"id": "a@p", "provider": "p", "model": "m1"}, {"id": "b@q", "provider": "q", "model": "m2"},
                  {"id": "c@p", "provider": "p", "model": "m3", "breaker": {"preset": "latched"}}],
  "routes": {"r": {"deployments": ["a@p", "b@q", "c@p"]}},
  "state": {"store": ")";
  text.append(store).append("\"}");
  if (!checks.empty()) text.append(R"(, "active_checks": )").append(checks);
  return text.append("}");
}

constexpr std::string_view kAnthropicAnswer =
    R"({"id":"m","type":"message","role":"assistant","model":"m2","content":[{"type":"text","text":"p"}],)"
    R"("stop_reason":"max_tokens","usage":{"input_tokens":1,"output_tokens":1}})";

void fail_all(World& world) {
  for (const char* line : {"a@p", "b@q", "c@p"}) {
    world.on(line, says(500, "{}"));
    for (int i = 0; i < 3; ++i) {
      world.run("/v1/chat/completions",
                std::string(R"({"model":")") + line + R"(","messages":[{"role":"user","content":"x"}]})");
    }
  }
  world.calls.clear();
}
health::LineState state(World& world, std::uint32_t line) {
  return world.engine->health().read(line, world.now);
}

// Runs one probe exchange; what a client would have seen is checked to be nothing.
std::vector<std::string> check(World& world, std::uint64_t seed = 3) {
  world.calls.clear();
  World::Play play(world, seed, Kind::probe);
  play.tell(Started{world.wall()});
  play.to_end();
  EXPECT_EQ(play.seen.status, 0);
  EXPECT_TRUE(play.seen.body.empty());
  EXPECT_FALSE(play.seen.ended);
  EXPECT_EQ(play.seen.records.size(), world.calls.size()) << "a record for each check";
  return world.called();
}

TEST(Probe, IsOffUntilAskedFor) {
  World world(config(""));
  fail_all(world);
  EXPECT_TRUE(check(world).empty());
}

TEST(Probe, BringsBackWhatTimeWouldAndAsksNothingElse) {
  World world(config(R"({"every_s": 10, "per_hour": 100})"));
  EXPECT_TRUE(check(world).empty()) << "all are well";
  fail_all(world);
  for (const char* line : {"a@p", "b@q"})
    world.on(line, says(200, line[0] == 'a' ? openai_answer("p") : std::string(kAnthropicAnswer)));
  EXPECT_EQ(check(world), (std::vector<std::string>{"a@p", "b@q"}));  // the last failing scripts
  EXPECT_EQ(state(world, 0).availability, health::Availability::out);
  world.now = world.now + seconds(10);
  EXPECT_EQ(check(world), (std::vector<std::string>{"a@p", "b@q"}));
  EXPECT_EQ(state(world, 0).availability, health::Availability::ready) << "long before its minute is over";
  EXPECT_EQ(state(world, 1).availability, health::Availability::ready);
  EXPECT_EQ(state(world, 2).cause, health::Cause::latch);
  const Call& call = world.calls[0];
  EXPECT_EQ(call.body, R"({"model":"m1","max_tokens":1,"messages":[{"role":"user","content":"ping"}]})");
  EXPECT_EQ(call.url, "http://127.0.0.1:1/v1/chat/completions");
  EXPECT_NE(world.calls[1].body.find(R"("max_tokens":1)"), std::string::npos) << world.calls[1].body;
  EXPECT_NE(world.calls[1].body.find("ping"), std::string::npos);
  world.now = world.now + seconds(10);
  EXPECT_TRUE(check(world).empty());
}

TEST(Probe, EachLineHasItsTurnAndAllOfThemABudget) {
  World world(config(R"({"every_s": 100, "per_hour": 3})"));
  fail_all(world);
  EXPECT_EQ(check(world).size(), 2u);
  world.now = world.now + seconds(50);
  EXPECT_TRUE(check(world).empty()) << "not their turn";
  world.now = world.now + seconds(50);
  EXPECT_EQ(check(world).size(), 1u) << "the budget of the hour";
  world.now = world.now + seconds(200);
  EXPECT_TRUE(check(world).empty());
  world.now = world.now + seconds(3600);
  EXPECT_EQ(check(world).size(), 2u);
}

TEST(Probe, ALineThatHangsIsGivenUpAndTheNextIsAsked) {
  World world(config(R"({"every_s": 10, "per_hour": 100})"));
  fail_all(world);
  world.on("a@p", hangs());
  check(world);
  world.now = world.now + seconds(10);
  const Instant began = world.now;
  EXPECT_EQ(check(world), (std::vector<std::string>{"a@p", "b@q"}));
  EXPECT_EQ(world.now - began, Checks::kTime);
  EXPECT_TRUE(world.calls[0].aborted);
}

TEST(Probe, WhereNobodyGrantsLeasesOnlyADrawnExchangeAsks) {
  World world(config(R"({"every_s": 1, "per_hour": 1000})", "kv"));
  int asked = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    if (world.engine->may_probe(0, seed, world.now)) ++asked;
  }
  EXPECT_NEAR(asked, 50, 25);
  fail_all(world);
  std::uint64_t seed = 0;
  while (world.engine->may_probe(0, seed, world.now)) ++seed;
  EXPECT_TRUE(check(world, seed).empty());
  while (!world.engine->may_probe(0, seed, world.now)) ++seed;
  EXPECT_FALSE(check(world, seed).empty());
}

TEST(Probe, AProbeUnderWayIsNotDoubled) {
  World world(config(R"({"every_s": 1, "per_hour": 1000})"));
  fail_all(world);
  world.on("a@p", hangs());
  World::Play first(world, 1, Kind::probe);
  first.tell(Started{world.wall()});
  ASSERT_EQ(world.called(), (std::vector<std::string>{"a@p"}));
  world.now = world.now + seconds(2);
  World::Play second(world, 2, Kind::probe);
  second.tell(Started{world.wall()});
  EXPECT_EQ(world.called(), (std::vector<std::string>{"a@p", "b@q"}));
}

TEST(Probe, LiteralsStandForRangesOfABodyThatNobodyHolds) {
  BodyPieces body;
  body.literal("a");
  body.range(2, 3);
  body.literal("b");
  body.drop("seed");
  const BodyPieces whole = as_literals(body, "01234567");
  EXPECT_EQ(whole.text, "a234b");
  EXPECT_EQ(whole.pieces, (std::vector<BodyPieces::Piece>{{true, 0, 5}}));
  EXPECT_EQ(whole.dropped, body.dropped);
}

}  // namespace
}  // namespace shunt::exchange
