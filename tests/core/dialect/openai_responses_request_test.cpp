// What a Responses body becomes at providers of the other APIs: pairs from the APIs' references.
#include "core/dialect/request_testing.h"

namespace shunt::dialect::testing {
namespace {

constexpr DialectId kFrom = DialectId::openai_responses;

struct Case {
  const char* rule;
  const char* from;
  const char* to;
  std::vector<std::string> dropped = {};
};

void check(DialectId to, const Case& row) {
  const Translated got = translate(kFrom, to, row.from);
  ASSERT_TRUE(got.ok) << row.rule << ": " << got.problem.where << " " << got.problem.what;
  EXPECT_EQ(got.body, Json::parse(row.to)) << row.rule << "\n" << got.text;
  EXPECT_EQ(got.dropped, row.dropped) << row.rule;
}

#define HI R"("input":"hi")"
#define HI_TO R"("model":"m","messages":[{"role":"user","content":"hi"}])"

TEST(OpenaiResponsesRequest, ItemsBecomeMessagesOfChatCompletions) {
  const Case cases[] = {
      {"a string is what the user says", "{" HI "}", "{" HI_TO "}"},
      {"instructions come first, wherever they stand", "{" HI R"(,"instructions":"be brief"})",
       R"({"model":"m","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hi"}]})"},
      {"a message needs no type",
       R"({"input":[{"role":"developer","content":"s"},{"type":"message","role":"user","content":
           [{"type":"input_text","text":"a"},{"type":"input_image","image_url":"https://x/y.png"},
            {"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"low"},
            {"type":"input_file","filename":"f.pdf","file_data":"data:application/pdf;base64,BBBB"}]}]})",
       R"({"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":[
           {"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"https://x/y.png"}},
           {"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA","detail":"low"}},
           {"type":"file","file":{"file_data":"data:application/pdf;base64,BBBB","filename":"f.pdf"}}]}]})"},
      {"calls go with the message before them, their results are messages",
       R"({"input":[{"role":"assistant","content":[{"type":"output_text","text":"so","annotations":[]}]},
           {"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{\"a\":1}"},
           {"type":"function_call","call_id":"c2","name":"g","arguments":""},
           {"type":"function_call_output","call_id":"c1","output":"one"},
           {"type":"function_call_output","call_id":"c2","output":[{"type":"input_text","text":"two"}]},
           {"role":"assistant","content":"done"}]})",
       R"({"model":"m","messages":[{"role":"assistant","content":"so","tool_calls":[
           {"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},
           {"id":"c2","type":"function","function":{"name":"g","arguments":""}}]},
           {"role":"tool","content":"one","tool_call_id":"c1"},
           {"role":"tool","content":"two","tool_call_id":"c2"},{"role":"assistant","content":"done"}]})"},
      {"a text between a call and its result parts them not",
       R"({"input":[{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},
           {"role":"assistant","content":"wait"},{"type":"function_call_output","call_id":"c","output":"o"}]})",
       R"({"model":"m","messages":[{"role":"assistant","content":"wait","tool_calls":[
           {"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},
           {"role":"tool","content":"o","tool_call_id":"c"}]})"},
      {"reasoning and the model's own steps are left out",
       R"({"input":[{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"x"},
           {"type":"web_search_call","id":"ws","status":"completed"},{"role":"assistant","content":"a"},
           {"role":"assistant","content":"b"}]})",
       R"({"model":"m","messages":[{"role":"assistant","content":"a"},{"role":"assistant","content":"b"}]})",
       {"messages[].content[] of type thinking", "messages[].content[] of type web_search_call"}},
  };
  for (const Case& row : cases) check(DialectId::openai_chat, row);
}

TEST(OpenaiResponsesRequest, ParametersHaveOtherNames) {
  const Case cases[] = {
      {"limits, sampling, effort",
       "{" HI R"(,"max_output_tokens":9,"temperature":0.5,"top_p":0.1,"user":"u","reasoning":{"effort":"low",
           "summary":"auto"},"stream":true,"store":false,"previous_response_id":null,"background":false})",
       "{" HI_TO R"(,"max_tokens":9,"temperature":0.5,"top_p":0.1,"user":"u","reasoning_effort":"low",
           "stream":true,"stream_options":{"include_usage":true}})",
       {"reasoning.summary"}},
      {"tools are flat here",
       "{" HI R"(,"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"},
           "strict":true},{"type":"web_search"}],"tool_choice":{"type":"function","name":"f"},
           "parallel_tool_calls":false})",
       "{" HI_TO R"(,"tools":[{"type":"function","function":{"name":"f","description":"d",
           "parameters":{"type":"object"},"strict":true}}],
           "tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false})",
       {"tools[] of type web_search"}},
      {"a schema",
       "{" HI
       R"(,"text":{"verbosity":"low","format":{"type":"json_schema","name":"n","schema":{"type":"object"},
           "strict":true}}})",
       "{" HI_TO R"(,"response_format":{"type":"json_schema","json_schema":{"name":"n",
           "schema":{"type":"object"},"strict":true}}})",
       {"text.verbosity"}},
      {"any JSON", "{" HI R"(,"text":{"format":{"type":"json_object"}},"tool_choice":"auto"})",
       "{" HI_TO R"(,"response_format":{"type":"json_object"}})"},
      {"log probabilities are included",
       "{" HI R"(,"include":["message.output_text.logprobs"],"top_logprobs":2})",
       "{" HI_TO R"(,"logprobs":true,"top_logprobs":2})"},
      {"what has no counterpart is dropped with a warning",
       "{" HI R"(,"store":true,"include":["reasoning.encrypted_content"],"truncation":"auto"})",
       "{" HI_TO "}",
       {"store", "include", "truncation"}},
  };
  for (const Case& row : cases) check(DialectId::openai_chat, row);
}

TEST(OpenaiResponsesRequest, ItemsBecomeTurnsOfMessages) {
  check(DialectId::anthropic_messages,
        {"a whole turn with tools",
         R"({"instructions":"s","max_output_tokens":9,"input":[{"role":"user","content":[
             {"type":"input_file","file_url":"https://x/f.pdf"},{"type":"input_text","text":"a"}]},
             {"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\": 1}"},
             {"type":"function_call_output","call_id":"c","output":[
              {"type":"input_image","image_url":"data:image/png;base64,AAAA"}]}]})",
         R"({"model":"m","max_tokens":9,"system":[{"type":"text","text":"s"}],"messages":[
             {"role":"user","content":[{"type":"document","source":{"type":"url","url":"https://x/f.pdf"}},
              {"type":"text","text":"a"}]},
             {"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{"a":1}}]},
             {"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[
              {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}]}]})"});
}

struct Refused {
  const char* body;
  const char* where;
  const char* what;
};

TEST(OpenaiResponsesRequest, WhatOnlyItsOwnProviderKnowsIsNeverDropped) {
  const Refused cases[] = {
      {"{" HI R"(,"previous_response_id":"resp_1"})", "previous_response_id",
       "names what only its own provider keeps"},
      {R"({"prompt":{"id":"pmpt_1"}})", "prompt", "names what only its own provider keeps"},
      {R"({"input":[],"conversation":"conv_1"})", "conversation", "names what only its own provider keeps"},
      {R"({"input":[{"type":"item_reference","id":"msg_1"}]})", "input[0]",
       "is of type item_reference, which only this dialect has"},
      {R"({"input":[{"type":"local_shell_call_output","id":"c","output":"o"}]})", "input[0]",
       "is of type local_shell_call_output, which only this dialect has"},
      {R"({"input":[{"role":"user","content":[{"type":"input_image","file_id":"file_1"}]}]})",
       "input[0].content[0]", "has no image URL"},
      {R"({"input":[{"role":"user","content":[{"type":"input_file","file_id":"file_1"}]}]})",
       "input[0].content[0]",
       "is a file without base64 file_data or file_url: only its own provider can read it"},
      {R"({"input":[{"role":"user","content":[{"type":"input_audio"}]}]})", "input[0].content[0]",
       "is of type input_audio, which only this dialect has"},
      {R"({"input":[{"type":"function_call","call_id":"c","name":"f","arguments":"[1]"}]})",
       "input[0].arguments", "is not a JSON object"},
      {"{" HI R"(,"background":true})", "background", "is possible only at a provider of this dialect"},
      {"{" HI R"(,"tool_choice":{"type":"web_search"}})", "tool_choice",
       "is not auto, none, required or a function"},
  };
  for (const Refused& row : cases) {
    for (const DialectId to : {DialectId::openai_chat, DialectId::anthropic_messages}) {
      const Translated got = translate(kFrom, to, row.body);
      EXPECT_FALSE(got.ok) << row.body;
      EXPECT_EQ(got.problem.where, row.where) << row.body;
      EXPECT_EQ(got.problem.what, row.what) << row.body;
    }
    const Translated spliced = splice(kFrom, row.body);
    EXPECT_TRUE(spliced.ok) << row.body;
    Json same = Json::parse(row.body);
    same["model"] = "m";
    EXPECT_EQ(spliced.body, same);
  }
}

TEST(OpenaiResponsesRequest, WhatNobodyCouldServeIsRefused) {
  const Refused cases[] = {
      {"[]", "", "must be a JSON object"},
      {"{}", "input", "is missing"},
      {R"({"input":null})", "input", "is missing"},
      {R"({"input":7})", "input", "must be an array"},
      {R"({"input":[7]})", "input[0]", "must be an object"},
      {R"({"input":[{"content":"x"}]})", "input[0].role", "is missing"},
      {R"({"input":[{"role":"user","content":7}]})", "input[0].content",
       "must be a string or an array of parts"},
      {R"({"input":[{"role":"user","content":[{"text":"x"}]}]})", "input[0].content[0]", "has no type"},
      {"{" HI R"(,"model":7})", "model", "must be a string"},
  };
  for (const Refused& row : cases) {
    Request request;
    RequestProblem problem;
    EXPECT_FALSE(read(kFrom, outline_of(row.body, kFrom), request, problem)) << row.body;
    EXPECT_EQ(problem.where, row.where) << row.body;
    EXPECT_EQ(problem.what, row.what) << row.body;
  }
}

TEST(OpenaiResponsesRequest, RoutingSeesWhatItNeeds) {
  Request request;
  RequestProblem problem;
  const std::string body =
      R"({"model":"x","stream":true,"input":[{"role":"user","content":[{"type":"input_text","text":"12345678"},
          {"type":"input_image","image_url":"https://x"}]}],"tools":[{"type":"web_search"}],
          "text":{"format":{"type":"json_schema","name":"n","schema":{}}}})";
  ASSERT_TRUE(read(kFrom, outline_of(body, kFrom), request, problem)) << problem.where << problem.what;
  EXPECT_EQ(request.model, "x");
  EXPECT_TRUE(request.stream && request.needs.has(Ability::vision) && request.needs.has(Ability::tools) &&
              request.needs.has(Ability::json_schema));
  EXPECT_EQ(request.input_tokens_estimate, 2);
}

// Every recorded body is read; where only its own provider could serve it, a sentence says why.
TEST(OpenaiResponsesRequest, RecordedBodiesKeepTheirTexts) {
  const std::vector<Recorded> rows = recorded_requests("-responses");
  if (rows.empty()) GTEST_SKIP() << "no recorded traffic here";
  int translated = 0;
  for (const Recorded& row : rows) {
    for (const DialectId to : {DialectId::openai_chat, DialectId::anthropic_messages}) {
      const Translated got = translate(kFrom, to, row.body);
      if (!got.ok) {
        EXPECT_NE(got.problem.what, "") << row.id;
        continue;
      }
      ++translated;
      const Json input = Json::parse(row.body)["input"];
      EXPECT_TRUE(!input.is_string() || got.body.dump().find(input.dump()) != std::string::npos) << row.id;
    }
  }
  EXPECT_GT(translated, 100);
}

}  // namespace
}  // namespace shunt::dialect::testing
