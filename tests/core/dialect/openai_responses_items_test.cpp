// Which item a piece belongs to, whatever of ids and indexes a provider leaves out or changes.
#include <gtest/gtest.h>

#include "responses_streams.h"

namespace shunt::dialect::test {
namespace {

std::string added(const std::string& place, const std::string& item) {
  return responses_event("output_item.added", place + "\"item\":{" + item + "}");
}
std::string done(const std::string& place, const std::string& item) {
  return responses_event("output_item.done", place + "\"item\":{" + item + "}");
}
std::string arguments(const std::string& place, const std::string& json) {
  return responses_event("function_call_arguments.delta", place + "\"delta\":\"" + json + "\"");
}

const std::string kCalled = "call 0.0 id=c1 name=f\nargs 0.0 [1]\ncall-end 0.0\n";

TEST(ResponsesItems, TheIdOfACallIsItsCallId) {
  const std::string item = R"("type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":")";
  const std::string at = R"("output_index":0,)";
  EXPECT_EQ(responses_lines(added(at, item + "\"") + arguments(at, "[1]") + done(at, item + "[1]\""),
                            "[{" + item + "[1]\"}]"),
            kCalled);
}

TEST(ResponsesItems, ItemIdsMayRotate) {
  const std::string call = R"("type":"function_call","call_id":"c1","name":"f",)";
  const std::string at = R"("output_index":0,)";
  EXPECT_EQ(responses_lines(added(at, call + R"("id":"a")") + arguments(at + R"("item_id":"b",)", "[1]") +
                                done(at, call + R"("id":"c","arguments":"[1]")"),
                            "[{" + call + R"("id":"d","arguments":"[1]"}])"),
            kCalled);
}

TEST(ResponsesItems, IndexesAndItemIdsMayBeMissing) {
  const std::string call = R"("type":"function_call","call_id":"c1","name":"f")";
  EXPECT_EQ(responses_lines(added("", call) + arguments(R"("item_id":"c1",)", "[1]") +
                                done("", call + R"(,"arguments":"[1]")"),
                            "[{" + call + R"(,"arguments":"[1]"}])"),
            kCalled);
}

TEST(ResponsesItems, ParallelCallsMayInterleave) {
  const auto call = [](const std::string& n) {
    return R"("type":"function_call","call_id":"c)" + n + R"(","name":"f","id":"i)" + n + "\"";
  };
  const std::string first = R"("output_index":0,)";
  const std::string second = R"("output_index":1,)";
  EXPECT_EQ(responses_lines(added(first, call("1")) + added(second, call("2")) + arguments(second, "2") +
                            arguments(first, "1") + done(first, call("1")) + done(second, call("2"))),
            "call 0.0 id=c1 name=f\ncall 0.1 id=c2 name=f\nargs 0.1 2\nargs 0.0 1\n"
            "call-end 0.0\ncall-end 0.1\n");
}

TEST(ResponsesItems, ACallMayBeToldOnlyAtItsEndOrInTheAnswer) {
  const std::string call = R"("type":"function_call","id":"fc","call_id":"c1","name":"f","arguments":"[1]")";
  EXPECT_EQ(responses_lines(done(R"("output_index":0,)", call)), kCalled);
  EXPECT_EQ(responses_lines("", "[{" + call + "}]"), kCalled);
}

TEST(ResponsesItems, ArgumentsMayBeJsonAndComeBeforeTheirCall) {
  const std::string call = R"("type":"function_call","call_id":"c1","name":"f","arguments":{"a": 1})";
  EXPECT_EQ(responses_lines("", "[{" + call + "}]"),
            "call 0.0 id=c1 name=f\nargs 0.0 {\"a\":1}\ncall-end 0.0\n");
  const std::string at = R"("output_index":0,)";
  EXPECT_EQ(
      responses_lines(arguments(at, "[1]") +
                      done(at, R"("type":"function_call","call_id":"c1","name":"f","arguments":"[1]")")),
      "call 0.0\nargs 0.0 [1]\nlate 0.0 id=c1 name=f\ncall-end 0.0\n");
}

TEST(ResponsesItems, CustomCallsAreCalls) {
  const std::string at = R"("output_index":0,)";
  const std::string call = R"("type":"custom_tool_call","id":"ctc","call_id":"c1","name":"sql","input":")";
  EXPECT_EQ(responses_lines(added(at, call + "\"") +
                            responses_event("custom_tool_call_input.delta", at + R"("delta":"SELECT 1")") +
                            responses_event("custom_tool_call_input.done", at + R"("input":"SELECT 1")") +
                            done(at, call + "SELECT 1\"")),
            "custom 0.0 id=c1 name=sql\nargs 0.0 SELECT 1\ncall-end 0.0\n");
}

TEST(ResponsesItems, TheEncryptedContentOfTheEndedItemCounts) {
  const std::string at = R"("output_index":0,)";
  const std::string item = R"("type":"reasoning","id":"rs","summary":[],"encrypted_content":")";
  EXPECT_EQ(
      responses_lines(added(at, item + "early\"") + done(at, item + "whole\""), "[{" + item + "late\"}]"),
      "reasoning 0 signature=whole\n");
  EXPECT_EQ(responses_lines(added(at, item + "early\""), "[{" + item + "late\"}]"),
            "reasoning 0 signature=late\n");
}

TEST(ResponsesItems, ItemsOfOneAnswerMayOverlap) {
  const std::string text = responses_event("output_text.delta", R"("output_index":0,"delta":"Hi")");
  EXPECT_EQ(responses_lines(added(R"("output_index":0,)", R"("type":"message","id":"m")") + text +
                            added(R"("output_index":1,)", R"("type":"reasoning","id":"rs","summary":[])") +
                            done(R"("output_index":0,)", R"("type":"message","id":"m")") +
                            done(R"("output_index":1,)", R"("type":"reasoning","encrypted_content":"x")")),
            "text 0 Hi\nreasoning 0 signature=x\n");
}

TEST(ResponsesItems, AnAnswerThatLeavesItemsOutRepeatsNothing) {
  const std::string stream = added(R"("output_index":0,)", R"("type":"reasoning","id":"rs","summary":[])") +
                             responses_event("output_text.delta", R"("output_index":1,"delta":"Hi")");
  const std::string message =
      R"({"type":"message","id":"other","content":[{"type":"output_text","text":"Hi"}]})";
  EXPECT_EQ(responses_lines(stream, "[" + message + "]"), "text 0 Hi\n");
}

TEST(ResponsesItems, StepsOfTheProviderArePassedOn) {
  const std::string item = R"("type":"web_search_call","id":"ws","status":"completed")";
  const std::string text = responses_lines(
      added(R"("output_index":0,)", item) + arguments(R"("output_index":0,)", "{}"), "[{" + item + "}]");
  EXPECT_NE(text.find("extra 0 responses.event {\"type\":\"response.output_item.added\""), std::string::npos);
  EXPECT_NE(text.find("extra 0 responses.event {\"type\":\"response.function_call_arguments.delta\""),
            std::string::npos);
  EXPECT_EQ(text.find("call 0"), std::string::npos);
}

TEST(ResponsesItems, OneAnswerBehindAnotherCountsItsItemsAnew) {
  const std::string text = responses_event("output_text.delta", R"("output_index":0,"delta":"a")");
  const std::string whole = R"([{"type":"message","content":[{"type":"output_text","text":"b"}]}])";
  EXPECT_EQ(responses_lines(text + responses_ended() + responses_begun(), whole), "text 0 a\ntext 0 b\n");
}

TEST(ResponsesItems, ItemsAreBounded) {
  std::string stream;
  for (int i = 0; i < 1200; ++i) {
    stream +=
        responses_event("output_text.delta", "\"output_index\":" + std::to_string(i) + ",\"delta\":\"x\"");
  }
  const Folded folded = fold_stream(DialectId::openai_responses, stream);
  EXPECT_EQ(folded.choices[0].text.size(), 1024U);
  EXPECT_EQ(folded.choices[0].extras.size(), 1200U - 1024U);
}

}  // namespace
}  // namespace shunt::dialect::test
