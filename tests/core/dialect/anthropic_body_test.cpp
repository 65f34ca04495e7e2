// What a Chat Completions body becomes at an Anthropic provider: pairs from the two APIs' references.
#include "core/dialect/request_testing.h"

namespace shunt::dialect::testing {
namespace {

constexpr DialectId kFrom = DialectId::openai_chat;

struct Case {
  const char* rule;
  const char* from;  // the openai body
  const char* to;    // the anthropic body
  std::vector<std::string> dropped = {};
};

void check(const Case& row) {
  const Translated got = translate(kFrom, row.from);
  ASSERT_TRUE(got.ok) << row.rule << ": " << got.problem.where << " " << got.problem.what;
  EXPECT_EQ(got.body, Json::parse(row.to)) << row.rule << "\n" << got.text;
  EXPECT_EQ(got.dropped, row.dropped) << row.rule;
}

#define HI R"("messages":[{"role":"user","content":"hi"}])"
#define HI_TO R"("model":"m","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}])"
#define HI_TO_DEFAULT HI_TO R"(,"max_tokens":4096)"

TEST(AnthropicBody, MessagesBecomeTurns) {
  const Case cases[] = {
      {"a bare string becomes a text block, max_tokens gets a default", "{" HI "}", "{" HI_TO_DEFAULT "}"},
      {"parts stay parts",
       R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text",
           "text":"b"}]}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text","text":"a"},
           {"type":"text","text":"b"}]}]})"},
      {"system and developer go to system, wherever they stand",
       R"({"messages":[{"role":"system","content":"s"},{"role":"user","content":"u"},
           {"role":"developer","content":[{"type":"text","text":"d"}]}]})",
       R"({"model":"m","max_tokens":4096,"system":[{"type":"text","text":"s"},{"type":"text","text":"d"}],
           "messages":[{"role":"user","content":[{"type":"text","text":"u"}]}]})"},
      {"consecutive messages of one role merge",
       R"({"messages":[{"role":"user","content":"a"},{"role":"user","content":"b"},{"role":"assistant",
           "content":"c"}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text","text":"a"},
           {"type":"text","text":"b"}]},{"role":"assistant","content":[{"type":"text","text":"c"}]}]})"},
      {"empty texts are left out, and a message that has nothing else with them",
       R"({"messages":[{"role":"system","content":""},{"role":"user","content":"a"},{"role":"assistant",
           "content":""},
           {"role":"user","content":[{"type":"text","text":""},{"type":"text","text":"b"}]}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text","text":"a"},
           {"type":"text","text":"b"}]}]})"},
      {"a refusal is what the assistant said",
       R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,"refusal":"no"},
           {"role":"user",
           "content":"b"}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},
           {"role":"assistant","content":[{"type":"text","text":"no"}]},
           {"role":"user","content":[{"type":"text","text":"b"}]}]})"},
      {"escapes travel as they are",
       R"({"messages":[{"role":"user","content":"a\n\"\u00e9\ud83d\ude00\\"}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text",
           "text":"a\n\"é😀\\"}]}]})"},
      {"keys only one side has are dropped and said",
       R"({"messages":[{"role":"user","content":"hi","name":"bo"}],"seed":1,"logit_bias":{"1":2},
           "logprobs":true,
           "presence_penalty":0.5,"store":null})",
       "{" HI_TO_DEFAULT "}",
       {"seed", "presence_penalty", "logprobs", "messages[].name", "logit_bias"}},
      {"other providers' reasoning texts are no thinking blocks",
       R"({"messages":[{"role":"user","content":"hi"},{"role":"assistant","reasoning_content":"r",
           "content":"c"}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text",
           "text":"hi"}]},
           {"role":"assistant","content":[{"type":"text","text":"c"}]}]})",
       {"messages[].reasoning_content"}},
      {"cache_control, an extension here, is the target's own",
       R"({"messages":[{"role":"user","content":[{"type":"text","text":"a",
           "cache_control":{"type":"ephemeral"}}]}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text","text":"a",
           "cache_control":{"type":"ephemeral"}}]}]})"},
  };
  for (const Case& row : cases) check(row);
}

TEST(AnthropicBody, ImagesAndFilesBecomeSources) {
  const Case cases[] = {
      {"a data URL is a base64 source",
       R"({"messages":[{"role":"user","content":[{"type":"image_url",
           "image_url":{"url":"data:image/png;base64,AAAA"}}]}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"image",
           "source":{"type":"base64",
           "media_type":"image/png","data":"AAAA"}}]}]})"},
      {"escaped slashes in it, upper case and parameters",
       R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"detail":"low",
           "url":"DATA:image\/JPEG;a=b;BASE64,A\/+="}}]}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"image",
           "source":{"type":"base64",
           "media_type":"image/jpeg","data":"A/+="}}]}]})",
       {"detail"}},
      {"a web URL is a url source",
       R"({"messages":[{"role":"user","content":[{"type":"image_url",
           "image_url":{"url":"https:\/\/x.test\/a.png"}}]}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"image",
           "source":{"type":"url",
           "url":"https://x.test/a.png"}}]}]})"},
      {"an image_url that is a bare string is taken as the URL",
       R"({"messages":[{"role":"user","content":[{"type":"image_url",
           "image_url":"https://x.test/a.png"}]}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"image",
           "source":{"type":"url",
           "url":"https://x.test/a.png"}}]}]})"},
      {"a file with data is a document",
       R"({"messages":[{"role":"user","content":[{"type":"file","file":{"filename":"a.pdf",
           "file_data":"data:application/pdf;base64,JVBE"}}]}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"document","source":{
           "type":"base64","media_type":"application/pdf","data":"JVBE"},"title":"a.pdf"}]}]})"},
  };
  for (const Case& row : cases) check(row);
}

TEST(AnthropicBody, ToolCallsBecomeBlocks) {
  const Case cases[] = {
      {"arguments are unescaped into an object; results merge into one user turn with what follows",
       R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"t","tool_calls":[
           {"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":\"x\\ny\",\"b\":[1]}"}},
           {"id":"c2","type":"function","function":{"name":"g","arguments":""}}]},
           {"role":"tool","tool_call_id":"c1","content":"r1"},{"role":"tool","content":"r2",
           "tool_call_id":"c2"},
           {"role":"user","content":"go"}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text","text":"q"}]},
           {"role":"assistant","content":[{"type":"text","text":"t"},
            {"type":"tool_use","id":"c1","name":"f","input":{"a":"x\ny","b":[1]}},
            {"type":"tool_use","id":"c2","name":"g","input":{}}]},
           {"role":"user","content":[
            {"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"r1"}]},
            {"type":"tool_result","tool_use_id":"c2","content":[{"type":"text","text":"r2"}]},
            {"type":"text","text":"go"}]}]})"},
      {"content null beside calls; an empty result",
       R"({"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function",
           "function":{"name":"f","arguments":" {} "}}]},{"role":"tool","tool_call_id":"c",
           "content":""}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"assistant","content":[
           {"type":"tool_use","id":"c","name":"f","input":{}}]},
           {"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[]}]}]})"},
      {"ids are mended to what the API takes, alike in call and result",
       R"({"messages":[{"role":"assistant","tool_calls":[{"id":"functions.f:0","type":"function",
           "function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"functions.f:0",
           "content":"r"}]})",
       R"({"model":"m","max_tokens":4096,"messages":[{"role":"assistant","content":[
           {"type":"tool_use","id":"functions_f_0","name":"f","input":{}}]},
           {"role":"user","content":[{"type":"tool_result","tool_use_id":"functions_f_0",
           "content":[{"type":"text","text":"r"}]}]}]})"},
  };
  for (const Case& row : cases) check(row);
}

#define TOOL R"("tools":[{"type":"function","function":{"name":"f"}}])"
#define TOOL_TO R"("tools":[{"name":"f","input_schema":{"type":"object","properties":{}}}])"

TEST(AnthropicBody, ToolsAndChoice) {
  const Case cases[] = {
      {"parameters are the input_schema",
       "{" HI R"(,"tools":[{"type":"function","function":{"name":"f","description":"d","strict":true,
           "parameters":{"type":"object","properties":{"a":{"type":"string"}}}}}]})",
       "{" HI_TO_DEFAULT R"(,"tools":[{"name":"f","description":"d","strict":true,
           "input_schema":{"type":"object","properties":{"a":{"type":"string"}}}}]})"},
      {"missing parameters are an empty object schema", "{" HI "," TOOL "}",
       "{" HI_TO_DEFAULT "," TOOL_TO "}"},
      {"a tool that is no function is dropped and said, its choice with it",
       "{" HI R"(,"tools":[{"type":"web_search"}],"tool_choice":"auto"})",
       "{" HI_TO_DEFAULT "}",
       {"tools[] of type web_search"}},
      {"auto", "{" HI "," TOOL R"(,"tool_choice":"auto"})",
       "{" HI_TO_DEFAULT "," TOOL_TO R"(,"tool_choice":{"type":"auto"}})"},
      {"none", "{" HI "," TOOL R"(,"tool_choice":"none","parallel_tool_calls":false})",
       "{" HI_TO_DEFAULT "," TOOL_TO R"(,"tool_choice":{"type":"none"}})"},
      {"required", "{" HI "," TOOL R"(,"tool_choice":"required"})",
       "{" HI_TO_DEFAULT "," TOOL_TO R"(,"tool_choice":{"type":"any"}})"},
      {"any, as some say", "{" HI "," TOOL R"(,"tool_choice":"any"})",
       "{" HI_TO_DEFAULT "," TOOL_TO R"(,"tool_choice":{"type":"any"}})"},
      {"a function by name, one at a time",
       "{" HI "," TOOL
       R"(,"tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false})",
       "{" HI_TO_DEFAULT "," TOOL_TO
       R"(,"tool_choice":{"type":"tool","name":"f","disable_parallel_tool_use":true}})"},
      {"one at a time without a choice", "{" HI "," TOOL R"(,"parallel_tool_calls":false})",
       "{" HI_TO_DEFAULT "," TOOL_TO R"(,"tool_choice":{"type":"auto","disable_parallel_tool_use":true}})"},
      {"in parallel is the default", "{" HI "," TOOL R"(,"parallel_tool_calls":true})",
       "{" HI_TO_DEFAULT "," TOOL_TO "}"},
  };
  for (const Case& row : cases) check(row);
}

TEST(AnthropicBody, Parameters) {
  const Case cases[] = {
      {"max_tokens", "{" HI R"(,"max_tokens":7})", "{" HI_TO R"(,"max_tokens":7})"},
      {"max_completion_tokens wins", "{" HI R"(,"max_completion_tokens":8,"max_tokens":7})",
       "{" HI_TO R"(,"max_tokens":8})"},
      {"temperature up to 1 as written", "{" HI R"(,"temperature":0.70})",
       "{" HI_TO_DEFAULT R"(,"temperature":0.7})"},
      {"temperature above is clamped and said",
       "{" HI R"(,"temperature":1.5})",
       "{" HI_TO_DEFAULT R"(,"temperature":1})",
       {"temperature above 1"}},
      {"top_p and top_k", "{" HI R"(,"top_p":0.9,"top_k":5})",
       "{" HI_TO_DEFAULT R"(,"top_p":0.9,"top_k":5})"},
      {"of temperature and top_p the API takes one",
       "{" HI R"(,"temperature":1,"top_p":0.9})",
       "{" HI_TO_DEFAULT R"(,"temperature":1})",
       {"top_p"}},
      {"stop, a string", "{" HI R"(,"stop":"END"})", "{" HI_TO_DEFAULT R"(,"stop_sequences":["END"]})"},
      {"stop, strings", "{" HI R"(,"stop":["a","b\n"]})",
       "{" HI_TO_DEFAULT R"(,"stop_sequences":["a","b\n"]})"},
      {"user", "{" HI R"(,"user":"u1"})", "{" HI_TO_DEFAULT R"(,"metadata":{"user_id":"u1"}})"},
      {"stream; stream_options has no like",
       "{" HI R"(,"stream":true,"stream_options":{"include_usage":true}})",
       "{" HI_TO_DEFAULT R"(,"stream":true})"},
      {"n of 1 and nulls say nothing", "{" HI R"(,"n":1,
           "temperature":null,"stop":null,"tools":null,"stream":false})",
       "{" HI_TO_DEFAULT "}"},
      {"a JSON schema",
       "{" HI R"(,"response_format":{"type":"json_schema","json_schema":{"name":"x","strict":true,
           "schema":{"type":"object"}}}})",
       "{" HI_TO_DEFAULT R"(,"output_config":{"format":{"type":"json_schema",
           "schema":{"type":"object"}}}})"},
      {"JSON without a schema has no like",
       "{" HI R"(,"response_format":{"type":"json_object"}})",
       "{" HI_TO_DEFAULT "}",
       {"response_format"}},
      {"text is the default", "{" HI R"(,"response_format":{"type":"text"}})", "{" HI_TO_DEFAULT "}"},
  };
  for (const Case& row : cases) check(row);
}

TEST(AnthropicBody, EffortBecomesABudgetThatFits) {
  const Case cases[] = {
      {"low", "{" HI R"(,"reasoning_effort":"low","max_tokens":2000})",
       "{" HI_TO R"(,"max_tokens":2000,"thinking":{"type":"enabled","budget_tokens":1024}})"},
      {"medium", "{" HI R"(,"reasoning_effort":"medium","max_tokens":5000})",
       "{" HI_TO R"(,"max_tokens":5000,"thinking":{"type":"enabled","budget_tokens":4096}})"},
      {"high; it takes no temperature then",
       "{" HI R"(,"reasoning_effort":"high","max_tokens":20000,"temperature":0})",
       "{" HI_TO R"(,"max_tokens":20000,"thinking":{"type":"enabled","budget_tokens":16384}})",
       {"temperature"}},
      {"no room",
       "{" HI R"(,"reasoning_effort":"high","max_tokens":16384})",
       "{" HI_TO R"(,"max_tokens":16384})",
       {"reasoning_effort"}},
      {"none and minimal are the default", "{" HI R"(,"reasoning_effort":"minimal"})", "{" HI_TO_DEFAULT "}"},
      {"not with a forced tool",
       "{" HI "," TOOL R"(,"tool_choice":"required","reasoning_effort":"low"})",
       "{" HI_TO_DEFAULT "," TOOL_TO R"(,"tool_choice":{"type":"any"}})",
       {"reasoning_effort"}},
  };
  for (const Case& row : cases) check(row);
  const Translated history =
      translate(kFrom,
                R"({"reasoning_effort":"low","messages":[{"role":"user","content":"q"},{"role":"assistant",
           "tool_calls":[{"id":"c",
      "type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c",
           "content":"r"}]})");
  ASSERT_TRUE(history.ok);
  EXPECT_FALSE(history.body.contains("thinking")) << "earlier calls lack their thinking blocks";
}

TEST(AnthropicBody, DefaultMaxTokensOfTheDeployment) {
  const Translated got = translate(kFrom, "{" HI "}", {"claude", 0, 99});
  ASSERT_TRUE(got.ok);
  EXPECT_EQ(got.body["max_tokens"], 99);
  EXPECT_EQ(got.body["model"], "claude");
}

TEST(AnthropicBody, RefusesWhatMustNotBeLost) {
  struct {
    const char* body;
    const char* where;
    int status;
  } const cases[] = {
      {"{" HI R"(,"n":2})", "n", 400},
      {"{" HI R"(,"temperature":"hot"})", "temperature", 400},
      {"{" HI R"(,"max_tokens":1.5})", "max_tokens", 400},
      {"{" HI R"(,"reasoning_effort":"a lot"})", "reasoning_effort", 400},
      {"{" HI R"(,"tool_choice":{"type":"allowed_tools"}})", "tool_choice", 400},
      {R"({"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AA",
           "format":"wav"}}]}]})",
       "messages[0].content[0]", 400},
      {R"({"messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"f"}}]}]})",
       "messages[0].content[0]", 400},
      {R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:,x"}}]}]})",
       "messages[0].content[0]", 400},
      {R"({"messages":[{"role":"function","name":"f","content":"x"}]})", "messages[0].role", 400},
      {R"({"messages":[{"role":"tool","content":"x"}]})", "messages[0]", 400},
      {R"({"messages":[{"role":"system","content":[{"type":"image_url",
           "image_url":{"url":"https://x.test/"}}]}]})",
       "messages[0]", 400},
      {R"({"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f",
           "arguments":"[1]"}}]}]})",
       "messages[0].tool_calls[0].function.arguments", 400},
      {R"({"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f",
           "arguments":"{\"a\":"}}]}]})",
       "messages[0].tool_calls[0].function.arguments", 400},
      {R"({"messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"custom","custom":{"name":"f",
           "input":1}}]}]})",
       "messages[0].tool_calls[0].custom.input", 400},
      {R"({"messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"odd","odd":{"name":"f"}}]}]})",
       "messages[0].tool_calls[0]", 400},
  };
  for (const auto& row : cases) {
    const Translated got = translate(kFrom, row.body);
    EXPECT_FALSE(got.ok) << row.body;
    EXPECT_EQ(got.problem.where, row.where) << row.body;
    EXPECT_EQ(got.problem.status, row.status) << row.body;
    EXPECT_FALSE(got.problem.what.empty());
    EXPECT_TRUE(splice(kFrom, row.body).ok) << "its own provider judges it: " << row.body;
  }
}

TEST(AnthropicBody, ArgumentsOverTheLimitAreRefusedBySize) {
  const std::string long_text(limits::kOutlineKeep, 'x');
  const auto body = [&](std::string_view arguments) {
    return R"({"messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"function",
           "function":{"name":"f","arguments":"{\"a\":\")" +
           std::string(arguments) + R"(\"}"}}]}]})";
  };
  const Translated fits = translate(kFrom, body(long_text.substr(100)));
  ASSERT_TRUE(fits.ok) << fits.problem.what;
  EXPECT_EQ(fits.body["messages"][0]["content"][0]["input"]["a"], long_text.substr(100));
  const Translated over = translate(kFrom, body(long_text));
  EXPECT_FALSE(over.ok);
  EXPECT_EQ(over.problem.status, 413);
  EXPECT_EQ(over.problem.where, "messages[0].tool_calls[0].function.arguments");
}

}  // namespace
}  // namespace shunt::dialect::testing
