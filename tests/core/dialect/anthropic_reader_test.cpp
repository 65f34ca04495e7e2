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
