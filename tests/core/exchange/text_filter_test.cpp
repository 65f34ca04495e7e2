// A route's care for texts: what changes and what stays, in streams and plain answers, for clients of every
// dialect and however a provider cuts its text.
#include "exchange/text_filter.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/exchange/world.h"
#include "dialect/answer_reader.h"

namespace shunt::exchange {
namespace {

using Json = nlohmann::json;

// ---- events ----

std::string told(TextCare care, const EventList& events) {
  std::string lines;
  const auto tell = [](void* out, const Event& event) {
    std::string& text = *static_cast<std::string*>(out);
    std::visit(
        overloaded{[&](const event::TextDelta& e) {
                     text += "text " + std::to_string(e.choice) + " " + std::string(e.text) + "\n";
                   },
                   [&](const event::ReasoningDelta& e) {
                     text += "reasoning " + std::to_string(e.choice) + " " + std::string(e.text) + "\n";
                   },
                   [&](const event::ToolCallStart&) { text += "call\n"; },
                   [&](const event::ToolCallArguments& e) { text += std::string(e.json) + "\n"; },
                   [&](const event::Extra&) { text += "extra\n"; },
                   [&](const event::Finish& e) { text += "finish " + std::to_string(e.choice) + "\n"; },
                   [](const auto&) {}},
        event);
  };
  TextFilter filter(care, tell, &lines);
  for (const Event& event : events) filter.take(event);
  filter.finish();
  return lines;
}

constexpr TextCare kMath{true, Thinking::off};
constexpr TextCare kBoth{true, Thinking::tagged};

TEST(TextFilter, AFormulaWaitsForItsEndWhileExtrasPass) {
  EXPECT_EQ(told(kMath, {event::TextDelta{0, "a \\"}, event::TextDelta{0, "(x"}, event::Extra{0, "k", "1"},
                         event::TextDelta{0, "\\)"}, event::Finish{0, FinishReason::stop, "stop"}}),
            "text 0 a \nextra\ntext 0 $x$\nfinish 0\n");
}

TEST(TextFilter, WhatIsNotOverGoesOutAsItCameBeforeAnythingElseOfItsChoice) {
  const EventList open{event::TextDelta{0, "\\(x"}};
  const auto before = [&](const Event& event) {
    EventList events = open;
    events.push_back(event);
    return told(kMath, events);
  };
  EXPECT_EQ(before(event::Finish{0, FinishReason::stop, "stop"}), "text 0 \\(x\nfinish 0\n");
  EXPECT_EQ(before(event::ToolCallStart{0, 0, "i", "f"}), "text 0 \\(x\ncall\n");
  EXPECT_EQ(before(event::ReasoningDelta{0, "hm", {}, {}}), "text 0 \\(x\nreasoning 0 hm\n");
  EXPECT_EQ(before(event::Finish{1, FinishReason::stop, "stop"}), "finish 1\ntext 0 \\(x\n");
  EXPECT_EQ(told(kMath, open), "text 0 \\(x\n");
  EXPECT_EQ(told(kMath, {event::TextDelta{0, "\\"}}), "text 0 \\\n");
  EXPECT_EQ(told(kBoth, {event::TextDelta{0, "<thi"}}), "text 0 <thi\n");
}

TEST(TextFilter, ChoicesHaveTextsOfTheirOwn) {
  EXPECT_EQ(told(kMath, {event::TextDelta{0, "\\(a"}, event::TextDelta{1, "\\[b"}, event::TextDelta{0, "\\)"},
                         event::TextDelta{1, "\\]"}}),
            "text 0 $a$\ntext 1 $$b$$\n");
}

TEST(TextFilter, ThinkingIsReasoningAndItsMathStays) {
  EXPECT_EQ(told(kBoth, {event::TextDelta{0, "<think>\\(a\\)</think>\\(b\\)"}}),
            "reasoning 0 \\(a\\)\ntext 0 $b$\n");
  EXPECT_EQ(told(kBoth, {event::TextDelta{0, "\\(a <think>b</think>\\)"}}),
            "text 0 \\(a \nreasoning 0 b\ntext 0 \\)\n");
  EXPECT_EQ(
      told({false, Thinking::opened}, {event::TextDelta{0, "why</th"}, event::TextDelta{0, "ink>\\(b\\)"}}),
      "reasoning 0 why\ntext 0 \\(b\\)\n");
}

TEST(TextFilter, ArgumentsStay) {
  EXPECT_EQ(told(kBoth, {event::ToolCallStart{0, 0, "i", "f"},
                         event::ToolCallArguments{0, 0, R"({"a":"\\(x\\) <think>y</think>"})"}}),
            "call\n{\"a\":\"\\\\(x\\\\) <think>y</think>\"}\n");
}

// ---- exchanges ----

std::string config(const std::string& text) {
  return R"({
  "providers": {
    "o": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": ["O"]},
    "a": {"dialect": "anthropic_messages", "base_url": "http://127.0.0.1:2", "keys": ["A"]}},
  "deployments": [{"id": "m@o", "provider": "o", "model": "m"}, {"id": "m@a", "provider": "a", "model": "m"}],
  "routes": {"chat": {"deployments": ["m@o"])" +
         text + R"(}, "claude": {"deployments": ["m@a"])" + text + "}}}";
}
const std::string kOn = R"(, "text": {"math": true, "think": "tagged"})";

struct Client {
  DialectId dialect;
  const char *path, *stream_path, *body, *streamed;
};
constexpr Client kClients[] = {
    {DialectId::openai_chat, "/v1/chat/completions", "/v1/chat/completions",
     R"("messages":[{"role":"user","content":"hi"}])", R"("stream":true,)"},
    {DialectId::openai_responses, "/v1/responses", "/v1/responses", R"("input":"hi")", R"("stream":true,)"},
    {DialectId::anthropic_messages, "/v1/messages", "/v1/messages",
     R"("max_tokens":9,"messages":[{"role":"user","content":"hi"}])", R"("stream":true,)"},
    {DialectId::gemini_generate, "/v1beta/models/ROUTE:generateContent",
     "/v1beta/models/ROUTE:streamGenerateContent?alt=sse",
     R"("contents":[{"role":"user","parts":[{"text":"hi"}]}])", ""},
};

Seen asked(World& world, const Client& client, const std::string& route, bool stream) {
  std::string path = stream ? client.stream_path : client.path;
  if (const std::size_t at = path.find("ROUTE"); at != std::string::npos) path.replace(at, 5, route);
  const std::string model =
      client.dialect == DialectId::gemini_generate ? "" : "\"model\":\"" + route + "\",";
  return world.run(path, "{" + model + (stream ? client.streamed : "") + client.body + "}");
}

dialect::Folded folded(DialectId dialect, const std::string& body) {
  dialect::AnswerReader reader(*dialect::find(dialect), 0, {});
  dialect::Folded out;
  reader.feed(body);
  while (reader.step()) out.add(reader.events());
  reader.finish();
  while (reader.step()) out.add(reader.events());
  return out;
}

std::string delta(const std::string& text) {
  return "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":" + Json(text).dump() +
         "}}]}\n\n";
}

// Anthropic's stream of the same text.
std::vector<std::string> anthropic_stream(const std::vector<std::string>& pieces) {
  const auto event = [](const std::string& type, const std::string& more) {
    return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + more + "}\n\n";
  };
  std::vector<std::string> out = {
      event("message_start",
            R"(,"message":{"id":"1","type":"message","role":"assistant","model":"m","content":[]})"),
      event("content_block_start", R"(,"index":0,"content_block":{"type":"text","text":""})")};
  for (const std::string& piece : pieces)
    out.push_back(event("content_block_delta",
                        R"(,"index":0,"delta":{"type":"text_delta","text":)" + Json(piece).dump() + "}"));
  out.push_back(event("content_block_stop", R"(,"index":0)"));
  out.push_back(event("message_delta", R"(,"delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1})"));
  out.push_back(event("message_stop", ""));
  return out;
}

const std::string kSaid =
    "<think>a \\(b\\)</think>So \\(x\\): `\\(y\\)`\n```\n\\[z\\] <think>\n```\n\\[w\\] end \\(é";
const std::string kText = "So $x$: `\\(y\\)`\n```\n\\[z\\] <think>\n```\n$$w$$ end \\(é";
const std::string kReasoning = "a \\(b\\)";

// Every cut of the text into two and three deltas gives the same answer to clients of every dialect.
TEST(TextCare, StreamsAreChangedForEveryClientWhereverTheyAreCut) {
  World world(config(kOn));
  for (const Client& client : kClients) {
    for (std::size_t first = 0; first <= kSaid.size(); ++first) {
      if (first < kSaid.size() && (kSaid[first] & 0xC0) == 0x80) continue;  // JSON has no half characters
      const std::size_t second =
          kSaid.find('`', first) == std::string::npos ? kSaid.size() : kSaid.find('`', first);
      const std::vector<std::string> pieces = {kSaid.substr(0, first), kSaid.substr(first, second - first),
                                               kSaid.substr(second)};
      std::vector<std::string> chunks;
      for (const std::string& piece : pieces) chunks.push_back(delta(piece));
      chunks.push_back(openai_finish() + openai_done());
      world.on("m@o", streams(chunks));
      world.on("m@a", streams(anthropic_stream(pieces)));
      for (const char* route : {"chat", "claude"}) {
        const dialect::Folded got = folded(client.dialect, asked(world, client, route, true).body);
        ASSERT_EQ(got.choices.size(), 1U);
        ASSERT_EQ(got.choices[0].text, kText) << name_of(client.dialect) << " " << route << " at " << first;
        ASSERT_EQ(got.choices[0].reasoning_text(), kReasoning) << name_of(client.dialect) << " at " << first;
        ASSERT_EQ(got.choices[0].finish, FinishReason::stop);
      }
    }
  }
}

TEST(TextCare, PlainAnswersAreChangedForEveryClient) {
  World world(config(kOn));
  for (const Client& client : kClients) {
    world.on(
        "m@o",
        says(
            200,
            R"({"id":"1","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":)" +
                Json(kSaid).dump() +
                R"(,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{\"a\":\"\\\\(x\\\\)\"}"}}]},)" +
                R"("finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}})"));
    const dialect::Folded got = folded(client.dialect, asked(world, client, "chat", false).body);
    ASSERT_EQ(got.choices.size(), 1U);
    EXPECT_EQ(got.choices[0].text, kText) << name_of(client.dialect);
    EXPECT_EQ(got.choices[0].reasoning_text(), kReasoning) << name_of(client.dialect);
    ASSERT_EQ(got.choices[0].calls.size(), 1U);
    EXPECT_EQ(Json::parse(got.choices[0].calls[0].arguments), Json({{"a", "\\(x\\)"}}));
  }
}

// Where the option is off, or a plain answer holds nothing to change, the bytes go out as they came.
TEST(TextCare, WhereNothingChangesTheBytesAreTheProviders) {
  const std::vector<std::string> chunks = {delta("\\(x\\)"), openai_finish() + openai_done()};
  World off(config(""));
  off.on("m@o", streams(chunks));
  EXPECT_EQ(asked(off, kClients[0], "chat", true).body, chunks[0] + chunks[1]);
  const std::string plain =
      R"({ "odd": 1, "choices": [{"index":0,"message":{"content":"a \\n b"},"finish_reason":"stop"}]})";
  World on(config(kOn));
  on.on("m@o", says(200, plain));
  EXPECT_EQ(asked(on, kClients[0], "chat", false).body, plain);
}

// What was held back when a stream broke is told before the error.
TEST(TextCare, AStreamThatBreaksGivesOutWhatItHeldBack) {
  for (const Client& client : kClients) {
    World world(config(kOn));
    world.on("m@o", streams({delta("So \\(x"), delta(" + <thi")}, Script::End::reset));
    const Seen seen = asked(world, client, "chat", true);
    const dialect::Folded got = folded(client.dialect, seen.body);
    ASSERT_FALSE(got.choices.empty());
    EXPECT_EQ(got.choices[0].text, "So \\(x + <thi") << name_of(client.dialect);
    EXPECT_EQ(got.errors.size(), 1U) << seen.body;
  }
}

// The next line's answer begins anew.
TEST(TextCare, AnAttemptThatFailedLeavesNothingBehind) {
  World world(R"({
  "providers": {"o": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": ["O"]}},
  "deployments": [{"id": "a@o", "provider": "o", "model": "m", "priority": 1},
                  {"id": "b@o", "provider": "o", "model": "m", "priority": 2}],
  "routes": {"chat": {"deployments": ["a@o", "b@o"], "text": {"math": true}}}})");
  world.on(
      "a@o",
      says(200, R"({"choices":[{"index":0,"message":{"content":"\\(never"}}],"error":{"message":"m"}})"));
  world.on("b@o", streams({delta("\\(x\\)"), openai_finish() + openai_done()}));
  EXPECT_EQ(folded(DialectId::openai_chat, asked(world, kClients[0], "chat", true).body).choices[0].text,
            "$x$");
}

}  // namespace
}  // namespace shunt::exchange
