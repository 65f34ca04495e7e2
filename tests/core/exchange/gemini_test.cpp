// Google's API on both sides: the model and the stream stand in the path, nothing marks a stream's end.
#include <nlohmann/json.hpp>

#include "world.h"

namespace shunt::exchange {
namespace {

constexpr const char* kConfig = R"({
  "providers": {
    "o": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": ["O"]},
    "g": {"dialect": "gemini_generate", "base_url": "http://127.0.0.1:2/v1beta", "keys": ["G"]}},
  "deployments": [
    {"id": "a@o", "provider": "o", "model": "m-o"},
    {"id": "a@g", "provider": "g", "model": "m-g"},
    {"id": "b@g", "provider": "g", "model": "m-b"}],
  "routes": {
    "by-openai": {"deployments": ["a@o"]},
    "by-gemini": {"deployments": ["a@g"]},
    "both": {"deployments": ["a@g", "b@g"]},
    "patient": {"deployments": ["a@g"], "keepalive_ms": 1000}}})";
constexpr const char* kAsk = R"({"contents":[{"role":"user","parts":[{"text":"hi"}]}]})";
constexpr const char* kText =
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"hey\"}],\"role\":\"model\"},\"index\":0}]}"
    "\r\n\r\n";
constexpr const char* kFinish =
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\"}],\"role\":\"model\"},\"finishReason\":"
    "\"STOP\",\"index\":0}],\"usageMetadata\":{\"promptTokenCount\":1,\"candidatesTokenCount\":1}}\r\n\r\n";

std::string path(const std::string& route, bool stream) {
  return "/v1beta/models/" + route + (stream ? ":streamGenerateContent?alt=sse" : ":generateContent");
}

TEST(Gemini, AStreamOfItsOwnDialectIsRelayedAndEndsWithItsConnection) {
  World world(kConfig);
  world.on("a@g", streams({kText, kFinish}));
  const Seen seen = world.run(path("by-gemini", true), kAsk);
  EXPECT_EQ(seen.status, 200);
  EXPECT_EQ(seen.body, std::string(kText) + kFinish);
  EXPECT_TRUE(seen.clean);
  EXPECT_EQ(world.calls[0].url, "http://127.0.0.1:2/v1beta/models/m-g:streamGenerateContent?alt=sse");
  EXPECT_EQ(world.calls[0].body, kAsk);
}

TEST(Gemini, ClientsOfOneDialectReachProvidersOfAnother) {
  World world(kConfig);
  world.on("a@o", openai_stream("hey"));
  const Seen stream = world.run(path("by-openai", true), kAsk);
  EXPECT_NE(stream.body.find(R"("parts":[{"text":"hey"}])"), std::string::npos) << stream.body;
  EXPECT_NE(stream.body.find(R"("finishReason":"STOP")"), std::string::npos);
  EXPECT_EQ(stream.body.find("[DONE]"), std::string::npos);
  EXPECT_NE(world.calls[0].body.find(R"("stream":true)"), std::string::npos);
  EXPECT_NE(world.calls[0].body.find(R"("model":"m-o")"), std::string::npos);

  World other(kConfig);
  other.on("a@g", streams({kText, kFinish}));
  const Seen chat =
      other.chat(R"({"model":"by-gemini","stream":true,"messages":[{"role":"user","content":"hi"}]})");
  EXPECT_NE(chat.body.find(R"("content":"hey")"), std::string::npos) << chat.body;
  EXPECT_TRUE(chat.body.ends_with("data: [DONE]\n\n"));
  EXPECT_EQ(other.calls[0].body,
            R"({"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{}})");
}

TEST(Gemini, PlainAnswersBothWays) {
  World world(kConfig);
  world.on("a@o", says(200, openai_answer("hey")));
  const Seen seen = world.run(path("by-openai", false), kAsk);
  EXPECT_EQ(seen.status, 200);
  EXPECT_NE(seen.body.find(R"({"role":"model","parts":[{"text":"hey"}]},"finishReason":"STOP")"),
            std::string::npos)
      << seen.body;
  EXPECT_EQ(world.calls[0].body.find("\"stream\""), std::string::npos);

  World other(kConfig);
  other.on("a@g",
           says(200, R"({"candidates":[{"content":{"parts":[{"text":"hey"}]},"finishReason":"STOP"}]})"));
  const Seen chat = other.chat(R"({"model":"by-gemini","messages":[{"role":"user","content":"hi"}]})");
  EXPECT_NE(chat.body.find(R"("content":"hey")"), std::string::npos) << chat.body;
  EXPECT_EQ(other.calls[0].url, "http://127.0.0.1:2/v1beta/models/m-g:generateContent");
}

TEST(Gemini, AnArrayThatWasNotAskedForIsAWholeAnswer) {
  World world(kConfig);
  world.on("a@g", says(200,
                       "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"he\"}]}}]},\r\n"
                       "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"y\"}]},"
                       "\"finishReason\":\"STOP\"}]}]"));
  const Seen seen = world.run(path("by-gemini", true), kAsk);
  EXPECT_EQ(seen.status, 200);
  EXPECT_NE(seen.body.find(R"("text":"he")"), std::string::npos) << seen.body;
  EXPECT_NE(seen.body.find(R"("finishReason":"STOP")"), std::string::npos) << seen.body;
}

TEST(Gemini, ItsErrorsMoveOnAndAreToldInItsShape) {
  World world(kConfig);
  world.on(
      "a@g",
      says(503, R"({"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}})"));
  world.on("b@g", streams({kText, kFinish}));
  EXPECT_EQ(world.run(path("both", true), kAsk).status, 200);
  EXPECT_EQ(world.called(), (std::vector<std::string>{"a@g", "b@g"}));

  const Seen missing = world.run(path("nobody", false), kAsk);
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(missing.body.rfind(R"({"error":{"code":404,"message":"There is no route)", 0), 0U)
      << missing.body;
  EXPECT_NE(missing.body.find(R"("status":"NOT_FOUND")"), std::string::npos);
}

TEST(Gemini, AStreamThatIsCutEndsInAnError) {
  World world(kConfig);
  world.on("a@g", streams({kText}, Script::End::reset));
  const Seen seen = world.run(path("by-gemini", true), kAsk);
  EXPECT_EQ(seen.body.rfind(kText, 0), 0U);
  EXPECT_NE(seen.body.find(R"(data: {"error":{"code":)"), std::string::npos) << seen.body;
  EXPECT_TRUE(seen.body.ends_with("\r\n\r\n"));
}

// ---- without alt=sse: one JSON array, whose elements come over time ----

std::string array_path(const std::string& route) {
  return "/v1beta/models/" + route + ":streamGenerateContent";
}

std::string data_of(const char* frame) {
  const std::string text = frame;
  return text.substr(6, text.size() - 10);
}

TEST(Gemini, WithoutAltSseTheStreamIsOneArray) {
  World world(kConfig);
  world.on("a@g", streams({kText, kFinish}));
  World::Play play(world, 1);
  play.send(array_path("by-gemini"), kAsk);
  while (play.seen.body.empty() && play.step()) continue;
  EXPECT_EQ(play.seen.body, "[" + data_of(kText));  // as it comes
  play.to_end();
  EXPECT_EQ(play.seen.body, "[" + data_of(kText) + ",\r\n" + data_of(kFinish) + "\r\n]");
  EXPECT_EQ(play.seen.header("content-type"), "application/json");
  EXPECT_TRUE(play.seen.clean);
  EXPECT_EQ(world.calls[0].url, "http://127.0.0.1:2/v1beta/models/m-g:streamGenerateContent?alt=sse");
}

TEST(Gemini, AnArrayOfWhatAnotherDialectSaid) {
  World world(kConfig);
  world.on("a@o", openai_stream("h\\r\\ney"));
  const Seen seen = world.run(array_path("by-openai"), kAsk);
  const nlohmann::json array = nlohmann::json::parse(seen.body, nullptr, false);
  ASSERT_TRUE(array.is_array()) << seen.body;
  EXPECT_EQ(array[0]["candidates"][0]["content"]["parts"][0]["text"], "h\r\ney") << seen.body;
  EXPECT_EQ(array.back()["candidates"][0]["finishReason"], "STOP");
  EXPECT_TRUE(array.back().contains("usageMetadata"));
}

TEST(Gemini, AnArrayOfAProviderThatSendsOne) {
  World world(kConfig);
  Script script = streams({"[" + data_of(kText), ",\r\n" + data_of(kFinish) + "]"});
  script.headers = "content-type: application/json\n";
  world.on("a@g", script);
  const Seen seen = world.run(array_path("by-gemini"), kAsk);
  EXPECT_EQ(seen.body, "[" + data_of(kText) + ",\r\n" + data_of(kFinish) + "\r\n]");
  World whole(kConfig);
  whole.on("a@g", says(200, data_of(kFinish).replace(data_of(kFinish).find("\"\""), 2, "\"hey\"")));
  const nlohmann::json array =
      nlohmann::json::parse(whole.run(array_path("by-gemini"), kAsk).body, nullptr, false);
  ASSERT_TRUE(array.is_array());
  EXPECT_EQ(array[0]["candidates"][0]["content"]["parts"][0]["text"], "hey");
}

TEST(Gemini, AnArrayThatIsCutEndsInAnError) {
  World world(kConfig);
  world.on("a@g", streams({kText}, Script::End::reset));
  const Seen seen = world.run(array_path("by-gemini"), kAsk);
  const nlohmann::json array = nlohmann::json::parse(seen.body, nullptr, false);
  ASSERT_TRUE(array.is_array()) << seen.body;
  ASSERT_EQ(array.size(), 2U);
  EXPECT_EQ(array[1]["error"]["code"], 502);
  EXPECT_TRUE(array[1]["error"].contains("status"));
}

TEST(Gemini, AnErrorBeforeAnArrayIsItsOneElement) {
  World world(kConfig);
  const Seen missing = world.run(array_path("nobody"), kAsk);
  EXPECT_EQ(missing.status, 404);
  const nlohmann::json array = nlohmann::json::parse(missing.body, nullptr, false);
  ASSERT_TRUE(array.is_array()) << missing.body;
  EXPECT_EQ(array[0]["error"]["status"], "NOT_FOUND");
}

TEST(Gemini, AnArrayMayBeKeptWaiting) {
  World world(kConfig);
  world.on("a@g", hangs());
  World::Play play(world, 3);
  play.send(array_path("patient"), kAsk);
  for (int i = 0; i < 5 && play.seen.body.empty(); ++i) play.step();
  EXPECT_EQ(play.seen.body, "\r\n\r\n");
  play.tell(ClientGone{});
}

TEST(Gemini, AnIdleStreamIsKeptAliveByEmptyLines) {
  World world(kConfig);
  world.on("a@g", hangs());
  World::Play play(world, 3);
  play.send(path("patient", true), kAsk);
  for (int i = 0; i < 5 && play.seen.body.empty(); ++i) play.step();
  EXPECT_EQ(play.seen.body, "\r\n\r\n");
  play.tell(ClientGone{});
}

}  // namespace
}  // namespace shunt::exchange
