// A copy of answered requests for a line that is being tried out: sent when the answer has begun, learnt
// from, and seen by nobody.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/exchange/lines.h"
#include "core/exchange/world.h"

namespace shunt::exchange {
namespace {

using Json = nlohmann::json;

// "chat" is answered by a@p or b@q and shadowed by c@c, which speaks another dialect.
void shadowed(config::Loaded& loaded) {
  for (Route& route : loaded.catalog.routes) route.shadow = {"c@c", 1000000, {}};
}

const std::string kEnd = openai_finish() + openai_done();
constexpr std::string_view kSse = "content-type: text/event-stream\n";
constexpr std::uint32_t kShadowLine = 2;

std::string event(const std::string& type, const std::string& rest) {
  return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + rest + "}\n\n";
}
std::string claude_begins() {
  return event(
             "message_start",
             R"(,"message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":11,"output_tokens":1}})") +
         event("content_block_start", R"(,"index":0,"content_block":{"type":"text","text":""})") +
         event("content_block_delta", R"(,"index":0,"delta":{"type":"text_delta","text":"from the shadow"})");
}
std::string claude_ends() {
  return event("content_block_stop", R"(,"index":0)") +
         event("message_delta", R"(,"delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5})") +
         event("message_stop", "");
}
constexpr std::string_view kClaudeAnswer =
    R"({"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"from the shadow"}],"stop_reason":"end_turn","usage":{"input_tokens":11,"output_tokens":5}})";

class Shadowing : public ::testing::Test {
 protected:
  void ask(const std::string& body = kStream, const std::string& headers = "") {
    for (const char* line : {"a@p", "b@q", "c@c"}) world.on(line, hangs());
    play.send("/v1/chat/completions", body, headers);
  }
  void says(AttemptNo no, std::string_view bytes) { play.tell(BytesArrived{no, bytes}); }
  void head(AttemptNo no, int status = 200, std::string_view type = kSse) {
    play.tell(HeadArrived{no, status, type});
  }
  // Up to where the answer has begun: a@p is attempt 1, the shadow attempt 2.
  void begin() {
    ask();
    head(1);
    EXPECT_EQ(world.calls.size(), 1u);
    says(1, openai_chunk("for you"));
    ASSERT_EQ(world.called(), (std::vector<std::string>{"a@p", "c@c"}));
    EXPECT_TRUE(world.calls[1].shadow);
  }
  void expect_answer() {
    EXPECT_EQ(play.seen.body, openai_chunk("for you") + kEnd);
    EXPECT_TRUE(play.seen.ended && play.seen.clean);
    EXPECT_EQ(play.seen.header("x-shunt-deployment"), "a@p");
    EXPECT_EQ(play.seen.header("x-shunt-attempts"), "1");
  }
  Json last_record() { return Json::parse(play.seen.records.back()); }

  World world{kConfig, shadowed};
  World::Play play{world, 1};
};

TEST_F(Shadowing, ItsAnswerIsLearntAndSeenByNobody) {
  begin();
  EXPECT_NE(world.calls[1].body.find("\"hi\""), std::string::npos);
  EXPECT_NE(world.calls[1].url.find("/v1/messages"), std::string::npos);
  head(2);
  world.now = world.now + milliseconds(40);
  says(2, claude_begins());
  says(1, kEnd);
  expect_answer();
  ASSERT_EQ(play.seen.records.size(), 1u);  // told at once, whatever the shadow does
  EXPECT_EQ(last_record()["attempts"].size(), 1u);
  EXPECT_FALSE(play.exchange.finished());
  play.tell(AttemptEnded{1});
  EXPECT_FALSE(play.exchange.finished());
  says(2, claude_ends());
  EXPECT_TRUE(play.exchange.finished());
  const Json r = last_record();
  EXPECT_EQ(r["record"], "shunt-shadow/1");
  EXPECT_EQ(r["id"], Json::parse(play.seen.records[0])["id"]);
  EXPECT_EQ(r["deployment"], "c@c");
  EXPECT_EQ(r["attempt"], 2);
  EXPECT_EQ(r["purpose"], "shadow");
  EXPECT_EQ(r["outcome"], "success");
  EXPECT_EQ(r["first_token_ms"], 40);
  EXPECT_EQ(r["usage"]["prompt"], 11);
  health::Spread spread;
  world.engine->health().collect(kShadowLine, health::Latency::first_token, world.engine->task("chat"),
                                 world.now, spread);
  EXPECT_EQ(spread.count(), 1u);
  EXPECT_EQ(world.engine->loans().count(), 0u);
}

TEST_F(Shadowing, ThatEndsFirstLeavesTheAnswerAlone) {
  begin();
  head(2);
  says(2, claude_begins() + claude_ends());
  EXPECT_FALSE(play.exchange.finished());
  says(1, kEnd);
  expect_answer();
  play.tell(AttemptEnded{1});
  EXPECT_TRUE(play.exchange.finished());
  EXPECT_EQ(play.seen.records.size(), 2u);
}

TEST_F(Shadowing, APlainAnswerIsWholeBeforeItBegins) {
  ask(kPlain);
  head(1, 200, "content-type: application/json\n");
  says(1, openai_answer("for you"));
  EXPECT_EQ(world.calls.size(), 1u);
  play.tell(AttemptEnded{1});
  ASSERT_EQ(world.called(), (std::vector<std::string>{"a@p", "c@c"}));
  EXPECT_EQ(play.seen.body, openai_answer("for you"));
  EXPECT_TRUE(play.seen.ended);
  EXPECT_FALSE(play.exchange.finished());
  head(2, 200, "content-type: application/json\n");
  says(2, kClaudeAnswer);
  EXPECT_EQ(world.engine->loans().answers(), kClaudeAnswer.size());
  play.tell(AttemptEnded{2});
  EXPECT_TRUE(play.exchange.finished());
  EXPECT_EQ(last_record()["outcome"], "success");
  EXPECT_EQ(world.engine->loans().count(), 0u);
}

TEST_F(Shadowing, ItsFailuresLeadToNoRetryAndCountAgainstItsLine) {
  begin();
  says(1, kEnd);
  play.tell(AttemptEnded{1});
  head(2, 529, "content-type: application/json\n");
  says(2, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})");
  play.tell(AttemptEnded{2});
  EXPECT_TRUE(play.exchange.finished());
  expect_answer();
  EXPECT_EQ(world.calls.size(), 2u);
  EXPECT_EQ(last_record()["verdict"]["class"], "TEMPORARY");
  EXPECT_TRUE(world.engine->health().read(kShadowLine, world.now).last_failure.has_value());
}

TEST_F(Shadowing, EveryWayToFailIsTold) {
  struct Case {
    const char* name;
    std::function<void(World::Play&)> happens;
    const char* error_class;
  };
  const Case cases[] = {
      {"reset", [](World::Play& p) { p.tell(AttemptBroke{2, TransportFault::reset, "ECONNRESET"}); },
       "EXTERNAL_NETWORK"},
      {"cut",
       [](World::Play& p) {
         p.tell(HeadArrived{2, 200, kSse});
         p.tell(BytesArrived{2, claude_begins()});
         p.tell(AttemptEnded{2});
       },
       "EXTERNAL_NETWORK"},
      {"error event",
       [](World::Play& p) {
         p.tell(HeadArrived{2, 200, kSse});
         p.tell(BytesArrived{
             2, event("error", R"(,"error":{"type":"overloaded_error","message":"Overloaded"})")});
       },
       "TEMPORARY"},
      {"empty",
       [](World::Play& p) {
         p.tell(HeadArrived{2, 200, kSse});
         p.tell(BytesArrived{2, event("message_delta", R"(,"delta":{"stop_reason":"end_turn"})") +
                                    event("message_stop", "")});
       },
       "EMPTY_CONTENT"},
      {"silence", [](World::Play& p) { p.to_end(); }, "EXTERNAL_NETWORK"},
  };
  for (const Case& each : cases) {
    World fresh(kConfig, shadowed);
    for (const char* line : {"a@p", "c@c"}) fresh.on(line, hangs());
    World::Play one(fresh, 1);
    one.send("/v1/chat/completions", kStream);
    one.tell(HeadArrived{1, 200, kSse});
    one.tell(BytesArrived{1, openai_chunk("for you")});
    one.tell(BytesArrived{1, kEnd});
    one.tell(AttemptEnded{1});
    each.happens(one);
    EXPECT_TRUE(one.exchange.finished()) << each.name;
    EXPECT_EQ(Json::parse(one.seen.records.back())["verdict"]["class"], each.error_class) << each.name;
    EXPECT_EQ(one.seen.body, openai_chunk("for you") + kEnd) << each.name;
  }
}

TEST_F(Shadowing, IsOverWithinAMinuteWhateverItSays) {
  begin();
  const Instant began = world.now;
  says(1, kEnd);
  head(2);
  for (int i = 0; i < 200 && !play.exchange.finished(); ++i) {
    world.now = world.now + seconds(1);
    if (play.wake.at <= world.now) {
      play.tell(TimerFired{});
    } else {
      says(2, event("ping", ""));
    }
  }
  EXPECT_TRUE(play.exchange.finished());
  EXPECT_EQ(world.now, began + seconds(60));
  EXPECT_TRUE(world.calls[1].aborted);
}

TEST_F(Shadowing, TheClientMayLeaveOnceItsAnswerHasBegun) {
  begin();
  play.tell(ClientGone{});
  EXPECT_TRUE(world.calls[0].aborted);
  EXPECT_FALSE(world.calls[1].aborted);
  EXPECT_EQ(last_record()["result"], "client_gone");
  play.tell(ClientGone{});
  head(2);
  says(2, claude_begins() + claude_ends());
  EXPECT_TRUE(play.exchange.finished());
  EXPECT_EQ(last_record()["outcome"], "success");
}

TEST_F(Shadowing, BeforeThatThereIsNone) {
  ask();
  head(1);
  play.tell(ClientGone{});
  EXPECT_TRUE(play.exchange.finished());
  EXPECT_EQ(world.calls.size(), 1u);
}

TEST_F(Shadowing, ASlowClientDoesNotSlowIt) {
  begin();
  head(2);
  play.tell(ClientPaused{});
  EXPECT_EQ(play.wake, (Wakeup{world.now + seconds(60), TimerReason::idle}));  // the shadow's
  world.now = world.now + milliseconds(70);
  says(2, claude_begins() + claude_ends());
  EXPECT_EQ(last_record()["first_token_ms"], 70);
  EXPECT_EQ(play.wake.reason, TimerReason::client_stall);
  play.tell(ClientReady{});
  says(1, kEnd);
  expect_answer();
}

TEST_F(Shadowing, AnAnswerThatBreaksIsToldAndTheShadowGoesOn) {
  begin();
  play.tell(AttemptBroke{1, TransportFault::reset, "ECONNRESET"});
  EXPECT_EQ(last_record()["result"], "broken");
  EXPECT_TRUE(play.seen.ended);
  EXPECT_FALSE(play.exchange.finished());
  head(2);
  says(2, claude_begins() + claude_ends());
  EXPECT_TRUE(play.exchange.finished());
}

TEST_F(Shadowing, ARivalThatWinsIsShadowedAndTheLoserIsNot) {
  World both(kConfig, [](config::Loaded& loaded) {
    shadowed(loaded);
    for (Route& route : loaded.catalog.routes) route.hedge = {950, 1000000};
  });
  both.learn_waits(0, both.engine->task("chat"), 200, milliseconds(800));
  for (const char* line : {"a@p", "b@q", "c@c"}) both.on(line, hangs());
  World::Play one(both, 1);
  one.send("/v1/chat/completions", kStream);
  one.step();
  one.tell(HeadArrived{2, 200, kSse});
  one.tell(BytesArrived{2, openai_chunk("for you")});
  EXPECT_EQ(both.called(), (std::vector<std::string>{"a@p", "b@q", "c@c"}));
  one.tell(BytesArrived{3, "no head yet"});
  one.tell(HeadArrived{3, 200, kSse});
  one.tell(BytesArrived{3, claude_begins() + claude_ends()});
  one.tell(BytesArrived{2, kEnd});
  EXPECT_EQ(one.seen.body, openai_chunk("for you") + kEnd);
  EXPECT_EQ(one.seen.header("x-shunt-attempts"), "2");
  EXPECT_EQ(Json::parse(one.seen.records.back())["attempts"].size(), 2u);
}

TEST_F(Shadowing, OnlyForRequestsThatMayBeRepeatedAndALineThatIsWell) {
  const auto calls_with = [](const std::string& headers, const std::function<void(World&)>& before = {},
                             std::int64_t share = 1000000, const char* line = "c@c") {
    World fresh(kConfig, [&](config::Loaded& loaded) {
      for (Route& route : loaded.catalog.routes) route.shadow = {line, share, {}};
    });
    if (before) before(fresh);
    fresh.on("a@p", openai_stream("for you"));
    fresh.on("c@c", streams({claude_begins() + claude_ends()}));
    const Seen seen = fresh.run("/v1/chat/completions", kStream, headers);
    EXPECT_EQ(seen.body, openai_chunk("for you") + kEnd);
    return fresh.calls.size();
  };
  EXPECT_EQ(calls_with(""), 2u);
  EXPECT_EQ(calls_with("x-shunt-repeatable: no\n"), 1u);
  EXPECT_EQ(calls_with("x-shunt-deployment: a@p\n"), 1u);
  EXPECT_EQ(calls_with("x-shunt-exclude: c@c\n"), 1u);
  EXPECT_EQ(calls_with("", {}, 0), 1u);
  EXPECT_EQ(calls_with("", {}, 1000000, "a@p"), 1u);  // the line that answers needs no copy
  EXPECT_EQ(calls_with("", {}, 1000000, "gone"), 1u);
  const auto open = [](World& fresh) {
    fresh.engine->health().act(2, health::Act::force_open, fresh.now, fresh.wall());
  };
  EXPECT_EQ(calls_with("", open), 1u);
}

// Not even while its gate is shut, which is what keeps it from being ranked.
TEST(ShadowingLimits, ALineThatIsAtItsLimitsGetsNone) {
  World world(kConfig, [](config::Loaded& loaded) {
    loaded.catalog.deployments[kShadowLine].limits.rpm = 10;  // one at once
    for (Route& route : loaded.catalog.routes) route.shadow = {"c@c", 1000000, {100, 0, 0}};
  });
  world.on("a@p", openai_stream("hi"));
  world.on("c@c", streams({claude_begins() + claude_ends()}));
  EXPECT_EQ(world.chat(kStream).status, 200);
  EXPECT_EQ(world.called(), (std::vector<std::string>{"a@p", "c@c"}));
  EXPECT_EQ(world.chat(kStream).status, 200);
  EXPECT_EQ(world.called(), (std::vector<std::string>{"a@p", "c@c", "a@p"}));
}

TEST_F(Shadowing, TheShareIsDrawn) {
  World some(kConfig, [](config::Loaded& loaded) {
    for (Route& route : loaded.catalog.routes) route.shadow = {"c@c", 250000, {}};
  });
  some.on("a@p", openai_stream("for you"));
  some.on("c@c", streams({claude_begins() + claude_ends()}));
  for (int i = 0; i < 2000; ++i) some.chat(kStream);
  const auto shadows = static_cast<double>(some.calls.size()) - 2000;
  EXPECT_NEAR(shadows, 500, 5 * 19.4);  // five standard deviations
}

TEST_F(Shadowing, WhatTheHostAbandonsGivesBackAll) {
  {
    World::Play lost(world, 7);
    for (const char* line : {"a@p", "c@c"}) world.on(line, hangs());
    lost.send("/v1/chat/completions", kStream);
    lost.tell(HeadArrived{1, 200, kSse});
    lost.tell(BytesArrived{1, openai_chunk("for you")});
    lost.tell(BytesArrived{1, kEnd});
    EXPECT_EQ(world.engine->loans().count(), 1u);
  }
  EXPECT_EQ(world.engine->loans().count(), 0u);
}

}  // namespace
}  // namespace shunt::exchange
