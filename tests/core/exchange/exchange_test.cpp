// The request of an exchange: refusals, bodies held and sent once, and nothing taken that does not come back.
#include "exchange/exchange.h"

#include "core/exchange/lines.h"

namespace shunt::exchange {
namespace {

TEST(Exchange, RefusalsSayWhatToDo) {
  World world(kConfig);
  EXPECT_EQ(world.run("/v1/nothing", "{}").status, 404);
  EXPECT_EQ(world.chat("{").status, 400);
  EXPECT_EQ(world.chat(R"({"messages":[]})").status, 400);
  const Seen unknown = world.chat(R"({"model":"nope","messages":[{"role":"user","content":"hi"}]})");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_NE(unknown.body.find("'nope'"), std::string::npos);
  EXPECT_TRUE(world.calls.empty());
}

TEST(Exchange, APageOfAnotherOriginSpendsNothing) {
  World world(kConfig);
  const Seen seen = world.run("/v1/chat/completions", kPlain, "origin: https://evil.example\n");
  EXPECT_EQ(seen.status, 403);
  EXPECT_TRUE(world.calls.empty());
}

TEST(Exchange, BodiesWithoutAStatedLengthAreCountedAsTheyCome) {
  World world(kConfig);
  World::Play play(world, 3);
  play.tell(RequestArrived{"POST", "/v1/chat/completions", "", "", world.wall(), std::nullopt});
  play.feed("{\"model\":\"chat\",");
  play.feed("\"messages\":[");
  EXPECT_EQ(world.engine->loans().bodies(), 28u);
}

TEST(Exchange, ALostExchangeGivesBackWhatItHeld) {
  World world(kConfig);
  world.on("a@p", hangs());
  {
    World::Play lost(world, 7);
    lost.begin("/v1/chat/completions", "", 30 * 1024 * 1024);
    EXPECT_EQ(world.engine->loans().bodies(), 30u * 1024 * 1024);
    world.now = world.now + seconds(3600);  // its host never said another word
    world.engine->loans().reclaim(world.now);
    EXPECT_EQ(world.engine->loans().bodies(), 0u);
  }
}

std::string image_body(const std::string& model, std::size_t bytes) {
  return R"({"stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"what is this"},)"
         R"({"type":"image_url","image_url":{"url":"data:image/png;base64,)" +
         std::string(bytes, 'A') + R"("}}]}],"max_tokens":50,"model":")" + model + "\"}";
}

TEST(Exchange, ABodyOverTheLimitIsSentOnceWhileItArrives) {
  for (const bool crosswise : {false, true}) {
    World world(kConfig);
    const std::string line = crosswise ? "claude" : "chat";
    world.on("a@p", openai_stream("seen"));
    world.on("c@c", says(500, "{}"));
    World::Play play(world, 3);
    const std::string body = image_body(line, 600000);
    play.send("/v1/chat/completions", body, "x-shunt-route: " + line + "\n", 40u * 1024 * 1024);
    play.to_end();
    ASSERT_EQ(world.calls.size(), 1u);
    EXPECT_NE(world.calls[0].body.find(std::string(600000, 'A')), std::string::npos);
    EXPECT_NE(world.calls[0].body.find(crosswise ? R"("model":"m-c")" : R"("model":"m-a")"),
              std::string::npos);
    EXPECT_EQ(play.seen.status, crosswise ? 503 : 200);
  }
}

TEST(Exchange, ABodySentOnceMayAskForAStreamBehindItsContent) {
  World world(kConfig);
  world.on("a@p", openai_stream("seen"));
  World::Play play(world, 3);
  std::string body = image_body("chat", 200000);
  body = R"({"messages")" + body.substr(body.find(":[{"), body.size());
  body.insert(body.size() - 1, R"(,"stream":true)");
  play.send("/v1/chat/completions", body, "x-shunt-route: chat\n", 40u * 1024 * 1024);
  play.to_end();
  EXPECT_EQ(play.seen.header("content-type"), "text/event-stream; charset=utf-8");
  EXPECT_EQ(play.seen.body, openai_chunk("seen") + openai_finish() + openai_done());
}

TEST(Exchange, ABodySentOnceMustNameItsRouteEarly) {
  World world(kConfig);
  World::Play play(world, 3);
  play.begin("/v1/chat/completions", "", 40u * 1024 * 1024);
  const std::string body = image_body("chat", 200000);
  for (std::size_t at = 0; at < body.size() && !play.exchange.finished(); at += limits::kSliceBytes) {
    play.feed(std::string_view(body).substr(at, limits::kSliceBytes));
  }
  EXPECT_EQ(play.seen.status, 413);
  EXPECT_NE(play.seen.body.find("x-shunt-route"), std::string::npos);
}

}  // namespace
}  // namespace shunt::exchange
