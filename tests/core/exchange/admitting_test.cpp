// Lines at their limits: requests go elsewhere, or wait their turn.
#include <gtest/gtest.h>

#include "core/exchange/crowd.h"

namespace shunt::exchange {
namespace {

TEST(Admitting, ALineAtItsLimitSendsRequestsElsewhere) {
  World world(config_of(R"(, "limits": {"rpm": 10})", "", ""));
  world.on("a@p", says(200, openai_answer("hi")));
  world.on("b@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  for (int i = 0; i < 3; ++i) crowd.end(crowd.arrive("", "r"));
  EXPECT_EQ(world.called(), (std::vector<std::string>{"a@p", "b@p", "b@p"}));
}

// Before it asks its line again, whose second call, all that 20 a minute allow at once, is another's.
World::Play& pauses_while_another_is_answered(World& world, Crowd& crowd) {
  world.on("a@p", breaks(TransportFault::reset));
  world.on("a@p", says(200, openai_answer("hi")));
  auto& first = crowd.arrive("", "only");
  first.step();
  EXPECT_EQ(first.wake.reason, TimerReason::backoff);
  auto& second = crowd.arrive("", "only");
  crowd.end(second);
  EXPECT_EQ(second.seen.status, 200);
  return first;
}

TEST(Admitting, ARepeatIsNotMadeWhereOthersHaveUsedUpWhatItsLineAllows) {
  World world(config_of(R"(, "limits": {"rpm": 20})", "", ""));
  Crowd crowd(world);
  auto& first = pauses_while_another_is_answered(world, crowd);
  crowd.end(first);
  EXPECT_EQ(world.calls.size(), 2u);
  EXPECT_EQ(first.seen.status, 429);
  EXPECT_NE(first.seen.header("retry-after"), "");
}

TEST(Admitting, ARepeatIsNotMadeWhereItsLinesGateWasShutMeanwhile) {
  World world(config_of(R"(, "limits": {"rpm": 20})", "", ""), [](config::Loaded& loaded) {
    for (Route& route : loaded.catalog.routes) route.shadow = {"a@p", 0, {1, 500000, 0}};
  });
  world.engine->note_trial(0, true);
  Crowd crowd(world);
  auto& first = pauses_while_another_is_answered(world, crowd);
  for (int i = 0; i < 3; ++i) world.engine->note_trial(0, false);
  crowd.end(first);
  EXPECT_EQ(world.calls.size(), 2u);
  EXPECT_EQ(first.seen.status, 503);
}

TEST(Admitting, WhoCannotWaitForALineGetsTheRoutesOwnWords) {
  World world(config_of(R"(, "limits": {"rpm": 10})", "", R"(, "limits": {"queue": {"size": 0}})"),
              [](config::Loaded& loaded) {
                for (Route& route : loaded.catalog.routes) route.fallback.emplace_back().message = "later";
              });
  world.on("a@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  crowd.end(crowd.arrive("", "only"));
  auto& second = crowd.arrive("", "only");
  EXPECT_EQ(second.seen.status, 200);
  EXPECT_NE(second.seen.body.find("later"), std::string::npos) << second.seen.body;
  EXPECT_EQ(world.calls.size(), 1u);
}

TEST(Admitting, WhereThereIsNoOtherLineARequestWaitsItsTurn) {
  World world(config_of(R"(, "limits": {"rpm": 60})", "", ""));
  world.on("a@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  for (int i = 0; i < 6; ++i) crowd.end(crowd.arrive("", "only"));
  const Instant began = world.now;
  auto& seventh = crowd.arrive("", "only");
  auto& eighth = crowd.arrive("", "only");
  EXPECT_EQ(world.calls.size(), 6u);
  for (int i = 0; i < 50 && world.calls.size() < 8; ++i) {
    World::Play& next = seventh.wake.at <= eighth.wake.at ? seventh : eighth;
    world.now = std::max(world.now, next.wake.at);
    next.tell(TimerFired{});
    crowd.deliver();
  }
  ASSERT_EQ(world.calls.size(), 8u);
  EXPECT_EQ((world.calls[6].at - began).ms, 1000);
  EXPECT_EQ((world.calls[7].at - began).ms, 2000) << "first come, first served, each at its own second";
}

TEST(Admitting, WhereTheOnlyLineHasNoSlotTheNextThatFallsFreeIsWaitedFor) {
  World world(config_of(R"(, "limits": {"concurrency": 1})", "",
                        R"(, "clients": [{"id": "hi", )" + std::string(kKey) +
                            R"(, "priority": "high"}, {"id": "lo", )" + kOther + R"(, "priority": "low"}])"));
  world.on("a@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  auto& first = crowd.arrive("lo", "only");
  auto& low = crowd.arrive("lo", "only");
  auto& high = crowd.arrive("hi", "only");
  EXPECT_EQ(low.wake.reason, TimerReason::queue);
  EXPECT_EQ(high.wake.reason, TimerReason::queue);
  EXPECT_EQ(world.calls.size(), 1u);
  crowd.end(first);
  EXPECT_EQ(world.calls.size(), 2u);
  EXPECT_NE(high.wake.reason, TimerReason::queue) << "the slot is its";
  crowd.end(high);
  crowd.end(low);
  EXPECT_EQ(low.seen.status, 200);
}

TEST(Admitting, ALineThatIsKeptAgainstItsBreakerKeepsItsLimits) {
  World world(config_of(R"(, "limits": {"concurrency": 1})", "", ""));
  world.on("a@p", says(500, "{}"));
  for (int i = 0; i < 3; ++i) world.run(kChat, ask("only"));
  world.on("a@p", says(200, openai_answer("hi")));
  world.run(kChat, ask("only"));  // takes the last of the failures
  Crowd crowd(world);
  const std::size_t before = world.calls.size();
  auto& kept = crowd.arrive("", "only");
  auto& second = crowd.arrive("", "only");
  EXPECT_EQ(world.calls.size(), before + 1) << "the line allows one at a time";
  EXPECT_EQ(second.wake.reason, TimerReason::queue);
  crowd.end(kept);
  ASSERT_FALSE(kept.seen.records.empty());
  EXPECT_NE(kept.seen.records.back().find("\"kept\":true"), std::string::npos);
  crowd.end(second);
  EXPECT_EQ(second.seen.status, 200);
}

TEST(Admitting, AProvidersOwnWordThatNothingIsLeftSendsRequestsElsewhere) {
  World world(config_of("", "", ""));
  world.on("a@p", says(200, openai_answer("hi"),
                       "content-type: application/json\nx-ratelimit-limit-requests: 60\n"
                       "x-ratelimit-remaining-requests: 0\nx-ratelimit-reset-requests: 20s\n"));
  world.on("b@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  crowd.end(crowd.arrive("", "r"));
  crowd.end(crowd.arrive("", "r"));
  EXPECT_EQ(world.called(), (std::vector<std::string>{"a@p", "b@p"}));
}

}  // namespace
}  // namespace shunt::exchange
