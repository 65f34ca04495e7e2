// The checker of gemini_generate streams refuses what it must.
#include <gtest/gtest.h>

#include "invariants.h"

namespace shunt::dialect::test {
namespace {

std::string stream(std::initializer_list<const char*> chunks) {
  std::string bytes;
  for (const char* chunk : chunks) bytes += "data: " + std::string(chunk) + "\r\n\r\n";
  return bytes;
}

#define HEAD R"("modelVersion":"m","responseId":"r"})"
#define PARTS(parts) R"({"candidates":[{"index":0,"content":{"role":"model","parts":[)" parts R"(]}}],)" HEAD
#define TEXT PARTS(R"({"text":"a"})")
#define USAGE R"("usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"totalTokenCount":3},)"
#define LAST R"({"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":""}]},"finishReason":)"
#define FINISH(word) LAST "\"" word R"("}],)"
#define END FINISH("STOP") USAGE HEAD
#define ERROR R"({"error":{"code":502,"message":"m","status":"UNAVAILABLE"}})"

TEST(GeminiInvariants, WholeStreamsPass) {
  EXPECT_EQ(breach_of_gemini(stream({TEXT, END}), false), "");
  EXPECT_EQ(breach_of_gemini(stream({PARTS(R"({"functionCall":{"name":"f","args":{}}})"), END}), false), "");
  EXPECT_EQ(breach_of_gemini(stream({TEXT, ERROR}), true), "");
  EXPECT_EQ(breach_of_gemini(stream({FINISH("OTHER") USAGE HEAD, ERROR}), false), "");
}

TEST(GeminiInvariants, BrokenStreamsAreRefused) {
  const std::string broken[] = {
      "",
      stream({TEXT}),
      stream({TEXT, END, TEXT}),
      stream({TEXT, END, "[DONE]"}),
      stream({TEXT, END, ERROR}),
      stream({TEXT, FINISH("STOP") HEAD, END}),
      stream({TEXT, FINISH("STOP") HEAD}),
      stream({TEXT, FINISH("tool_calls") USAGE HEAD}),
      stream({R"({"candidates":[],)" USAGE HEAD}),
      stream({TEXT, FINISH("STOP") R"("usageMetadata":{"promptTokenCount":1},)" HEAD}),
      stream({R"({"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]}}],)" HEAD, END}),
      stream({R"({"candidates":[{"index":0,"content":{"role":"assistant","parts":[{"text":"a"}]}}],)" HEAD,
              END}),
      stream({R"({"candidates":[{"index":0,"content":{"role":"model","parts":[]}}],)" HEAD, END}),
      stream({R"({"candidates":[{"index":0}],)" HEAD, END}),
      stream({R"({"candidates":[{"index":0,"finishReason":"STOP"}],)" USAGE HEAD}),
      stream({R"({"candidates":[{"index":1,"content":{"role":"model","parts":[{"text":""}]},)"
              R"("finishReason":"STOP"}],)" USAGE HEAD}),
      stream({TEXT, LAST R"(1}],)" USAGE HEAD}),
      stream({R"({"candidates":[],"modelVersion":"other","responseId":"r"})", END}),
      stream({R"({"candidates":[{"index":0,"finishReason":"STOP"}],)" USAGE R"("modelVersion":"m"})"}),
      stream({PARTS(R"({"text":""})"), END}),
      stream({PARTS(R"({"text":7})"), END}),
      stream({PARTS(R"({"note":"a"})"), END}),
      stream({PARTS(R"({"text":"a","thought":false})"), END}),
      stream({PARTS(R"({"text":"a","thoughtSignature":""})"), END}),
      stream({PARTS(R"({"functionCall":{"args":{}}})"), END}),
      stream({PARTS(R"({"functionCall":{"name":"f"}})"), END}),
      stream({PARTS(R"({"functionCall":{"name":"f","args":"{}"}})"), END}),
      stream({PARTS(R"({"functionCall":{"name":"f","args":{},"willContinue":true}})"), END}),
      stream({PARTS(R"({"functionCall":{"id":"","name":"f","args":{}}})"), END}),
      stream({"{\"candidates\":[", END}),
      ": keep-alive\r\n\r\n" + stream({TEXT, END}),
      "event: chunk\r\n" + stream({TEXT, END}),
      "data: " TEXT "\n\ndata: " END "\n\n",
      stream({TEXT}) + "data: " END,
  };
  for (const std::string& bytes : broken) EXPECT_NE(breach_of_gemini(bytes, false), "") << bytes;
  EXPECT_NE(breach_of_gemini(stream({TEXT, END}), true), "");
  EXPECT_NE(breach_of_gemini(stream({TEXT, R"({"error":{"message":"m"}})"}), true), "");
}

}  // namespace
}  // namespace shunt::dialect::test
