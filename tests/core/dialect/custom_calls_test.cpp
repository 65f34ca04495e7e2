// Tools that take plain text, toward those whose tools take an object, and back: declarations, histories,
// choices and answers, as OpenAI's references word them.
//   https://platform.openai.com/docs/guides/function-calling#custom-tools
#include "dialect/custom_calls.h"

#include "core/dialect/target_testing.h"
#include "event_text.h"

namespace shunt::dialect::testing {
namespace {

constexpr DialectId kChat = DialectId::openai_chat;
constexpr DialectId kResponses = DialectId::openai_responses;
constexpr DialectId kAnthropic = DialectId::anthropic_messages;

constexpr char kChatBody[] =
    R"({"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[
        {"id":"c1","type":"custom","custom":{"name":"run","input":"print(\"a\")\n"}},
        {"id":"c2","type":"function","function":{"name":"f","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"c1","content":"a"},{"role":"tool","tool_call_id":"c2","content":"b"}],
        "tools":[{"type":"custom","custom":{"name":"run","description":"Runs Python.","format":{"type":"grammar",
        "grammar":{"syntax":"lark","definition":"start: \"x\""}}}},{"type":"function","function":{"name":"f",
        "parameters":{"type":"object"}}}],"tool_choice":{"type":"custom","custom":{"name":"run"}}})";

constexpr char kResponsesBody[] =
    R"({"input":[{"role":"user","content":"go"},
        {"type":"custom_tool_call","call_id":"c1","name":"run","input":"print(\"a\")\n"},
        {"type":"function_call","call_id":"c2","name":"f","arguments":"{}"},
        {"type":"custom_tool_call_output","call_id":"c1","output":"a"},
        {"type":"function_call_output","call_id":"c2","output":"b"}],
        "tools":[{"type":"custom","name":"run","description":"Runs Python.","format":{"type":"grammar",
        "syntax":"lark","definition":"start: \"x\""}},{"type":"function","name":"f",
        "parameters":{"type":"object"},"strict":false}],"tool_choice":{"type":"custom","name":"run"}})";

TEST(CustomCalls, GoFromOneOfOpenAisApisToTheOther) {
  Translated got = translate(kChat, kResponses, kChatBody);
  ASSERT_TRUE(got.ok) << got.problem.where << got.problem.what;
  Json expected = Json::parse(kResponsesBody);
  expected["model"] = "m";
  expected["store"] = false;
  EXPECT_EQ(got.body, expected) << got.text;
  EXPECT_TRUE(got.dropped.empty());
  got = translate(kResponses, kChat, kResponsesBody);
  ASSERT_TRUE(got.ok) << got.problem.where << got.problem.what;
  expected = Json::parse(kChatBody);
  expected["model"] = "m";
  EXPECT_EQ(got.body, expected) << got.text;
  EXPECT_TRUE(got.dropped.empty());
}

// A tool's input must be an object there: the text is its one member.
TEST(CustomCalls, AreObjectsAtAnthropic) {
  for (const auto& [from, body] : {std::pair(kChat, kChatBody), std::pair(kResponses, kResponsesBody)}) {
    const Translated got = translate(from, kAnthropic, body);
    ASSERT_TRUE(got.ok) << got.problem.where << got.problem.what;
    EXPECT_EQ(got.body["tools"], Json::parse(R"([{"name":"run","description":"Runs Python.","input_schema":{
        "type":"object","properties":{"input":{"type":"string"}},"required":["input"]}},
        {"name":"f","input_schema":{"type":"object"}}])"));
    EXPECT_EQ(got.body["tool_choice"], Json::parse(R"({"type":"tool","name":"run"})"));
    EXPECT_EQ(got.body["messages"], Json::parse(R"([{"role":"user","content":[{"type":"text","text":"go"}]},
        {"role":"assistant","content":[
         {"type":"tool_use","id":"c1","name":"run","input":{"input":"print(\"a\")\n"}},
         {"type":"tool_use","id":"c2","name":"f","input":{}}]},
        {"role":"user","content":[
         {"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"a"}]},
         {"type":"tool_result","tool_use_id":"c2","content":[{"type":"text","text":"b"}]}]}])"));
    EXPECT_EQ(got.dropped, std::vector<std::string>{"tools[].format"});
  }
}

// Where arguments are a string, it holds that object.
TEST(CustomCalls, AreStringsThatHoldObjects) {
  const Json call = Json::parse(R"({"id":"c1","type":"function","function":{"name":"run","arguments":
      "{\"input\":\"print(\\\"a\\\")\\n\"}"}})");
  for (const DialectId to :
       {DialectId::cohere_chat, DialectId::dashscope_native, DialectId::workers_ai_native}) {
    for (const auto& [from, body] : {std::pair(kChat, kChatBody), std::pair(kResponses, kResponsesBody)}) {
      const Translated got = translate_to(to, from, body);
      ASSERT_TRUE(got.ok) << got.problem.what;
      const Json& messages =
          to == DialectId::dashscope_native ? got.body["input"]["messages"] : got.body["messages"];
      EXPECT_EQ(messages[1]["tool_calls"][0], call);
      EXPECT_EQ(messages[1]["tool_calls"][1]["function"]["arguments"], "{}");
      EXPECT_EQ(messages[2]["tool_call_id"], "c1");
      EXPECT_EQ(got.dropped.back(), to == DialectId::dashscope_native ? "tools[].format" : "tool_choice");
    }
  }
  const Translated ernie = translate_to(DialectId::ernie_native, kChat, R"({"messages":[
      {"role":"user","content":"go"},{"role":"assistant","tool_calls":[{"id":"c1","type":"custom",
      "custom":{"name":"run","input":"\\ud83d\""}}]},{"role":"tool","tool_call_id":"c1","content":"a"}]})");
  ASSERT_TRUE(ernie.ok) << ernie.problem.what;
  EXPECT_EQ(ernie.body["messages"][1]["function_call"],
            Json({{"name", "run"}, {"arguments", R"({"input":"\\ud83d\""})"}}));
  EXPECT_EQ(ernie.body["messages"][2]["name"], "run");
}

// Of a text longer than what is kept of a body none can be made.
TEST(CustomCalls, OfALongTextAreRefusedWhereArgumentsAreStrings) {
  const std::string body = R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[
      {"id":"c","type":"custom","custom":{"name":"run","input":")" +
                           std::string(70000, 'x') + R"("}}]}]})";
  for (const DialectId to :
       {DialectId::cohere_chat, DialectId::dashscope_native, DialectId::workers_ai_native}) {
    const Translated got = translate_to(to, kChat, body);
    EXPECT_FALSE(got.ok);
    EXPECT_EQ(got.problem.where, "messages[1]");
    EXPECT_EQ(got.problem.what, "holds what the target cannot say");
  }
}

TEST(CustomCalls, WithoutAGrammarNothingIsLost) {
  for (const char* format : {"", R"(,"format":{"type":"text"})"}) {
    const Translated got = translate(kChat, kAnthropic,
                                     std::string(R"({"messages":[{"role":"user","content":"x"}],
        "tools":[{"type":"custom","custom":{"name":"run")") +
                                         format + "}}]}");
    ASSERT_TRUE(got.ok);
    EXPECT_TRUE(got.dropped.empty());
    EXPECT_EQ(got.body["tools"][0]["name"], "run");
  }
}

// The text stands where the client's body has it, however long it is.
TEST(CustomCalls, ALongTextGoesOverAsItStands) {
  const std::string text = std::string(70000, 'x') + R"(\n\"\ud83d\ude00)";
  const std::string chat = R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[
      {"id":"c","type":"custom","custom":{"name":"run","input":")" +
                           text + R"("}}]}]})";
  const std::string responses = R"({"input":[{"role":"user","content":"q"},{"type":"custom_tool_call",
      "call_id":"c","name":"run","input":")" +
                                text + R"("}]})";
  const Json expected = {{"input", Json::parse("\"" + text + "\"")}};
  for (const auto& [from, body] : {std::pair(kChat, chat), std::pair(kResponses, responses)}) {
    EXPECT_EQ(translate(from, kAnthropic, body).body["messages"][1]["content"][0]["input"], expected);
    EXPECT_EQ(translate(from, DialectId::gemini_generate, body)
                  .body["contents"][1]["parts"][0]["functionCall"]["args"],
              expected);
    EXPECT_EQ(translate_to(DialectId::bedrock_converse, from, body)
                  .body["messages"][1]["content"][0]["toolUse"]["input"],
              expected);
  }
}

// Gemini finds results by name; Converse has them by id.
TEST(CustomCalls, AreObjectsAtGeminiConverseAndOllama) {
  const Json arguments = {{"input", "print(\"a\")\n"}};
  for (const auto& [from, body] : {std::pair(kChat, kChatBody), std::pair(kResponses, kResponsesBody)}) {
    const Translated gemini = translate(from, DialectId::gemini_generate, body);
    ASSERT_TRUE(gemini.ok) << gemini.problem.what;
    const Json& contents = gemini.body["contents"];
    EXPECT_EQ(contents[1]["parts"][0]["functionCall"], Json({{"name", "run"}, {"args", arguments}}));
    EXPECT_EQ(contents[2]["parts"][0]["functionResponse"],
              Json::parse(R"({"response":{"output":"a"},"name":"run"})"));
    EXPECT_EQ(
        gemini.body["tools"][0]["functionDeclarations"][0],
        Json::parse(R"({"name":"run","description":"Runs Python.","parametersJsonSchema":{"type":"object",
                  "properties":{"input":{"type":"string"}},"required":["input"]}})"));
    EXPECT_EQ(gemini.body["toolConfig"]["functionCallingConfig"],
              Json::parse(R"({"mode":"ANY","allowedFunctionNames":["run"]})"));
    EXPECT_EQ(gemini.dropped, std::vector<std::string>{"tools[].format"});

    const Translated converse = translate_to(DialectId::bedrock_converse, from, body);
    ASSERT_TRUE(converse.ok) << converse.problem.what;
    EXPECT_EQ(converse.body["messages"][1]["content"][0]["toolUse"],
              Json({{"toolUseId", "c1"}, {"name", "run"}, {"input", arguments}}));
    EXPECT_EQ(converse.body["messages"][2]["content"][0]["toolResult"]["toolUseId"], "c1");
    EXPECT_EQ(
        converse.body["toolConfig"]["tools"][0]["toolSpec"],
        Json::parse(R"({"name":"run","description":"Runs Python.","inputSchema":{"json":{"type":"object",
                  "properties":{"input":{"type":"string"}},"required":["input"]}}})"));
    EXPECT_EQ(converse.body["toolConfig"]["toolChoice"], Json::parse(R"({"tool":{"name":"run"}})"));
    EXPECT_EQ(converse.dropped, std::vector<std::string>{"tools[].format"});

    const Translated ollama = translate_to(DialectId::ollama_chat, from, body);
    ASSERT_TRUE(ollama.ok) << ollama.problem.what;
    EXPECT_EQ(ollama.body["messages"][1]["tool_calls"][0],
              Json({{"function", {{"name", "run"}, {"arguments", arguments}}}}));
  }
}

// ---- answers ----

using test::event_text;

// What a client is told; texts that follow each other are joined.
std::string adapted(std::string_view names, const std::vector<EventList>& steps) {
  CustomCalls calls(names);
  std::string text;
  const auto tell = [&](const EventList& events) {
    for (const Event& event : events) {
      const auto* said = std::get_if<event::ToolCallArguments>(&event);
      if (said == nullptr || !said->json.empty()) text += event_text(event) + "\n";
    }
  };
  for (const EventList& step : steps) tell(calls.adapted(step));
  return text;
}

constexpr char kRun[] = "\nrun\n";

const std::vector<EventList> kWrapped = {
    {event::ToolCallStart{0, 0, "c1", "run"}},
    {event::ToolCallArguments{0, 0, R"({"inp)"}},
    {event::ToolCallStart{0, 1, "c2", "f"}, event::ToolCallArguments{0, 1, "{}"}},
    {event::ToolCallArguments{0, 0, R"(ut":"a\n\"b)"}, event::ToolCallArguments{0, 0, R"(\")"}},
    {event::ToolCallArguments{0, 0, R"("})"}},
    {event::ToolCallEnd{0, 0}, event::ToolCallEnd{0, 1}}};

TEST(CustomCalls, OfAClientsToolsAreUnwrappedAsTheyCome) {
  EXPECT_EQ(adapted(kRun, kWrapped),
            "custom 0.0 id=c1 name=run\ncall 0.1 id=c2 name=f\nargs 0.1 {}\nargs 0.0 a\n\"b\nargs 0.0 \"\n"
            "call-end 0.0\ncall-end 0.1\n");
}

// The text of a call whose object comes in these fragments, one frame each or all in one.
std::string unwrapped(const std::vector<std::string>& fragments, bool one_frame = false) {
  CustomCalls calls(kRun);
  std::string text;
  const auto tell = [&](const EventList& events) {
    for (const Event& event : events) {
      if (const auto* said = std::get_if<event::ToolCallArguments>(&event)) text += said->json;
    }
  };
  EventList events = {event::ToolCallStart{0, 0, "c", "run"}};
  for (const std::string& fragment : fragments) {
    events.push_back(event::ToolCallArguments{0, 0, fragment});
    if (one_frame) continue;
    tell(calls.adapted(events));
    events.clear();
  }
  events.push_back(event::ToolCallEnd{0, 0});
  tell(calls.adapted(events));
  return text;
}

struct Shape {
  std::string json, text;
};
const std::vector<Shape> kShapes = {
    {R"({"input":""})", ""},
    {R"({"input":"a\n\"b\"\\"})", "a\n\"b\"\\"},
    {R"({"input":"\ud83d\ude00 \u00e9\t\/"})", "\xF0\x9F\x98\x80 \xC3\xA9\t/"},
    {R"({"input":"\\ud83d\\"})", "\\ud83d\\"},
    {R"({"input":"\ud83dx"})", "\xEF\xBF\xBDx"},  // half a pair
    {"{ \"input\" :\n\t\"x y\" }\n", "x y"},
    {R"({"input":"x","more":"y"})", "x"},
    {R"({"input":"x")", "x"},  // cut
    {R"({"inp)", ""},
    // No objects of ours: the text itself.
    {"print(1)", "print(1)"},
    {"", ""},
    {"{}", "{}"},
    {R"({"input":1})", R"({"input":1})"},
    {R"({"code":"x\n"})", R"({"code":"x\n"})"},
    {R"(["input"])", R"(["input"])"},
    {"{" + std::string(1000, ' ') + "}", "{" + std::string(1000, ' ') + "}"},
};

TEST(CustomCalls, TheTextIsTheSameHoweverItsObjectIsCut) {
  for (const Shape& shape : kShapes) {
    const std::string& json = shape.json;
    EXPECT_EQ(unwrapped({json}), shape.text);
    std::vector<std::string> bytes;
    for (const char c : json) bytes.emplace_back(1, c);
    EXPECT_EQ(unwrapped(bytes), shape.text) << json;
    EXPECT_EQ(unwrapped(bytes, true), shape.text) << json;
    for (std::size_t at = 0; at <= json.size() && json.size() < 100; ++at) {
      for (std::size_t second = at; second <= json.size(); ++second) {
        const std::vector<std::string> cut = {json.substr(0, at), json.substr(at, second - at),
                                              json.substr(second)};
        EXPECT_EQ(unwrapped(cut), shape.text) << json << " at " << at << ", " << second;
        EXPECT_EQ(unwrapped(cut, true), shape.text) << json << " at " << at << ", " << second;
      }
    }
  }
}

TEST(CustomCalls, OfAProviderThatHasThemStayAsTheyAre) {
  const std::vector<EventList> native = {
      {event::ToolCallStart{0, 0, "c", "run", true}, event::ToolCallArguments{0, 0, R"({"input":1})"}}};
  EXPECT_EQ(adapted(kRun, native), "custom 0.0 id=c name=run\nargs 0.0 {\"input\":1}\n");
}

TEST(CustomCalls, OnlyWholeNamesAreTheClients) {
  for (const char* name : {"ru", "un", "runs", "", "\n"}) {
    const EventList events = {event::ToolCallStart{0, 0, "c", name}};
    CustomCalls calls("\nrun\n\nother\n");
    EXPECT_FALSE(std::get_if<event::ToolCallStart>(&calls.adapted(events)[0])->custom) << name;
  }
}

// The streams of both of OpenAI's APIs, each read and written by the other.
TEST(CustomCalls, InStreamsAndWholeAnswers) {
  const EncodeOptions kAsked = {"r", "m", 1, true, true};
  const EventList events = {event::Start{"r", "m", 1},
                            event::ToolCallStart{0, 0, "c1", "run", true},
                            event::ToolCallArguments{0, 0, "a\n"},
                            event::ToolCallArguments{0, 0, "b"},
                            event::ToolCallEnd{0, 0},
                            event::Finish{0, FinishReason::tool_calls, "tool_calls"}};
  for (const DialectId id : {kChat, kResponses}) {
    const std::string bytes = test::encode_events(id, events, kAsked);
    EXPECT_EQ(bytes.find("\"function\""), std::string::npos) << bytes;
    for (const DialectId to : {kChat, kResponses}) {
      const Folded folded = test::fold_stream(to, test::encode_stream(id, bytes, to, kAsked));
      ASSERT_EQ(folded.choices.size(), 1U);
      ASSERT_EQ(folded.choices[0].calls.size(), 1U);
      EXPECT_EQ(folded.choices[0].calls[0], (FoldedCall{"c1", "run", "a\nb", true}));
      std::string answer;
      find(to)->encode_answer(folded, kAsked, answer);
      const Folded whole = test::fold_answer(to, answer);
      EXPECT_EQ(whole.choices[0].calls, folded.choices[0].calls) << answer;
    }
  }
  const std::string chat = test::encode_events(kChat, events, kAsked);
  EXPECT_NE(
      chat.find(R"("tool_calls":[{"index":0,"id":"c1","type":"custom","custom":{"name":"run","input":""}}])"),
      std::string::npos)
      << chat;
  EXPECT_NE(chat.find(R"("tool_calls":[{"index":0,"custom":{"input":"a\n"}}])"), std::string::npos);
  const std::string unasked = test::encode_events(kChat, events, {"r", "m", 1, true});
  EXPECT_NE(unasked.find(R"("type":"function","function":{"name":"run","arguments":""}})"), std::string::npos)
      << "a reader that knows functions alone";
  EXPECT_EQ(test::fold_stream(kChat, unasked).choices[0].calls[0], (FoldedCall{"c1", "run", "a\nb", false}));
  const std::string responses = test::encode_events(kResponses, events, kAsked);
  EXPECT_NE(responses.find("event: response.custom_tool_call_input.delta\n"), std::string::npos) << responses;
  EXPECT_NE(
      responses.find(
          R"("type":"custom_tool_call","status":"completed","call_id":"c1","name":"run","input":"a\nb")"),
      std::string::npos);
}

}  // namespace
}  // namespace shunt::dialect::testing
