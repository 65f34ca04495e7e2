// What an Anthropic Messages body becomes at a Chat Completions provider: pairs from the two APIs'
// references.
#include "core/dialect/request_testing.h"

#include "catalog/quirks.h"

namespace shunt::dialect::testing {
namespace {

constexpr DialectId kFrom = DialectId::anthropic_messages;

struct Case {
  const char* rule;
  const char* from;  // the anthropic body
  const char* to;    // the openai body
  std::vector<std::string> dropped = {};
};

void check(const Case& row) {
  const Translated got = translate(kFrom, row.from);
  ASSERT_TRUE(got.ok) << row.rule << ": " << got.problem.where << " " << got.problem.what;
  EXPECT_EQ(got.body, Json::parse(row.to)) << row.rule << "\n" << got.text;
  EXPECT_EQ(got.dropped, row.dropped) << row.rule;
}

#define HI R"("messages":[{"role":"user","content":"hi"}])"
#define HI_TO R"("model":"m","messages":[{"role":"user","content":"hi"}])"

TEST(OpenaiChatBody, MessagesAndSystem) {
  const Case cases[] = {
      {"a bare string stays one", "{" HI "}", "{" HI_TO "}"},
      {"blocks become parts",
       R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text",
           "text":"b"}]}]})",
       R"({"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text",
           "text":"b"}]}]})"},
      {"system is the first message", R"({"system":"s",)" HI "}",
       R"({"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"hi"}]})"},
      {"even when it stands after the messages; its blocks join",
       "{" HI
       R"(,"system":[{"type":"text","text":"s"},{"type":"text","text":"t",
           "cache_control":{"type":"ephemeral"}}]})",
       R"({"model":"m","messages":[{"role":"system","content":"s\n\nt"},{"role":"user","content":"hi"}]})",
       {"cache_control"}},
      {"an empty system is none", R"({"system":"",)" HI "}", "{" HI_TO "}"},
      {"assistant blocks are one text",
       R"({"messages":[{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text",
           "text":"b"}]}]})",
       R"({"model":"m","messages":[{"role":"assistant","content":"ab"}]})"},
      {"thinking stays with its own dialect, and so do the model's server-side steps",
       R"({"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},
           {"type":"redacted_thinking","data":"d"},{"type":"server_tool_use","id":"x",
           "name":"web_search","input":{}},
           {"type":"web_search_tool_result","tool_use_id":"x","content":[]},{"type":"text",
           "text":"a"}]}]})",
       R"({"model":"m","messages":[{"role":"assistant","content":"a"}]})",
       {"messages[].content[] of type thinking", "messages[].content[] of type server_tool_use",
        "messages[].content[] of type web_search_tool_result"}},
      {"a message of which nothing is left is left out",
       R"({"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"thinking",
           "thinking":"t",
           "signature":"s"}]}]})",
       "{" HI_TO "}",
       {"messages[].content[] of type thinking"}},
      {"unknown keys are dropped and said",
       "{" HI R"(,"service_tier":"auto","top_k":3,"container":null,"thinking":{"type":"adaptive"}})",
       "{" HI_TO "}",
       {"top_k", "service_tier", "thinking"}},
  };
  for (const Case& row : cases) check(row);
}

TEST(OpenaiChatBody, SourcesBecomeUrls) {
  const Case cases[] = {
      {"base64 becomes a data URL",
       R"({"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64",
           "media_type":"image\/png",
           "data":"A\/A="}}]}]})",
       R"({"model":"m","messages":[{"role":"user","content":[{"type":"image_url",
           "image_url":{"url":"data:image/png;base64,A/A="}}]}]})"},
      {"a url stays a URL",
       R"({"messages":[{"role":"user","content":[{"type":"image","source":{"type":"url",
           "url":"https://x.test/a"}}]}]})",
       R"({"model":"m","messages":[{"role":"user","content":[{"type":"image_url",
           "image_url":{"url":"https://x.test/a"}}]}]})"},
      {"a document becomes a file",
       R"({"messages":[{"role":"user","content":[{"type":"document","source":{"type":"base64",
           "media_type":"application/pdf",
           "data":"JVBE"},"title":"t.pdf"}]}]})",
       R"({"model":"m","messages":[{"role":"user","content":[{"type":"file","file":{
           "file_data":"data:application/pdf;base64,JVBE","filename":"t.pdf"}}]}]})"},
      {"one without a title gets a file name, which the API demands",
       R"({"messages":[{"role":"user","content":[{"type":"document","source":{"type":"base64",
           "media_type":"application/pdf","data":"JVBE"}}]}]})",
       R"({"model":"m","messages":[{"role":"user","content":[{"type":"file","file":{
           "file_data":"data:application/pdf;base64,JVBE","filename":"document.pdf"}}]}]})"},
      {"a document of plain text is text",
       R"({"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text",
           "media_type":"text/plain",
           "data":"abc"}}]}]})",
       R"({"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"abc"}]}]})"},
  };
  for (const Case& row : cases) check(row);
}

TEST(OpenaiChatBody, ToolBlocksBecomeCallsAndMessages) {
  const Case cases[] = {
      {"input is escaped into arguments as it was written",
       R"({"messages":[{"role":"assistant","content":[{"type":"text","text":"t"},
           {"type":"tool_use","id":"c","name":"f","input":{"a": "x\ny"}}]}]})",
       R"({"model":"m","messages":[{"role":"assistant","content":"t","tool_calls":[{"id":"c",
           "type":"function",
           "function":{"name":"f","arguments":"{\"a\": \"x\\ny\"}"}}]}]})"},
      {"calls alone have null content",
       R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f",
           "input":{}}]}]})",
       R"({"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c",
           "type":"function",
           "function":{"name":"f","arguments":"{}"}}]}]})"},
      {"results are messages of their own, before the text that follows them",
       R"({"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"},
           {"type":"tool_result","tool_use_id":"d","content":[{"type":"text","text":"s"},{"type":"text",
           "text":"t"}]},
           {"type":"text","text":"go"}]}]})",
       R"({"model":"m","messages":[{"role":"tool","tool_call_id":"c","content":"r"},
           {"role":"tool","tool_call_id":"d","content":"s\n\nt"},
           {"role":"user","content":[{"type":"text","text":"go"}]}]})"},
      {"a result's images and its error mark have no place",
       R"({"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","is_error":true,
           "content":[
           {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA"}},
           {"type":"text","text":"s"}]}]}]})",
       R"({"model":"m","messages":[{"role":"tool","tool_call_id":"c","content":"s"}]})",
       {"tool_result content that is not text", "tool_result.is_error"}},
      {"a result without content is empty",
       R"({"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c"}]}]})",
       R"({"model":"m","messages":[{"role":"tool","tool_call_id":"c","content":""}]})"},
  };
  for (const Case& row : cases) check(row);
}

#define TOOL R"("tools":[{"name":"f","description":"d","input_schema":{"type":"object"}}])"
#define TOOL_TO                                                              \
  R"("tools":[{"type":"function","function":{"name":"f","description":"d",)" \
  R"("parameters":{"type":"object"}}}])"

TEST(OpenaiChatBody, ToolsAndChoice) {
  const Case cases[] = {
      {"input_schema is parameters", "{" HI "," TOOL "}", "{" HI_TO "," TOOL_TO "}"},
      {"custom is the name of the plain kind; strict",
       "{" HI
       R"(,"tools":[{"type":"custom","name":"f","strict":true,"input_schema":{"type":"object"},
           "cache_control":{}}]})",
       "{" HI_TO
       R"(,"tools":[{"type":"function","function":{"name":"f","strict":true,
           "parameters":{"type":"object"}}}]})",
       {"cache_control"}},
      {"server tools are dropped and said",
       "{" HI R"(,"tools":[{"type":"web_search_20250305","name":"web_search"}]})",
       "{" HI_TO "}",
       {"tools[] of type web_search_20250305"}},
      {"auto", "{" HI "," TOOL R"(,"tool_choice":{"type":"auto","disable_parallel_tool_use":false}})",
       "{" HI_TO "," TOOL_TO R"(,"tool_choice":"auto"})"},
      {"any, one at a time",
       "{" HI "," TOOL R"(,"tool_choice":{"type":"any","disable_parallel_tool_use":true}})",
       "{" HI_TO "," TOOL_TO R"(,"tool_choice":"required","parallel_tool_calls":false})"},
      {"none", "{" HI "," TOOL R"(,"tool_choice":{"type":"none"}})",
       "{" HI_TO "," TOOL_TO R"(,"tool_choice":"none"})"},
      {"by name", "{" HI "," TOOL R"(,"tool_choice":{"type":"tool","name":"f"}})",
       "{" HI_TO "," TOOL_TO R"(,"tool_choice":{"type":"function","function":{"name":"f"}}})"},
  };
  for (const Case& row : cases) check(row);
}

TEST(OpenaiChatBody, Parameters) {
  const Case cases[] = {
      {"the common ones",
       "{" HI
       R"(,"max_tokens":7,"temperature":0.5,"top_p":0.9,"stop_sequences":["a"],
           "metadata":{"user_id":"u"}})",
       "{" HI_TO R"(,"max_tokens":7,"temperature":0.5,"top_p":0.9,"stop":["a"],"user":"u"})"},
      {"streams ask for usage", "{" HI R"(,"stream":true})",
       "{" HI_TO R"(,"stream":true,"stream_options":{"include_usage":true}})"},
      {"a small budget is low effort", "{" HI R"(,"thinking":{"type":"enabled","budget_tokens":1024}})",
       "{" HI_TO R"(,"reasoning_effort":"low"})"},
      {"a middle one", "{" HI R"(,"thinking":{"type":"enabled","budget_tokens":10000}})",
       "{" HI_TO R"(,"reasoning_effort":"medium"})"},
      {"a large one", "{" HI R"(,"thinking":{"type":"enabled","budget_tokens":16384}})",
       "{" HI_TO R"(,"reasoning_effort":"high"})"},
      {"thinking off is the default", "{" HI R"(,"thinking":{"type":"disabled"}})", "{" HI_TO "}"},
      {"effort; words above high are few models' own", "{" HI R"(,"output_config":{"effort":"max"}})",
       "{" HI_TO R"(,"reasoning_effort":"high"})"},
      {"a schema gets a name, which the API demands",
       "{" HI R"(,"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}})",
       "{" HI_TO
       R"(,"response_format":{"type":"json_schema","json_schema":{"name":"answer",
           "schema":{"type":"object"},
           "strict":true}}})"},
      {"the older place of the schema", "{" HI R"(,"output_format":{"type":"json_schema","schema":{}}})",
       "{" HI_TO
       R"(,"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{},
           "strict":true}}})"},
  };
  for (const Case& row : cases) check(row);
}

TEST(OpenaiChatBody, QuirksOfTheProvider) {
  const char* body = "{" HI R"(,"stream":true,"max_tokens":5})";
  const Translated quiet = translate(kFrom, body, {"x", with(0, Quirk::no_stream_options), {}});
  EXPECT_FALSE(quiet.body.contains("stream_options"));
  const Translated renamed = translate(kFrom, body, {"x", with(0, Quirk::max_completion_tokens), {}});
  EXPECT_EQ(renamed.body["max_completion_tokens"], 5);
  EXPECT_FALSE(renamed.body.contains("max_tokens"));
  EXPECT_EQ(renamed.body["model"], "x");
}

TEST(OpenaiChatBody, RefusesWhatMustNotBeLost) {
  struct {
    const char* body;
    const char* where;
  } const cases[] = {
      {R"({"messages":[{"role":"user","content":[{"type":"document","source":{"type":"url",
           "url":"https://x.test/a"}}]}]})",
       "messages[0]"},
      {R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"container_upload",
           "file_id":"f"}]}]})",
       "messages[0].content[1]"},
      {R"({"messages":[{"role":"user","content":[{"type":"image","source":{"type":"file",
           "file_id":"f"}}]}]})",
       "messages[0].content[0]"},
      {R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f",
           "input":"x"}]}]})",
       "messages[0].content[0]"},
      {"{" HI R"(,"tool_choice":{"type":"lottery"}})", "tool_choice"},
      {"{" HI R"(,"output_config":{"format":{"type":"json_schema"}}})", "output_config.format"},
  };
  for (const auto& row : cases) {
    const Translated got = translate(kFrom, row.body);
    EXPECT_FALSE(got.ok) << row.body;
    EXPECT_EQ(got.problem.where, row.where) << row.body;
    EXPECT_TRUE(splice(kFrom, row.body).ok) << "its own provider judges it: " << row.body;
  }
}

TEST(OpenaiChatBody, InputOverTheLimitIsRefusedBySize) {
  const std::string body =
      R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f",
           "input":{"a":")" +
      std::string(limits::kOutlineKeep, 'x') + R"("}}]}]})";
  const Translated got = translate(kFrom, body);
  EXPECT_FALSE(got.ok);
  EXPECT_EQ(got.problem.status, 413);
  EXPECT_EQ(got.problem.where, "messages[0].content[0].input");
}

}  // namespace
}  // namespace shunt::dialect::testing
