// Reading Chat Completions bodies: what routing learns, what is refused outright, and that translation there
// and back keeps meaning.
#include "core/dialect/request_testing.h"

#include <random>

namespace shunt::dialect::testing {
namespace {

constexpr DialectId kThis = DialectId::openai_chat;

TEST(OpenaiChatRequest, TellsRoutingWhatItNeeds) {
  const std::string body =
      R"({"model":"gpt\/x","stream":true,"stream_options":{"include_usage":true},"messages":[
      {"role":"system","content":"12345678"},{"role":"user","content":[{"type":"text","text":"1234"},
      {"type":"image_url",
           "image_url":{"url":"data:image/png;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}}]}],
      "tools":[{"type":"function","function":{"name":"f","description":"12345678",
           "parameters":{"a":[1,2]}}}],
      "response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{}}},"max_tokens":5})";
  Request request;
  RequestProblem problem;
  ASSERT_TRUE(read_openai_chat(outline_of(body, kThis), request, problem)) << problem.what;
  EXPECT_EQ(request.model, "gpt/x");
  EXPECT_TRUE(request.stream && request.include_usage && request.needs.has(Ability::vision) &&
              request.needs.has(Ability::tools));
  EXPECT_TRUE(request.needs.has(Ability::json_schema));
  EXPECT_EQ(request.input_tokens_estimate, (8 + 4 + 8 + 11 + 2) / 4) << "texts and schemas, not images";
  EXPECT_EQ(request.params.max_tokens, 5);
  ASSERT_EQ(request.messages.size(), 2U);
  EXPECT_EQ(request.messages[1].parts[1].text.bytes(), 40U);
  EXPECT_FALSE(request.partial || request.untranslatable);
  EXPECT_TRUE(request.unknown.empty());
}

TEST(OpenaiChatRequest, TheModelMayBeNamedElsewhere) {
  Request request;
  RequestProblem problem;
  EXPECT_TRUE(read_openai_chat(outline_of(R"({"messages":[]})", kThis), request, problem));
  EXPECT_EQ(request.model, "");
}

TEST(OpenaiChatRequest, RefusesWhatNobodyCouldServe) {
  struct {
    const char* body;
    const char* where;
    const char* what;
  } const cases[] = {
      {"", "", "not JSON"},
      {"{\"messages\":[}", "", "not JSON"},
      {"[]", "", "must be a JSON object"},
      {"null", "", "must be a JSON object"},
      {R"({"model":"a"})", "messages", "is missing"},
      {R"({"messages":null})", "messages", "is missing"},
      {R"({"messages":{}})", "messages", "must be an array"},
      {R"({"messages":[],"model":"a","model":"b"})", "model", "stands twice"},
      {R"({"messages":[],"model":1})", "model", "must be a string"},
      {R"({"messages":[],"stream":"yes"})", "stream", "must be true or false"},
      {R"({"messages":[],"tools":{}})", "tools", "must be an array"},
      {R"({"messages":["x"]})", "messages[0]", "must be an object"},
      {R"({"messages":[{"role":"user","content":"a"},{"content":"x"}]})", "messages[1].role", "is missing"},
      {R"({"messages":[{"role":1,"content":"x"}]})", "messages[0].role", "is missing"},
      {R"({"messages":[{"role":"user","content":1}]})", "messages[0].content",
       "must be a string or an array"},
      {R"({"messages":[{"role":"user","content":["x"]}]})", "messages[0].content[0]", "must be an object"},
      {R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"text":"x"}]}]})",
       "messages[0].content[1]", "has no type"},
      {R"({"messages":[{"role":"assistant","tool_calls":[1]}]})", "messages[0].tool_calls[0]",
       "must be an object"},
  };
  for (const auto& row : cases) {
    Request request;
    RequestProblem problem;
    EXPECT_FALSE(read_openai_chat(outline_of(row.body, kThis), request, problem)) << row.body;
    EXPECT_EQ(problem.where, row.where) << row.body;
    EXPECT_NE(problem.what.find(row.what), std::string::npos) << row.body << ": " << problem.what;
    EXPECT_EQ(problem.status, 400);
  }
}

TEST(OpenaiChatRequest, ListsNoMoreUnknownKeysThanAHeaderHolds) {
  std::string body = R"({"messages":[])";
  for (int i = 0; i < 5000; ++i) body += ",\"k" + std::to_string(i) + "\":1";
  Request request;
  RequestProblem problem;
  ASSERT_TRUE(read_openai_chat(outline_of(body + "}", kThis), request, problem));
  EXPECT_EQ(request.unknown.size(), 32U);
}

// The common subset: what is in it comes back as it went.
TEST(OpenaiChatRequest, ThereAndBackKeepsTheMeaning) {
  const char* const bodies[] = {
      R"({"model":"m","max_tokens":9,"messages":[{"role":"system","content":"s"},{"role":"user","content":[
          {"type":"text","text":"a\u00e9\n"},{"type":"image_url",
           "image_url":{"url":"data:image/png;base64,AA\/A"}},
          {"type":"image_url","image_url":{"url":"https://x.test/a?b=c"}},{"type":"file",
           "file":{"filename":"f.pdf",
          "file_data":"data:application/pdf;base64,JVBE"}}]},{"role":"assistant","content":"b"}]})",
      R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"q"}]},
          {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",
           "function":{"name":"f",
          "arguments":"{\"x\":\"\\\"\\u00e9\"}"}},{"id":"c2","type":"function","function":{"name":"g",
           "arguments":"{}"}}]},
          {"role":"tool","tool_call_id":"c1","content":"r"},{"role":"tool","tool_call_id":"c2",
           "content":"s"},
          {"role":"user","content":[{"type":"text","text":"go"}]}],"temperature":0.25,"stop":["x"],
           "user":"u",
          "tools":[{"type":"function","function":{"name":"f","description":"d",
           "parameters":{"type":"object","properties":{
          "input":{"type":"string"}}},"strict":true}}],"tool_choice":"required",
           "parallel_tool_calls":false})",
      R"({"model":"m","max_tokens":20000,"messages":[{"role":"user","content":[{"type":"text",
           "text":"q"}]}],
          "reasoning_effort":"high","stream":true,"stream_options":{"include_usage":true},
           "response_format":{
          "type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":{"type":"object"}}}})",
  };
  for (const char* body : bodies) {
    const Translated there = translate(kThis, body);
    ASSERT_TRUE(there.ok) << there.problem.where << there.problem.what;
    const Translated back = translate(DialectId::anthropic_messages, there.text);
    ASSERT_TRUE(back.ok) << back.problem.where << back.problem.what;
    EXPECT_EQ(back.body, Json::parse(body)) << there.text;
    EXPECT_TRUE(there.dropped.empty() && back.dropped.empty());
  }
}

// What people and tools said in recorded bodies, by an independent walk, is what the other dialect is told.
std::string texts_of(const Json& body) {
  std::string system;
  std::string rest;
  for (const Json& message : body["messages"]) {
    const std::string role = message["role"];
    std::string& out = role == "system" || role == "developer" ? system : rest;
    gather_texts({{"content", message.value("content", Json())}}, out);
    for (const Json& call : message.value("tool_calls", Json::array())) {
      const std::string arguments = call["function"].value("arguments", "");
      const Json input = arguments.empty() ? Json::object() : Json::parse(arguments);
      if (role == "assistant") out += call["function"]["name"].get<std::string>() + input.dump();
    }
  }
  return system + "|" + rest;
}

std::string texts_of_anthropic(const Json& body) {
  std::string system;
  std::string rest;
  gather_texts(body.value("system", Json::array()), system);
  for (const Json& message : body["messages"]) {
    for (const Json& block : message["content"]) {
      if (block["type"] == "tool_use") {
        rest += block["name"].get<std::string>() + block["input"].dump();
      } else {
        gather_texts(Json::array({block}), rest);
      }
    }
  }
  return system + "|" + rest;
}

TEST(OpenaiChatRequest, RecordedBodiesTranslate) {
  const std::vector<Recorded> rows = recorded_requests("-chat.completions");
  if (rows.empty()) GTEST_SKIP() << "no recorded traces here";
  std::size_t translated = 0;
  std::vector<std::string> refusals;
  for (const Recorded& row : rows) {
    Request request;
    RequestProblem problem;
    ASSERT_TRUE(read_openai_chat(outline_of(row.body, kThis), request, problem))
        << row.id << problem.where << problem.what;
    const Translated got = translate(kThis, row.body);
    if (!got.ok) {
      refusals.push_back(got.problem.where + " " + got.problem.what);
      continue;
    }
    ++translated;
    const Json source = Json::parse(row.body);
    EXPECT_EQ(texts_of_anthropic(got.body), texts_of(source)) << row.id;
    std::size_t functions = 0;
    for (const Json& tool : source.value("tools", Json::array()))
      functions += tool.contains("function") ? 1U : 0U;
    EXPECT_EQ(got.body.value("tools", Json::array()).size(), functions) << row.id;
  }
  EXPECT_GT(translated, 600U);
  EXPECT_LT(refusals.size(), 30U);
  for (const std::string& refusal : refusals) {
    const bool known = refusal.find("which only this dialect has") != std::string::npos ||
                       refusal.find("asks for more than text") != std::string::npos ||
                       refusal.starts_with("n ") || refusal.find("tool_call_id") != std::string::npos ||
                       refusal.find("tool_choice") != std::string::npos ||
                       refusal.find("base64") != std::string::npos ||
                       refusal.find("not a JSON object") != std::string::npos ||
                       refusal.find("not a function call with id") != std::string::npos;
    EXPECT_TRUE(known) << refusal;
  }
}

constexpr std::string_view kSeeds[] = {
    R"({"model":"m","messages":[{"role":"system","content":"s"},{"role":"user",
           "content":[{"type":"text","text":"a"},
          {"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},{"type":"file",
           "file":{"file_data":
          "data:a/b;base64,JV","filename":"f"}}]},{"role":"assistant",
           "content":null,"tool_calls":[{"id":"c","type":
          "function","function":{"name":"f","arguments":"{\"a\":1}"}}]},{"role":"tool",
           "tool_call_id":"c","content":"r"}],
          "tools":[{"type":"function","function":{"name":"f","parameters":{}}}],"tool_choice":"auto",
           "stop":["a"],
          "temperature":0.5,"stream":true,"stream_options":{"include_usage":false},"max_tokens":5,
           "user":"u",
          "reasoning_effort":"low","response_format":{"type":"json_schema","json_schema":{"schema":{}}}})",
    R"({"model":"m","system":[{"type":"text","text":"s"}],"messages":[{"role":"user",
           "content":[{"type":"text","text":"a"},
          {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA"}},
           {"type":"document","title":"t",
          "source":{"type":"text","data":"x"}}]},{"role":"assistant","content":[{"type":"thinking",
           "thinking":"t"},
          {"type":"tool_use","id":"c","name":"f","input":{"a":"b"}}]},{"role":"user",
           "content":[{"type":"tool_result",
          "tool_use_id":"c","content":[{"type":"text","text":"r"}],"is_error":true}]}],
           "tools":[{"name":"f","input_schema":{}}],
          "tool_choice":{"type":"any","disable_parallel_tool_use":true},"metadata":{"user_id":"u"},
           "max_tokens":3,
          "thinking":{"type":"enabled","budget_tokens":1024},"stop_sequences":["x"],
           "output_config":{"effort":"low"}})"};

// Mutated bodies: no crash, and whatever is written is JSON. The seed is fixed, so a failure repeats.
TEST(OpenaiChatRequest, MutatedBodiesGiveJsonOrAProblem) {
  const std::string_view tokens[] = {"null", "{}", "[]", "\"\"", "1", "true", "\"x\"", ",",
                                     ":",    "{",  "}",  "[",    "]", "\"",   "\\",    "-1e9"};
  std::mt19937 random(7);
  std::size_t written = 0;
  for (int round = 0; round < 20000; ++round) {
    const DialectId from = round % 2 == 0 ? kThis : DialectId::anthropic_messages;
    std::string body(kSeeds[round % 2]);
    for (auto edits = random() % 3 + 1; edits > 0; --edits) {
      const std::size_t at = random() % body.size();
      const std::size_t colon = body.find(':', at);
      const std::string_view token = tokens[random() % std::size(tokens)];
      switch (random() % 4) {
        case 0: body.erase(at, random() % 12); break;
        case 1: body.insert(at, token); break;
        case 2: body[at] = static_cast<char>(random()); break;
        default: {  // another value after a colon keeps the body well formed most often
          if (colon == std::string::npos) break;
          const std::size_t end = body.find_first_of(",}]", colon);
          if (end != std::string::npos) body.replace(colon + 1, end - colon - 1, token);
        }
      }
      if (body.empty()) body = "{}";
    }
    if (round % 5 == 0) {  // as if it had not all arrived
      Request request;
      RequestProblem problem;
      BodyPieces pieces;
      const json::Outline outline = outline_of(body.substr(0, random() % body.size()), from, 64, false);
      if (read(from, outline, request, problem)) {
        write(other(from), request, {"m", 0, {}}, pieces, problem);
        splice_request(outline, request, {"m", 0, {}}, from, pieces, problem);
      }
    }
    const Translated got = translate(from, body);
    const Translated same = splice(from, body);
    if (got.ok) ++written;
    EXPECT_TRUE(got.ok || !got.problem.what.empty()) << body;
    if (::testing::Test::HasFailure()) FAIL() << body;
    EXPECT_TRUE(same.ok || !got.ok);
  }
  EXPECT_GT(written, 1500U);
}

}  // namespace
}  // namespace shunt::dialect::testing
