// Frames of every kind for the dialects of the tables.
#include <gtest/gtest.h>

#include "event_text.h"

namespace shunt::dialect::test {
namespace {

using Kind = wire::Frame::Kind;

std::string decoded(StreamDecoder& decoder, Kind kind, std::string_view event, std::string_view data) {
  wire::Frame frame;
  frame.kind = kind;
  frame.event = event;
  frame.data = data;
  EventList events;
  decoder.decode(frame, events);
  std::string text;
  for (const Event& each : events) text += event_text(each) + "\n";
  return text;
}

TEST(TableDecode, EachKindOfFrame) {
  struct Case {
    Kind kind;
    const char *event, *data, *events;
  };
  constexpr Case kCases[] = {
      {Kind::event, "contentBlockDelta", R"({"delta":{"text":"Hi"}})", "start 0\ntext 0 Hi\n"},
      {Kind::event, "", "  ", ""},
      {Kind::event, "unheardOf", R"({"x":1})", "extra 0 native.x 1\n"},
      {Kind::event, "contentBlockDelta", "{", "bad frame\n"},
      {Kind::event, "error", "out of order", "error message=out of order\n"},
      {Kind::comment, "", "hello", "ping\n"},
      {Kind::stray, "", R"(error: {"message":"m"})", "error message=m\n"},
      {Kind::stray, "", R"({"message":"m"})", "finish 0 error ()\nerror message=m\n"},
      {Kind::stray, "", "meta", "bad frame\n"},
      {Kind::exception, "throttlingException", R"({"message":"slow down"})",
       "error type=throttlingException message=slow down\n"},
      {Kind::broken, "message_crc", "", "error type=message_crc message=message_crc\n"},
      {Kind::broken, "incomplete", "abc", "bad frame\n"},
      {Kind::event, "", "[DONE]", "done\n"},
  };
  for (const Case& c : kCases) {
    const auto decoder = find(DialectId::bedrock_converse)->make_decoder(0);
    EXPECT_EQ(decoded(*decoder, c.kind, c.event, c.data), c.events) << c.data;
  }
}

// Who answers may be told beside an error, in a frame whose bytes are gone when the answer begins.
TEST(TableDecode, AnIdSaidBesideAnErrorIsKept) {
  struct Case {
    DialectId id;
    const char *error, *answer;
  };
  constexpr Case kCases[] = {
      {DialectId::ernie_native,
       R"({"id":"an-id-that-no-short-string-holds","error_code":18,"error_msg":"slow"})",
       R"({"result":"Hi"})"},
      {DialectId::dashscope_native,
       R"({"request_id":"an-id-that-no-short-string-holds","code":"Throttling","message":"slow"})",
       R"({"output":{"text":"Hi"}})"},
      {DialectId::cohere_chat, R"({"id":"an-id-that-no-short-string-holds","message":"slow"})",
       R"({"event_type":"text-generation","text":"Hi"})"},
  };
  for (const Case& c : kCases) {
    const auto decoder = find(c.id)->make_decoder(0);
    std::string frame = c.error;
    EXPECT_NE(decoded(*decoder, Kind::event, "", frame).find("slow"), std::string::npos) << c.error;
    frame.assign(frame.size(), 'x');
    EXPECT_NE(decoded(*decoder, Kind::event, "", c.answer).find("an-id-that-no-short-string-holds"),
              std::string::npos)
        << c.answer;
  }
}

TEST(TableDecode, NothingFollowsTheTerminator) {
  const auto decoder = find(DialectId::workers_ai_native)->make_decoder(0);
  EXPECT_EQ(decoded(*decoder, Kind::event, "", "[DONE]"), "done\n");
  EXPECT_EQ(decoded(*decoder, Kind::event, "", R"({"response":"late"})"), "");
}

TEST(TableDecode, AnAnswerThatIsNoJsonIsABadFrame) {
  EventList events;
  std::string scratch;
  find(DialectId::ollama_chat)->decode_answer("<html>", 0, events, scratch);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(event_text(events[0]), "bad frame");
}

}  // namespace
}  // namespace shunt::dialect::test
