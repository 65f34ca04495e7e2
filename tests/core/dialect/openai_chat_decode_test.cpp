// openai_chat frames: sentinels, comments, strays and errors.
#include "dialect/openai_chat_decode.h"

#include <gtest/gtest.h>

#include "event_text.h"

namespace shunt::dialect::test {
namespace {

constexpr DialectId kId = DialectId::openai_chat;

struct Case {
  const char* name;
  const char* stream;
  const char* events;
};

constexpr Case kCases[] = {
    {"an answer from first word to last",
     "data: "
     "{\"id\":\"c1\",\"created\":7,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":"
     "\"assistant\",\"content\":\"\"}}]}\n\n"
     "data: "
     "{\"id\":\"c2\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":null}]}\n\n"
     "data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
     "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":1}}\n\ndata: [DONE]\n\n",
     "start id=c1 model=m 7\ntext 0 Hi\nfinish 0 stop (stop)\nusage 3+1\ndone\n"},
    {"sorted keys: the index stands last",
     "data: "
     "{\"choices\":[{\"delta\":{\"content\":\"B\"},\"finish_reason\":\"stop\",\"index\":1}],\"id\":\"c\"}"
     "\n\n",
     "start id=c 0\ntext 1 B\nfinish 1 stop (stop)\n"},
    {"comments are pings; nothing counts after [DONE]",
     ": keep-alive\n\ndata:  [DONE] \n\ndata: [DONE]\n\ndata: {\"error\":\"x\"}\n\n", "ping\ndone\n"},
    {"[DONE]x is no sentinel", "data: [DONE]x\n\n", "bad frame\n"},
    {"a frame cut off is dropped whole",
     "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"br\n\n", "bad frame\n"},
    {"the filter's results come before the answer",
     "data: {\"id\":\"\",\"choices\":[],\"prompt_filter_results\":[1]}\n\n"
     "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n",
     "extra -1 chunk.prompt_filter_results [1]\nstart id=c 0\ntext 0 x\n"},
    {"an extra that says the same again is not said again",
     "data: {\"id\":\"c\",\"service_tier\":\"a\",\"choices\":[]}\n\ndata: "
     "{\"service_tier\":\"a\",\"choices\":[]}\n\n"
     "data: {\"service_tier\":\"b\",\"choices\":[]}\n\n",
     "start id=c 0\nextra -1 chunk.service_tier \"a\"\nextra -1 chunk.service_tier \"b\"\n"},
    {"padding says nothing", "data: {\"choices\":[],\"obfuscation\":\"x\",\"p\":\"abc\"}\n\n", ""},
    {"usage anywhere",
     "data: {\"choices\":[{\"index\":0,\"delta\":{},\"usage\":{\"prompt_tokens\":1}}],"
     "\"x_groq\":{\"usage\":{\"prompt_tokens\":2}}}\n\n",
     "start 0\nusage 1+-1\nusage 2+-1\nextra -1 chunk.x_groq {\"usage\":{\"prompt_tokens\":2}}\n"},
    {"a message at the end repeats what the deltas said",
     "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello\"}}]}\n\n"
     "data: {\"choices\":[{\"index\":0,\"finish_reason\":\"stop\",\"message\":{\"content\":\"Hello\"}}]}\n\n",
     "start 0\ntext 0 Hello\nfinish 0 stop (stop)\n"},
    {"a message in place of a delta",
     "data: {\"choices\":[{\"index\":0,\"message\":{\"content\":\"a\"}}]}\n\n"
     "data: {\"choices\":[{\"index\":0,\"message\":{\"content\":\"b\"}}]}\n\n",
     "start 0\ntext 0 a\ntext 0 b\n"},
    {"an error object", "data: {\"error\":{\"message\":\"m\",\"type\":\"t\",\"code\":502}}\n\n",
     "error type=t code=502 message=m status=502\n"},
    {"event: error",
     "event: error\ndata: "
     "{\"error\":{\"message\":\"m\",\"code\":\"tool_use_failed\",\"status_code\":400}}\n\n",
     "error code=tool_use_failed message=m status=400\n"},
    {"object error", "data: {\"object\":\"error\",\"message\":\"boom\",\"type\":\"E\",\"code\":500}\n\n",
     "error type=E code=500 message=boom status=500\n"},
    {"an error line", "error: {\"code\":400,\"message\":\"too long\"}\n\n",
     "error code=400 message=too long status=400\n"},
    {"a bare JSON line", "{\"error\":\"no such model\"}\n\n", "error message=no such model\n"},
    {"an error beside a choice",
     "data: "
     "{\"error\":{\"message\":\"gone\",\"code\":502},\"choices\":[{\"index\":0,\"delta\":{},\"finish_"
     "reason\":\"error\"}]}\n\n",
     "start 0\nfinish 0 error (error)\nerror code=502 message=gone status=502\n"},
    {"a choice too far", "data: {\"choices\":[{\"index\":128,\"delta\":{\"content\":\"x\"}}]}\n\n",
     "start 0\nextra -1 chunk.choices {\"index\":128,\"delta\":{\"content\":\"x\"}}\n"},
};

TEST(OpenAiChatDecode, FramesGiveTheseEvents) {
  for (const Case& c : kCases) EXPECT_EQ(event_lines(kId, c.stream), c.events) << c.name;
}

TEST(OpenAiChatDecode, EveryStartOfAFrameIsHandled) {
  const std::string whole =
      R"({"id":"c","choices":[{"index":0,"delta":{"content":"a\n","tool_calls":[{"index":0,"id":"i",)"
      R"("function":{"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}],)"
      R"("usage":{"prompt_tokens":1}})";
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_EQ(event_lines(kId, "data: " + whole.substr(0, size) + "\n\n"), "bad frame\n") << size;
  }
}

TEST(OpenAiChatDecode, AnswersInAnyFormAreRead) {
  const auto text = [](std::string_view body) {
    EventList events;
    std::string scratch, lines;
    decode_openai_chat_answer(body, 0, events, scratch);
    for (const Event& event : events) lines += event_text(event) + "\n";
    return lines;
  };
  EXPECT_EQ(text(R"({"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":null,)"
                 R"("tool_calls":[{"id":"a",)"
                 R"("function":{"name":"f","arguments":"{\"x\":1}"}}]},"finish_reason":"tool_calls"}]})"),
            "start id=c 0\ncall 0.0 id=a name=f\nargs 0.0 {\"x\":1}\nfinish 0 tool_calls (tool_calls)\n");
  EXPECT_EQ(text(R"({"id":"c","choices":[]})"), "start id=c 0\n");
  EXPECT_EQ(text(R"({"detail":"Not Found"})"), "error message=Not Found\n");
  EXPECT_EQ(text(R"([{"error":{"code":429,"message":"slow","status":"RESOURCE_EXHAUSTED"}}])"),
            "error type=RESOURCE_EXHAUSTED code=429 message=slow status=429\n");
  EXPECT_EQ(text("<html>"), "bad frame\n");
  EXPECT_EQ(text(""), "bad frame\n");
}

}  // namespace
}  // namespace shunt::dialect::test
