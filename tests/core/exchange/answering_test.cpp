// Answers on their way to the client: byte for byte, crosswise, and never a silent end.
#include "exchange/exchange.h"

#include "core/exchange/lines.h"
#include "core/wire/aws_message.h"

namespace shunt::exchange {
namespace {

TEST(Answering, AnswersAStreamByteForByte) {
  World world(kConfig);
  world.on("a@p", openai_stream("hello"));
  const Seen seen = world.chat(kStream);
  EXPECT_EQ(seen.status, 200);
  EXPECT_EQ(seen.body, openai_chunk("hello") + openai_finish() + openai_done());
  EXPECT_TRUE(seen.clean);
  EXPECT_EQ(seen.header("x-shunt-deployment"), "a@p");
  EXPECT_EQ(seen.header("x-shunt-attempts"), "1");
  EXPECT_EQ(seen.header("x-shunt-reason"), "first choice");
  ASSERT_EQ(world.calls.size(), 1u);
  EXPECT_EQ(world.calls[0].url, "http://127.0.0.1:1/v1/chat/completions");
  EXPECT_NE(world.calls[0].body.find(R"("model":"m-a")"), std::string::npos);
  EXPECT_NE(world.calls[0].body.find(R"("include_usage":true)"), std::string::npos);
}

TEST(Answering, AStreamCutAfterContentEndsInAnErrorEvent) {
  for (const auto end : {Script::End::clean, Script::End::reset, Script::End::hang}) {
    World world(kConfig);
    world.on("a@p", streams({openai_chunk("par")}, end));
    const Seen seen = world.chat(kStream);
    EXPECT_EQ(seen.status, 200);
    EXPECT_TRUE(seen.body.starts_with(openai_chunk("par")));
    EXPECT_NE(seen.body.find("data: {\"error\":"), std::string::npos) << seen.body;
    EXPECT_EQ(seen.body.find("[DONE]"), std::string::npos);
    EXPECT_EQ(world.called(), std::vector<std::string>{"a@p"});
  }
}

TEST(Answering, AnErrorEventAfterContentIsPassedOnAsOne) {
  World world(kConfig);
  world.on("a@p", streams({openai_chunk("par"),
                           "data: {\"error\":{\"message\":\"boom\",\"type\":\"server_error\"}}\n\n",
                           openai_done()}));
  const Seen seen = world.chat(kStream);
  EXPECT_NE(seen.body.find("boom"), std::string::npos);
  EXPECT_EQ(seen.body.find("[DONE]"), std::string::npos);
}

TEST(Answering, ABrokenFrameInAHealthyStreamHarmsNobody) {
  World world(kConfig);
  world.on("a@p", streams({openai_chunk("one"), "data: {\"id\":\"c1\",\"cho\n\n", openai_chunk("two"),
                           openai_finish() + openai_done()}));
  const Seen seen = world.chat(kStream);
  EXPECT_EQ(seen.body, openai_chunk("one") + openai_chunk("two") + openai_finish() + openai_done());
  EXPECT_NE(seen.records.back().find("\"bad_frames\":1"), std::string::npos);
}

// The client's stream is server-sent events whatever the provider's framing: its own bytes would say nothing.
TEST(Answering, AnotherFramingOfTheSameDialectIsWrittenAnew) {
  World world(kConfig);
  const auto bare = [](std::string event) { return event.substr(6, event.size() - 8); };
  world.on("a@p",
           {200,
            "content-type: application/x-ndjson\n",
            {bare(openai_chunk("one")) + "\n" + bare(openai_chunk("two")), "\n" + bare(openai_finish())}});
  const Seen seen = world.chat(kStream);
  EXPECT_TRUE(seen.body.starts_with("data: {")) << seen.body;
  EXPECT_TRUE(seen.body.ends_with("\n\ndata: [DONE]\n\n")) << seen.body;
  EXPECT_LT(seen.body.find("one"), seen.body.find("two"));
  EXPECT_TRUE(seen.clean);
}

TEST(Answering, ADamagedFramingIsTheTransportsFault) {
  World world(kConfig);
  std::string damaged = wire::test::aws_event("chunk", "{}");
  damaged.back() ^= 1;
  world.on("a@p", {200, "content-type: application/vnd.amazon.eventstream\n", {damaged}});
  world.on("b@q", openai_stream("hello"));
  const Seen seen = world.chat(kStream);
  EXPECT_NE(seen.body.find("hello"), std::string::npos);
  EXPECT_NE(seen.records.back().find("fault/protocol"), std::string::npos) << seen.records.back();
}

TEST(Answering, ClientGoneAbortsTheAttemptAndBlamesNobody) {
  World world(kConfig);
  world.on("a@p", streams({openai_chunk("x")}, Script::End::hang));
  World::Play play(world, 9);
  play.send("/v1/chat/completions", kStream);
  play.step();
  play.step();
  EXPECT_EQ(play.seen.status, 200);
  play.tell(ClientGone{});
  EXPECT_TRUE(world.calls[0].aborted);
  EXPECT_TRUE(play.exchange.finished());
  EXPECT_EQ(world.engine->health().read(0, world.now).failure_count, 0u);
}

TEST(Answering, IdleTimeDoesNotRunWhileTheClientDoesNotRead) {
  World world(kConfig);
  world.on("a@p", streams({openai_chunk("x")}, Script::End::hang));
  World::Play play(world, 9);
  play.send("/v1/chat/completions", kStream);
  play.step();
  play.step();
  EXPECT_EQ(play.wake.reason, TimerReason::idle);
  play.tell(ClientPaused{});
  EXPECT_EQ(play.wake.reason, TimerReason::client_stall);
  play.tell(ClientReady{});
  EXPECT_EQ(play.wake.reason, TimerReason::idle);
}

TEST(Answering, CrosswiseStreamsAndAnswersSpeakTheClientsDialect) {
  World world(kConfig);
  const std::string anthropic =
      "event: message_start\ndata: "
      "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\","
      "\"model\":\"m-c\",\"content\":[],\"stop_reason\":null,\"usage\":{\"input_tokens\":3,\"output_tokens\":"
      "1}}}\n\n"
      "event: content_block_start\ndata: "
      "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
      "event: content_block_delta\ndata: "
      "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"hello\"}}"
      "\n\n"
      "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
      "event: message_delta\ndata: "
      "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":2}}"
      "\n\n"
      "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
  world.on("c@c", streams({anthropic}));
  const Seen seen =
      world.chat(R"({"model":"claude","stream":true,"messages":[{"role":"user","content":"hi"}]})");
  EXPECT_EQ(seen.status, 200);
  EXPECT_NE(seen.body.find("\"content\":\"hello\""), std::string::npos) << seen.body;
  EXPECT_TRUE(seen.body.ends_with("data: [DONE]\n\n"));
  EXPECT_EQ(world.calls[0].url, "http://127.0.0.1:3/v1/messages");
  EXPECT_NE(world.calls[0].body.find("\"max_tokens\""), std::string::npos);
}

TEST(Answering, APlainAnswerOverTheLimitIsRelayedWithoutAGap) {
  World world(kConfig);
  std::string answer = openai_answer(std::string(5'000'000, 'x'));
  std::vector<std::string> chunks;
  for (std::size_t at = 0; at < answer.size(); at += 60'001) chunks.push_back(answer.substr(at, 60'001));
  world.on("a@p",
           {200, "content-type: application/json\n", chunks, Script::End::clean, TransportFault::reset});
  const Seen seen = world.chat(kPlain);
  EXPECT_EQ(seen.status, 200);
  EXPECT_TRUE(seen.body == answer) << seen.body.size() << " of " << answer.size();
}

TEST(Answering, AStreamFoldedForAPlainClientIsBounded) {
  World world(kConfig);
  world.on("a@p",
           streams(std::vector<std::string>(200, openai_chunk(std::string(60'000, 'x'))), Script::End::hang));
  EXPECT_EQ(world.chat(kPlain).status, 502);
  EXPECT_TRUE(world.calls[0].aborted);
  EXPECT_EQ(world.engine->loans().answers(), 0u);
}

const char kKeepalive[] = R"({
  "providers": {
    "p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": ["P_KEY"]},
    "q": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:2/v1", "keys": ["Q_KEY"]}
  },
  "deployments": [
    {"id": "a@p", "provider": "p", "model": "m-a", "priority": 1},
    {"id": "b@q", "provider": "q", "model": "m-b", "priority": 2}
  ],
  "routes": {"chat": {"deployments": ["a@p", "b@q"], "keepalive_ms": 1000}}
})";
const std::string kRole =
    "data: "
    "{\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n";

TEST(Answering, KeepaliveCommentsSendTheHeadAndLoseNothing) {
  World world(kKeepalive);
  world.on("a@p", hangs());
  World::Play play(world, 1);
  play.send("/v1/chat/completions", kStream);
  play.tell(HeadArrived{1, 200, "content-type: text/event-stream\n"});
  play.tell(BytesArrived{1, kRole});
  EXPECT_EQ(play.seen.status, 0);
  play.step();
  EXPECT_EQ(play.seen.status, 200);
  EXPECT_EQ(play.seen.body, ": keep-alive\n\n");
  play.tell(BytesArrived{1, openai_chunk("x")});
  EXPECT_EQ(play.seen.body, ": keep-alive\n\n" + kRole + openai_chunk("x"));
  EXPECT_NE(play.wake.reason, TimerReason::keepalive) << "content keeps a connection alive by itself";
}

TEST(Answering, FailoverGoesOnAfterAKeepalive) {
  World world(kKeepalive);
  world.on("a@p", hangs());
  world.on("b@q", openai_stream("from b"));
  World::Play play(world, 1);
  play.send("/v1/chat/completions", kStream);
  play.tell(HeadArrived{1, 200, "content-type: text/event-stream\n"});
  play.tell(BytesArrived{1, kRole});
  play.step();
  play.tell(AttemptBroke{1, TransportFault::reset, ""});
  play.to_end();
  EXPECT_EQ(play.seen.body, ": keep-alive\n\n" + openai_chunk("from b") + openai_finish() + openai_done());
  EXPECT_EQ(world.called(), (std::vector<std::string>{"a@p", "b@q"}));
}

}  // namespace
}  // namespace shunt::exchange
