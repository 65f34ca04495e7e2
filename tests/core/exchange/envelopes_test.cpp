// Clouds that wrap anthropic_messages: path, body and stream of the call, as their references have them.
//   https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
//   https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude
#include <nlohmann/json.hpp>

#include "core/wire/aws_message.h"
#include "world.h"

namespace shunt::exchange {
namespace {

using Json = nlohmann::json;

constexpr const char* kConfig = R"({
  "providers": {
    "b": {"preset": "bedrock-anthropic", "base_url": "https://bedrock-runtime.us-east-1.amazonaws.com",
          "keys": ["B"]},
    "q": {"dialect": "anthropic_messages", "base_url": "http://127.0.0.1:1", "quirks": ["bedrock_invoke"]},
    "v": {"preset": "vertex-anthropic", "keys": ["V"],
          "base_url": "https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic"}},
  "deployments": [
    {"id": "a@b", "provider": "b", "model": "us.anthropic.claude-sonnet-4-20250514-v1:0"},
    {"id": "a@q", "provider": "q", "model": "m",
     "override": {"params": {"anthropic_version": "own"}, "drop": ["top_k"]}},
    {"id": "a@v", "provider": "v", "model": "claude-sonnet-4@20250514"}],
  "routes": {
    "by-bedrock": {"deployments": ["a@b"]}, "by-quirk": {"deployments": ["a@q"]},
    "by-vertex": {"deployments": ["a@v"]}}})";

std::string ask(const char* route, bool stream, const char* more = "") {
  return std::string(R"({"model":")") + route + R"(","max_tokens":9,)" + (stream ? R"("stream":true,)" : "") +
         more + R"("messages":[{"role":"user","content":"hi"}]})";
}

std::string base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += 3) {
    unsigned bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8U | (at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      out += at + i > text.size() ? '=' : kDigits[bits >> (18U - 6U * static_cast<unsigned>(i)) & 63U];
  }
  return out;
}

std::string chunk(std::string_view event) {
  return wire::test::aws_event("chunk", R"({"bytes":")" + base64(event) + R"(","p":"abc"})");
}

std::vector<std::string> chunks() {
  return {chunk(R"({"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",)"
                R"("model":"claude","content":[],"stop_reason":null,"usage":{"input_tokens":3,)"
                R"("output_tokens":1}}})"),
          chunk(R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})"),
          chunk(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hey"}})"),
          chunk(R"({"type":"content_block_stop","index":0})"),
          chunk(R"({"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},)"
                R"("usage":{"output_tokens":2}})"),
          chunk(R"({"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":3}})")};
}

Script aws_stream(std::vector<std::string> messages) {
  Script script = streams(std::move(messages));
  script.headers = "content-type: application/vnd.amazon.eventstream\n";
  return script;
}

TEST(Envelopes, BedrocksInvokeNamesModelAndStreamInItsPath) {
  World world(kConfig);
  world.on("a@b", aws_stream(chunks()));
  const Seen seen = world.run("/v1/messages", ask("by-bedrock", true));
  ASSERT_EQ(world.calls.size(), 1U);
  EXPECT_EQ(
      world.calls[0].url,
      "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-sonnet-4-20250514-v1:0/"
      "invoke-with-response-stream");
  EXPECT_EQ(Json::parse(world.calls[0].body),
            Json::parse(R"({"anthropic_version":"bedrock-2023-05-31","max_tokens":9,
                            "messages":[{"role":"user","content":"hi"}]})"));
  EXPECT_EQ(seen.status, 200);
  EXPECT_NE(seen.body.find(R"("delta":{"type":"text_delta","text":"hey"})"), std::string::npos) << seen.body;
  EXPECT_NE(seen.body.find(R"("stop_reason":"end_turn")"), std::string::npos);
  EXPECT_TRUE(seen.body.ends_with("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n")) << seen.body;
}

TEST(Envelopes, ClientsOfOtherDialectsReachIt) {
  World world(kConfig);
  world.on("a@b", aws_stream(chunks()));
  const Seen seen =
      world.chat(R"({"model":"by-bedrock","stream":true,"messages":[{"role":"user","content":"hi"}]})");
  EXPECT_NE(seen.body.find(R"("content":"hey")"), std::string::npos) << seen.body;
  EXPECT_TRUE(seen.body.ends_with("data: [DONE]\n\n"));
  EXPECT_EQ(Json::parse(world.calls[0].body),
            Json::parse(R"({"anthropic_version":"bedrock-2023-05-31","max_tokens":4096,"messages":[
                            {"role":"user","content":[{"type":"text","text":"hi"}]}]})"));
}

TEST(Envelopes, APlainAnswerOfBedrockIsTheMessageItself) {
  World world(kConfig);
  const std::string answer =
      R"({"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[)"
      R"({"type":"text","text":"hey"}],"stop_reason":"end_turn","usage":{}})";
  world.on("a@b", says(200, answer));
  const Seen seen = world.run("/v1/messages", ask("by-bedrock", false));
  EXPECT_EQ(seen.body, answer);
  EXPECT_TRUE(world.calls[0].url.ends_with("/model/us.anthropic.claude-sonnet-4-20250514-v1:0/invoke"));
  EXPECT_EQ(Json::parse(world.calls[0].body).value("stream", false), false);
}

TEST(Envelopes, AnExceptionInItsStreamIsAnError) {
  World world(kConfig);
  const std::string headers = wire::test::aws_text(":message-type", "exception") +
                              wire::test::aws_text(":exception-type", "throttlingException");
  world.on("a@b", aws_stream({wire::test::aws_message(headers, R"({"message":"Too many requests"})")}));
  const Seen seen = world.run("/v1/messages", ask("by-bedrock", true));
  EXPECT_EQ(seen.status, 429) << seen.body;
}

TEST(Envelopes, TheClientsAndTheLinesOwnVersionStand) {
  World world(kConfig);
  world.on("a@b", says(200, "{}"));
  world.run("/v1/messages", ask("by-bedrock", false, R"("anthropic_version":"bedrock-9",)"));
  EXPECT_EQ(Json::parse(world.calls[0].body)["anthropic_version"], "bedrock-9");
  World line(kConfig);
  line.on("a@q", says(200, "{}"));
  line.run("/v1/messages", ask("by-quirk", true, R"("top_k":3,)"));
  EXPECT_EQ(line.calls[0].url, "http://127.0.0.1:1/model/m/invoke-with-response-stream");
  EXPECT_EQ(Json::parse(line.calls[0].body), Json::parse(R"({"anthropic_version":"own","max_tokens":9,
                            "messages":[{"role":"user","content":"hi"}]})"));
}

// Bedrock takes no header for them.
TEST(Envelopes, BetasOfAHeaderAreToldAsDropped) {
  World world(kConfig);
  world.on("a@b", aws_stream(chunks()));
  const Seen seen = world.run("/v1/messages", ask("by-bedrock", true), "anthropic-beta: x-2025\n");
  EXPECT_EQ(seen.header("x-shunt-dropped"), "anthropic-beta");
  World vertex(kConfig);
  vertex.on("a@v", says(200, "{}"));
  const Seen passed = vertex.run("/v1/messages", ask("by-vertex", false), "anthropic-beta: x-2025\n");
  EXPECT_EQ(passed.header("x-shunt-dropped"), "");
  EXPECT_NE(vertex.calls[0].headers.find("anthropic-beta: x-2025\n"), std::string::npos);
}

TEST(Envelopes, VertexKeepsTheStreamInItsBody) {
  World world(kConfig);
  world.on("a@v", says(200, "{}"));
  world.run("/v1/messages", ask("by-vertex", true));
  EXPECT_EQ(
      world.calls[0].url,
      "https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic/"
      "models/claude-sonnet-4@20250514:streamRawPredict");
  EXPECT_EQ(Json::parse(world.calls[0].body),
            Json::parse(R"({"anthropic_version":"vertex-2023-10-16","max_tokens":9,"stream":true,
                            "messages":[{"role":"user","content":"hi"}]})"));
  world.on("a@v", says(200, "{}"));
  world.chat(R"({"model":"by-vertex","messages":[{"role":"user","content":"hi"}]})");
  EXPECT_TRUE(world.calls[1].url.ends_with("/models/claude-sonnet-4@20250514:rawPredict"));
  EXPECT_EQ(Json::parse(world.calls[1].body)["anthropic_version"], "vertex-2023-10-16");
  EXPECT_FALSE(Json::parse(world.calls[1].body).contains("model"));
}

}  // namespace
}  // namespace shunt::exchange
