// Tools that take plain text, asked for in OpenAI's APIs and answered by providers whose tools take objects:
// what these are sent and what the client gets, plain and as a stream. Frames as the references have them.
//   https://platform.openai.com/docs/guides/function-calling#custom-tools
//   https://docs.anthropic.com/en/docs/build-with-claude/streaming
//   https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
#include <nlohmann/json.hpp>

#include "core/wire/aws_message.h"
#include "world.h"

namespace shunt::exchange {
namespace {

using Json = nlohmann::json;

constexpr const char* kConfig = R"({
  "providers": {
    "a": {"dialect": "anthropic_messages", "base_url": "http://127.0.0.1:1/v1", "keys": ["A"]},
    "g": {"dialect": "gemini_generate", "base_url": "http://127.0.0.1:2/v1beta", "keys": ["G"]},
    "b": {"dialect": "bedrock_converse", "base_url": "http://127.0.0.1:3", "keys": ["B"]},
    "o": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:4/v1", "keys": ["O"]}},
  "deployments": [
    {"id": "m@a", "provider": "a", "model": "m"}, {"id": "m@g", "provider": "g", "model": "m"},
    {"id": "m@b", "provider": "b", "model": "m"}, {"id": "m@o", "provider": "o", "model": "m"}],
  "routes": {"a": {"deployments": ["m@a"]}, "g": {"deployments": ["m@g"]}, "b": {"deployments": ["m@b"]},
    "o": {"deployments": ["m@o"]}}})";

std::string chat(const std::string& route, bool stream) {
  return R"({"model":")" + route + (stream ? R"(","stream":true,)" : R"(",)") +
         R"("messages":[{"role":"user","content":"hi"}],"tools":[{"type":"custom","custom":{"name":"run",
            "format":{"type":"grammar","grammar":{"syntax":"regex","definition":"[a-z]+"}}}},
            {"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]})";
}

std::string responses(const std::string& route, bool stream) {
  return R"({"model":")" + route + (stream ? R"(","stream":true,)" : R"(",)") +
         R"("input":"hi","tools":[{"type":"custom","name":"run"},{"type":"function","name":"f"}]})";
}

std::string event(const std::string& type, const std::string& members) {
  return "event: " + type + "\ndata: {\"type\":\"" + type + "\"," + members + "}\n\n";
}

// Two calls, the first of the client's custom tool, in pieces that part an escape.
std::vector<std::string> anthropic_stream() {
  const auto input = [](const std::string& index, const std::string& json) {
    return event("content_block_delta", R"("index":)" + index +
                                            R"(,"delta":{"type":"input_json_delta","partial_json":)" +
                                            Json(json).dump() + "}");
  };
  return {event("message_start",
                R"("message":{"id":"msg_1","type":"message","role":"assistant","model":"m",)"
                R"("content":[],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":1}})"),
          event("content_block_start",
                R"("index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"run","input":{}})"),
          input("0", ""),
          input("0", R"({"input": "a\)"),
          input("0", R"(n\ud83d)"),
          input("0", R"(\ude00"})"),
          event("content_block_stop", R"("index":0)"),
          event("content_block_start",
                R"("index":1,"content_block":{"type":"tool_use","id":"toolu_2","name":"f","input":{}})"),
          input("1", R"({"input":"x"})"),
          event("content_block_stop", R"("index":1)"),
          event("message_delta",
                R"("delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":9})"),
          "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"};
}

constexpr const char* kText = "a\n\xF0\x9F\x98\x80";

std::vector<Json> data_of(const std::string& body) {
  std::vector<Json> all;
  for (std::size_t at = body.find("data: {"); at != std::string::npos; at = body.find("data: {", at + 1))
    all.push_back(Json::parse(body.substr(at + 6, body.find('\n', at) - at - 6)));
  return all;
}

TEST(CustomTools, AStreamOfAnthropicsComesAsCustomCallsOfChat) {
  World world(kConfig);
  world.on("m@a", streams(anthropic_stream()));
  const Seen seen = world.chat(chat("a", true));
  EXPECT_EQ(seen.header("x-shunt-dropped"), "tools[].format");
  const Json sent = Json::parse(world.calls[0].body);
  EXPECT_EQ(sent["tools"][0]["input_schema"]["required"], Json({"input"}));
  std::string text, arguments;
  std::vector<Json> starts;
  for (const Json& chunk : data_of(seen.body)) {
    for (const Json& call : chunk["choices"][0]["delta"].value("tool_calls", Json::array())) {
      if (call.contains("id")) starts.push_back(call);
      text += call.value("/custom/input"_json_pointer, "");
      arguments += call.value("/function/arguments"_json_pointer, "");
    }
  }
  ASSERT_EQ(starts.size(), 2U) << seen.body;
  EXPECT_EQ(starts[0],
            Json::parse(R"({"index":0,"id":"toolu_1","type":"custom","custom":{"name":"run","input":""}})"));
  EXPECT_EQ(
      starts[1],
      Json::parse(R"({"index":1,"id":"toolu_2","type":"function","function":{"name":"f","arguments":""}})"));
  EXPECT_EQ(text, kText);
  EXPECT_EQ(arguments, R"({"input":"x"})");
  EXPECT_NE(seen.body.find(R"("finish_reason":"tool_calls")"), std::string::npos);
}

TEST(CustomTools, AStreamOfAnthropicsComesAsItemsOfResponses) {
  World world(kConfig);
  world.on("m@a", streams(anthropic_stream()));
  const Seen seen = world.run("/v1/responses", responses("a", true));
  EXPECT_EQ(seen.header("x-shunt-dropped"), "");
  std::string text;
  int done = 0;
  for (const Json& each : data_of(seen.body)) {
    if (each["type"] == "response.custom_tool_call_input.delta") text += each["delta"];
    if (each["type"] == "response.custom_tool_call_input.done") {
      ++done;
      EXPECT_EQ(each["input"], kText);
    }
    if (each["type"] != "response.completed") continue;
    const Json& output = each["response"]["output"];
    ASSERT_EQ(output.size(), 2U);
    EXPECT_EQ(output[0]["type"], "custom_tool_call");
    EXPECT_EQ(output[0]["call_id"], "toolu_1");
    EXPECT_EQ(output[0]["name"], "run");
    EXPECT_EQ(output[0]["input"], kText);
    EXPECT_EQ(output[1]["type"], "function_call");
    EXPECT_EQ(output[1]["arguments"], R"({"input":"x"})");
  }
  EXPECT_EQ(text, kText) << seen.body;
  EXPECT_EQ(done, 1);
}

TEST(CustomTools, TheTextGoesOnWhileItComes) {
  World world(kConfig);
  world.on("m@a", streams(anthropic_stream()));
  World::Play play(world, 1);
  play.send("/v1/chat/completions", chat("a", true));
  while (play.seen.body.find(R"("custom":{"input":")") == std::string::npos) ASSERT_TRUE(play.step());
  EXPECT_NE(play.seen.body.find(R"("custom":{"input":"a"})"), std::string::npos) << play.seen.body;
  EXPECT_EQ(play.seen.body.find("toolu_2"), std::string::npos);
  play.to_end();
}

TEST(CustomTools, AWholeAnswerOfGeminis) {
  for (const bool stream : {false, true}) {
    World world(kConfig);
    world.on("m@g",
             says(200, R"({"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"run",
        "args":{"input":"a\n\ud83d\ude00"}}}]},"finishReason":"STOP","index":0}]})"));
    const Seen seen = world.chat(chat("g", stream));
    if (stream) {
      std::string text;
      for (const Json& chunk : data_of(seen.body)) {
        for (const Json& call : chunk["choices"][0]["delta"].value("tool_calls", Json::array()))
          text += call["custom"].value("input", "");
      }
      EXPECT_EQ(text, kText) << seen.body;
    } else {
      const Json call = Json::parse(seen.body)["choices"][0]["message"]["tool_calls"][0];
      EXPECT_EQ(call["type"], "custom");
      EXPECT_EQ(call["custom"], Json({{"name", "run"}, {"input", kText}}));
    }
  }
}

TEST(CustomTools, AWholeAnswerOfConverses) {
  World world(kConfig);
  world.on("m@b",
           says(200, R"({"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1",
      "name":"run","input":{"input":"a\n\ud83d\ude00"}}}]}},"stopReason":"tool_use"})"));
  const Json answer = Json::parse(world.run("/v1/responses", responses("b", false)).body);
  EXPECT_EQ(answer["output"][0]["type"], "custom_tool_call");
  EXPECT_EQ(answer["output"][0]["call_id"], "t1");
  EXPECT_EQ(answer["output"][0]["input"], kText);
}

TEST(CustomTools, AStreamOfConverses) {
  World world(kConfig);
  using wire::test::aws_event;
  Script script =
      streams({aws_event("messageStart", R"({"role":"assistant"})"),
               aws_event("contentBlockStart",
                         R"({"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"t1","name":"run"}}})"),
               aws_event("contentBlockDelta",
                         R"({"contentBlockIndex":0,"delta":{"toolUse":{"input":"{\"input\":\"a\\n\\u"}}})"),
               aws_event("contentBlockDelta",
                         R"({"contentBlockIndex":0,"delta":{"toolUse":{"input":"d83d\\ude00\"}"}}})"),
               aws_event("contentBlockStop", R"({"contentBlockIndex":0})"),
               aws_event("messageStop", R"({"stopReason":"tool_use"})")});
  script.headers = "content-type: application/vnd.amazon.eventstream\n";
  world.on("m@b", script);
  std::string text;
  const Seen seen = world.chat(chat("b", true));
  for (const Json& chunk : data_of(seen.body)) {
    for (const Json& call : chunk["choices"][0]["delta"].value("tool_calls", Json::array()))
      text += call["custom"].value("input", "");
  }
  EXPECT_EQ(text, kText) << seen.body;
}

// Its own dialect says it itself.
TEST(CustomTools, BetweenTheSameDialectNothingChanges) {
  World world(kConfig);
  const std::string answer =
      R"({"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{)"
      R"("role":"assistant","content":null,"tool_calls":[{"id":"x","type":"custom","custom":{"name":"run",)"
      R"("input":"{\"input\":\"y\"}"}}]},"finish_reason":"tool_calls"}]})";
  world.on("m@o", says(200, answer));
  EXPECT_EQ(world.chat(chat("o", false)).body, answer);
  World other(kConfig);
  other.on("m@o", says(200, answer));
  const Json items = Json::parse(other.run("/v1/responses", responses("o", false)).body)["output"];
  EXPECT_EQ(items[0]["type"], "custom_tool_call");
  EXPECT_EQ(items[0]["input"], R"({"input":"y"})");
  EXPECT_EQ(Json::parse(other.calls[0].body)["tools"][0],
            Json::parse(R"({"type":"custom","custom":{"name":"run"}})"));
}

}  // namespace
}  // namespace shunt::exchange
