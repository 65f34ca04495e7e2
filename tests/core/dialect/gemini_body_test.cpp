// generateContent bodies written from the other dialects.
#include "core/dialect/request_testing.h"

namespace shunt::dialect::testing {
namespace {

constexpr DialectId kTo = DialectId::gemini_generate;
constexpr DialectId kChat = DialectId::openai_chat;
constexpr DialectId kAnthropic = DialectId::anthropic_messages;

struct Case {
  const char* name;
  DialectId from;
  const char* body;
  const char* expected;  // the whole body
  std::vector<std::string> dropped = {};
};

void check(const Case& row) {
  const Translated got = translate(row.from, kTo, row.body);
  ASSERT_TRUE(got.ok) << row.name << ": " << got.problem.where << " " << got.problem.what;
  EXPECT_EQ(got.body, Json::parse(row.expected)) << row.name << "\n" << got.text;
  EXPECT_EQ(got.dropped, row.dropped) << row.name;
}

#define SEALED R"("thoughtSignature":"skip_thought_signature_validator")"

TEST(GeminiBody, MessagesBecomeContents) {
  const Case cases[] = {
      {"texts; turns of one side join, empty ones vanish", kChat,
       R"({"model":"x","messages":[{"role":"system","content":"s\n"},{"role":"user","content":"a"},
           {"role":"user","content":[{"type":"text","text":"b"},{"type":"text","text":""}]},
           {"role":"assistant","content":""},{"role":"assistant","content":"c","refusal":"no"},
           {"role":"developer","content":"d"}]})",
       R"({"systemInstruction":{"parts":[{"text":"s\n"},{"text":"d"}]},"contents":[
           {"role":"user","parts":[{"text":"a"},{"text":"b"}]},
           {"role":"model","parts":[{"text":"c"},{"text":"no"}]}],"generationConfig":{}})"},
      {"images and files", kAnthropic,
       R"({"max_tokens":5,"messages":[{"role":"user","content":[
           {"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}},
           {"type":"image","source":{"type":"url","url":"https://x.test/a.png"}},
           {"type":"document","title":"t","source":{"type":"base64","media_type":"application/pdf","data":"JV"}},
           {"type":"document","source":{"type":"url","url":"https://x.test/a.pdf"}}]}]})",
       R"({"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"iVBO"}},
           {"fileData":{"mimeType":"image/jpeg","fileUri":"https://x.test/a.png"}},
           {"inlineData":{"mimeType":"application/pdf","data":"JV"}},
           {"fileData":{"mimeType":"application/pdf","fileUri":"https://x.test/a.pdf"}}]}],
           "generationConfig":{"maxOutputTokens":5}})"},
      {"thinking is bound to where it comes from",
       kAnthropic,
       R"({"max_tokens":5,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[
           {"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"a",
           "cache_control":{"type":"ephemeral"}}]}]})",
       R"({"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"text":"a"}]}],
           "generationConfig":{"maxOutputTokens":5}})",
       {"messages[].content[] of type thinking", "cache_control"}},
  };
  for (const Case& row : cases) check(row);
}

TEST(GeminiBody, ResultsAreNamedByTheirCalls) {
  const Case cases[] = {
      {"parallel calls of openai", kChat,
       R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[
           {"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},
           {"id":"b","type":"function","function":{"name":"g","arguments":""}}]},
           {"role":"tool","tool_call_id":"a","content":"A"},{"role":"tool","content":"B","tool_call_id":"b"},
           {"role":"tool","tool_call_id":"lost","content":[{"type":"text","text":"x"},
           {"type":"text","text":"y"}]}]})",
       R"({"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[
           {"functionCall":{"name":"f","args":{"x":1}},)" SEALED
       R"(},{"functionCall":{"name":"g","args":{}}}]},
           {"role":"user","parts":[{"functionResponse":{"response":{"output":"A"},"name":"f"}},
           {"functionResponse":{"response":{"output":"B"},"name":"g"}},
           {"functionResponse":{"response":{"output":"x\n\ny"},"name":"lost"}}]}],"generationConfig":{}})"},
      {"errors and images of anthropic", kAnthropic,
       R"({"max_tokens":5,"messages":[{"role":"assistant","content":[
           {"type":"tool_use","id":"t","name":"f","input":{"x":1}}]},{"role":"user","content":[
           {"type":"tool_result","tool_use_id":"t","is_error":true,"content":[{"type":"text","text":"bad"},
           {"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}]}]},
           {"role":"assistant","content":[{"type":"tool_use","id":"u","name":"g","input":{}}]}]})",
       R"({"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{"x":1}},)" SEALED R"(}]},
           {"role":"user","parts":[{"functionResponse":{"response":{"error":"bad"},"name":"f"}},
           {"inlineData":{"mimeType":"image/png","data":"iVBO"}}]},
           {"role":"model","parts":[{"functionCall":{"name":"g","args":{}},)" SEALED R"(}]}],
           "generationConfig":{"maxOutputTokens":5}})"},
  };
  for (const Case& row : cases) check(row);
}

#define HI R"("messages":[{"role":"user","content":"hi"}])"
#define HI_TO R"("contents":[{"role":"user","parts":[{"text":"hi"}]}])"

TEST(GeminiBody, ToolsAndChoice) {
#define TOOL                                                                               \
  R"("tools":[{"type":"function","function":{"name":"f","description":"d","strict":true,)" \
  R"("parameters":{"type":"object","$defs":{},"additionalProperties":false}}}])"
#define TOOL_TO                                                         \
  R"("tools":[{"functionDeclarations":[{"name":"f","description":"d",)" \
  R"("parametersJsonSchema":{"type":"object","$defs":{},"additionalProperties":false}}]}])"
  const Case cases[] = {
      {"left to the model",
       kChat,
       "{" HI "," TOOL R"(,"tool_choice":"auto","parallel_tool_calls":false})",
       "{" HI_TO "," TOOL_TO R"(,"generationConfig":{}})",
       {"tools[].strict", "parallel_tool_calls"}},
      {"any",
       kChat,
       "{" HI "," TOOL R"(,"tool_choice":"required"})",
       "{" HI_TO "," TOOL_TO
       R"(,"toolConfig":{"functionCallingConfig":{"mode":"ANY"}},"generationConfig":{}})",
       {"tools[].strict"}},
      {"this one",
       kChat,
       "{" HI "," TOOL R"(,"tool_choice":{"type":"function","function":{"name":"f"}}})",
       "{" HI_TO "," TOOL_TO R"(,"toolConfig":{"functionCallingConfig":{"mode":"ANY",)"
       R"("allowedFunctionNames":["f"]}},"generationConfig":{}})",
       {"tools[].strict"}},
      {"none, and a tool without parameters",
       kAnthropic,
       R"({"max_tokens":5,)" HI R"(,"tools":[{"name":"f"},{"type":"web_search_20250305","name":"web_search"}],
           "tool_choice":{"type":"none"}})",
       "{" HI_TO R"(,"tools":[{"functionDeclarations":[{"name":"f"}]}],
           "toolConfig":{"functionCallingConfig":{"mode":"NONE"}},"generationConfig":{"maxOutputTokens":5}})",
       {"tools[] of type web_search_20250305"}},
  };
  for (const Case& row : cases) check(row);
}

TEST(GeminiBody, Parameters) {
  const Case cases[] = {
      {"what all know",
       kChat,
       "{" HI R"(,"temperature":1.5,"top_p":0.9,"max_completion_tokens":7,"n":2,
           "stop":["1","2","3","4","5","6"],"user":"u","seed":3,"presence_penalty":1,"frequency_penalty":0.5,"stream":true})",
       "{" HI_TO R"(,"generationConfig":{"temperature":1.5,"topP":0.9,"maxOutputTokens":7,"candidateCount":2,
           "stopSequences":["1","2","3","4","5"],"seed":3,"presencePenalty":1,"frequencyPenalty":0.5}})",
       {"stop sequences beyond 5", "user"}},
      {"log probabilities", kChat, "{" HI R"(,"logprobs":true,"top_logprobs":3})",
       "{" HI_TO R"(,"generationConfig":{"responseLogprobs":true,"logprobs":3}})"},
      {"any JSON", kChat, "{" HI R"(,"response_format":{"type":"json_object"}})",
       "{" HI_TO R"(,"generationConfig":{"responseMimeType":"application/json"}})"},
      {"a schema", kChat,
       "{" HI
       R"(,"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}})",
       "{" HI_TO R"(,"generationConfig":{"responseMimeType":"application/json",
           "responseJsonSchema":{"type":"object"}}})"},
      {"effort", kChat, "{" HI R"(,"reasoning_effort":"medium"})",
       "{" HI_TO R"(,"generationConfig":{"thinkingConfig":{"includeThoughts":true,"thinkingBudget":8192}}})"},
      {"no thinking", kChat, "{" HI R"(,"reasoning_effort":"none"})",
       "{" HI_TO R"(,"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}})"},
      {"a budget", kAnthropic,
       R"({"max_tokens":9,"top_k":4,)" HI R"(,"thinking":{"type":"enabled","budget_tokens":2000}})",
       "{" HI_TO R"(,"generationConfig":{"topK":4,"maxOutputTokens":9,
           "thinkingConfig":{"includeThoughts":true,"thinkingBudget":2000}}})"},
  };
  for (const Case& row : cases) check(row);
}

TEST(GeminiBody, RefusesWhatMustNotBeLost) {
  for (
      const char* body :
      {R"({"messages":[{"role":"system","content":[{"type":"image_url","image_url":{"url":"https://x.test/"}}]}]})",
       R"({"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{}}]}]})"}) {
    const Translated got = translate(kChat, kTo, body);
    EXPECT_FALSE(got.ok) << body;
    EXPECT_EQ(got.problem.where.rfind("messages[0]", 0), 0U) << got.problem.where;
  }
}

// Written from another dialect, read again and written back: the conversation is the same.
TEST(GeminiBody, ThereAndBackKeepsTheMeaning) {
  const std::string body =
      R"({"messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"q"},
           {"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}]},
           {"role":"assistant","content":"a","tool_calls":[{"id":"x","type":"function","function":{"name":"f",
           "arguments":"{\"k\":[1,\"\\n\"]}"}},{"id":"y","type":"function","function":{"name":"f",
           "arguments":"{}"}}]},{"role":"tool","tool_call_id":"x","content":"1"},
           {"role":"tool","tool_call_id":"y","content":"2"},{"role":"user","content":[{"type":"text","text":"b"}]}],
           "tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],
           "tool_choice":"required","temperature":0.25,"max_tokens":9,"stop":["e"],"model":"m"})";
  const Translated there = translate(kChat, kTo, body);
  ASSERT_TRUE(there.ok);
  const Translated back = translate(kTo, kChat, there.text);
  ASSERT_TRUE(back.ok) << back.problem.what;
  Json expected = Json::parse(body);
  const Json ids = {back.body["messages"][2]["tool_calls"][0]["id"],
                    back.body["messages"][2]["tool_calls"][1]["id"]};
  EXPECT_NE(ids[0], ids[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    expected["messages"][2]["tool_calls"][i]["id"] = ids[i];
    expected["messages"][3 + i]["tool_call_id"] = ids[i];
  }
  EXPECT_EQ(back.body, expected);
}

TEST(GeminiBody, RecordedBodiesTranslate) {
  std::size_t translated = 0;
  for (const auto& [from, infix] :
       {std::pair(kChat, "-chat.completions"), std::pair(kAnthropic, "-messages")}) {
    for (const Recorded& row : recorded_requests(infix)) {
      const Translated got = translate(from, kTo, row.body);
      if (!got.ok) {
        EXPECT_FALSE(got.problem.what.empty()) << row.id;
        continue;
      }
      ++translated;
      EXPECT_TRUE(got.body["contents"].is_array()) << row.id;
      for (const Json& content : got.body["contents"]) EXPECT_FALSE(content["parts"].empty()) << row.id;
    }
  }
  if (translated == 0) GTEST_SKIP() << "no recorded traffic here";
  EXPECT_GT(translated, 300U);
}

}  // namespace
}  // namespace shunt::dialect::testing
