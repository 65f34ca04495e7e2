// Whole answers as a Response, and the output as it grows.
#include "dialect/openai_responses_output.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "dialect/openai_responses_encode.h"

namespace shunt::dialect::test {
namespace {

using nlohmann::json;

json answer_of(const Folded& answer) {
  std::string out;
  encode_openai_responses_answer(answer, {"made", "model", 9, false}, out);
  return json::parse(out);
}

TEST(ResponsesAnswer, ItemsComeInTheOrderOfThisApi) {
  Folded answer;
  answer.choices.resize(1);
  FoldedChoice& choice = answer.choices[0];
  choice.reasoning = {{"t", "s", ""}, {"", "", "sealed"}};
  choice.text = "x";
  choice.calls = {{"a", "f", "{\"y\": 1}"}, {"", "g", ""}};
  choice.finish = FinishReason::tool_calls;
  answer.usage.prompt = 10;
  answer.usage.completion = 2;
  const json response = answer_of(answer);
  EXPECT_EQ(response["id"], "made");
  EXPECT_EQ(response["object"], "response");
  EXPECT_EQ(response["status"], "completed");
  EXPECT_EQ(response["created_at"], 9);
  ASSERT_EQ(response["output"].size(), 5U);
  EXPECT_EQ(response["output"][0]["summary"], json::parse(R"([{"type":"summary_text","text":"t"}])"));
  EXPECT_EQ(response["output"][0]["encrypted_content"], "s");
  EXPECT_EQ(response["output"][1]["encrypted_content"], "sealed");
  EXPECT_EQ(response["output"][2]["content"][0]["text"], "x");
  EXPECT_EQ(response["output"][3]["call_id"], "a");
  EXPECT_EQ(response["output"][3]["arguments"], "{\"y\": 1}");
  EXPECT_EQ(response["output"][4]["call_id"].get<std::string>().substr(0, 5), "call_");
  EXPECT_EQ(response["usage"]["total_tokens"], 12);
}

TEST(ResponsesAnswer, ReasonsAreStatusesHereToo) {
  Folded answer;
  answer.choices.resize(1);
  answer.choices[0].refusal = "no";
  EXPECT_EQ(answer_of(answer)["output"][0]["content"][0],
            json::parse(R"({"type":"refusal","refusal":"no"})"));
  answer.choices[0].finish = FinishReason::length;
  EXPECT_EQ(answer_of(answer)["incomplete_details"]["reason"], "max_output_tokens");
  EXPECT_EQ(answer_of(answer)["output"][0]["status"], "incomplete");
  answer.choices[0].finish = FinishReason::error;
  EXPECT_EQ(answer_of(answer)["status"], "failed");
  EXPECT_EQ(answer_of({})["output"], json::array());
}

TEST(ResponsesOutput, IdsAreTheSameForTheSameAnswer) {
  Folded answer;
  answer.choices.resize(1);
  answer.choices[0].text = "x";
  EXPECT_EQ(answer_of(answer), answer_of(answer));
  const std::string id = answer_of(answer)["output"][0]["id"];
  EXPECT_EQ(id.substr(0, 4), "msg_");
  answer.id = "another";
  EXPECT_NE(answer_of(answer)["output"][0]["id"], id);
}

TEST(ResponsesOutput, WhatIsHeldIsCounted) {
  ResponsesOutput output({"id", "m", 0, false});
  std::string out;
  output.to(out);
  output.piece(ResponsesOutput::Part::text, "12345");
  const std::size_t before = output.held();
  output.piece(ResponsesOutput::Part::text, "12345");
  EXPECT_EQ(output.held(), before + 5);
}

}  // namespace
}  // namespace shunt::dialect::test
