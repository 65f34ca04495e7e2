// A second attempt beside one that is slow to begin: when there is one, who of the two answers in every order
// of events, and that nothing of the other reaches the client.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/exchange/lines.h"
#include "core/exchange/world.h"

namespace shunt::exchange {
namespace {

using Json = nlohmann::json;

// Routes "chat" over lines a@p, b@q and c@c; hedged at p95, one hedge a request.
void hedged(config::Loaded& loaded) {
  for (Route& route : loaded.catalog.routes) route.hedge = {950, 1000000};
  Route& chat = loaded.catalog.routes[index_of(*loaded.catalog.find_route("chat"))];
  chat.entries.push_back({*loaded.catalog.find_deployment("c@c"), 3, 1, {}});
}

std::string from_a() { return openai_chunk("from a"); }
std::string from_b() { return openai_chunk("from b"); }
const std::string kEnd = openai_finish() + openai_done();
constexpr std::string_view kSse = "content-type: text/event-stream\n";
constexpr std::string_view kBoom = R"({"error":{"message":"boom","type":"server_error"}})";

class Hedging : public ::testing::Test {
 protected:
  // The lines' streams have begun after 800 ms each: p95 is 800 ms, or a little more as a bucket is wide.
  void know() { world.learn_waits(0, world.engine->task("chat"), 200, milliseconds(800)); }
  void ask(const std::string& body = kStream, const std::string& headers = "") {
    know();
    for (const char* line : {"a@p", "b@q", "c@c"}) world.on(line, hangs());
    play.send("/v1/chat/completions", body, headers);
  }
  // The line has failed, and may be probed by now.
  void recover(std::uint32_t line) {
    for (int i = 0; i < 3; ++i) {
      const auto ticket = world.engine->health().begin(line, 0, world.now, world.now + seconds(1));
      Outcome outcome;
      outcome.kind = OutcomeKind::failure;
      outcome.penalty = Penalty::normal;
      world.engine->health().settle(*ticket, outcome, world.now, 1);
    }
    world.now = world.engine->health().read(line, world.now).until;
    ASSERT_EQ(world.engine->health().read(line, world.now).availability, health::Availability::probe);
  }
  // The timer that is armed fires.
  TimerReason ring() {
    const TimerReason reason = play.wake.reason;
    world.now = std::max(world.now, play.wake.at);
    play.tell(TimerFired{});
    return reason;
  }
  // Up to where both are under way: a@p is attempt 1, b@q is attempt 2.
  void ask_both() {
    ask();
    ASSERT_EQ(ring(), TimerReason::hedge);
    ASSERT_EQ(world.called(), (std::vector<std::string>{"a@p", "b@q"}));
  }
  void head(AttemptNo no, int status = 200, std::string_view type = kSse) {
    play.tell(HeadArrived{no, status, type});
  }
  void says(AttemptNo no, std::string_view bytes) { play.tell(BytesArrived{no, bytes}); }
  void fails(AttemptNo no) {
    head(no, 500, "content-type: application/json\n");
    says(no, kBoom);
    play.tell(AttemptEnded{no});
  }
  Json record() {
    EXPECT_EQ(play.seen.records.size(), 1u);
    return Json::parse(play.seen.records.at(0));
  }
  // All of one line's answer and nothing else, byte for byte.
  void expect_answer(const std::string& content, const std::string& line) {
    EXPECT_EQ(play.seen.body, content + kEnd);
    EXPECT_TRUE(play.seen.ended && play.seen.clean);
    EXPECT_EQ(play.seen.header("x-shunt-deployment"), line);
    EXPECT_EQ(play.seen.header("x-shunt-attempts"), "2");
  }
  std::uint64_t waits(std::uint32_t line) {
    health::Spread spread;
    world.engine->health().collect(line, health::Latency::first_token, world.engine->task("chat"), world.now,
                                   spread);
    return spread.count();
  }

  World world{kConfig, hedged};
  World::Play play{world, 1};
};

TEST_F(Hedging, WithTooLittleDataThereIsNone) {  // H1
  world.learn_waits(0, world.engine->task("chat"), 60, milliseconds(800));
  world.learn_waits(1, world.engine->task("chat"), 39, milliseconds(800));
  world.on("a@p", hangs());
  play.send("/v1/chat/completions", kStream);
  EXPECT_EQ(play.wake.reason, TimerReason::first_byte);
  play.tell(ClientGone{});
  EXPECT_FALSE(record().contains("hedge_after_ms"));
}

TEST_F(Hedging, TheDelayIsThatOfAllLinesOfTheRouteTogether) {
  const std::uint32_t task = world.engine->task("chat");
  world.learn_waits(0, task, 60, milliseconds(100));
  world.learn_waits(1, task, 34, milliseconds(100));
  world.learn_waits(1, task, 6, milliseconds(2000));  // the slowest 6 of 100: p95 is among them
  world.on("a@p", hangs());
  play.send("/v1/chat/completions", kStream);
  EXPECT_EQ(play.wake.reason, TimerReason::hedge);
  const auto delay = (play.wake.at - world.now).ms;
  EXPECT_GE(delay, 2000);  // who is as quick as that is not slow
  EXPECT_LE(delay, 2000 * 106 / 100 + 1);
  play.tell(ClientGone{});
  EXPECT_EQ(record()["hedge_after_ms"], delay);
}

TEST_F(Hedging, OnlyStreamsThatMayBeRepeatedAndAreAskedForIt) {
  ask(kPlain);
  EXPECT_EQ(play.wake.reason, TimerReason::total);
  World::Play once(world, 2);
  once.send("/v1/chat/completions", kStream, "x-shunt-repeatable: no\n");
  EXPECT_NE(once.wake.reason, TimerReason::hedge);
  World plain(kConfig);
  plain.learn_waits(0, plain.engine->task("chat"), 200, milliseconds(800));
  plain.on("a@p", hangs());
  World::Play unasked(plain, 3);
  unasked.send("/v1/chat/completions", kStream);
  EXPECT_NE(unasked.wake.reason, TimerReason::hedge);
}

TEST_F(Hedging, TheFirstAnswersInTimeAndNobodyElseIsAsked) {
  ask();
  head(1);
  says(1, from_a());
  EXPECT_NE(play.wake.reason, TimerReason::hedge);
  says(1, kEnd);
  EXPECT_EQ(world.calls.size(), 1u);
  EXPECT_EQ(play.seen.header("x-shunt-reason"), "first choice");
}

TEST_F(Hedging, TheRivalIsFirst) {  // H2
  const std::uint64_t before = (know(), waits(0));
  ask_both();
  const Instant began = world.calls[0].at;
  head(1);
  says(1, ": a@p is at work\n\n");
  head(2);
  world.now = world.now + milliseconds(150);
  says(2, from_b());
  EXPECT_TRUE(world.calls[0].aborted);
  EXPECT_FALSE(world.calls[1].aborted);
  says(1, from_a());  // what was under way already is nobody's now
  play.tell(AttemptEnded{1});
  says(2, kEnd);
  expect_answer(from_b(), "b@q");
  const Json r = record();
  EXPECT_EQ(r["result"], "answered");
  ASSERT_EQ(r["attempts"].size(), 2u);
  EXPECT_EQ(r["attempts"][0]["outcome"], "neutral");
  EXPECT_EQ(r["attempts"][0]["superseded"], true);
  EXPECT_EQ(r["attempts"][0]["purpose"], "main");
  EXPECT_EQ(r["attempts"][1]["outcome"], "success");
  EXPECT_EQ(r["attempts"][1]["purpose"], "hedge");
  EXPECT_FALSE(r["attempts"][1].contains("superseded"));
  const std::string delay = std::to_string(r["hedge_after_ms"].get<int>());
  EXPECT_EQ(play.seen.header("x-shunt-reason"), "hedge after " + delay + " ms: a@p was slow to begin");
  // The slow start is learnt, lest the percentile forget such; it counts for or against nothing else.
  EXPECT_EQ(waits(0), before + 200 + 1);
  EXPECT_FALSE(world.engine->health().read(0, world.now).last_failure.has_value());
  EXPECT_GE(world.now - began, milliseconds(900));
}

TEST_F(Hedging, TheFirstIsFirstAfterAll) {
  ask_both();
  const std::uint64_t before = waits(1);
  head(2);
  head(1);
  says(1, from_a());
  EXPECT_TRUE(world.calls[1].aborted);
  EXPECT_FALSE(world.calls[0].aborted);
  says(2, from_b());
  says(1, kEnd);
  expect_answer(from_a(), "a@p");
  EXPECT_EQ(play.seen.header("x-shunt-reason"), "first choice");
  const Json r = record();
  EXPECT_EQ(r["attempts"][0]["purpose"], "hedge");
  EXPECT_EQ(r["attempts"][0]["superseded"], true);
  EXPECT_EQ(waits(1), before);  // it has hardly begun: nothing is known of it
}

TEST_F(Hedging, TheFirstFailsAndTheRivalAnswers) {
  ask_both();
  fails(1);
  EXPECT_FALSE(world.calls[1].aborted);
  EXPECT_EQ(world.calls.size(), 2u);  // no retry: one is under way
  head(2);
  says(2, from_b());
  says(2, kEnd);
  expect_answer(from_b(), "b@q");
  EXPECT_EQ(play.seen.header("x-shunt-reason"), "after a@p: TEMPORARY (500)");
  EXPECT_EQ(record()["attempts"][0]["outcome"], "failure");
}

TEST_F(Hedging, TheRivalFailsAndTheFirstAnswers) {
  ask_both();
  fails(2);
  EXPECT_EQ(world.calls.size(), 2u);
  head(1);
  says(1, from_a());
  says(1, kEnd);
  expect_answer(from_a(), "a@p");
  EXPECT_EQ(record()["attempts"][0]["verdict"]["class"], "TEMPORARY");
}

TEST_F(Hedging, BothFailAndTheNextLineIsAsked) {
  ask_both();
  fails(2);
  fails(1);
  EXPECT_EQ(world.called(), (std::vector<std::string>{"a@p", "b@q", "c@c"}));
  EXPECT_NE(play.wake.reason, TimerReason::hedge);  // one a request
  fails(3);
  EXPECT_EQ(play.seen.status, 503);
  EXPECT_EQ(record()["attempts"].size(), 3u);
}

TEST_F(Hedging, ErrorEventsAndEmptyAnswersAreFailuresOfTheOneThatSaysThem) {
  for (const AttemptNo bad : {1u, 2u}) {
    for (const std::string& said :
         {std::string("data: {\"error\":{\"message\":\"boom\",\"type\":\"server_error\"}}\n\n"), kEnd,
          std::string("event: x\n") + std::string(1100000, 'x')}) {
      World fresh(kConfig, hedged);
      fresh.learn_waits(0, fresh.engine->task("chat"), 200, milliseconds(800));
      fresh.on("a@p", hangs());
      fresh.on("b@q", hangs());
      World::Play one(fresh, 9);
      one.send("/v1/chat/completions", kStream);
      fresh.now = one.wake.at;
      one.tell(TimerFired{});
      ASSERT_EQ(fresh.calls.size(), 2u);
      one.tell(HeadArrived{bad, 200, kSse});
      one.tell(BytesArrived{bad, said});
      if (said.size() > 1000000) one.tell(AttemptBroke{bad, TransportFault::reset, "x"});
      const AttemptNo good = 3 - bad;
      one.tell(HeadArrived{good, 200, kSse});
      one.tell(BytesArrived{good, openai_chunk("well")});
      one.tell(BytesArrived{good, kEnd});
      EXPECT_EQ(one.seen.body, openai_chunk("well") + kEnd) << bad << said.substr(0, 50);
      const Json r = Json::parse(one.seen.records.at(0));
      EXPECT_EQ(r["attempts"][0]["outcome"], "failure");
      EXPECT_EQ(r["attempts"][0]["attempt"], bad);
    }
  }
}

TEST_F(Hedging, AWholeAnswerToAStreamWinsAsWell) {
  ask_both();
  head(1);
  head(2, 200, "content-type: application/json\n");
  says(2, openai_answer("whole"));
  play.tell(AttemptEnded{2});
  EXPECT_TRUE(world.calls[0].aborted);
  EXPECT_NE(play.seen.body.find("whole"), std::string::npos);
  EXPECT_EQ(play.seen.header("x-shunt-deployment"), "b@q");
}

TEST_F(Hedging, TheClientLeavesAndBothAreBrokenOff) {
  ask_both();
  play.tell(ClientGone{});
  EXPECT_TRUE(world.calls[0].aborted && world.calls[1].aborted);
  const Json r = record();
  EXPECT_EQ(r["result"], "client_gone");
  for (const Json& attempt : r["attempts"]) {
    EXPECT_EQ(attempt["outcome"], "neutral");
    EXPECT_FALSE(attempt.contains("superseded"));
  }
  EXPECT_EQ(r["attempts"].size(), 2u);
}

TEST_F(Hedging, TheWholeTimeIsUpAndBothAreBrokenOff) {
  World timed(kConfig, [](config::Loaded& loaded) {
    hedged(loaded);
    for (Route& route : loaded.catalog.routes) route.timeouts.total = milliseconds(1000);
  });
  timed.learn_waits(0, timed.engine->task("chat"), 200, milliseconds(800));
  timed.on("a@p", hangs());
  timed.on("b@q", hangs());
  World::Play one(timed, 1);
  one.send("/v1/chat/completions", kStream);
  one.to_end();
  EXPECT_EQ(timed.now, Instant{2000});
  ASSERT_EQ(timed.calls.size(), 2u);
  EXPECT_TRUE(timed.calls[0].aborted && timed.calls[1].aborted);
  EXPECT_EQ(one.seen.status, 504);
  const Json r = Json::parse(one.seen.records.at(0));
  EXPECT_EQ(r["attempts"][0]["outcome"], "failure");
  EXPECT_EQ(r["attempts"][1]["outcome"], "neutral");
}

TEST_F(Hedging, EachHasItsOwnLimits) {
  ask_both();
  const Instant second = world.now;
  EXPECT_EQ(play.wake, (Wakeup{world.calls[0].at + seconds(60), TimerReason::first_byte}));
  world.now = second + milliseconds(10);
  head(1);
  EXPECT_EQ(play.wake, (Wakeup{second + seconds(60), TimerReason::first_byte}));  // the rival's
  EXPECT_EQ(ring(), TimerReason::first_byte);
  EXPECT_TRUE(world.calls[1].aborted);
  EXPECT_FALSE(world.calls[0].aborted);
  says(1, from_a());
  says(1, kEnd);
  expect_answer(from_a(), "a@p");
}

TEST_F(Hedging, WhileTheClientDoesNotReadNobodyIsLate) {
  ask_both();
  head(1);
  head(2);
  play.tell(ClientPaused{});
  EXPECT_NE(play.wake.reason, TimerReason::idle);
  world.now = world.now + seconds(30);
  play.tell(ClientReady{});
  EXPECT_EQ(play.wake, (Wakeup{world.now + seconds(60), TimerReason::idle}));
  says(2, from_b());
  says(2, kEnd);
  expect_answer(from_b(), "b@q");
  EXPECT_EQ(record()["attempts"][1]["first_token_ms"], 0);
}

TEST_F(Hedging, AClientThatDoesNotReadIsNotHelpedByASecond) {
  ask();
  play.tell(ClientPaused{});
  EXPECT_EQ(ring(), TimerReason::hedge);
  EXPECT_EQ(world.calls.size(), 1u);
}

TEST_F(Hedging, OneHeadWhoeverKeptTheClientWaiting) {
  World kept(kConfig, [](config::Loaded& loaded) {
    hedged(loaded);
    for (Route& route : loaded.catalog.routes) route.keepalive = milliseconds(500);
  });
  kept.learn_waits(0, kept.engine->task("chat"), 200, milliseconds(800));
  kept.on("a@p", hangs());
  kept.on("b@q", hangs());
  World::Play one(kept, 1);
  one.send("/v1/chat/completions", kStream);
  for (int i = 0; i < 4; ++i) one.step();
  ASSERT_EQ(kept.calls.size(), 2u);
  one.tell(HeadArrived{2, 200, kSse});
  one.tell(BytesArrived{2, openai_chunk("late")});
  one.tell(BytesArrived{2, kEnd});
  const std::string comment = ": keep-alive\n\n";
  EXPECT_EQ(one.seen.body, comment + comment + comment + openai_chunk("late") + kEnd);
}

TEST_F(Hedging, TheBudgetIsItsOwnAndHasNoReserve) {  // H3
  World frugal(kConfig, [](config::Loaded& loaded) {
    hedged(loaded);
    for (Route& route : loaded.catalog.routes) route.hedge.budget_micros = 250000;  // one in four
  });
  frugal.learn_waits(0, frugal.engine->task("chat"), 1000, milliseconds(100));
  frugal.on("a@p", hangs());
  frugal.on("b@q", hangs());
  for (std::uint64_t i = 1; i <= 8; ++i) {
    World::Play one(frugal, i);
    one.send("/v1/chat/completions", kStream);
    ASSERT_EQ(one.wake.reason, TimerReason::hedge);
    one.step();
    one.tell(ClientGone{});
  }
  EXPECT_EQ(frugal.calls.size(), 8u + 2u);
  // What hedges used up the retries still have, and the other way round.
  EXPECT_GT(frugal.engine->budgets(&frugal.engine->catalog().routes[0]).failover.left(frugal.now), 0);
}

TEST_F(Hedging, ARivalMustBeWellAndTheAttemptsMustAllowIt) {
  World few(kConfig, [](config::Loaded& loaded) {
    hedged(loaded);
    for (Route& route : loaded.catalog.routes) route.retry.attempts = 1;
  });
  few.learn_waits(0, few.engine->task("chat"), 200, milliseconds(800));
  few.on("a@p", hangs());
  World::Play alone(few, 1);
  alone.send("/v1/chat/completions", kStream);
  alone.step();
  EXPECT_EQ(few.calls.size(), 1u);

  ask();
  world.engine->health().act(1, health::Act::force_open, world.now, world.wall());
  EXPECT_EQ(ring(), TimerReason::hedge);  // b@q went out meanwhile: c@c is next
  EXPECT_EQ(world.called(), (std::vector<std::string>{"a@p", "c@c"}));
  head(2);
  fails(2);
  play.tell(ClientGone{});
}

TEST_F(Hedging, ARecoveringLineIsLeftForLater) {
  recover(1);
  ask();
  EXPECT_EQ(ring(), TimerReason::hedge);
  EXPECT_EQ(world.called(), (std::vector<std::string>{"a@p", "c@c"}));
}

TEST_F(Hedging, AProbeIsNotHedged) {
  world.on("a@p", hangs());
  recover(0);
  world.learn_waits(1, world.engine->task("chat"), 200, milliseconds(800));
  play.send("/v1/chat/completions", kStream);
  ASSERT_EQ(world.called(), std::vector<std::string>{"a@p"});
  EXPECT_NE(play.wake.reason, TimerReason::hedge);
}

TEST_F(Hedging, WhatTheHostAbandonsGivesBackAll) {
  {
    World::Play lost(world, 7);
    know();
    for (const char* line : {"a@p", "b@q"}) world.on(line, hangs());
    lost.send("/v1/chat/completions", kStream);
    world.now = lost.wake.at;
    lost.tell(TimerFired{});
    ASSERT_EQ(world.calls.size(), 2u);
  }
  EXPECT_EQ(world.engine->loans().count(), 0u);
}

}  // namespace
}  // namespace shunt::exchange
