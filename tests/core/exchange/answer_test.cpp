// The client's side: nothing before the head, one terminator, never a clean end after a break.
#include "exchange/answer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace shunt::exchange {
namespace {

const dialect::Dialect& openai() { return *dialect::find(DialectId::openai_chat); }
const dialect::Dialect& anthropic() { return *dialect::find(DialectId::anthropic_messages); }

const std::string kText =
    "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"}}]}\n\n";
const std::string kFinish =
    "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const std::string kUsage =
    "data: "
    "{\"id\":\"1\",\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1,\"total_tokens\":2}}"
    "\n\n";

// Plays a provider's stream to a client that gets its head at the first frame.
std::string play(Answer& answer, const std::string& stream, bool complete) {
  Outbox out;
  answer.attempt_begins(&openai());
  Upstream up({}, openai(), 0, {});
  up.on_head(200, "content-type: text/event-stream\n", {});
  out.open(stream);
  up.on_bytes(stream, {});
  up.on_end();
  Step step;
  while (up.step(step)) {
    answer.take(step, out);
    answer.send_content("", out);
  }
  if (complete) {
    answer.complete("", out);
  } else {
    answer.broken("{\"error\":{\"message\":\"The connection was cut.\"}}", out);
  }
  std::string seen;
  while (const auto effect = out.poll()) {
    if (const auto* bytes = std::get_if<SendBytes>(&*effect)) seen += bytes->bytes;
  }
  return seen;
}

TEST(Answer, WritesTheTerminatorThatTheProviderLeftOut) {
  Answer answer({&openai(), true, true, "req", "chat", 0});
  EXPECT_EQ(play(answer, kText + kFinish, true), kText + kFinish + "data: [DONE]\n\n");
}

TEST(Answer, HidesUsageThatTheClientDidNotAskFor) {
  Answer hidden({&openai(), true, false, "req", "chat", 0});
  EXPECT_EQ(play(hidden, kText + kFinish + kUsage, true), kText + kFinish + "data: [DONE]\n\n");
  Answer shown({&openai(), true, true, "req", "chat", 0});
  EXPECT_EQ(play(shown, kText + kFinish + kUsage, true), kText + kFinish + kUsage + "data: [DONE]\n\n");
}

TEST(Answer, ABrokenStreamEndsInAnErrorEventOfTheClientsDialect) {
  Answer same({&openai(), true, false, "req", "chat", 0});
  const std::string seen = play(same, kText, false);
  EXPECT_TRUE(seen.starts_with(kText + "data: {\"error\":")) << seen;
  EXPECT_EQ(seen.find("[DONE]"), std::string::npos);
  Answer cross({&anthropic(), true, false, "req", "chat", 0});
  const std::string events = play(cross, kText, false);
  EXPECT_NE(events.find("event: error\n"), std::string::npos) << events;
  EXPECT_EQ(events.find("message_stop"), std::string::npos);
}

TEST(Answer, AFrameCutOfItsBlankLineDoesNotSwallowTheTerminator) {
  Answer answer({&openai(), true, false, "req", "chat", 0});
  const std::string cut = kFinish.substr(0, kFinish.size() - 2);
  const std::string seen = play(answer, kText + cut, true);
  EXPECT_TRUE(seen.ends_with("}\n\ndata: [DONE]\n\n")) << seen;
}

TEST(Answer, APlainClientGetsAStreamFolded) {
  Answer answer({&anthropic(), false, false, "req", "chat", 0});
  Outbox out;
  out.open({});
  answer.attempt_begins(&openai());
  Upstream up({}, openai(), 0, {});
  const std::string stream = kText + kFinish + kUsage;
  up.on_head(200, "content-type: text/event-stream\n", {});
  up.on_bytes(stream, {});
  up.on_end();
  Step step;
  while (up.step(step)) answer.take(step, out);
  EXPECT_FALSE(answer.head_sent());
  answer.complete("", out);
  std::string body;
  while (const auto effect = out.poll()) {
    if (const auto* bytes = std::get_if<SendBytes>(&*effect)) body += bytes->bytes;
  }
  const auto json = nlohmann::json::parse(body);
  EXPECT_EQ(json["content"][0]["text"], "hi");
  EXPECT_EQ(json["stop_reason"], "end_turn");
  EXPECT_EQ(json["usage"]["input_tokens"], 1);
}

}  // namespace
}  // namespace shunt::exchange
