// Lines in dialects that only providers speak: the call as their API documents it, the answer as the client's
// dialect has it.
#include "core/exchange/lines.h"

namespace shunt::exchange {
namespace {

constexpr char kConfigOfProviders[] = R"({
  "providers": {
    "w": {"preset": "workers-ai-native", "base_url": "http://127.0.0.1:1/ai", "keys": ["W_KEY"]},
    "c": {"preset": "cohere", "base_url": "http://127.0.0.1:2", "keys": ["C_KEY"]}
  },
  "deployments": [
    {"id": "a@w", "provider": "w", "model": "@cf/meta/llama-3"},
    {"id": "b@c", "provider": "c", "model": "command-a"}
  ],
  "routes": {"llama": {"deployments": ["a@w"]}, "command": {"deployments": ["b@c"]}}
})";

TEST(ProviderDialects, AModelInThePathKeepsItsSlashesAndAPlainAnswerIsTranslated) {
  World world(kConfigOfProviders);
  world.on("a@w", says(200, R"({"result":{"response":"hello"},"success":true,"errors":[]})"));
  const Seen seen = world.chat(R"({"model":"llama","messages":[{"role":"user","content":"hi"}]})");
  EXPECT_EQ(seen.status, 200);
  EXPECT_NE(seen.body.find(R"("content":"hello")"), std::string::npos) << seen.body;
  ASSERT_EQ(world.calls.size(), 1u);
  EXPECT_EQ(world.calls[0].url, "http://127.0.0.1:1/ai/run/@cf/meta/llama-3");
  EXPECT_EQ(world.calls[0].body, R"({"messages":[{"role":"user","content":"hi"}]})");
}

TEST(ProviderDialects, AStreamIsTranslatedWithItsEnd) {
  World world(kConfigOfProviders);
  world.on("b@c",
           streams({"event: content-delta\ndata: {\"type\":\"content-delta\",\"index\":0,"
                    "\"delta\":{\"message\":{\"content\":{\"text\":\"hello\"}}}}\n\n"
                    "event: message-end\ndata: {\"type\":\"message-end\",\"delta\":{\"finish_reason\":"
                    "\"MAX_TOKENS\",\"usage\":{\"tokens\":{\"input_tokens\":3,\"output_tokens\":1}}}}\n\n"}));
  const Seen seen =
      world.chat(R"({"model":"command","stream":true,"messages":[{"role":"user","content":"hi"}]})");
  EXPECT_EQ(seen.status, 200);
  EXPECT_NE(seen.body.find(R"("content":"hello")"), std::string::npos) << seen.body;
  EXPECT_NE(seen.body.find(R"("finish_reason":"length")"), std::string::npos) << seen.body;
  EXPECT_TRUE(seen.body.ends_with("data: [DONE]\n\n"));
  ASSERT_EQ(world.calls.size(), 1u);
  EXPECT_EQ(world.calls[0].url, "http://127.0.0.1:2/v2/chat");
  EXPECT_NE(world.calls[0].body.find(R"("model":"command-a")"), std::string::npos);
}

TEST(ProviderDialects, AStreamOfJsonLinesIsTranslated) {
  World world(R"({
    "providers": {"o": {"preset": "ollama-native", "base_url": "http://127.0.0.1:3"}},
    "deployments": [{"id": "a@o", "provider": "o", "model": "m"}],
    "routes": {"small": {"deployments": ["a@o"]}}
  })");
  Script lines = streams({"{\"message\":{\"content\":\"hel\"},\"done\":false}\n{\"message\":",
                          "{\"content\":\"lo\"},\"done\":true,\"done_reason\":\"stop\"}\n"});
  lines.headers = "content-type: application/x-ndjson\n";
  world.on("a@o", lines);
  const Seen seen =
      world.chat(R"({"model":"small","stream":true,"messages":[{"role":"user","content":"hi"}]})");
  EXPECT_EQ(seen.status, 200);
  EXPECT_NE(seen.body.find(R"("content":"hel")"), std::string::npos) << seen.body;
  EXPECT_TRUE(seen.body.ends_with("data: [DONE]\n\n"));
  EXPECT_EQ(world.calls[0].url, "http://127.0.0.1:3/api/chat");
}

TEST(ProviderDialects, AnErrorInsideAnAnswerIsNoSuccess) {
  World world(kConfigOfProviders);
  world.on("b@c", streams({"event: message-end\ndata: {\"type\":\"message-end\",\"delta\":{\"finish_reason\":"
                           "\"ERROR\",\"error\":\"internal\"}}\n\n"}));
  const Seen seen =
      world.chat(R"({"model":"command","stream":true,"messages":[{"role":"user","content":"hi"}]})");
  EXPECT_NE(seen.status, 200);
}

}  // namespace
}  // namespace shunt::exchange
