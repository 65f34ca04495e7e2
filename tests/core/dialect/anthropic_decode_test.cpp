// anthropic_messages frames, one trap a row.
#include "dialect/anthropic_decode.h"

#include <gtest/gtest.h>

#include "event_text.h"

namespace shunt::dialect::test {
namespace {

struct Case {
  const char* name;
  const char* stream;
  const char* events;
};

#define START                                                                                            \
  "data: "                                                                                               \
  "{\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"model\":\"c\",\"usage\":{\"input_tokens\":3," \
  "\"output_tokens\":1}}}\n\n"
#define START_EVENTS "start id=m model=c 0\nusage 3+1\n"

constexpr Case kCases[] = {
    {"thinking, text and a call",
     "event: message_start\n" START "data: "
     "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{"
     "\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}}\n\n"
     "data: "
     "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":"
     "\"t\"}}\n\n"
     "data: "
     "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":"
     "\"s\"}}\n\n"
     "data: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
     "data: "
     "{\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\","
     "\"name\":\"f\",\"input\":{}}}\n\n"
     "data: "
     "{\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_"
     "json\":\"\"}}\n\n"
     "data: "
     "{\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_"
     "json\":\"{}\"}      }\n\n"
     "data: {\"type\":\"content_block_stop\",\"index\":1}\n\n"
     "data: "
     "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\",\"stop_sequence\":null},\"usage\":{"
     "\"output_tokens\":9}}\n\n"
     "data: {\"type\":\"message_stop\"}\n\nevent: data\ndata: [DONE]\n\n",
     START_EVENTS
     "reasoning 0 text=t\nreasoning 0 signature=s\ncall 0.0 id=t1 name=f\nargs 0.0 {}\ncall-end 0.0\n"
     "usage 3+9\nfinish 0 tool_calls (tool_use)\ndone\n"},
    {"sorted keys",
     "data: "
     "{\"delta\":{\"text\":\"x\",\"type\":\"text_delta\"},\"index\":0,\"type\":\"content_block_delta\"}\n\n",
     "text 0 x\n"},
    {"input in the start",
     "data: "
     "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\","
     "\"name\":\"f\",\"input\":{\"a\": 1}}}\n\n",
     "call 0.0 id=t name=f\nargs 0.0 {\"a\":1}\n"},
    {"text in the start, and a second block of text",
     "data: "
     "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"He\"}}"
     "\n\n"
     "data: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
     "data: "
     "{\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":\"y\"}}"
     "\n\n",
     "text 0 He\nextra 0 content_block {\"type\":\"text\",\"text\":\"\"}\ntext 0 y\n"},
    {"server tools are not the client's",
     "data: "
     "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"server_tool_use\",\"id\":"
     "\"s\"}}\n\n"
     "data: "
     "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_"
     "json\":\"{}\"}}\n\n",
     "extra 0 content_block {\"type\":\"server_tool_use\",\"id\":\"s\"}\n"
     "extra 0 content_block_delta {\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}\n"},
    {"citations",
     "data: "
     "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"citations_delta\",\"citation\":{"
     "\"url\":\"u\"}}}\n\n",
     "extra 0 citation {\"url\":\"u\"}\n"},
    {"sealed thinking",
     "data: "
     "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"redacted_thinking\","
     "\"data\":\"E\"}}\n\n",
     "reasoning 0 redacted=E\n"},
    {"the same start twice", START START, START_EVENTS},
    {"another message inside an open one",
     START
     "data: {\"type\":\"message_start\",\"message\":{\"id\":\"other\"}}\n\n"
     "data: "
     "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}\n\n",
     START_EVENTS
     "finish 0 error ()\nerror type=protocol_error message=message_start inside an open message\n"},
    {"an error",
     "event: error\ndata: "
     "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}\n\n",
     "error type=overloaded_error message=busy\n"},
    {"an error without JSON", "event: error\ndata: upstream gone\n\n", "error message=upstream gone\n"},
    {"pings, comments and what Vertex opens with",
     "event: vertex_event\ndata: {\"type\":\"vertex_event\"}\n\n: x\n\ndata: {\"type\":\"ping\"}\n\n",
     "ping\nping\n"},
    {"stop_sequence",
     "data: "
     "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"stop_sequence\",\"stop_sequence\":\"E\"}}\n\n",
     "extra 0 stop.stop_sequence \"E\"\nfinish 0 stop (stop_sequence)\n"},
    {"not JSON", "data: {\"type\":\"pi\n\n", "bad frame\n"},
};

TEST(AnthropicDecode, FramesGiveTheseEvents) {
  for (const Case& c : kCases)
    EXPECT_EQ(event_lines(DialectId::anthropic_messages, c.stream), c.events) << c.name;
}

TEST(AnthropicDecode, AnswersAreReadBlockByBlock) {
  EventList events;
  std::string scratch, lines;
  decode_anthropic_answer(
      R"({"id":"m","type":"message","role":"assistant","model":"c","content":[{"type":"thinking",)"
      R"("thinking":"t","signature":"s"},)"
      R"({"type":"text","text":"a\nb"},{"type":"tool_use","id":"t1","name":"f","input":{}}],)"
      R"("stop_reason":"tool_use",)"
      R"("stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":9}})",
      0, events, scratch);
  for (const Event& event : events) lines += event_text(event) + "\n";
  EXPECT_EQ(lines,
            "start id=m model=c 0\nreasoning 0 text=t signature=s\ntext 0 a\nb\ncall 0.0 id=t1 "
            "name=f\ncall-end 0.0\n"
            "usage 3+9\nfinish 0 tool_calls (tool_use)\n");
}

}  // namespace
}  // namespace shunt::dialect::test
