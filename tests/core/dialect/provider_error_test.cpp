// Error bodies of the providers, one shape a row.
#include "dialect/provider_error.h"

#include <gtest/gtest.h>

#include "event_text.h"

namespace shunt::dialect::test {
namespace {

struct Case {
  const char* json;
  const char* event;  // "" = no error
};

std::string read(const char* json, ErrorForm form) {
  std::string block;
  Scratch scratch(block);
  scratch.reset(std::string_view(json).size());
  event::Error error;
  return read_error(json, form, scratch, error) ? event_text(error) : "";
}

// Alone in its frame an error is told with all that stands beside it; inside an answer that has events of its
// own.
TEST(ProviderError, TheRawErrorLosesNothing) {
  const std::string json = R"({"error":{"message":"m"},"user_id":"u"})";
  const auto raw = [&](ErrorForm form) {
    std::string block;
    Scratch scratch(block);
    scratch.reset(json.size());
    event::Error error;
    EXPECT_TRUE(read_error(json, form, scratch, error));
    return std::string(error.raw);
  };
  EXPECT_EQ(raw(ErrorForm::any), json);
  EXPECT_EQ(raw(ErrorForm::marked), R"({"message":"m"})");
}

TEST(ProviderError, EveryShapeSeenIsRead) {
  const Case cases[] = {
      {R"({"error":{"message":"m","type":"t","param":null,"code":null}})", "error type=t message=m"},
      {R"({"error":{"code":429,"message":"m","metadata":{}},"user_id":"u"})",
       "error code=429 message=m status=429"},
      {R"({"type":"error","error":{"type":"overloaded_error","message":"m"},"request_id":"r"})",
       "error type=overloaded_error message=m"},
      {R"({"code":"The model is gone","error":"m"})", "error code=The model is gone message=m"},
      {R"({"error":["m"]})", "error message=m"},
      {R"({"object":"error","message":"m","type":"invalid","code":"3051","raw_status_code":400})",
       "error type=invalid code=3051 message=m"},
      {R"({"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}})",
       "error code=1008 message=insufficient balance"},
      {R"([{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"a \"b\""}}])",
       "error type=INVALID_ARGUMENT code=400 message=a \"b\" status=400"},
      {R"({"success":false,"errors":[{"code":7000,"message":"m"}],"result":null})",
       "error code=7000 message=m"},
      {R"({"error":"m","errors":[{"message":"other"}]})", "error message=m"},
      {R"({"success":true,"errors":[]})", ""},
      {R"({"error":null,"choices":[]})", ""},
      {R"({"error":{}})", ""},
      {R"({"base_resp":{"status_code":0,"status_msg":""}})", ""},
      {R"({"message":"m"})", ""},
      {"[]", ""},
      {"", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(read(c.json, ErrorForm::marked), c.event) << c.json;
}

TEST(ProviderError, WhereNothingElseCanBeMeantAMessageIsEnough) {
  EXPECT_EQ(read(R"({"message":"m"})", ErrorForm::any), "error message=m");
  EXPECT_EQ(read(R"({"detail":"m"})", ErrorForm::any), "error message=m");
  EXPECT_EQ(read(R"({"detail":[{"msg":"m"}]})", ErrorForm::any), "error message=[{\"msg\":\"m\"}]");
  EXPECT_EQ(read(R"({"error_code":17,"error_msg":"m"})", ErrorForm::any), "error code=17 message=m");
  EXPECT_EQ(read(R"({"id":"x"})", ErrorForm::any), "");
}

TEST(ProviderError, TextAloneIsItsOwnMessage) {
  std::string block;
  Scratch scratch(block);
  EXPECT_EQ(event_text(error_from("Not Found", scratch)), "error message=Not Found");
  EXPECT_EQ(event_text(error_from("\"gone\"", scratch)), "error message=gone");
}

// What the transport says itself: AWS exceptions, damage.
event::Error transport_error(wire::Frame::Kind kind, std::string_view event, std::string_view data) {
  wire::Frame frame;
  frame.kind = kind;
  frame.event = event;
  frame.data = data;
  frame.raw = "raw";
  std::string block;
  Scratch scratch(block);
  scratch.reset(data.size());
  EventList events;
  add_transport_error(events, frame, error_from(data, scratch));
  const auto* error = std::get_if<event::Error>(&events.at(0));
  return error != nullptr ? *error : event::Error{};
}

TEST(ProviderError, AnExceptionIsAnErrorUnderItsType) {
  const event::Error error = transport_error(wire::Frame::Kind::exception, "throttlingException",
                                             "{\"message\":\"Too many requests\"}");
  EXPECT_EQ(error.type, "throttlingException");
  EXPECT_EQ(error.message, "Too many requests");
  EXPECT_EQ(error.raw, "raw");
}

TEST(ProviderError, DamageIsAnErrorUnderItsWord) {
  const event::Error error = transport_error(wire::Frame::Kind::broken, wire::fault::kMessageCrc, "");
  EXPECT_EQ(error.type, "message_crc");
  EXPECT_EQ(error.message, "message_crc");
}

TEST(ProviderError, WhatIsNoJsonOrCutOffIsABadFrame) {
  for (const std::string_view word : {wire::fault::kNotJson, wire::fault::kIncomplete}) {
    EXPECT_EQ(transport_error(wire::Frame::Kind::broken, word, "text").type, "");
  }
}

}  // namespace
}  // namespace shunt::dialect::test
