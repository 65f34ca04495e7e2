// Envelopes: the same few fields come out of every provider's error, whatever it is wrapped in.
#include "classify/reading.h"

#include <gtest/gtest.h>

namespace shunt::classify {
namespace {

TEST(Reading, CommonEnvelopesGiveCodeTypeAndSentence) {
  struct Case {
    const char* body;
    const char* code;
    const char* type;
    const char* message;
  };
  for (const Case& c : {
           Case{R"({"error":{"code":"c1","type":"t1","message":"m"}})", "c1", "t1", "m"},
           Case{R"({"type":"error","error":{"type":"t1","message":"m"}})", "", "t1", "m"},
           Case{R"({"error":"m"})", "", "", "m"},
           Case{R"({"code":"c1","message":"m"})", "c1", "", "m"},
           Case{R"({"code":1302,"msg":"m"})", "1302", "", "m"},
           Case{R"({"detail":"m"})", "", "", "m"},
           Case{R"({"detail":[{"loc":["body","x"],"msg":"m","type":"t1","input":{"message":"echo"}}]})", "",
                "t1", "m"},
           Case{R"({"errors":[{"code":5007,"message":"m"}],"success":false})", "5007", "", "m"},
           Case{R"({"errors":["m"],"name":"t1"})", "", "t1", "m"},
           Case{R"({"base_resp":{"status_code":1008,"status_msg":"m"},"choices":null})", "1008", "", "m"},
           Case{R"({"error_code":17,"error_msg":"m"})", "17", "", "m"},
           Case{R"({"Response":{"Error":{"Code":"c1","Message":"m"},"RequestId":"x"}})", "c1", "", "m"},
           Case{R"({"header":{"code":10013,"message":"m","status":2}})", "10013", "", "m"},
           Case{R"([{"error":{"code":"c1","message":"m"}}])", "c1", "", "m"},
           Case{R"({"ThrottlingException":{"message":"m"}})", "", "ThrottlingException", "m"},
           Case{R"({"__type":"t1","message":"m"})", "", "t1", "m"},
           Case{R"({"status":"FAILURE","failReason":"m"})", "", "", "m"},
           Case{R"({"response":{"error":{"code":"c1","message":"m"}}})", "c1", "", "m"},
           Case{R"("m")", "", "", "m"},
           Case{"m", "", "", "m"},
           Case{"event: error\ndata: {\"error\":{\"type\":\"t1\",\"message\":\"m\"}}\n\n", "", "t1", "m"},
       }) {
    const Reading reading = read_body(c.body);
    EXPECT_EQ(reading.code, c.code) << c.body;
    EXPECT_EQ(reading.type, c.type) << c.body;
    EXPECT_EQ(reading.message, c.message) << c.body;
  }
}

TEST(Reading, TheInnerEnvelopeWins) {
  const Reading raw = read_body(
      R"({"error":{"code":429,"message":"Provider returned error","metadata":{"raw":"{\"error\":{\"code\":\"inner\",\"message\":\"in\"}}"}}})");
  EXPECT_EQ(raw.code, "inner");
  EXPECT_EQ(raw.message, "in");
  EXPECT_EQ(raw.status, 429);
  const Reading prefixed = read_body(
      R"({"error":{"message":"upstream error: {\"code\":\"inner\",\"message\":\"in\"}","code":"outer"}})");
  EXPECT_EQ(prefixed.code, "inner");
  EXPECT_EQ(prefixed.message, "in");
}

// In a sentence, what is nearly JSON may be anybody's words: nothing of it counts, whatever was read before
// its fault.
TEST(Reading, OnlyWholeJsonInASentenceIsRead) {
  for (const char* inner : {R"({"code":"quota","message":"inner","error":{"type":"t"},"abc":[1 2]})",
                            R"({"code":"quota","abc":{"x":{"y":tru}},"message":"{\"code\":\"deep\"}"})",
                            R"({"code":"quota","message":"inner" 1})", R"({"code":"quota",})"}) {
    const std::string said = std::string("upstream: ") + inner;
    const Reading text = read_body(said);
    EXPECT_EQ(text.code, "") << said;
    EXPECT_EQ(text.type, "");
    EXPECT_FALSE(text.error);
    EXPECT_EQ(text.message, said);
  }
  const Reading read = read_body(
      R"(upstream: {"code":"outer","abc":[1],"message":"said: {\"code\":\"quota\",\"abc\":{\"x\":[]}}"} )");
  EXPECT_EQ(read.code, "quota");
}

// A number or a word of JSON at a text's beginning does not make it JSON.
TEST(Reading, TextsMayBeginAsJsonDoes) {
  for (const char* said : {"404 page not found", "503 Service Unavailable", "no healthy upstream",
                           "null and void", "[provider] [404 Not Found] models/x is not found"}) {
    const Reading text = read_body(said);
    EXPECT_EQ(text.form, Form::text) << said;
    EXPECT_EQ(text.message, said);
  }
  EXPECT_EQ(read_body(R"(403 {"error":{"message":"m","code":"c"}})").code, "c");
  EXPECT_EQ(read_body("null").form, Form::json);
  EXPECT_EQ(read_body(R"([{"error":{"message":"m","code":"c"}}])").code, "c");
}

TEST(Reading, EchoedInputsAreNotRead) {
  const Reading reading = read_body(
      R"({"error":{"message":"m","flagged_input":{"code":"x"},"input":"rate limit"},"prompt":"error","usage":{"code":"y"}})");
  EXPECT_EQ(reading.code, "");
  EXPECT_EQ(reading.message, "m");
}

TEST(Reading, GoogleDetailsGiveReasonQuotaAndWait) {
  const Reading reading =
      read_body(R"({"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[
      {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RATE_LIMIT_EXCEEDED","metadata":{"quota_limit":"PerMinute"}},
      {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"PerDay","description":"daily limit"}]},
      {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}})");
  EXPECT_EQ(reading.state, "RESOURCE_EXHAUSTED");
  EXPECT_EQ(reading.reason, "RATE_LIMIT_EXCEEDED");
  EXPECT_EQ(reading.quota, "PerMinute PerDay daily limit ");
  EXPECT_EQ(reading.message, "m");
  EXPECT_EQ(reading.wait, milliseconds(34500));
}

TEST(Reading, WaitsInFieldsOfTheirOwn) {
  EXPECT_EQ(read_body(R"({"retry_after":2.5})").wait, milliseconds(2500));
  EXPECT_EQ(read_body(R"({"error":{"retry_after_ms":750}})").wait, milliseconds(750));
  EXPECT_EQ(read_body(R"({"error":{"resets_in_seconds":60}})").wait, seconds(60));
  EXPECT_EQ(read_body(R"({"error":{"code":"model_cooldown","reset_seconds":90}})").wait, seconds(90));
  EXPECT_EQ(read_body(R"({"error":"loading","estimated_time":118.03})").wait, milliseconds(118030));
  EXPECT_EQ(read_body(R"({"retry_after":-1})").wait, std::nullopt);
  EXPECT_EQ(read_body(R"({"retry_after":1e9})").wait, std::nullopt);
}

TEST(Reading, KnowsAnErrorInA200FromAnAnswer) {
  for (const char* body :
       {R"({"error":{"message":"m"}})", R"({"code":500,"msg":"m"})", R"({"success":false})",
        R"({"base_resp":{"status_code":1001}})", R"({"status":"failed","error":"m"})",
        R"({"choices":[{"finish_reason":"content_filter","message":{"content":""}}]})",
        R"({"promptFeedback":{"blockReason":"SAFETY"}})", "data: {\"error\":{\"message\":\"m\"}}\n\n"}) {
    EXPECT_TRUE(read_body(body).error) << body;
  }
  for (const char* body :
       {R"({"choices":[{"finish_reason":"stop","message":{"content":"hi"}}]})",
        R"({"error":null,"choices":[]})", R"({"code":0,"message":"success","data":{"id":"t"}})",
        R"({"base_resp":{"status_code":0},"reply":"x"})", R"({"code":200,"msg":"OK"})", "{}", "[]", "null",
        "", R"({"content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","type":"message"})"}) {
    EXPECT_FALSE(read_body(body).error) << body;
  }
}

// Ollama's streams are lines of JSON, the last of which may tell an error.
TEST(Reading, ALineOfJsonMayTellAnError) {
  const std::string begun = R"({"message":{"content":"The"},"done":false})";
  const Reading failed = read_body(begun + "\n" + R"({"error":"it broke off"})" + "\n");
  EXPECT_EQ(failed.form, Form::json);
  EXPECT_TRUE(failed.error);
  EXPECT_EQ(failed.message, "it broke off");
  const Reading cut = read_body(begun + "\n" + begun + "\n" + R"({"message":{"con)");
  EXPECT_FALSE(cut.error);
  EXPECT_FALSE(cut.whole);
}

TEST(Reading, KnowsWhetherItEnded) {
  EXPECT_TRUE(read_body(R"({"choices":[]})").whole);
  EXPECT_FALSE(read_body(R"({"choices":[{"message":{"content":"hal)").whole);
  EXPECT_FALSE(read_body("data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\n").whole);
  EXPECT_TRUE(read_body("data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\ndata: [DONE]\n\n").whole);
  EXPECT_TRUE(read_body("data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\n").content);
}

TEST(Reading, WhatCameOfACutBodyCounts) {
  const Reading reading = read_body(R"({"error":{"code":"c1","message":"m","param":nu)");
  EXPECT_EQ(reading.code, "c1");
  EXPECT_EQ(reading.message, "m");
  EXPECT_TRUE(reading.error);
}

TEST(Reading, PagesGiveTheirText) {
  const Reading reading = read_body(
      "<html><head><style>b{}</style><title>502 Bad "
      "Gateway</title></head><body><h1>nginx</h1></body></html>");
  EXPECT_EQ(reading.form, Form::html);
  EXPECT_NE(reading.message.find("502 Bad Gateway"), std::string::npos);
  EXPECT_EQ(reading.message.find("b{}"), std::string::npos);
}

TEST(Reading, StaysBoundedWhateverComes) {
  std::string deep;
  for (int i = 0; i < 20000; ++i) deep += R"({"error":)";
  EXPECT_TRUE(read_body(deep).error);
  EXPECT_EQ(read_body(std::string(50000, '[')).code, "");
  std::string nested = "x";
  for (int i = 0; i < 40; ++i) {
    std::string escaped;
    for (const char c : nested.substr(0, 2000))
      escaped += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    nested = R"({"message":")" + escaped + "\"}";
  }
  read_body(nested);
  EXPECT_LE(read_body(R"({"error":{"message":")" + std::string(60000, 'a') + "\"}}").message.size(), 2048U);
  EXPECT_LE(read_body(R"({"error":{"code":")" + std::string(60000, 'a') + "\"}}").code.size(), 256U);
}

}  // namespace
}  // namespace shunt::classify
