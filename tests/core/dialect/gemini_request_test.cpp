// generateContent bodies read, and said in the other dialects.
#include "dialect/gemini_request.h"
#include "core/dialect/request_testing.h"

namespace shunt::dialect::testing {
namespace {

constexpr DialectId kFrom = DialectId::gemini_generate;
constexpr DialectId kChat = DialectId::openai_chat;
constexpr DialectId kAnthropic = DialectId::anthropic_messages;

struct Case {
  const char* name;
  const char* from;
  DialectId to;
  const char* expected;  // members of the target's body
  std::vector<std::string> dropped = {};
};

void check(const Case& row) {
  const Translated got = translate(kFrom, row.to, row.from);
  ASSERT_TRUE(got.ok) << row.name << ": " << got.problem.where << " " << got.problem.what;
  const Json expected = Json::parse(row.expected);
  for (const auto& [key, value] : expected.items()) {
    EXPECT_EQ(got.body.value(key, Json()), value) << row.name << "\n" << got.text;
  }
  EXPECT_EQ(got.dropped, row.dropped) << row.name;
}

TEST(GeminiRequest, ContentsBecomeMessages) {
  const Case cases[] = {
      {"texts and the system prompt",
       R"({"system_instruction":{"parts":{"text":"be \"brief\""}},"contents":[{"parts":[{"text":"q"}]},
           {"role":"model","parts":[{"text":"a","thoughtSignature":"S"}]},{"role":"user","parts":{"text":"b"}}]})",
       kChat,
       R"({"model":"m","messages":[{"role":"system","content":"be \"brief\""},
           {"role":"user","content":[{"type":"text","text":"q"}]},{"role":"assistant","content":"a"},
           {"role":"user","content":[{"type":"text","text":"b"}]}]})",
       {"contents[].parts[].thoughtSignature"}},
      {"one content for a list", R"({"contents":{"role":"user","parts":[{"text":"q"}]}})", kAnthropic,
       R"({"messages":[{"role":"user","content":[{"type":"text","text":"q"}]}]})"},
      {"thoughts and own steps are left out",
       R"({"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[
           {"text":"hm","thought":true},{"executableCode":{"code":"1","language":"PYTHON"}},
           {"codeExecutionResult":{"outcome":"OUTCOME_OK"}},{"thoughtSignature":"S"},{"text":"a"}]}]})",
       kChat,
       R"({"messages":[{"role":"user","content":[{"type":"text","text":"q"}]},
           {"role":"assistant","content":"a"}]})",
       {"messages[].content[] of type thinking", "messages[].content[] of type executableCode",
        "messages[].content[] of type codeExecutionResult", "contents[].parts[].thoughtSignature"}},
      {"images and files, in both forms and alphabets",
       R"({"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBO"}},
           {"inline_data":{"mime_type":"image/jpeg","data":"_9j-4AAQSk"}},
           {"inlineData":{"data":"JVBE","mimeType":"application/pdf"}},
           {"fileData":{"fileUri":"https://x.test/a.png","mimeType":"image/png"}}]}]})",
       kAnthropic,
       R"({"messages":[{"role":"user","content":[
           {"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}},
           {"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"/9j+4AAQSk=="}},
           {"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBE"}},
           {"type":"image","source":{"type":"url","url":"https://x.test/a.png"}}]}]})"},
  };
  for (const Case& row : cases) check(row);
}

TEST(GeminiRequest, CallsGetIdsAndTheirResponsesTheSame) {
  const Translated got =
      translate(kFrom, kChat,
                R"({"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[
           {"functionCall":{"name":"f","args":{"a":1}}},{"functionCall":{"name":"g"}},
           {"function_call":{"id":"own","name":"f","args":{}}}]},{"role":"function","parts":[
           {"functionResponse":{"name":"g","response":{"output":"G\n"}}},
           {"functionResponse":{"name":"f","response":{"error":"bad"}}},
           {"function_response":{"id":"own","name":"f","response":{"x":"1","y":[2]}}},
           {"functionResponse":{"name":"h","response":{"output":{"z":3}}}}]}]})");
  ASSERT_TRUE(got.ok) << got.problem.what;
  const Json& messages = got.body["messages"];
  ASSERT_EQ(messages.size(), 6U);
  const Json& calls = messages[1]["tool_calls"];
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_EQ(calls[0]["function"], Json::parse(R"({"name":"f","arguments":"{\"a\":1}"})"));
  EXPECT_EQ(calls[1]["function"]["arguments"], "{}");
  EXPECT_EQ(calls[2]["id"], "own");
  EXPECT_NE(calls[0]["id"], calls[1]["id"]);
  EXPECT_EQ(messages[2]["tool_call_id"], calls[1]["id"]);
  EXPECT_EQ(messages[2]["content"], "G\n");
  EXPECT_EQ(messages[3]["tool_call_id"], calls[0]["id"]);
  EXPECT_EQ(messages[3]["content"], "bad");
  EXPECT_EQ(messages[4]["tool_call_id"], "own");
  EXPECT_EQ(Json::parse(messages[4]["content"].get<std::string>()), Json::parse(R"({"x":"1","y":[2]})"));
  EXPECT_EQ(messages[5]["content"], R"({"output":{"z":3}})");
  EXPECT_EQ(got.dropped, (std::vector<std::string>{"tool_result.is_error"}));
}

// Vercel's @ai-sdk/google puts the name there again and calls the output content.
TEST(GeminiRequest, AResponseThatRepeatsItsNameSaysItsContent) {
  const struct {
    const char *response, *content;
  } cases[] = {
      {R"({"name":"f","content":"sunny\n"})", "sunny\n"},
      {R"({"name":"f","content":{"a":1}})", R"({"name":"f","content":{"a":1}})"},
      {R"({"name":"f","content":"x","more":1})", R"({"name":"f","content":"x","more":1})"},
      {R"({"content":"x"})", R"({"content":"x"})"},
      {R"({"name":"f"})", R"({"name":"f"})"},
      {R"({"name":{},"content":"x"})", R"({"name":{},"content":"x"})"},
  };
  for (const auto& row : cases) {
    const Translated got = translate(
        kFrom, kChat,
        std::string(R"({"contents":[{"role":"user","parts":[{"functionResponse":{"id":"i","name":"f",)") +
            R"("response":)" + row.response + "}}]}]}");
    ASSERT_TRUE(got.ok) << got.problem.what;
    EXPECT_EQ(got.body["messages"][0]["content"], row.content);
  }
}

TEST(GeminiRequest, ToolsAndChoice) {
#define HI R"("contents":[{"parts":[{"text":"hi"}]}])"
  const Case cases[] = {
      {"both kinds of schema",
       "{" HI
       R"(,"tools":[{"functionDeclarations":[{"name":"f","description":"d","parameters":{"type":"OBJECT",
           "properties":{"a":{"type":"STRING"}}}},{"name":"g","parametersJsonSchema":{"type":"object"}}]},
           {"googleSearch":{}}],"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}})",
       kChat,
       R"({"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object",
           "properties":{"a":{"type":"string"}}}}},
           {"type":"function","function":{"name":"g","parameters":{"type":"object"}}}],"tool_choice":"required"})",
       {"tools[] of type googleSearch"}},
      {"one allowed function is that function",
       "{" HI R"(,"tools":{"function_declarations":{"name":"f"}},"tool_config":{"function_calling_config":{
           "mode":"ANY","allowed_function_names":["f"]}}})",
       kAnthropic,
       R"({"tools":[{"name":"f","input_schema":{"type":"object","properties":{}}}],
           "tool_choice":{"type":"tool","name":"f"}})"},
      {"several are more than the others can say",
       "{" HI R"(,"tools":[{"functionDeclarations":[{"name":"f"},{"name":"g"},{"name":"h"}]}],
           "toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f","g"]}}})",
       kChat,
       R"({"tool_choice":"required"})",
       {"toolConfig.functionCallingConfig.allowedFunctionNames"}},
  };
  for (const Case& row : cases) check(row);
}

TEST(GeminiRequest, Parameters) {
  const Case cases[] = {
      {"what all know",
       "{" HI R"(,"generationConfig":{"temperature":0.5,"topP":0.9,"topK":3,"maxOutputTokens":7,
           "candidateCount":2,"stopSequences":["x","y"],"seed":1,
           "presencePenalty":0.5,"frequency_penalty":1,"responseMimeType":"application/json"},
           "safetySettings":[]})",
       kChat,
       R"({"temperature":0.5,"top_p":0.9,"max_tokens":7,"n":2,"stop":["x","y"],
           "seed":1,"presence_penalty":0.5,"frequency_penalty":1,"response_format":{"type":"json_object"}})",
       {"top_k", "safetySettings"}},
      {"log probabilities", "{" HI R"(,"generationConfig":{"responseLogprobs":true,"logprobs":3}})", kChat,
       R"({"logprobs":true,"top_logprobs":3})"},
      {"a schema of the answer",
       "{" HI
       R"(,"generation_config":{"response_mime_type":"application/json","response_schema":{"type":"STRING"},
           "max_output_tokens":5}})",
       kChat,
       R"({"max_tokens":5,"response_format":{"type":"json_schema","json_schema":{"name":"answer",
           "schema":{"type":"string"}}}})"},
      {"JSON schema as it is", "{" HI R"(,"generationConfig":{"responseJsonSchema":{"type":"object","x":1},
           "responseMimeType":"application/json"}})",
       kAnthropic, R"({"output_config":{"format":{"type":"json_schema","schema":{"type":"object","x":1}}}})"},
      {"a budget of thinking",
       "{" HI R"(,"generationConfig":{"maxOutputTokens":9000,"thinkingConfig":{"thinkingBudget":512}}})",
       kAnthropic, R"({"thinking":{"type":"enabled","budget_tokens":1024},"max_tokens":9000})"},
      {"a level of thinking", "{" HI R"(,"generationConfig":{"thinkingConfig":{"thinking_level":"low"}}})",
       kChat, R"({"reasoning_effort":"low"})"},
      {"left to the model", "{" HI R"(,"generationConfig":{"thinkingConfig":{"thinkingBudget":-1}}})", kChat,
       R"({"reasoning_effort":null})"},
  };
  for (const Case& row : cases) check(row);
}

TEST(GeminiRequest, RefusesWhatMustNotBeLost) {
  struct {
    const char* body;
    const char* where;
    int status;
  } const cases[] = {
      {R"({"contents":[{"parts":[{"inlineData":{"mimeType":"audio/wav","data":"AA"}}]}]})",
       "contents[0].parts[0].inlineData", 400},
      {R"({"contents":[{"parts":[{"inlineData":{"data":"AA"}}]}]})", "contents[0].parts[0].inlineData", 400},
      {R"({"contents":[{"parts":[{"fileData":{"fileUri":"gs://b/f","mimeType":"image/png"}}]}]})",
       "contents[0].parts[0].fileData", 400},
      {R"({"contents":[{"parts":[{"fileData":{"fileUri":
           "https://generativelanguage.googleapis.com/v1beta/files/a"}}]}]})",
       "contents[0].parts[0].fileData", 400},
      {R"({"contents":[{"role":"model","parts":[{"functionCall":{"args":{}}}]}]})",
       "contents[0].parts[0].functionCall", 400},
      {"{" HI R"(,"cachedContent":"c"})", "cachedContent", 400},
      {"{" HI R"(,"generationConfig":{"responseModalities":["IMAGE"]}})",
       "generationConfig.responseModalities", 400},
      {"{" HI R"(,"generationConfig":{"responseMimeType":"text/x.enum"}})",
       "generationConfig.responseMimeType", 400},
      {"{" HI R"(,"generationConfig":{"maxOutputTokens":"many"}})", "generationConfig.maxOutputTokens", 400},
  };
  for (const auto& row : cases) {
    const Translated got = translate(kFrom, kChat, row.body);
    EXPECT_FALSE(got.ok) << row.body;
    EXPECT_EQ(got.problem.where, row.where) << row.body;
    EXPECT_EQ(got.problem.status, row.status) << row.body;
    EXPECT_TRUE(splice(kFrom, row.body).ok) << "its own provider judges it: " << row.body;
  }
}

TEST(GeminiRequest, RefusesWhatNobodyCouldServe) {
  struct {
    const char* body;
    const char* where;
  } const cases[] = {
      {"[]", ""},
      {"{}", "contents"},
      {R"({"contents":"hi"})", "contents"},
      {R"({"contents":["hi"]})", "contents[0]"},
      {R"({"contents":[{"role":"assistant","parts":[]}]})", "contents[0].role"},
      {R"({"contents":[{"parts":[7]}]})", "contents[0].parts[0]"},
      {R"({"contents":[],"contents":[]})", "contents"},
  };
  for (const auto& row : cases) {
    Request request;
    RequestProblem problem;
    EXPECT_FALSE(read_gemini(outline_of(row.body, kFrom), request, problem)) << row.body;
    EXPECT_EQ(problem.where, row.where) << row.body;
  }
}

TEST(GeminiRequest, WhatIsTooLongToRewriteIsRefusedBySize) {
  const std::string text(limits::kOutlineKeep + 1, 'A');
  const std::pair<std::string, const char*> cases[] = {
      {R"({"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"_)" + text + R"("}}]}]})",
       "contents[0].parts[0].inlineData.data"},
      {R"({"contents":[{"parts":[{"functionResponse":{"name":"f","response":{"x":")" + text + R"("}}}]}]})",
       "contents[0].parts[0].functionResponse.response"},
      {R"({"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{"x":")" + text +
           R"("}}}]}]})",
       "contents[0].parts[0].functionCall.args"},
      {"{" HI R"(,"tools":[{"functionDeclarations":[{"name":"f","parameters":{"description":")" + text +
           R"("}}]}]})",
       "tools[0].functionDeclarations[0].parameters"},
  };
  for (const auto& [body, where] : cases) {
    const Translated got = translate(kFrom, kChat, body);
    EXPECT_FALSE(got.ok);
    EXPECT_EQ(got.problem.where, where);
    EXPECT_EQ(got.problem.status, 413);
  }
}

TEST(GeminiRequest, TellsRoutingWhatItNeeds) {
  Request request;
  RequestProblem problem;
  const std::string body =
      R"({"contents":[{"parts":[{"text":")" + std::string(400, 'x') +
      R"("},{"inlineData":{"mimeType":"image/png","data":"AA=="}}]}],"tools":[{"functionDeclarations":[{"name":"f"}]}],
           "generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{}}})";
  ASSERT_TRUE(read_gemini(outline_of(body, kFrom), request, problem));
  EXPECT_TRUE(request.needs.has(Ability::vision) && request.needs.has(Ability::tools) &&
              request.needs.has(Ability::json_schema));
  EXPECT_EQ(request.input_tokens_estimate, 100);
}

// Every recorded body is said in the other dialects, or refused with a place; its texts arrive.
TEST(GeminiRequest, RecordedBodiesTranslate) {
  const std::vector<Recorded> rows = recorded_requests("-generateContent");
  if (rows.empty()) GTEST_SKIP() << "no recorded traffic here";
  std::size_t translated = 0;
  for (const Recorded& row : rows) {
    for (const DialectId to : {kChat, kAnthropic}) {
      const Translated got = translate(kFrom, to, row.body);
      if (!got.ok) {
        EXPECT_FALSE(got.problem.where.empty()) << row.id << got.problem.what;
        continue;
      }
      ++translated;
      const Json asked = Json::parse(row.body);
      for (const Json& content : asked["contents"]) {
        for (const Json& part : content["parts"]) {
          if (!part.contains("text") || part.value("thought", false)) continue;
          const std::string quoted = part["text"].dump();  // texts of one message may have been joined
          EXPECT_NE(got.body.dump().find(quoted.substr(1, quoted.size() - 2)), std::string::npos) << row.id;
        }
      }
    }
  }
  EXPECT_GT(translated, rows.size());
}

// Whatever is broken in a body: JSON in the other dialects, or a problem.
TEST(GeminiRequest, MutatedBodiesGiveJsonOrAProblem) {
  const std::string body =
      R"({"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":"q"},
           {"inlineData":{"mimeType":"image/png","data":"_-AA"}}]},{"role":"model","parts":[{"functionCall":{
           "name":"f","args":{"a":[1,"\n"]}},"thoughtSignature":"S"}]},{"role":"user","parts":[{"functionResponse":{
           "name":"f","response":{"output":"o"},"parts":[{"fileData":{"fileUri":"https://x.test/a"}}]}}]}],
           "tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","minItems":"1"}}]}],
           "toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}},
           "generationConfig":{"temperature":1,"stopSequences":["x"],"thinkingConfig":{"thinkingBudget":5}}})";
  constexpr std::string_view kBytes = "{}[]\",:0n\\";
  for (std::size_t at = 0; at < body.size(); ++at) {
    for (const char byte : kBytes) {
      std::string mutated = body;
      mutated[at] = byte;
      for (const DialectId to : {kChat, kAnthropic}) translate(kFrom, to, mutated);
      splice(kFrom, mutated);
    }
    translate(kFrom, kChat, body.substr(0, at));
  }
}

}  // namespace
}  // namespace shunt::dialect::testing
