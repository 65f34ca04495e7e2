// Whole answers as a message.
#include <gtest/gtest.h>

#include "dialect/anthropic_encode.h"

namespace shunt::dialect::test {
namespace {

TEST(AnthropicAnswer, BlocksComeInTheOrderOfThisApi) {
  Folded answer;
  answer.choices.resize(1);
  FoldedChoice& choice = answer.choices[0];
  choice.reasoning = {{"t", "s", ""}, {"", "", "sealed"}};
  choice.text = "x";
  choice.calls = {{"a", "f", "{\"y\": 1}"}, {"b", "g", ""}, {"c", "h", "{\"broken"}};
  choice.finish = FinishReason::stop;
  answer.usage.prompt = 10;
  answer.usage.cached = 4;
  answer.usage.completion = 2;
  std::string out;
  encode_anthropic_answer(answer, {"i", "m", 9, false}, out);
  EXPECT_EQ(
      out,
      R"({"id":"i","type":"message","role":"assistant","model":"m","content":[)"
      R"({"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"sealed"},)"
      R"({"type":"text","text":"x"},{"type":"tool_use","id":"a","name":"f","input":{"y": 1}},)"
      R"({"type":"tool_use","id":"b","name":"g","input":{}},)"
      R"({"type":"tool_use","id":"c","name":"h","input":{"raw_arguments":"{\"broken"}}],)"
      R"("stop_reason":"tool_use","stop_sequence":null,)"
      R"("usage":{"input_tokens":6,"cache_read_input_tokens":4,"output_tokens":2}})");
}

TEST(AnthropicAnswer, ARefusalIsTextAndTheReason) {
  Folded answer;
  answer.choices.resize(1);
  answer.choices[0].refusal = "no";
  std::string out;
  encode_anthropic_answer(answer, {"i", "m", 9, false}, out);
  EXPECT_NE(out.find(R"("content":[{"type":"text","text":"no"}],"stop_reason":"refusal")"),
            std::string::npos);
}

}  // namespace
}  // namespace shunt::dialect::test
