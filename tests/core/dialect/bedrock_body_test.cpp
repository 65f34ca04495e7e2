// What a Chat Completions body becomes at Bedrock's Converse: pairs from the two APIs' references.
#include "target_testing.h"

namespace shunt::dialect::testing {
namespace {

constexpr DialectId kTo = DialectId::bedrock_converse;

TEST(BedrockBody, TurnsBlocksAndSystem) {
  check_targets({
      {"system stands apart, turns alternate, empty texts are left out", kTo,
       R"({"messages":[{"role":"system","content":"s"},{"role":"user","content":"a"},
           {"role":"user","content":"b"},{"role":"assistant","content":""}]})",
       R"({"messages":[{"role":"user","content":[{"text":"a"},{"text":"b"}]}],"system":[{"text":"s"}],
           "inferenceConfig":{}})"},
      {"images and documents by their formats", kTo,
       R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{
           "url":"data:image/PNG;base64,AA=="}},{"type":"file","file":{"filename":"x.pdf",
           "file_data":"data:application/pdf;base64,JVBE"}}]}]})",
       R"({"messages":[{"role":"user","content":[{"image":{"format":"png","source":{"bytes":"AA=="}}},
           {"document":{"format":"pdf","name":"document 1","source":{"bytes":"JVBE"}}}]}],
           "inferenceConfig":{}})"},
      {"a format it does not know", kTo,
       R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{
           "url":"data:image/bmp;base64,AA=="}}]}]})",
       ""},
      {"an image by URL", kTo,
       R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x/a"}}]}]})",
       ""},
      {"calls and results are the two sides' blocks, their ids mended", kTo,
       R"({"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"t","tool_calls":[{
           "id":"c.1:x","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},{"role":"tool",
           "tool_call_id":"c.1:x","content":"r"},{"role":"user","content":"next"}]})",
       R"({"messages":[{"role":"user","content":[{"text":"hi"}]},{"role":"assistant","content":[{"text":"t"},
           {"toolUse":{"toolUseId":"c_1_x","name":"f","input":{"x":1}}}]},{"role":"user","content":[
           {"toolResult":{"toolUseId":"c_1_x","content":[{"text":"r"}]}},{"text":"next"}]}],
           "inferenceConfig":{}})"},
  });
}

#define HI R"("messages":[{"role":"user","content":"hi"}])"
#define HI_TO R"("messages":[{"role":"user","content":[{"text":"hi"}]}])"

TEST(BedrockBody, ToolsAndSettings) {
  constexpr const char* kTools =
      R"({"toolSpec":{"name":"f","description":"d","inputSchema":{"json":{"type":"object"}}}})";
  const auto with = [&](const char* choice) {
    return "{" HI R"(,"tools":[{"type":"function","function":{"name":"f","description":"d",
        "parameters":{"type":"object"}}}],"tool_choice":)" +
           std::string(choice) + "}";
  };
  const auto to = [&](const std::string& choice) {
    return std::string("{" HI_TO R"(,"inferenceConfig":{},"toolConfig":{"tools":[)") + kTools + "]" + choice +
           "}}";
  };
  const std::string any = with(R"("required")"), any_to = to(R"(,"toolChoice":{"any":{}})");
  const std::string named = with(R"({"type":"function","function":{"name":"f"}})"),
                    named_to = to(R"(,"toolChoice":{"tool":{"name":"f"}})");
  const std::string none = with(R"("none")"), none_to = to("");
  check_targets({
      {"any", kTo, any.c_str(), any_to.c_str()},
      {"named", kTo, named.c_str(), named_to.c_str()},
      {"none cannot be said", kTo, none.c_str(), none_to.c_str(), {"tool_choice"}},
      {"sampling",
       kTo,
       "{" HI R"(,"max_tokens":9,"temperature":1.5,"top_p":0.5,"stop":"x","user":"u","stream":true,
           "reasoning_effort":"low","response_format":{"type":"json_schema","json_schema":{"name":"n",
           "schema":{}}}})",
       "{" HI_TO R"(,"inferenceConfig":{"maxTokens":9,"temperature":1,"topP":0.5,"stopSequences":["x"]}})",
       {"response_format", "reasoning_effort", "temperature above 1", "user"}},
      {"one answer", kTo, "{" HI R"(,"n":2})", ""},
  });
}

// A cache point is a block behind what it ends: in the system prompt, in messages, among the tools.
// https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
TEST(BedrockBody, MarksBecomeCachePoints) {
  const Translated got = translate_to(
      kTo, DialectId::anthropic_messages,
      R"({"max_tokens":9,"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral","ttl":"1h"}}],
          "tools":[{"name":"f","input_schema":{},"cache_control":{"type":"ephemeral","ttl":"5m"}}],
          "messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},
          {"type":"text","text":"b"}]},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f",
          "input":{},"cache_control":{"type":"ephemeral"}}]},{"role":"user","content":[{"type":"tool_result",
          "tool_use_id":"t","content":[{"type":"text","text":"r","cache_control":{"type":"ephemeral"}}]}]}]})");
  ASSERT_TRUE(got.ok);
  EXPECT_EQ(got.body, Json::parse(R"({"inferenceConfig":{"maxTokens":9},
      "system":[{"text":"s"},{"cachePoint":{"type":"default","ttl":"1h"}}],
      "toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}},
       {"cachePoint":{"type":"default"}}]},
      "messages":[{"role":"user","content":[{"text":"a"},{"cachePoint":{"type":"default"}},{"text":"b"}]},
       {"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}},
        {"cachePoint":{"type":"default"}}]},
       {"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[{"text":"r"}]}},
        {"cachePoint":{"type":"default"}}]}]})"));
  EXPECT_TRUE(got.dropped.empty());
}

TEST(BedrockBody, MarksOfChatClientsToo) {
  const Translated got = translate_to(kTo, DialectId::openai_chat,
                                      R"({"messages":[{"role":"system","content":[{"type":"text","text":"s",
          "cache_control":{"type":"ephemeral"}}]},{"role":"user","content":"a"}],"tools":[{"type":"function",
          "function":{"name":"f"},"cache_control":{"type":"ephemeral"}}]})");
  ASSERT_TRUE(got.ok);
  EXPECT_EQ(got.body["system"], Json::parse(R"([{"text":"s"},{"cachePoint":{"type":"default"}}])"));
  EXPECT_EQ(got.body["toolConfig"]["tools"][1], Json::parse(R"({"cachePoint":{"type":"default"}})"));
  EXPECT_TRUE(got.dropped.empty());
}

TEST(BedrockBody, RecordedRequestsKeepWhatWasSaid) { check_recorded_texts(kTo, 50); }

}  // namespace
}  // namespace shunt::dialect::testing
