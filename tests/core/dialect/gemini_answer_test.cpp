// Whole answers as a GenerateContentResponse.
#include <gtest/gtest.h>

#include "dialect/gemini_encode.h"

namespace shunt::dialect::test {
namespace {

std::string encoded(const Folded& answer) {
  std::string out;
  encode_gemini_answer(answer, {"made", "model", 5, false}, out);
  return out;
}

TEST(GeminiAnswer, EverythingItCanHold) {
  Folded answer;
  answer.id = "r";
  answer.model = "m";
  answer.usage = {3, 4, 7, 2, {}, 1};
  FoldedChoice& choice = answer.choices.emplace_back();
  choice.reasoning = {{"t", "another's", {}}};
  choice.text = "a\"b";
  choice.calls = {{"c", "f", "{\"x\":1}"}, {"", "g", ""}, {"", "h", "[1"}};
  choice.finish = FinishReason::stop;
  EXPECT_EQ(encoded(answer),
            R"({"candidates":[{"index":0,"content":{"role":"model","parts":[{"thought":true,"text":"t"},)"
            R"({"text":"a\"b"},{"functionCall":{"id":"c","name":"f","args":{"x":1}}},)"
            R"({"functionCall":{"name":"g","args":{}}},)"
            R"({"functionCall":{"name":"h","args":{"raw_arguments":"[1"}}}]},"finishReason":"STOP"}],)"
            R"("usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":3,"totalTokenCount":7,)"
            R"("cachedContentTokenCount":2,"thoughtsTokenCount":1},"modelVersion":"m","responseId":"r"})");
}

TEST(GeminiAnswer, ARefusalIsTextAndTheReasonSaysSo) {
  Folded answer;
  answer.choices.resize(2);
  answer.choices[1].refusal = "no";
  answer.choices[0].finish = FinishReason::length;
  EXPECT_EQ(
      encoded(answer),
      R"({"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":""}]},"finishReason":"MAX_TOKENS"},)"
      R"({"index":1,"content":{"role":"model","parts":[{"text":"no"}]},"finishReason":"SAFETY"}],)"
      R"("usageMetadata":{"promptTokenCount":0,"candidatesTokenCount":0,"totalTokenCount":0},)"
      R"("modelVersion":"model","responseId":"made"})");
}

}  // namespace
}  // namespace shunt::dialect::test
