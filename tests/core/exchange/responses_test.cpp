// Clients and providers of the Responses API: relayed, crosswise, refused where no one else can serve them.
#include "core/exchange/world.h"
#include "exchange/exchange.h"

namespace shunt::exchange {
namespace {

const char* const kTwoApis = R"({
  "providers": {
    "r": {"dialect": "openai_responses", "base_url": "http://127.0.0.1:1/v1", "keys": ["K"]},
    "c": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:2/v1", "keys": ["K"]}
  },
  "deployments": [{"id": "a@r", "provider": "r", "model": "m-r"}, {"id": "b@c", "provider": "c", "model": "m-c"}],
  "routes": {
    "both": {"deployments": [{"id": "a@r", "priority": 1}, {"id": "b@c", "priority": 2}]},
    "own": {"deployments": ["a@r"]},
    "chat": {"deployments": ["b@c"]}
  }
})";

std::string told(const std::string& type, const std::string& members) {
  return "event: response." + type + "\ndata: {\"type\":\"response." + type + "\"," + members + "}\n\n";
}
std::string begun() { return told("created", R"("response":{"id":"resp_1","model":"m-r","output":[]})"); }
std::string delta(const std::string& text) {
  return told("output_text.delta", R"("output_index":0,"content_index":0,"delta":")" + text + "\"");
}
std::string done(const std::string& output = "[]") {
  return told("completed", R"("response":{"id":"resp_1","status":"completed","output":)" + output + "}");
}

Seen ask(World& world, const std::string& route, const std::string& more = "") {
  return world.run("/v1/responses", R"({"model":")" + route + R"(","input":"hi")" + more + "}");
}

bool has(const std::string& text, std::string_view what) { return text.find(what) != std::string::npos; }

TEST(Responses, AStreamIsRelayedByteForByte) {
  World world(kTwoApis);
  const std::string stream = begun() + delta("hello") + done();
  world.on("a@r", streams({stream.substr(0, 70), stream.substr(70)}));
  const Seen seen = ask(world, "own", R"(,"stream":true,"previous_response_id":"resp_0")");
  EXPECT_EQ(seen.body, stream);
  EXPECT_TRUE(seen.clean);
  ASSERT_EQ(world.calls.size(), 1U);
  EXPECT_EQ(world.calls[0].url, "http://127.0.0.1:1/v1/responses");
  EXPECT_EQ(world.calls[0].body,
            R"({"model":"m-r","input":"hi","stream":true,"previous_response_id":"resp_0"})");
}

TEST(Responses, AChatProviderServesThemToo) {
  World world(kTwoApis);
  world.on("b@c", openai_stream("hello"));
  const Seen seen = ask(world, "chat", R"(,"stream":true)");
  EXPECT_EQ(seen.status, 200);
  EXPECT_TRUE(seen.body.starts_with("event: response.created\n")) << seen.body;
  EXPECT_TRUE(has(seen.body, R"("type":"response.output_text.delta","sequence_number":4)"));
  EXPECT_TRUE(has(seen.body, "event: response.completed\n"));
  EXPECT_FALSE(has(seen.body, "[DONE]"));
  EXPECT_TRUE(has(world.calls[0].body, R"("messages":[{"role":"user","content":"hi"}])"));
}

TEST(Responses, APlainAnswerOfAChatProviderBecomesAResponse) {
  World world(kTwoApis);
  world.on("b@c", says(200, openai_answer("hello")));
  const Seen seen = ask(world, "chat");
  EXPECT_TRUE(has(seen.body, R"("object":"response")"));
  EXPECT_TRUE(has(seen.body, R"("content":[{"type":"output_text","text":"hello")"));
  EXPECT_TRUE(has(seen.body, R"("total_tokens":5)"));
}

TEST(Responses, WhatItsProviderRemembersIsRefusedElsewhere) {
  World world(kTwoApis);
  const Seen seen = ask(world, "chat", R"(,"previous_response_id":"resp_0")");
  EXPECT_EQ(seen.status, 400);
  EXPECT_TRUE(has(seen.body, "previous_response_id")) << seen.body;
  EXPECT_TRUE(has(seen.body, R"({"error":{"message":)"));
  EXPECT_TRUE(world.calls.empty());
}

TEST(Responses, AStreamThatBreaksAfterContentFails) {
  for (const char* route : {"own", "chat"}) {
    World world(kTwoApis);
    world.on("a@r", streams({begun(), delta("par")}));
    world.on("b@c", streams({openai_chunk("par")}));
    const Seen seen = ask(world, route, R"(,"stream":true)");
    EXPECT_EQ(seen.status, 200);
    EXPECT_TRUE(has(seen.body, R"("delta":"par")"));
    EXPECT_TRUE(has(seen.body, "event: error\ndata: {\"type\":\"error\",\"sequence_number\":")) << seen.body;
    EXPECT_TRUE(has(seen.body, "event: response.failed\n"));
    EXPECT_FALSE(has(seen.body, "event: response.completed\n"));
  }
}

TEST(Responses, AFailedResponseBeforeContentIsTriedElsewhere) {
  World world(kTwoApis);
  world.on("a@r", streams({begun() + told("failed", R"("response":{"status":"failed","error":)"
                                                    R"({"code":"server_error","message":"boom"}})")}));
  world.on("b@c", openai_stream("hello"));
  const Seen seen = ask(world, "both", R"(,"stream":true)");
  EXPECT_TRUE(has(seen.body, R"("delta":"hello")")) << seen.body;
  EXPECT_EQ(world.called(), (std::vector<std::string>{"a@r", "b@c"}));
}

// What the client is to run, or a picture, is an answer, though it holds no text.
TEST(Responses, AnAnswerOfItsOwnKindIsNotEmpty) {
  const std::string item = R"({"type":"shell_call","id":"sh_1","call_id":"c","action":{}})";
  const std::string stream =
      begun() + told("output_item.done", R"("output_index":0,"item":)" + item) + done("[" + item + "]");
  const std::string plain = R"({"id":"resp_1","status":"completed","output":[)" + item + "]}";
  World world(kTwoApis);
  world.on("a@r", streams({stream}));
  world.on("a@r", says(200, plain));
  EXPECT_EQ(ask(world, "both", R"(,"stream":true)").body, stream);
  EXPECT_EQ(ask(world, "both").body, plain);
  EXPECT_EQ(world.called(), (std::vector<std::string>{"a@r", "a@r"}));
}

TEST(Responses, ToAChatClientSuchAnAnswerIsEmpty) {
  World world(kTwoApis);
  const std::string item = R"({"type":"shell_call","id":"sh_1","call_id":"c","action":{}})";
  world.on("a@r", says(200, R"({"id":"resp_1","status":"completed","output":[)" + item + "]}"));
  world.on("b@c", says(200, openai_answer("hello")));
  const Seen seen = world.chat(R"({"model":"both","messages":[{"role":"user","content":"hi"}]})");
  EXPECT_EQ(seen.body, openai_answer("hello"));
}

}  // namespace
}  // namespace shunt::exchange
