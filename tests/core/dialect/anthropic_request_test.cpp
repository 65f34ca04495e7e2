// Reading Messages bodies: what routing learns, what is refused outright, and what recorded bodies become.
#include "core/dialect/request_testing.h"

namespace shunt::dialect::testing {
namespace {

constexpr DialectId kThis = DialectId::anthropic_messages;

TEST(AnthropicRequest, TellsRoutingWhatItNeeds) {
  const std::string body = R"({"model":"claude","stream":true,"max_tokens":5,"system":"12345678",
           "messages":[
      {"role":"user","content":[{"type":"text","text":"1234"},{"type":"image","source":{"type":"base64",
      "media_type":"image/png","data":"AAAAAAAAAAAAAAAAAAAAAAAA"}}]},{"role":"assistant","content":[
      {"type":"tool_use","id":"c","name":"f","input":{"a": 12}}]}],
      "tools":[{"name":"f","description":"12345678","input_schema":{"a":[1,2]}}],
      "output_config":{"format":{"type":"json_schema","schema":{}}}})";
  Request request;
  RequestProblem problem;
  ASSERT_TRUE(read_anthropic(outline_of(body, kThis), request, problem)) << problem.what;
  EXPECT_EQ(request.model, "claude");
  EXPECT_TRUE(request.stream && request.needs.has(Ability::vision) && request.needs.has(Ability::tools) &&
              request.needs.has(Ability::json_schema));
  EXPECT_EQ(request.input_tokens_estimate, (8 + 4 + 9 + 8 + 11 + 2) / 4);
  ASSERT_EQ(request.messages.size(), 3U);
  EXPECT_EQ(request.messages[0].role, Role::system);
  EXPECT_EQ(request.messages[0].position, -1);
  EXPECT_EQ(request.messages[1].position, 0);
}

TEST(AnthropicRequest, RefusesWhatNobodyCouldServe) {
  struct {
    const char* body;
    const char* where;
    const char* what;
  } const cases[] = {
      {"{", "", "not JSON"},
      {"\"x\"", "", "must be a JSON object"},
      {R"({"model":"a"})", "messages", "is missing"},
      {R"({"messages":"x"})", "messages", "must be an array"},
      {R"({"messages":[],"system":"a","system":"b"})", "system", "stands twice"},
      {R"({"messages":[],"system":5})", "system", "must be an array"},
      {R"({"messages":[],"system":[5]})", "system[0]", "must be an object"},
      {R"({"messages":[],"tools":[5]})", "tools[0]", "must be an object"},
      {R"({"messages":[{"role":"tool","content":"x"}]})", "messages[0].role", "must be user or assistant"},
      {R"({"messages":[{"content":"x"}]})", "messages[0].role", "must be user or assistant"},
      {R"({"messages":[{"role":"user","content":true}]})", "messages[0].content", "must be an array"},
      {R"({"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c",
           "content":[{"text":"x"}]}]}]})",
       "messages[0].content[0].content[0]", "has no type"},
  };
  for (const auto& row : cases) {
    Request request;
    RequestProblem problem;
    EXPECT_FALSE(read_anthropic(outline_of(row.body, kThis), request, problem)) << row.body;
    EXPECT_EQ(problem.where, row.where) << row.body;
    EXPECT_NE(problem.what.find(row.what), std::string::npos) << row.body << ": " << problem.what;
  }
}

// By an independent walk: the texts of system and messages, without thinking and the model's server-side
// steps.
std::string texts_of(const Json& body) {
  const auto blocks = [](const Json& content) {
    return content.is_string() ? Json::array({{{"type", "text"}, {"text", content}}}) : content;
  };
  std::string texts;
  for (const Json& block : blocks(body.value("system", Json::array())))
    texts += block["text"].get<std::string>();
  for (const Json& message : body["messages"]) {
    for (const Json& block : blocks(message["content"])) {
      const std::string type = block["type"];
      if (type == "text") texts += block["text"].get<std::string>();
      if (type == "tool_use") texts += block["name"].get<std::string>() + block["input"].dump();
      if (type == "document" && block["source"]["type"] == "text")
        texts += block["source"]["data"].get<std::string>();
      if (type != "tool_result") continue;
      for (const Json& part : blocks(block.value("content", Json::array()))) texts += part.value("text", "");
    }
  }
  return texts;
}

std::string texts_of_openai(const Json& body) {
  std::string texts;
  for (const Json& message : body["messages"]) {
    gather_texts(message, texts);
    for (const Json& call : message.value("tool_calls", Json::array())) {
      texts += call["function"]["name"].get<std::string>();
      texts += Json::parse(call["function"]["arguments"].get<std::string>()).dump();
    }
  }
  return texts;
}

TEST(AnthropicRequest, RecordedBodiesTranslate) {
  const std::vector<Recorded> rows = recorded_requests("-messages");
  if (rows.empty()) GTEST_SKIP() << "no recorded traces here";
  std::size_t translated = 0;
  for (const Recorded& row : rows) {
    Request request;
    RequestProblem problem;
    ASSERT_TRUE(read_anthropic(outline_of(row.body, kThis), request, problem))
        << row.id << problem.where << problem.what;
    const Translated got = translate(kThis, row.body);
    if (!got.ok) {
      EXPECT_NE(got.problem.what.find("only this dialect"), std::string::npos) << row.id << got.problem.what;
      continue;
    }
    ++translated;
    const Json source = Json::parse(row.body);
    std::string texts = texts_of_openai(got.body);
    std::string expected = texts_of(source);
    for (std::string* text :
         {&texts, &expected}) {  // blocks that become one string are set off by an empty line
      for (std::size_t at; (at = text->find("\n\n")) != std::string::npos;) text->erase(at, 2);
    }
    EXPECT_EQ(texts, expected) << row.id;
    std::size_t functions = 0;
    for (const Json& tool : source.value("tools", Json::array()))
      functions += tool.contains("input_schema") ? 1U : 0U;
    EXPECT_EQ(got.body.value("tools", Json::array()).size(), functions) << row.id;
  }
  EXPECT_GT(translated, 80U);
}

TEST(AnthropicRequest, ThereAndBackKeepsTheMeaning) {
  const char* const body =
      R"({"model":"m","max_tokens":9,"system":[{"type":"text","text":"s"}],"messages":[{"role":"user",
           "content":[
          {"type":"text","text":"a"},{"type":"image","source":{"type":"url","url":"https://x.test/"}}]},
          {"role":"assistant","content":[{"type":"text","text":"b"},{"type":"tool_use","id":"c","name":"f",
          "input":{"k":["\u00e9\"",1.50,null]}}]},{"role":"user","content":[{"type":"tool_result",
           "tool_use_id":"c",
          "content":[{"type":"text","text":"r"}]},{"type":"text","text":"go"}]}],"top_p":0.5,
           "stop_sequences":["q"],
          "tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"f",
          "disable_parallel_tool_use":true},"metadata":{"user_id":"u"},"stream":true})";
  const Translated there = translate(kThis, body);
  ASSERT_TRUE(there.ok) << there.problem.what;
  const Translated back = translate(DialectId::openai_chat, there.text);
  ASSERT_TRUE(back.ok) << back.problem.what;
  EXPECT_EQ(back.body, Json::parse(body)) << there.text;
}

}  // namespace
}  // namespace shunt::dialect::testing
