// Stream events made from canonical events, in the orders providers really use.
#include "dialect/anthropic_encode.h"

#include <gtest/gtest.h>

#include "invariants.h"
#include "streams.h"

namespace shunt::dialect::test {
namespace {

constexpr DialectId kId = DialectId::anthropic_messages;

std::string encoded(const EventList& events) {
  const std::string bytes = encode_events(kId, events, {"made", "model", 5, false});
  EXPECT_EQ(breach_of_anthropic(bytes, false), "") << bytes;
  return bytes;
}

FoldedChoice first(const EventList& events) {
  const Folded folded = fold_stream(kId, encoded(events));
  return folded.choices.empty() ? FoldedChoice() : folded.choices.front();
}

TEST(AnthropicEncode, AWholeStream) {
  EXPECT_EQ(encoded({event::Start{"m", "c", 0}, event::TextDelta{0, "a"},
                     event::Finish{0, FinishReason::length, "length"}}),
            "event: message_start\ndata: "
            R"({"type":"message_start","message":{"id":"m","type":"message","role":"assistant",)"
            R"("model":"c","content":[],)"
            R"("stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}})"
            "\n\n"
            "event: content_block_start\ndata: "
            R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})"
            "\n\n"
            "event: content_block_delta\ndata: "
            R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}})"
            "\n\n"
            "event: content_block_stop\ndata: "
            R"({"type":"content_block_stop","index":0})"
            "\n\n"
            "event: message_delta\ndata: "
            R"({"type":"message_delta","delta":{"stop_reason":"max_tokens","stop_sequence":null},)"
            R"("usage":{"input_tokens":0,"output_tokens":0}})"
            "\n\n"
            "event: message_stop\ndata: "
            R"({"type":"message_stop"})"
            "\n\n");
}

TEST(AnthropicEncode, InterleavedCallsComeOutOneAfterTheOther) {
  const FoldedChoice choice =
      first({event::ToolCallStart{0, 0, "a", "f"}, event::ToolCallStart{0, 1, "b", "g"},
             event::ToolCallArguments{0, 0, "{\"x\""}, event::ToolCallArguments{0, 1, "{\"y\""},
             event::TextDelta{0, "between"}, event::ToolCallArguments{0, 0, ":1}"},
             event::ToolCallArguments{0, 1, ":2}"}});
  EXPECT_EQ(choice.calls, (std::vector<FoldedCall>{{"a", "f", "{\"x\":1}"}, {"b", "g", "{\"y\":2}"}}));
  EXPECT_EQ(choice.text, "between");
  EXPECT_EQ(choice.finish_raw, "tool_use");  // no reason given, and calls were made
}

TEST(AnthropicEncode, AnEndedCallLetsTheNextOneStream) {
  const auto encoder = make_anthropic_encoder({"i", "m", 0, false});
  std::string out;
  encoder->encode(event::ToolCallStart{0, 0, "a", "f"}, out);
  encoder->encode(event::ToolCallEnd{0, 0}, out);
  out.clear();
  encoder->encode(event::TextDelta{0, "x"}, out);
  EXPECT_NE(out.find("text_delta"), std::string::npos);
}

TEST(AnthropicEncode, AStartWaitsForNameAndId) {
  const FoldedChoice choice = first({event::ToolCallStart{0, 0, "", ""}, event::ToolCallArguments{0, 0, "{"},
                                     event::ToolCallName{0, 0, "a", "f"}, event::ToolCallArguments{0, 0, "}"},
                                     event::ToolCallStart{0, 1, "", "g"}});
  ASSERT_EQ(choice.calls.size(), 2U);
  EXPECT_EQ(choice.calls[0], (FoldedCall{"a", "f", "{}"}));
  EXPECT_EQ(choice.calls[1].id.substr(0, 6), "toolu_");
}

TEST(AnthropicEncode, ReasoningKeepsItsBlocks) {
  const FoldedChoice choice =
      first({event::ReasoningDelta{0, "a", {}, {}}, event::ReasoningDelta{0, {}, "s", {}},
             event::ReasoningDelta{0, {}, {}, "sealed"}, event::ReasoningDelta{0, "b", {}, {}},
             event::TextDelta{0, "x"}});
  const std::vector<FoldedReasoning> expected = {{"a", "s", ""}, {"", "", "sealed"}, {"b", "", ""}};
  EXPECT_EQ(choice.reasoning, expected);
}

TEST(AnthropicEncode, StopAfterCallsIsToolUseAndARefusalSaysSo) {
  EXPECT_EQ(
      first({event::ToolCallStart{0, 0, "a", "f"}, event::Finish{0, FinishReason::stop, "stop"}}).finish_raw,
      "tool_use");
  const FoldedChoice refused =
      first({event::RefusalDelta{0, "no"}, event::Finish{0, FinishReason::stop, "stop"}});
  EXPECT_EQ(refused.finish_raw, "refusal");
  EXPECT_EQ(refused.text, "no");
}

TEST(AnthropicEncode, UsageKnownBeforeContentIsInTheStart) {
  Usage usage;
  usage.prompt = 15;
  usage.cached = 3;
  const std::string bytes = encoded({event::UsageUpdate{usage, "{}"}, event::TextDelta{0, "x"}});
  EXPECT_NE(bytes.find(R"("usage":{"input_tokens":12,"cache_read_input_tokens":3,"output_tokens":0}}})"),
            std::string::npos);
}

TEST(AnthropicEncode, ExtrasOfThisDialectComeOutAgain) {
  const EventList events{
      event::Extra{0, "content_block", R"({"type":"server_tool_use","id":"s"})"},
      event::Extra{0, "content_block_delta", R"({"type":"input_json_delta","partial_json":"{}"})"},
      event::TextDelta{0, "x"},
      event::Extra{0, "citation", "{}"},
      event::Extra{0, "stop.stop_sequence", "\"E\""},
      event::Extra{0, "delta.annotations", "[1]"}};
  const std::vector<std::string> expected = {
      "content_block\n{\"type\":\"server_tool_use\",\"id\":\"s\"}",
      "content_block_delta\n{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}", "citation\n{}",
      "stop.stop_sequence\n\"E\""};
  EXPECT_EQ(first(events).extras, expected);
}

TEST(AnthropicEncode, AnErrorAsFinishOrABreakHasNoCleanEnd) {
  const std::string bytes =
      encoded({event::TextDelta{0, "x"}, event::Finish{0, FinishReason::error, "network_error"}});
  EXPECT_EQ(bytes.find("message_stop"), std::string::npos);
  const auto encoder = make_anthropic_encoder({"i", "m", 0, false});
  std::string out;
  encoder->encode(event::TextDelta{0, "x"}, out);
  encoder->broken(R"({"type":"error","error":{"type":"api_error","message":"m"}})", out);
  EXPECT_EQ(breach_of_anthropic(out, true), "");
}

TEST(AnthropicEncode, OnlyTheFirstChoiceHasAPlace) {
  EXPECT_EQ(first({event::TextDelta{0, "a"}, event::TextDelta{1, "b"}}).text, "a");
}

}  // namespace
}  // namespace shunt::dialect::test
