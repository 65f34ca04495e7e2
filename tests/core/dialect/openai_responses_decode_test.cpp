// Frames of openai_responses: what each is, and how an answer begins and ends.
#include <gtest/gtest.h>

#include "responses_streams.h"

namespace shunt::dialect::test {
namespace {

std::string lines(std::string_view bytes) { return event_lines(DialectId::openai_responses, bytes); }

std::string ending(const std::string& type, const std::string& response) {
  const std::string text =
      lines(responses_begun() + responses_event(type, "\"response\":{" + response + "}"));
  const std::size_t finish = text.find("finish");
  return finish == std::string::npos ? text : text.substr(finish);
}

TEST(ResponsesDecode, AnAnswerBeginsWithItsResponseAndEndsWithItsStatus) {
  EXPECT_EQ(lines(responses_event("created", R"("response":{"id":"resp_1","model":"m","created_at":7})") +
                  responses_event("completed", R"("response":{"status":"completed"})")),
            "start id=resp_1 model=m 7\n"
            "extra -1 responses.response {\"id\":\"resp_1\",\"model\":\"m\",\"created_at\":7}\n"
            "extra -1 responses.response {\"status\":\"completed\"}\n"
            "finish 0 stop (completed)\n"
            "done\n");
}

TEST(ResponsesDecode, TheTimeMayBeAFloat) {
  EXPECT_EQ(lines(responses_event("created", R"("response":{"created_at":1787150055.0})")).substr(0, 17),
            "start 1787150055\n");
}

TEST(ResponsesDecode, WhyItEndedComesWithItsDetails) {
  EXPECT_EQ(ending("incomplete", R"("incomplete_details":{"reason":"max_output_tokens"})"),
            "finish 0 length (incomplete:max_output_tokens)\ndone\n");
  EXPECT_EQ(ending("incomplete", R"("incomplete_details":{"reason":"content_filter"})"),
            "finish 0 content_filter (incomplete:content_filter)\ndone\n");
  EXPECT_EQ(ending("incomplete", R"("incomplete_details":null)"), "finish 0 length (incomplete)\ndone\n");
  EXPECT_EQ(ending("failed", R"("error":{"code":"server_error","message":"Sorry"})"),
            "finish 0 error (failed)\nerror code=server_error message=Sorry\ndone\n");
  EXPECT_EQ(ending("failed", R"("error":null)"),
            "finish 0 error (failed)\nerror type=server_error message=The response failed.\ndone\n");
}

TEST(ResponsesDecode, UsageComesBeforeTheFinish) {
  EXPECT_NE(
      lines(responses_begun() +
            responses_event("completed", R"("response":{"status":"completed","usage":{"input_tokens":5,)"
                                         R"("input_tokens_details":{"cached_tokens":1},"output_tokens":2}})"))
          .find("usage 5+2\nfinish 0 stop (completed)\n"),
      std::string::npos);
}

TEST(ResponsesDecode, AnErrorThatComesTwiceIsToldOnce) {
  const std::string failed =
      responses_event("failed", R"("response":{"error":{"code":"insufficient_quota","message":"Paid up"}})");
  const std::string flat = R"("code":"insufficient_quota","message":"Paid up","param":null)";
  const std::string nested =
      R"("error":{"type":"insufficient_quota","code":"insufficient_quota","message":"Paid up"})";
  for (const std::string& members : {flat, nested}) {
    const std::string text = lines(responses_event("error", members) + failed);
    EXPECT_EQ(text.find("message=Paid up"), text.rfind("message=Paid up")) << text;
    EXPECT_NE(text.find("code=insufficient_quota message=Paid up\n"), std::string::npos) << text;
    EXPECT_NE(text.find("finish 0 error (failed)\ndone\n"), std::string::npos) << text;
  }
}

TEST(ResponsesDecode, ErrorsAreReadInAnyForm) {
  EXPECT_EQ(lines("data: {\"error\":{\"message\":\"Busy\",\"code\":503}}\n\n"),
            "error code=503 message=Busy status=503\n");
  EXPECT_EQ(lines("event: error\ndata: out of memory\n\n"), "error message=out of memory\n");
  EXPECT_EQ(lines("error: {\"message\":\"Busy\"}\n\n"), "error message=Busy\n");
}

TEST(ResponsesDecode, CommentsArePingsAndWhatIsNoJsonIsDropped) {
  EXPECT_EQ(lines(": keepalive\n\ndata: {\"type\":\"response.crea\n\ndata: 7\n\n"), "ping\nbad frame\n");
}

TEST(ResponsesDecode, DoneEndsNothingAndNothingFollowsTheEnd) {
  EXPECT_EQ(lines("data: [DONE]\n\n"), "");
  const std::string late = responses_event("output_text.delta", R"("output_index":0,"delta":"late")");
  const std::string text =
      lines(responses_begun() + responses_ended() + late + "data: {\n\ndata: [DONE]\n\n");
  EXPECT_EQ(text.substr(text.size() - 5), "done\n");
  EXPECT_EQ(text.find("late"), std::string::npos);
}

TEST(ResponsesDecode, TheFieldEventMayBeMissingOrStandLast) {
  EXPECT_EQ(lines("data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"Hi\"}\n\n"),
            "start 0\ntext 0 Hi\n");
  EXPECT_EQ(lines("data: {\"delta\":\"Hi\",\"type\":\"response.output_text.delta\"}\n"
                  "event: response.output_text.delta\n\n"),
            "start 0\ntext 0 Hi\n");
}

TEST(ResponsesDecode, APairOfSurrogatesMayBeSplitOverTwoDeltas) {
  EXPECT_EQ(responses_lines(responses_event("output_text.delta", R"("output_index":0,"delta":"a\ud83d")") +
                            responses_event("output_text.delta", R"("output_index":0,"delta":"\ude00b")")),
            "text 0 a\ntext 0 \xF0\x9F\x98\x80"
            "b\n");
}

}  // namespace
}  // namespace shunt::dialect::test
