// Events and whole Responses: which text counts, and what is passed on as it is.
#include <gtest/gtest.h>

#include "responses_streams.h"

namespace shunt::dialect::test {
namespace {

std::string answer(std::string_view body) {
  EventList events;
  std::string scratch, text;
  find(DialectId::openai_responses)->decode_answer(body, 0, events, scratch);
  for (const Event& event : events) {
    const std::string line = event_text(event) + "\n";
    if (line.find("responses.response") == std::string::npos &&
        line.find("responses.item") == std::string::npos) {
      text += line;
    }
  }
  return text;
}

const std::string kMessage =
    R"({"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"Hi"}]})";

TEST(ResponsesReader, ATextCountsOnceHoweverOftenItIsSaid) {
  const std::string added = responses_event(
      "output_item.added", R"("output_index":0,"item":{"type":"message","id":"msg_1","content":[]})");
  const std::string part = R"("output_index":0,"content_index":0,"item_id":"msg_1",)";
  const std::string delta = responses_event("output_text.delta", part + R"("delta":"Hi")");
  const std::string done = responses_event("output_text.done", part + R"("text":"Hi")");
  const std::string part_done =
      responses_event("content_part.done", part + R"("part":{"type":"output_text","text":"Hi"})");
  const std::string item_done = responses_event("output_item.done", R"("output_index":0,"item":)" + kMessage);
  const std::string all = "[" + kMessage + "]";
  EXPECT_EQ(responses_lines(added + delta + done + part_done + item_done, all), "text 0 Hi\n");
  EXPECT_EQ(responses_lines(added + done + part_done + item_done, all), "text 0 Hi\n");
  EXPECT_EQ(responses_lines(added + part_done + item_done, all), "text 0 Hi\n");
  EXPECT_EQ(responses_lines(added + item_done, all), "text 0 Hi\n");
  EXPECT_EQ(responses_lines(item_done, all), "text 0 Hi\n");
  EXPECT_EQ(responses_lines(added, all), "text 0 Hi\n");
  EXPECT_EQ(responses_lines("", all), "text 0 Hi\n");
}

// Copilot's bill stands beside the Response; numbers and padding say nothing, an unknown event is kept whole.
TEST(ResponsesReader, WhatStandsBesideIsKept) {
  EXPECT_EQ(responses_lines(
                responses_event("output_text.delta", R"("sequence_number":3,"output_index":0,"delta":"Hi",)"
                                                     R"("obfuscation":"xx","bill":{"n":1})") +
                    responses_event("tomorrow", R"("bill":2)"),
                "[]"),
            "text 0 Hi\nextra 0 event.bill {\"n\":1}\n"
            "extra 0 responses.event {\"type\":\"response.tomorrow\",\"bill\":2}\n");
}

TEST(ResponsesReader, PartsCountedOtherwiseAreNotToldTwice) {
  const std::string delta = responses_event(
      "output_text.delta", R"("output_index":0,"content_index":1,"item_id":"msg_1","delta":"Hi")");
  EXPECT_EQ(responses_lines(delta, "[" + kMessage + "]"), "text 0 Hi\n");
}

TEST(ResponsesReader, RefusalsAndBothKindsOfReasoningHaveTheirPlace) {
  EXPECT_EQ(responses_lines(responses_event("reasoning_summary_text.delta",
                                            R"("output_index":0,"summary_index":0,"delta":"So ")") +
                            responses_event("reasoning_summary_text.done",
                                            R"("output_index":0,"summary_index":1,"text":"then")") +
                            responses_event("reasoning_text.delta",
                                            R"("output_index":1,"content_index":0,"delta":"raw")") +
                            responses_event("refusal.delta", R"("output_index":2,"delta":"No")") +
                            responses_event("refusal.done", R"("output_index":2,"refusal":"No")")),
            "reasoning 0 text=So \nreasoning 0 text=then\nreasoning 0 text=raw\nrefusal 0 No\n");
}

TEST(ResponsesReader, AnnotationsAndLogprobsAreKept) {
  const std::string added =
      responses_event("output_item.added", R"("output_index":0,"item":{"type":"message","id":"msg_1"})");
  const std::string part = R"("output_index":0,"content_index":0,)";
  EXPECT_EQ(responses_lines(
                added + responses_event("output_text.delta", part + R"("delta":"Hi","logprobs":[{"a":1}])") +
                responses_event("output_text.annotation.added",
                                part + R"("annotation":{"type":"url_citation","url":"u"})") +
                responses_event("content_part.done",
                                part + R"("part":{"type":"output_text","text":"Hi","annotations":)"
                                       R"([{"type":"url_citation","url":"u"}]})")),
            "extra 0 choice.logprobs [{\"a\":1}]\n"
            "text 0 Hi\n"
            "extra 0 responses.annotation {\"type\":\"url_citation\",\"url\":\"u\"}\n");
}

TEST(ResponsesReader, WhatIsUnknownIsPassedOnWhole) {
  const std::string search =
      responses_event("web_search_call.searching", R"("output_index":0,"item_id":"ws")");
  EXPECT_EQ(responses_lines(search),
            "extra 0 responses.event {\"type\":\"response.web_search_call.searching\",\"output_index\":0,"
            "\"item_id\":\"ws\"}\n");
  EXPECT_EQ(event_lines(DialectId::openai_responses, "data: {\"type\":\"new\"}\n\ndata: {\"a\":1}\n\n"),
            "extra 0 responses.event {\"type\":\"new\"}\nextra 0 responses.event {\"a\":1}\n");
}

TEST(ResponsesReader, AnAnswerIsReadItemByItem) {
  EXPECT_EQ(
      answer(R"({"id":"resp_1","object":"response","created_at":7,"model":"m","status":"completed",)"
             R"("output":[{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"So"}],)"
             R"("encrypted_content":"x"},)" +
             kMessage +
             R"(,{"type":"function_call","id":"fc","call_id":"c1","name":"f","arguments":"{}"}],)"
             R"("usage":{"input_tokens":5,"output_tokens":2}})"),
      "start id=resp_1 model=m 7\n"
      "reasoning 0 text=So\n"
      "reasoning 0 signature=x\n"
      "text 0 Hi\n"
      "call 0.0 id=c1 name=f\n"
      "args 0.0 {}\n"
      "call-end 0.0\n"
      "usage 5+2\n"
      "finish 0 stop (completed)\n");
}

TEST(ResponsesReader, AnAnswerMayBeAnErrorOrNoAnswer) {
  EXPECT_EQ(answer(R"({"error":{"message":"No","type":"invalid_request_error","code":"c"}})"),
            "error type=invalid_request_error code=c message=No\n");
  EXPECT_EQ(answer(R"({"detail":"No"})"), "error message=No\n");
  EXPECT_EQ(answer(R"({"id":"r","status":"failed","error":{"code":"c","message":"No"},"output":[]})"),
            "start id=r 0\nfinish 0 error (failed)\nerror code=c message=No\n");
  EXPECT_EQ(answer("<html>"), "bad frame\n");
  EXPECT_EQ(answer("{}"), "");
}

}  // namespace
}  // namespace shunt::dialect::test
