// Stream events made from canonical events, in the orders providers really use.
#include "dialect/openai_responses_encode.h"

#include <gtest/gtest.h>

#include "invariants.h"
#include "streams.h"

namespace shunt::dialect::test {
namespace {

constexpr DialectId kId = DialectId::openai_responses;

std::string encoded(const EventList& events) {
  const std::string bytes = encode_events(kId, events, {"made", "model", 5, false});
  EXPECT_EQ(breach_of_responses(bytes, false), "") << bytes;
  return bytes;
}

FoldedChoice first(const EventList& events) {
  const Folded folded = fold_stream(kId, encoded(events));
  return folded.choices.empty() ? FoldedChoice() : folded.choices.front();
}

bool has(const std::string& bytes, std::string_view what) { return bytes.find(what) != std::string::npos; }

#define RESPONSE(STATUS, DETAILS, OUTPUT)                                                      \
  "{\"id\":\"r\",\"object\":\"response\",\"created_at\":5,\"status\":\"" STATUS                \
  "\",\"error\":null,\"incomplete_details\":" DETAILS ",\"model\":\"c\",\"output\":[" OUTPUT   \
  "],\"instructions\":null,\"metadata\":{},\"parallel_tool_calls\":true,\"temperature\":null," \
  "\"tool_choice\":\"auto\",\"tools\":[],\"top_p\":null,\"usage\":null}"
#define MESSAGE(ID, STATUS, CONTENT)                             \
  "{\"id\":\"" ID "\",\"type\":\"message\",\"status\":\"" STATUS \
  "\",\"role\":\"assistant\",\"content\":[" CONTENT "]}"
#define TEXT(SAID) "{\"type\":\"output_text\",\"text\":\"" SAID "\",\"annotations\":[],\"logprobs\":[]}"

std::string event(const std::string& type, int number, const std::string& members) {
  return "event: response." + type + "\ndata: {\"type\":\"response." + type +
         "\",\"sequence_number\":" + std::to_string(number) + "," + members + "}\n\n";
}

TEST(ResponsesEncode, AWholeStream) {
  const std::string bytes = encoded({event::Start{"r", "c", 0}, event::TextDelta{0, "a"},
                                     event::Finish{0, FinishReason::length, "length"}});
  const std::size_t at = bytes.find("msg_");
  ASSERT_NE(at, std::string::npos);
  const std::string id = bytes.substr(at, 20);
  const auto with_id = [&](std::string text) { return text.replace(text.find("ID"), 2, id); };
  const std::string place = "\"item_id\":\"" + id + "\",\"output_index\":0,\"content_index\":0,";
  const std::string done = with_id(MESSAGE("ID", "incomplete", TEXT("a")));
  EXPECT_EQ(bytes,
            event("created", 0, "\"response\":" RESPONSE("in_progress", "null", "")) +
                event("in_progress", 1, "\"response\":" RESPONSE("in_progress", "null", "")) +
                event("output_item.added", 2,
                      "\"output_index\":0,\"item\":" + with_id(MESSAGE("ID", "in_progress", ""))) +
                event("content_part.added", 3, place + "\"part\":" TEXT("")) +
                event("output_text.delta", 4, place + "\"delta\":\"a\",\"logprobs\":[]") +
                event("output_text.done", 5, place + "\"text\":\"a\",\"logprobs\":[]") +
                event("content_part.done", 6, place + "\"part\":" TEXT("a")) +
                event("output_item.done", 7, "\"output_index\":0,\"item\":" + done) +
                event("incomplete", 8,
                      "\"response\":" + with_id(RESPONSE("incomplete", "{\"reason\":\"max_output_tokens\"}",
                                                         MESSAGE("ID", "incomplete", TEXT("a"))))));
}

TEST(ResponsesEncode, CallsMayInterleaveAndAreDoneAtTheEnd) {
  const FoldedChoice choice =
      first({event::ToolCallStart{0, 0, "a", "f"}, event::ToolCallStart{0, 1, "b", "g"},
             event::ToolCallArguments{0, 0, "{\"x\""}, event::ToolCallArguments{0, 1, "{\"y\""},
             event::TextDelta{0, "between"}, event::ToolCallArguments{0, 0, ":1}"},
             event::ToolCallArguments{0, 1, ":2}"}, event::Finish{0, FinishReason::stop, "stop"}});
  EXPECT_EQ(choice.calls, (std::vector<FoldedCall>{{"a", "f", "{\"x\":1}"}, {"b", "g", "{\"y\":2}"}}));
  EXPECT_EQ(choice.text, "between");
  EXPECT_EQ(choice.finish_raw, "completed");
}

TEST(ResponsesEncode, ACallWaitsForItsNameAndGetsAnId) {
  const FoldedChoice choice = first({event::ToolCallStart{0, 0, "", ""}, event::ToolCallArguments{0, 0, "{"},
                                     event::ToolCallName{0, 0, "", "f"}, event::ToolCallArguments{0, 0, "}"},
                                     event::ToolCallEnd{0, 0}, event::ToolCallArguments{0, 0, "late"}});
  ASSERT_EQ(choice.calls.size(), 1U);
  EXPECT_EQ(choice.calls[0].id.substr(0, 5), "call_");
  EXPECT_EQ(choice.calls[0].name, "f");
  EXPECT_EQ(choice.calls[0].arguments, "{}");
}

TEST(ResponsesEncode, ReasoningIsASummaryAndItsSignatureSealsIt) {
  const std::string bytes =
      encoded({event::ReasoningDelta{0, "So", "", ""}, event::ReasoningDelta{0, "", "sig", ""},
               event::ReasoningDelta{0, "", "", "hidden"}, event::TextDelta{0, "Hi"}});
  EXPECT_TRUE(has(bytes, R"("summary":[{"type":"summary_text","text":"So"}],"encrypted_content":"sig"})"));
  EXPECT_TRUE(has(bytes, R"("summary":[],"encrypted_content":"hidden"})"));
  const FoldedChoice choice = fold_stream(kId, bytes).choices[0];
  EXPECT_EQ(choice.reasoning, (std::vector<FoldedReasoning>{{"So", "sig", ""}, {"", "hidden", ""}}));
}

TEST(ResponsesEncode, RefusalsArePartsOfTheirOwn) {
  const FoldedChoice choice =
      first({event::TextDelta{0, "Well"}, event::RefusalDelta{0, "No"}, event::TextDelta{0, "!"}});
  EXPECT_EQ(choice.text, "Well!");
  EXPECT_EQ(choice.refusal, "No");
}

TEST(ResponsesEncode, ReasonsBecomeStatuses) {
  const auto raw = [](FinishReason reason) { return first({event::Finish{0, reason, "x"}}).finish_raw; };
  EXPECT_EQ(raw(FinishReason::stop), "completed");
  EXPECT_EQ(raw(FinishReason::tool_calls), "completed");
  EXPECT_EQ(raw(FinishReason::unknown), "completed");
  EXPECT_EQ(raw(FinishReason::length), "incomplete:max_output_tokens");
  EXPECT_EQ(raw(FinishReason::content_filter), "incomplete:content_filter");
  EXPECT_EQ(raw(FinishReason::error), "failed");
}

TEST(ResponsesEncode, UsageHasBothDetails) {
  Usage usage;
  usage.prompt = 9;
  usage.completion = 2;
  usage.cached = 4;
  EXPECT_TRUE(has(encoded({event::UsageUpdate{usage, ""}}),
                  R"("usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens":2,)"
                  R"("output_tokens_details":{"reasoning_tokens":0},"total_tokens":11})"));
}

TEST(ResponsesEncode, ABrokenStreamSaysItsErrorAndFails) {
  const auto encoder = make_openai_responses_encoder({"made", "model", 5, false});
  std::string out;
  encoder->encode(event::TextDelta{0, "a"}, out);
  encoder->broken(
      R"({"error":{"message":"It \"broke\"","type":"server_error","param":null,"code":"temporary"}})", out);
  EXPECT_EQ(breach_of_responses(out, true), "");
  EXPECT_TRUE(has(out, R"("code":"temporary","message":"It \"broke\"","param":null,"error":{"message":)"));
  EXPECT_TRUE(has(out, R"("status":"failed","error":{"code":"temporary","message":"It \"broke\""})"));
  std::string more;
  encoder->encode(event::TextDelta{0, "late"}, more);
  encoder->end(more);
  EXPECT_EQ(more, "");
}

TEST(ResponsesEncode, AStreamThatNeverBeganCanBreakToo) {
  const auto encoder = make_openai_responses_encoder({"made", "model", 5, false});
  std::string out;
  encoder->broken(R"({"error":{"message":"No","code":null}})", out);
  EXPECT_EQ(breach_of_responses(out, true), "");
  EXPECT_TRUE(has(out, R"("code":"server_error","message":"No")"));
}

TEST(ResponsesEncode, AnAnswerTooLargeForItsLastEventEndsInAnError) {
  const auto encoder = make_openai_responses_encoder({"made", "model", 5, false});
  const std::string piece(1024 * 1024, 'x');
  std::string out;
  for (int i = 0; i < 12; ++i) {
    out.clear();
    encoder->encode(event::TextDelta{0, piece}, out);
    if (has(out, "answer_too_large")) break;
  }
  EXPECT_TRUE(has(out, "event: response.failed\n"));
  out.clear();
  encoder->end(out);
  EXPECT_EQ(out, "");
}

}  // namespace
}  // namespace shunt::dialect::test
