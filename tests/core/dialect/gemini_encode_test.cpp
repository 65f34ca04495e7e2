// Stream chunks made from canonical events, in the orders providers really use.
#include "dialect/gemini_encode.h"

#include <gtest/gtest.h>

#include "invariants.h"
#include "streams.h"

namespace shunt::dialect::test {
namespace {

constexpr DialectId kId = DialectId::gemini_generate;

std::string encoded(const EventList& events) {
  const std::string bytes = encode_events(kId, events, {"made", "model", 5, false});
  EXPECT_EQ(breach_of_gemini(bytes, false), "") << bytes;
  return bytes;
}

FoldedChoice first(const EventList& events) {
  const Folded folded = fold_stream(kId, encoded(events));
  return folded.choices.empty() ? FoldedChoice() : folded.choices.front();
}

TEST(GeminiEncode, AWholeStream) {
  const Usage usage{3, 4, 7, {}, {}, 1};
  EXPECT_EQ(
      encoded({event::Start{"r", "m", 9}, event::ReasoningDelta{0, "t", {}, {}}, event::TextDelta{0, "a\n"},
               event::ToolCallStart{0, 0, "c", "f"}, event::ToolCallArguments{0, 0, "{\"x\":"},
               event::ToolCallArguments{0, 0, "1}"}, event::ToolCallEnd{0, 0},
               event::UsageUpdate{usage, "{}"}, event::Finish{0, FinishReason::tool_calls, "tool_calls"}}),
      R"(data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"thought":true,"text":"t"}]}}])"
      R"(,"modelVersion":"m","responseId":"r"})"
      "\r\n\r\n"
      R"(data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"a\n"}]}}])"
      R"(,"modelVersion":"m","responseId":"r"})"
      "\r\n\r\n"
      R"(data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":{"id":"c",)"
      R"("name":"f","args":{"x":1}}}]}}],"modelVersion":"m","responseId":"r"})"
      "\r\n\r\n"
      R"(data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":""}]},)"
      R"("finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":3,)"
      R"("totalTokenCount":7,"thoughtsTokenCount":1},"modelVersion":"m","responseId":"r"})"
      "\r\n\r\n");
}

TEST(GeminiEncode, NothingIsStillAnAnswer) { EXPECT_EQ(first({}).finish_raw, "STOP"); }

TEST(GeminiEncode, CallsWaitForTheirArgumentsAndKeepTheirOrder) {
  const FoldedChoice choice = first(
      {event::ToolCallStart{0, 0, "a", {}}, event::ToolCallStart{0, 1, {}, "g"},
       event::ToolCallArguments{0, 1, "[1]"}, event::ToolCallEnd{0, 1}, event::ToolCallName{0, 0, {}, "f"},
       event::ToolCallArguments{0, 0, "{\"x\""}, event::TextDelta{0, "between"},
       event::ToolCallArguments{0, 0, ":\n1}"}, event::Finish{0, FinishReason::stop, "stop"}});
  EXPECT_EQ(choice.calls,
            (std::vector<FoldedCall>{{"a", "f", "{\"x\":1}"}, {"", "g", R"({"raw_arguments":"[1]"})"}}));
  EXPECT_EQ(choice.text, "between");
}

TEST(GeminiEncode, OnlySignaturesOfThisDialectGoOut) {
  const FoldedChoice choice =
      first({event::ReasoningDelta{0, "t", "another's", {}},
             event::Extra{0, "part.thoughtSignature", "\"S\""}, event::ToolCallStart{0, 0, {}, "f"},
             event::ToolCallEnd{0, 0}, event::Extra{0, "part", R"({"text":"","thoughtSignature":"E"})"},
             event::Extra{0, "part.thoughtSignature", "\"L\""}});
  EXPECT_EQ(choice.extras, (std::vector<std::string>{"part.thoughtSignature\n\"S\"",
                                                     "part\n{\"text\":\"\",\"thoughtSignature\":\"E\"}",
                                                     "part\n{\"text\":\"\",\"thoughtSignature\":\"L\"}"}));
}

TEST(GeminiEncode, ExtrasOfOtherDialectsAreDropped) {
  EXPECT_EQ(first({event::Extra{0, "delta.annotations", "[1]"}, event::Extra{-1, "chunk.x", "1"},
                   event::Extra{0, "content_block", "{}"}})
                .extras.size(),
            0U);
  const Folded folded =
      fold_stream(kId, encoded({event::Start{"r", "m", 0}, event::Extra{-1, "response.createTime", "\"t\""},
                                event::Extra{0, "candidate.groundingMetadata", "{\n\"a\":1}"}}));
  EXPECT_EQ(folded.extras, (std::vector<std::string>{"response.createTime\n\"t\""}));
  EXPECT_EQ(folded.choices[0].extras, (std::vector<std::string>{"candidate.groundingMetadata\n{ \"a\":1}"}));
}

TEST(GeminiEncode, ARefusalIsTextAndTheReasonSaysSo) {
  const FoldedChoice choice =
      first({event::RefusalDelta{0, "no"}, event::Finish{0, FinishReason::stop, "stop"}});
  EXPECT_EQ(choice.text, "no");
  EXPECT_EQ(choice.finish_raw, "SAFETY");
}

TEST(GeminiEncode, EveryChoiceEndsOnceAndUsageComesLast) {
  const Folded folded =
      fold_stream(kId, encoded({event::TextDelta{1, "b"}, event::Finish{1, FinishReason::length, "length"},
                                event::TextDelta{0, "a"}, event::UsageUpdate{{1, 2, 3, {}, {}, {}}, "{}"},
                                event::Finish{0, FinishReason::stop, "stop"}}));
  ASSERT_EQ(folded.choices.size(), 2U);
  EXPECT_EQ(folded.choices[0].finish_raw, "STOP");
  EXPECT_EQ(folded.choices[1].finish_raw, "MAX_TOKENS");
  EXPECT_EQ(folded.usage.total, 3);
}

TEST(GeminiEncode, AProvidersFailureIsAnErrorObject) {
  const Folded folded = fold_stream(
      kId, encoded({event::TextDelta{0, "a"}, event::Finish{0, FinishReason::error, "network_error"}}));
  ASSERT_EQ(folded.errors.size(), 1U);
  EXPECT_EQ(folded.errors[0].message, "The provider ended the answer with: network_error");
  EXPECT_EQ(folded.errors[0].status, 502);
  EXPECT_EQ(first({event::Finish{0, FinishReason::error, "MALFORMED_FUNCTION_CALL"}}).finish_raw,
            "MALFORMED_FUNCTION_CALL");
}

TEST(GeminiEncode, ABrokenStreamEndsInItsError) {
  std::string out;
  const auto encoder = make_gemini_encoder({"made", "model", 5, false});
  encoder->encode(event::TextDelta{0, "a"}, out);
  encoder->encode(event::Ping{}, out);
  encoder->broken("{\"error\":{\"code\":502,\n\"message\":\"m\",\"status\":\"UNAVAILABLE\"}}", out);
  EXPECT_EQ(breach_of_gemini(out, true), "") << out;
}

}  // namespace
}  // namespace shunt::dialect::test
