// What bodies of the other APIs become at a Responses provider: pairs from the APIs' references.
#include "core/dialect/request_testing.h"

namespace shunt::dialect::testing {
namespace {

constexpr DialectId kTo = DialectId::openai_responses;

struct Case {
  const char* rule;
  const char* from;
  const char* to;
  std::vector<std::string> dropped = {};
};

void check(DialectId from, const Case& row) {
  const Translated got = translate(from, kTo, row.from);
  ASSERT_TRUE(got.ok) << row.rule << ": " << got.problem.where << " " << got.problem.what;
  EXPECT_EQ(got.body, Json::parse(row.to)) << row.rule << "\n" << got.text;
  EXPECT_EQ(got.dropped, row.dropped) << row.rule;
}

#define HI R"("messages":[{"role":"user","content":"hi"}])"
#define HI_TO R"("model":"m","store":false,"input":[{"role":"user","content":"hi"}])"

TEST(OpenaiResponsesBody, ChatMessagesBecomeItems) {
  const Case cases[] = {
      {"strings stay strings",
       R"({"messages":[{"role":"system","content":"s"},{"role":"developer","content":"d"},
           {"role":"user","content":"hi"},{"role":"assistant","content":"yes"}]})",
       R"({"model":"m","store":false,"input":[{"role":"system","content":"s"},
           {"role":"developer","content":"d"},{"role":"user","content":"hi"},
           {"role":"assistant","content":"yes"}]})"},
      {"parts have other names",
       R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},
           {"type":"image_url","image_url":{"url":"https://x/y.png"}},
           {"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},
           {"type":"file","file":{"filename":"f.pdf","file_data":"data:application/pdf;base64,BBBB"}}]}]})",
       R"({"model":"m","store":false,"input":[{"role":"user","content":[{"type":"input_text","text":"a"},
           {"type":"input_image","image_url":"https://x/y.png"},
           {"type":"input_image","image_url":"data:image/png;base64,AAAA"},
           {"type":"input_file","file_data":"data:application/pdf;base64,BBBB","filename":"f.pdf"}]}]})"},
      {"calls and results are items of their own",
       R"({"messages":[{"role":"assistant","content":"so","tool_calls":[{"id":"c1","type":"function",
           "function":{"name":"f","arguments":"{\"a\":1}"}}]},
           {"role":"tool","tool_call_id":"c1","content":"one"},{"role":"assistant","content":null,
           "refusal":"no"}]})",
       R"({"model":"m","store":false,"input":[{"role":"assistant","content":"so"},
           {"type":"function_call","call_id":"c1","name":"f","arguments":"{\"a\":1}"},
           {"type":"function_call_output","call_id":"c1","output":"one"},
           {"role":"assistant","content":[{"type":"refusal","refusal":"no"}]}]})"},
  };
  for (const Case& row : cases) check(DialectId::openai_chat, row);
}

TEST(OpenaiResponsesBody, ChatParametersHaveOtherNames) {
  const Case cases[] = {
      {"limits, sampling, effort",
       "{" HI R"(,"max_completion_tokens":9,"temperature":0.5,"top_p":0.1,"user":"u","reasoning_effort":"low",
           "stop":"x","stream":true,"seed":1})",
       "{" HI_TO R"(,"max_output_tokens":9,"temperature":0.5,"top_p":0.1,"user":"u",
           "reasoning":{"effort":"low"},"stream":true})",
       {"stop", "seed"}},
      {"tools are flat, and strict only when they say so",
       "{" HI R"(,"tools":[{"type":"function","function":{"name":"f","description":"d",
           "parameters":{"type":"object"},"strict":true}},{"type":"function","function":{"name":"g"}}],
           "tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false})",
       "{" HI_TO R"(,"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"},
           "strict":true},{"type":"function","name":"g","parameters":{"type":"object","properties":{}},
           "strict":false}],"tool_choice":{"type":"function","name":"f"},"parallel_tool_calls":false})"},
      {"log probabilities must be included", "{" HI R"(,"logprobs":true,"top_logprobs":5})",
       "{" HI_TO R"(,"include":["message.output_text.logprobs"],"top_logprobs":5})"},
      {"how many of them says nothing where none are asked for",
       "{" HI R"(,"logprobs":false,"top_logprobs":5})",
       "{" HI_TO "}",
       {"top_logprobs"}},
      {"a schema", "{" HI R"(,"response_format":{"type":"json_schema","json_schema":{"name":"n",
           "schema":{"type":"object"}}}})",
       "{" HI_TO R"(,"text":{"format":{"type":"json_schema","name":"n","schema":{"type":"object"},
           "strict":true}}})"},
      {"any JSON", "{" HI R"(,"response_format":{"type":"json_object"}})",
       "{" HI_TO R"(,"text":{"format":{"type":"json_object"}}})"},
  };
  for (const Case& row : cases) check(DialectId::openai_chat, row);
}

TEST(OpenaiResponsesBody, AnthropicTurnsBecomeItems) {
  const Case cases[] = {
      {"system, thinking, calls",
       R"({"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],"max_tokens":9,
           "messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[
            {"type":"thinking","thinking":"t","signature":"x"},{"type":"text","text":"a"},
            {"type":"tool_use","id":"t1","name":"f","input":{"a":1}}]},
           {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[
            {"type":"text","text":"a"},{"type":"text","text":"b"}]},{"type":"text","text":"go on"}]}]})",
       R"({"model":"m","store":false,"max_output_tokens":9,"input":[
           {"role":"system","content":[{"type":"input_text","text":"s"}]},{"role":"user","content":"hi"},
           {"role":"assistant","content":[{"type":"output_text","text":"a"}]},
           {"type":"function_call","call_id":"t1","name":"f","arguments":"{\"a\":1}"},
           {"type":"function_call_output","call_id":"t1","output":"a\n\nb"},
           {"role":"user","content":[{"type":"input_text","text":"go on"}]}]})",
       {"messages[].content[] of type thinking", "tool_result.is_error", "cache_control"}},
      {"an image in a result makes it an array",
       R"({"max_tokens":9,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",
           "content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64",
            "media_type":"image/png","data":"AAAA"}}]},
           {"type":"document","source":{"type":"url","url":"https://x/f.pdf"}}]}]})",
       R"({"model":"m","store":false,"max_output_tokens":9,"input":[
           {"type":"function_call_output","call_id":"t1","output":[{"type":"input_text","text":"a"},
            {"type":"input_image","image_url":"data:image/png;base64,AAAA"}]},
           {"role":"user","content":[{"type":"input_file","file_url":"https://x/f.pdf"}]}]})"},
      {"budgets become efforts",
       R"({"max_tokens":9000,"top_k":4,"thinking":{"type":"enabled","budget_tokens":5000},)" HI "}",
       "{" HI_TO R"(,"max_output_tokens":9000,"reasoning":{"effort":"medium"}})",
       {"top_k"}},
  };
  for (const Case& row : cases) check(DialectId::anthropic_messages, row);
}

TEST(OpenaiResponsesBody, OnlyOneChoiceIsPossible) {
  const Translated got = translate(DialectId::openai_chat, kTo, "{" HI R"(,"n":2})");
  EXPECT_FALSE(got.ok);
  EXPECT_EQ(got.problem.where, "n");
}

TEST(OpenaiResponsesBody, AnAssistantGivesNoImages) {
  const Translated got = translate(
      DialectId::openai_chat, kTo,
      R"({"messages":[{"role":"assistant","content":[{"type":"image_url","image_url":{"url":"https://x"}}]}]})");
  EXPECT_FALSE(got.ok);
  EXPECT_EQ(got.problem.where, "messages[0]");
}

TEST(OpenaiResponsesBody, RecordedBodiesOfOthersAreTranslated) {
  for (const auto& [dialect, files] : {std::pair(DialectId::openai_chat, "-chat.completions"),
                                       std::pair(DialectId::anthropic_messages, "-messages")}) {
    const std::vector<Recorded> rows = recorded_requests(files);
    if (rows.empty()) GTEST_SKIP() << "no recorded traffic here";
    int translated = 0;
    for (const Recorded& row : rows) {
      const Translated got = translate(dialect, kTo, row.body);
      if (got.ok) {
        ++translated;
        EXPECT_TRUE(got.body["input"].is_array()) << row.id;
      } else {
        EXPECT_NE(got.problem.what, "") << row.id;
      }
    }
    EXPECT_GT(translated, static_cast<int>(rows.size()) / 2) << files;
  }
}

}  // namespace
}  // namespace shunt::dialect::testing
