// Chunks made from events, in the orders providers really use.
#include "dialect/openai_chat_encode.h"

#include <gtest/gtest.h>

#include "invariants.h"
#include "streams.h"

namespace shunt::dialect::test {
namespace {

constexpr DialectId kId = DialectId::openai_chat;
constexpr EncodeOptions kOptions{"made", "model", 5, false};

std::string encoded(const EventList& events) {
  const std::string bytes = encode_events(kId, events, kOptions);
  EXPECT_EQ(breach_of_openai(bytes, false, false), "") << bytes;
  return bytes;
}

FoldedChoice first(const EventList& events) {
  const Folded folded = fold_stream(kId, encoded(events));
  return folded.choices.empty() ? FoldedChoice() : folded.choices.front();
}

TEST(OpenAiChatEncode, AWholeStream) {
  const std::string head = R"(data: {"id":"c","object":"chat.completion.chunk","created":7,"model":"m",)"
                           R"("choices":[{"index":0,"delta":)";
  EXPECT_EQ(encoded({event::Start{"c", "m", 7}, event::TextDelta{0, "a\"b"},
                     event::Finish{0, FinishReason::stop, "stop"}}),
            head +
                R"({"role":"assistant","content":""},"finish_reason":null}]})"
                "\n\n" +
                head +
                R"({"content":"a\"b"},"finish_reason":null}]})"
                "\n\n" +
                head +
                R"({},"finish_reason":"stop"}]})"
                "\n\ndata: [DONE]\n\n");
}

TEST(OpenAiChatEncode, TheFinishWaitsForTheEndAndTheLastOneCounts) {
  const FoldedChoice choice =
      first({event::Finish{0, FinishReason::stop, "stop"}, event::TextDelta{0, "late"},
             event::Finish{0, FinishReason::length, "length"}});
  EXPECT_EQ(choice.text, "late");
  EXPECT_EQ(choice.finish_raw, "length");
}

TEST(OpenAiChatEncode, StopAfterCallsIsToolCalls) {
  EXPECT_EQ(
      first({event::ToolCallStart{0, 0, "a", "f"}, event::Finish{0, FinishReason::stop, "stop"}}).finish_raw,
      "tool_calls");
}

TEST(OpenAiChatEncode, AStartWaitsForItsNameAndIdUntilArgumentsCome) {
  const FoldedChoice choice =
      first({event::ToolCallStart{0, 0, "", ""}, event::ToolCallArguments{0, 0, "{"},
             event::ToolCallName{0, 0, "a", "f"}, event::ToolCallArguments{0, 0, "}"},
             event::ToolCallStart{0, 1, "", "g"}, event::ToolCallName{0, 1, "b", ""},
             event::ToolCallArguments{0, 1, "{}"}, event::ToolCallStart{0, 2, "", "h"}});
  ASSERT_EQ(choice.calls.size(), 3U);
  EXPECT_EQ(choice.calls[0], (FoldedCall{"a", "f", "{}"}));
  EXPECT_EQ(choice.calls[1], (FoldedCall{"b", "g", "{}"}));
  EXPECT_EQ(choice.calls[2].name, "h");
  EXPECT_EQ(choice.calls[2].id.substr(0, 5), "call_");
}

TEST(OpenAiChatEncode, UsageComesOnceAfterTheFinishWhenAsked) {
  Usage usage;
  usage.prompt = 3;
  usage.completion = 4;
  const EventList events{event::TextDelta{0, "x"}, event::UsageUpdate{usage, "{}"},
                         event::UsageUpdate{usage, "{}"}};
  EXPECT_EQ(breach_of_openai(encode_events(kId, events, {"i", "m", 1, true}), true, false), "");
  EXPECT_EQ(breach_of_openai(encode_events(kId, events, {"i", "m", 1, false}), false, false), "");
}

TEST(OpenAiChatEncode, ExtrasOfThisDialectComeOutAgainAndOthersDoNot) {
  const std::string bytes =
      encoded({event::TextDelta{0, "x"}, event::Extra{0, "choice.logprobs", "{\"content\":[]}"},
               event::Extra{0, "delta.annotations", "[\n1]"}, event::Extra{0, "delta.channel", "\"a\""},
               event::Extra{-1, "chunk.citations", "[2]"}, event::Extra{0, "citation", "{}"}});
  EXPECT_NE(bytes.find(R"("logprobs":{"content":[]})"), std::string::npos);
  EXPECT_NE(bytes.find(R"("delta":{"annotations":[ 1]})"), std::string::npos);
  EXPECT_NE(bytes.find(R"("choices":[],"citations":[2])"), std::string::npos);
  EXPECT_EQ(bytes.find("channel"), std::string::npos);
  EXPECT_EQ(bytes.find("\"citation\""), std::string::npos);
}

TEST(OpenAiChatEncode, NothingAtAllIsStillAWholeAnswer) { EXPECT_EQ(first({}).finish_raw, "stop"); }

TEST(OpenAiChatEncode, ABrokenAnswerHasNoCleanEnd) {
  const auto encoder = make_openai_chat_encoder(kOptions);
  std::string out;
  encoder->encode(event::TextDelta{0, "x"}, out);
  encoder->broken(R"({"error":{"message":"m"}})", out);
  EXPECT_EQ(breach_of_openai(out, false, true), "");
}

TEST(OpenAiChatEncode, WhatNoChoiceOrCallCanBeIsDropped) {
  EXPECT_EQ(first({event::TextDelta{-1, "x"}, event::TextDelta{4000, "x"},
                   event::ToolCallStart{0, 99999, "a", "f"}})
                .calls.size(),
            0U);
}

}  // namespace
}  // namespace shunt::dialect::test
