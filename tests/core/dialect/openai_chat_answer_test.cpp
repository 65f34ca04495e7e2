// Whole answers as chat.completion.
#include <gtest/gtest.h>

#include "dialect/openai_chat_encode.h"

namespace shunt::dialect::test {
namespace {

TEST(OpenAiChatAnswer, OnlyCallsMeanNoText) {
  Folded answer;
  answer.choices.resize(1);
  answer.choices[0].calls = {{"a", "f", "{}"}};
  answer.choices[0].finish = FinishReason::stop;
  answer.choices[0].reasoning = {{"t", "", ""}};
  std::string out;
  encode_openai_chat_answer(answer, {"i", "m", 9, false}, out);
  EXPECT_EQ(
      out,
      R"({"id":"i","object":"chat.completion","created":9,"model":"m","choices":[{"index":0,"message":{)"
      R"("role":"assistant","content":null,"reasoning_content":"t","refusal":null,"tool_calls":[{"id":"a",)"
      R"("type":"function","function":{"name":"f","arguments":"{}"}}]},"logprobs":null,)"
      R"("finish_reason":"tool_calls"}]})");
}

TEST(OpenAiChatAnswer, TheProvidersOwnNamesComeFirstAndUsageLast) {
  Folded answer;
  answer.id = "c";
  answer.model = "theirs";
  answer.created = 4;
  answer.choices.resize(1);
  answer.choices[0].text = "x";
  answer.usage.prompt = 1;
  answer.usage.completion = 2;
  std::string out;
  encode_openai_chat_answer(answer, {"i", "m", 9, false}, out);
  EXPECT_EQ(
      out,
      R"({"id":"c","object":"chat.completion","created":4,"model":"theirs","choices":[{"index":0,"message":{)"
      R"("role":"assistant","content":"x","refusal":null},"logprobs":null,"finish_reason":"stop"}],)"
      R"("usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}})");
}

}  // namespace
}  // namespace shunt::dialect::test
