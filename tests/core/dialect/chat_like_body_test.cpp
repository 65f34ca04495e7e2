// What a Chat Completions body becomes at Cohere, Ollama, DashScope, Workers AI and ERNIE: pairs from the
// APIs' references.
#include "target_testing.h"

namespace shunt::dialect::testing {
namespace {

constexpr DialectId kCohere = DialectId::cohere_chat, kOllama = DialectId::ollama_chat,
                    kDashscope = DialectId::dashscope_native, kWorkersAi = DialectId::workers_ai_native,
                    kErnie = DialectId::ernie_native;

#define HI R"("messages":[{"role":"user","content":"hi"}])"

TEST(ChatLikeBody, Messages) {
  constexpr const char* kTalk =
      R"({"messages":[{"role":"developer","content":"s"},{"role":"user","content":[{"type":"text","text":"a"},
          {"type":"text","text":"b"}]},{"role":"assistant","content":"c","refusal":null}]})";
  check_targets({
      {"roles and texts", kCohere, kTalk,
       R"({"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"a\n\nb"},
           {"role":"assistant","content":"c"}]})"},
      {"streams are Ollama's default", kOllama, kTalk,
       R"({"model":"m","stream":false,"options":{},"messages":[{"role":"system","content":"s"},
           {"role":"user","content":"a\n\nb"},{"role":"assistant","content":"c"}]})"},
      {"all but the messages are parameters", kDashscope, kTalk,
       R"({"model":"m","parameters":{"result_format":"message"},"input":{"messages":[
           {"role":"system","content":"s"},{"role":"user","content":"a\n\nb"},
           {"role":"assistant","content":"c"}]}})"},
      {"the model is in the path", kWorkersAi, kTalk,
       R"({"messages":[{"role":"system","content":"s"},{"role":"user","content":"a\n\nb"},
           {"role":"assistant","content":"c"}]})"},
  });
}

TEST(ChatLikeBody, Images) {
  constexpr const char* kBase64 =
      R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url",
          "image_url":{"url":"data:image/png;base64,AA=="}}]}]})";
  constexpr const char* kUrl =
      R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x/a.png"}}]}]})";
  check_targets({
      {"parts", kCohere, kBase64,
       R"({"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url",
           "image_url":{"url":"data:image/png;base64,AA=="}}]}]})"},
      {"by URL", kCohere, kUrl,
       R"({"model":"m","messages":[{"role":"user","content":[{"type":"image_url",
           "image_url":{"url":"https://x/a.png"}}]}]})"},
      {"beside the text", kOllama, kBase64,
       R"({"model":"m","stream":false,"options":{},"messages":[{"role":"user","content":"a",
           "images":["AA=="]}]})"},
      {"Ollama fetches nothing", kOllama, kUrl, ""},
      {"no images", kDashscope, kBase64, ""},
      {"parts of base64", kWorkersAi, kBase64,
       R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url",
           "image_url":{"url":"data:image/png;base64,AA=="}}]}]})"},
      {"Workers AI fetches nothing", kWorkersAi, kUrl, ""},
  });
}

TEST(ChatLikeBody, Tools) {
  constexpr const char* kCalls =
      R"({"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1",
          "type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},{"role":"tool",
          "tool_call_id":"c1","content":"r"}]})";
  constexpr const char* kTools =
      "{" HI R"(,"tools":[{"type":"function","function":{"name":"f","description":"d",
          "parameters":{"type":"object"}}}],"tool_choice":"required","parallel_tool_calls":false})";
  constexpr const char* kNamed = "{" HI R"(,"tools":[{"type":"function","function":{"name":"f"}}],
          "tool_choice":{"type":"function","function":{"name":"f"}}})";
  check_targets({
      {"an assistant that only calls has no content", kCohere, kCalls,
       R"({"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"c1",
           "type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},{"role":"tool","content":"r",
           "tool_call_id":"c1"}]})"},
      {"objects and names in place of ids", kOllama, kCalls,
       R"({"model":"m","stream":false,"options":{},"messages":[{"role":"user","content":"hi"},
           {"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"x":1}}}]},
           {"role":"tool","content":"r","tool_name":"f"}]})"},
      {"as OpenAI", kWorkersAi, kCalls,
       R"({"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"","tool_calls":[{"id":"c1",
           "type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},{"role":"tool","content":"r",
           "tool_call_id":"c1"}]})"},
      {"a forced call",
       kCohere,
       kTools,
       R"({"model":"m","messages":[{"role":"user","content":"hi"}],"tool_choice":"REQUIRED","tools":[
           {"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}]})",
       {"parallel_tool_calls"}},
      {"a call cannot be forced",
       kOllama,
       kTools,
       R"({"model":"m","stream":false,"options":{},"messages":[{"role":"user","content":"hi"}],"tools":[
           {"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}]})",
       {"tool_choice", "parallel_tool_calls"}},
      {"a named call", kDashscope, kNamed,
       R"({"model":"m","input":{"messages":[{"role":"user","content":"hi"}]},"parameters":{
           "result_format":"message","tools":[{"type":"function","function":{"name":"f","parameters":
           {"type":"object","properties":{}}}}],"tool_choice":{"type":"function","function":{"name":"f"}}}})"},
  });
}

TEST(ChatLikeBody, Settings) {
  constexpr const char* kSampling =
      "{" HI R"(,"stream":true,"max_tokens":9,"temperature":0.5,"top_p":0.25,"stop":["x"],"user":"u",
          "reasoning_effort":"low","seed":7,"presence_penalty":0.25,"frequency_penalty":-1})";
  constexpr const char* kSchema =
      "{" HI
      R"(,"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}},
          "reasoning_effort":"none"})";
  check_targets({
      {"Cohere",
       kCohere,
       kSampling,
       R"({"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"max_tokens":9,
           "temperature":0.5,"p":0.25,"stop_sequences":["x"],"thinking":{"type":"enabled"},"seed":7
           ,"presence_penalty":0.25,"frequency_penalty":-1})",
       {"user"}},
      {"Ollama",
       kOllama,
       kSampling,
       R"({"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"think":true,"options":{
           "num_predict":9,"temperature":0.5,"top_p":0.25,"stop":["x"]
           ,"seed":7,"presence_penalty":0.25,"frequency_penalty":-1}})",
       {"user"}},
      {"DashScope",
       kDashscope,
       kSampling,
       R"({"model":"m","input":{"messages":[{"role":"user","content":"hi"}]},"parameters":{
           "result_format":"message","incremental_output":true,"enable_thinking":true,"max_tokens":9,
           "temperature":0.5,"top_p":0.25,"stop":["x"],"seed":7,"presence_penalty":0.25}})",
       {"frequency_penalty", "user"}},
      {"Workers AI",
       kWorkersAi,
       kSampling,
       R"({"messages":[{"role":"user","content":"hi"}],"stream":true,"max_tokens":9,"temperature":0.5,
           "top_p":0.25,"seed":7,"presence_penalty":0.25,"frequency_penalty":-1})",
       {"reasoning_effort", "stop", "user"}},
      {"a schema at Cohere", kCohere, kSchema,
       R"({"model":"m","messages":[{"role":"user","content":"hi"}],"thinking":{"type":"disabled"},
           "response_format":{"type":"json_object","json_schema":{"type":"object"}}})"},
      {"a schema at Ollama", kOllama, kSchema,
       R"({"model":"m","messages":[{"role":"user","content":"hi"}],"stream":false,"think":false,"options":{},
           "format":{"type":"object"}})"},
      {"a schema at Workers AI", kWorkersAi, kSchema,
       R"({"messages":[{"role":"user","content":"hi"}],"response_format":{"type":"json_schema",
           "json_schema":{"type":"object"}}})"},
      {"probabilities beside Ollama's options", kOllama,
       "{" HI R"(,"seed":7,"logprobs":true,"top_logprobs":2})",
       R"({"model":"m","messages":[{"role":"user","content":"hi"}],"stream":false,"options":{"seed":7},
           "logprobs":true,"top_logprobs":2})"},
      {"… among DashScope's parameters", kDashscope, "{" HI R"(,"logprobs":true,"top_logprobs":2})",
       R"({"model":"m","input":{"messages":[{"role":"user","content":"hi"}]},
           "parameters":{"result_format":"message","logprobs":true,"top_logprobs":2}})"},
      {"more answers than one", kCohere, "{" HI R"(,"n":2})", ""},
      {"more answers than one", kDashscope, "{" HI R"(,"n":2})",
       R"({"model":"m","input":{"messages":[{"role":"user","content":"hi"}]},
           "parameters":{"result_format":"message","n":2}})"},
  });
}

// https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t and …/9m9cttnvs (Messages): a user or a function,
// then the assistant, by turns; the system apart; one call, by name.
TEST(ChatLikeBody, Ernie) {
  check_targets({
      {"the system stands apart, a side's texts are one message", kErnie,
       R"({"messages":[{"role":"system","content":"s"},{"role":"user","content":"a"},{"role":"user","content":
           [{"type":"text","text":"b"}]},{"role":"assistant","content":"c"},{"role":"developer","content":"t"},
           {"role":"user","content":"d"}]})",
       R"({"system":"s\n\nt","messages":[{"role":"user","content":"a\n\nb"},
           {"role":"assistant","content":"c"},{"role":"user","content":"d"}]})"},
      {"calls and results have the function's name", kErnie,
       R"({"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1",
           "type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},{"role":"tool",
           "tool_call_id":"c1","content":"r"}],"tools":[{"type":"function","function":{"name":"f",
           "description":"d"}}],"tool_choice":{"type":"function","function":{"name":"f"}}})",
       R"({"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"","function_call":
           {"name":"f","arguments":"{\"x\":1}"}},{"role":"function","name":"f","content":"r"}],"functions":[
           {"name":"f","description":"d","parameters":{"type":"object","properties":{}}}],
           "tool_choice":{"type":"function","function":{"name":"f"}}})"},
      {"settings",
       kErnie,
       "{" HI R"(,"stream":true,"max_tokens":9,"temperature":0.5,"top_p":0.25,"stop":["1","2","3","4","5"],
           "user":"u","seed":7,"presence_penalty":0.25,"frequency_penalty":-1,"reasoning_effort":"low",
           "response_format":{"type":"json_object"}})",
       R"({"messages":[{"role":"user","content":"hi"}],"stream":true,"max_output_tokens":9,"temperature":0.5,
           "top_p":0.25,"stop":["1","2","3","4"],"user_id":"u","response_format":"json_object"})",
       {"reasoning_effort", "stop sequences beyond 4", "seed", "presence_penalty", "frequency_penalty"}},
      {"its temperature is above 0",
       kErnie,
       "{" HI R"(,"temperature":0})",
       R"({"messages":[{"role":"user","content":"hi"}],"temperature":0.01})",
       {"temperature 0"}},
      {"… and at most 1",
       kErnie,
       "{" HI R"(,"temperature":1.5})",
       R"({"messages":[{"role":"user","content":"hi"}],"temperature":1})",
       {"temperature above 1"}},
      {"no schema, no forced call",
       kErnie,
       "{" HI R"(,"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],
           "tool_choice":"required","response_format":{"type":"json_schema","json_schema":{"name":"n",
           "schema":{"type":"object"}}}})",
       R"({"messages":[{"role":"user","content":"hi"}],"functions":[{"name":"f","parameters":{"type":"object"}}]})",
       {"tool_choice", "response_format"}},
      {"an empty system says nothing", kErnie,
       R"({"messages":[{"role":"system","content":""},{"role":"user","content":"hi"}]})",
       R"({"messages":[{"role":"user","content":"hi"}]})"},
  });
}

TEST(ChatLikeBody, ErnieTakesTurnsOfTextsAndOneCall) {
  check_targets({
      {"an image", kErnie,
       R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x/a"}}]}]})",
       ""},
      {"more answers than one", kErnie, "{" HI R"(,"n":2})", ""},
      {"no messages", kErnie, R"({"messages":[]})", ""},
      {"the assistant first", kErnie,
       R"({"messages":[{"role":"assistant","content":"a"},{"role":"user","content":"b"}]})", ""},
      {"… or last", kErnie,
       R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]})", ""},
      {"two of its messages", kErnie,
       R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},
           {"role":"assistant","content":"c"},{"role":"user","content":"d"}]})",
       ""},
      {"two calls at once", kErnie,
       R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[
           {"id":"1","type":"function","function":{"name":"f","arguments":"{}"}},
           {"id":"2","type":"function","function":{"name":"f","arguments":"{}"}}]},
           {"role":"tool","tool_call_id":"1","content":"r"}]})",
       ""},
      {"a text beside a result", kErnie,
       R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[
           {"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},
           {"role":"tool","tool_call_id":"1","content":"r"},{"role":"user","content":"b"}]})",
       ""},
  });
}

TEST(ChatLikeBody, ToolResultsOfAnthropicStayInOrder) {
  const Translated got = translate_to(
      kOllama, DialectId::anthropic_messages,
      R"({"max_tokens":1,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f",
          "input":{}}]},{"role":"user","content":[{"type":"text","text":"x"},{"type":"tool_result",
          "tool_use_id":"a","content":"r"},{"type":"text","text":"y"}]}]})");
  ASSERT_TRUE(got.ok);
  EXPECT_EQ(got.body["messages"],
            Json::parse(R"([{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",
                "arguments":{}}}]},{"role":"user","content":"x"},{"role":"tool","content":"r","tool_name":"f"},
                {"role":"user","content":"y"}])"));
}

TEST(ChatLikeBody, RecordedRequestsKeepWhatWasSaid) {
  for (const DialectId to : {kCohere, kOllama, kDashscope, kWorkersAi}) check_recorded_texts(to, 50);
}

}  // namespace
}  // namespace shunt::dialect::testing
