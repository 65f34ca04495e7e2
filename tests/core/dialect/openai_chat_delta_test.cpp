// What deltas of openai_chat hold, one shape a row.
#include <gtest/gtest.h>

#include "dialect/tool_identity.h"
#include "event_text.h"

namespace shunt::dialect::test {
namespace {

struct Case {
  const char* delta;
  const char* events;
};

constexpr Case kCases[] = {
    {R"({"content":"c","reasoning":"r"})", "reasoning 0 text=r\ntext 0 c\n"},
    {R"({"reasoning":"r","reasoning_content":"r"})", "reasoning 0 text=r\n"},
    {R"({"reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"r"}]})",
     "reasoning 0 text=r\nextra 0 reasoning_details [{\"type\":\"reasoning.text\",\"text\":\"r\"}]\n"},
    {R"({"reasoning_details":[{"type":"reasoning.summary","summary":"s"}]})",
     "reasoning 0 text=s\nextra 0 reasoning_details [{\"type\":\"reasoning.summary\",\"summary\":\"s\"}]\n"},
    {R"({"reasoning_details":[]})", ""},
    {R"({"reasoning_details":[{"type":"reasoning.encrypted","data":"ZZ"}]})",
     "reasoning 0 redacted=ZZ\nextra 0 delta.reasoning_details "
     "[{\"type\":\"reasoning.encrypted\",\"data\":\"ZZ\"}]\n"},
    {R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]},{"type":"text",)"
     R"("text":"x"}]})",
     "reasoning 0 text=t\ntext 0 x\n"},
    {R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}],"closed":true}]})",
     "reasoning 0 text=t\nextra 0 part.closed true\n"},
    {R"({"content":[{"type":"reference","reference_ids":[1]}]})",
     "extra 0 delta.content {\"type\":\"reference\",\"reference_ids\":[1]}\n"},
    {R"({"refusal":"no"})", "refusal 0 no\n"},
    {R"({"role":null,"content":null,"tool_calls":null,"refusal":null})", ""},
    {R"({"annotations":[1],"channel":"a"})", "extra 0 delta.annotations [1]\nextra 0 delta.channel \"a\"\n"},
    {R"({"tool_calls":[{"index":1,"id":"a","function":{"name":"f","arguments":{"x": [1, "a b"]}}}]})",
     "call 0.0 id=a name=f\nargs 0.0 {\"x\":[1,\"a b\"]}\n"},
    {R"({"tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g",)"
     R"("arguments":null}}]})",
     "call 0.0 id=a name=f\ncall 0.1 id=b name=g\n"},
    {R"({"tool_calls":{"id":"a","type":"custom","custom":{"name":"f","input":"ls"}}})",
     "custom 0.0 id=a name=f\nargs 0.0 ls\n"},
    // As OpenAI sends them: what is not meant is null.
    {R"({"tool_calls":[{"index":0,"id":"a","type":"custom","custom":{"name":"f","input":"ls"},"function":null}]})",
     "custom 0.0 id=a name=f\nargs 0.0 ls\n"},
    {R"({"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{"},"custom":null}]})",
     "call 0.0 id=a name=f\nargs 0.0 {\n"},
    {R"({"function_call":{"name":"f","arguments":"{"}})", "call 0.0 name=f\nargs 0.0 {\n"},
    {R"({"refusal":"","function_call":{"name":"","arguments":""}})", ""},  // Snowflake
    {R"({"tool_calls":[{"index":0,"id":"a","extra_content":{"s":1},"function":{"name":"f"}}]})",
     "extra 0 call.extra_content {\"s\":1}\ncall 0.0 id=a name=f\n"},
};

std::string chunk(const std::string& delta) {
  return "data: {\"choices\":[{\"index\":0,\"delta\":" + delta + "}]}\n\n";
}

TEST(OpenAiChatDelta, ShapesGiveTheseEvents) {
  for (const Case& c : kCases) {
    EXPECT_EQ(event_lines(DialectId::openai_chat, chunk(c.delta)), std::string("start 0\n") + c.events)
        << c.delta;
  }
}

// One call too many is told by itself, not with the frame it stands in.
TEST(OpenAiChatDelta, CallsBeyondTheBoundAreExtras) {
  std::string calls;
  for (std::size_t i = 0; i <= kToolCalls; ++i)
    calls +=
        (i == 0 ? "" : ",") + std::string(R"({"id":")") + std::to_string(i) + R"(","function":{"name":"f"}})";
  const std::string lines = event_lines(DialectId::openai_chat, chunk("{\"tool_calls\":[" + calls + "]}"));
  const std::string last = "extra 0 delta.tool_calls {\"id\":\"1024\",\"function\":{\"name\":\"f\"}}\n";
  ASSERT_GE(lines.size(), last.size());
  EXPECT_EQ(lines.substr(lines.size() - last.size()), last);
  EXPECT_EQ(lines.find("extra"), lines.size() - last.size());
}

TEST(OpenAiChatDelta, APairSplitOverTwoDeltasIsOneCharacter) {
  const std::string split = chunk(R"({"content":"a\ud83d"})") + chunk(R"({"content":"\ude00b"})");
  EXPECT_EQ(event_lines(DialectId::openai_chat, split),
            "start 0\ntext 0 a\ntext 0 \xF0\x9F\x98\x80"
            "b\n");
  const std::string lone = chunk(R"({"content":"\ud83d"})") + chunk(R"({"content":"b"})");
  EXPECT_EQ(event_lines(DialectId::openai_chat, lone),
            "start 0\ntext 0 \xEF\xBF\xBD"
            "b\n");
}

TEST(OpenAiChatDelta, ABrokenFrameTeachesNothingAboutCalls) {
  const std::string broken =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\","
      "\"function\":{\"name\":\"f\"}}]}}\n\n";
  const std::string good = chunk(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f"}}]})");
  EXPECT_EQ(event_lines(DialectId::openai_chat, broken + good), "bad frame\nstart 0\ncall 0.0 id=a name=f\n");
}

}  // namespace
}  // namespace shunt::dialect::test
