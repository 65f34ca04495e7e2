// The reader's own promises on whole bodies.
#include "dialect/anthropic_reader.h"

#include <gtest/gtest.h>

#include "event_text.h"

namespace shunt::dialect::test {
namespace {

std::string answer(std::string_view body, bool& json) {
  std::string block, lines;
  AnthropicReader reader(block);
  EventList out;
  json = reader.read_answer(body, out);
  for (const Event& event : out) lines += event_text(event) + "\n";
  return lines;
}

TEST(AnthropicReader, BodiesThatAreNoMessageAreErrorsOrNothing) {
  bool json = false;
  EXPECT_EQ(answer(R"({"type":"error","error":{"type":"api_error","message":"m"}})", json),
            "error type=api_error message=m\n");
  EXPECT_EQ(answer(R"({"message":"Forbidden"})", json), "error message=Forbidden\n");
  EXPECT_TRUE(json);
  EXPECT_EQ(answer("<html>", json), "");
  EXPECT_FALSE(json);
}

TEST(AnthropicReader, WhatStandsBesideIsKept) {
  std::string block, lines;
  AnthropicReader reader(block);
  for (const char* json :
       {R"({"type":"message_start","message":{"id":"m"},"trace":1})",
        R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f",)"
        R"("input":{},"caller":{"type":"direct"}}})",
        R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}",)"
        R"("n":2}})",
        R"({"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":1}})"}) {
    EventList out;
    EXPECT_TRUE(reader.read(json, out));
    for (const Event& event : out) lines += event_text(event) + "\n";
  }
  EXPECT_EQ(lines,
            "start id=m 0\nextra 0 event.trace 1\ncall 0.0 id=t name=f\n"
            "extra 0 content_block.caller {\"type\":\"direct\"}\nextra 0 content_block_delta.n 2\n"
            "args 0.0 {}\ndone\n"
            "extra 0 event.amazon-bedrock-invocationMetrics {\"inputTokenCount\":1}\n");
}

TEST(AnthropicReader, AFrameThatBreaksOffChangesNothing) {
  std::string block;
  AnthropicReader reader(block);
  EventList out;
  EXPECT_FALSE(reader.read(R"({"type":"message_start","message":{"id":"m"})", out));
  EXPECT_FALSE(reader.read(R"({"type":"message_stop")", out));
  EXPECT_TRUE(out.empty());
  EXPECT_FALSE(reader.stopped());
}

}  // namespace
}  // namespace shunt::dialect::test
