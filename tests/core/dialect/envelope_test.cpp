// What InvokeModel wraps, unwrapped.
#include "dialect/envelope.h"

#include <gtest/gtest.h>

#include "event_text.h"

namespace shunt::dialect::test {
namespace {

using Kind = wire::Frame::Kind;

std::string decoded(StreamDecoder& decoder, Kind kind, std::string_view event, std::string_view data) {
  wire::Frame frame;
  frame.kind = kind;
  frame.event = event;
  frame.data = data;
  EventList events;
  decoder.decode(frame, events);
  std::string text;
  for (const Event& each : events) text += event_text(each) + "\n";
  return text;
}

TEST(Envelope, ChunksAreUnwrapped) {
  const auto decoder = make_envelope_decoder(find(DialectId::ollama_chat)->make_decoder(0));
  // {"response":"a"} and {"response":"b?"}: with padding and without.
  EXPECT_EQ(decoded(*decoder, Kind::event, "chunk", R"({"bytes":"eyJyZXNwb25zZSI6ImEifQ==","p":"ab"})"),
            "start 0\ntext 0 a\n");
  EXPECT_EQ(decoded(*decoder, Kind::event, "chunk", R"({"p":"","bytes":"eyJyZXNwb25zZSI6ImI/In0"})"),
            "text 0 b?\n");
}

TEST(Envelope, WhatIsNoChunkPassesAsItIs) {
  const auto decoder = make_envelope_decoder(find(DialectId::ollama_chat)->make_decoder(0));
  EXPECT_EQ(decoded(*decoder, Kind::event, "", R"({"response":"a"})"), "start 0\ntext 0 a\n");
  EXPECT_EQ(decoded(*decoder, Kind::exception, "throttlingException", R"({"message":"m"})"),
            "error type=throttlingException message=m\n");
  EXPECT_EQ(decoded(*decoder, Kind::event, "chunk", R"({"bytes":7})"), "extra 0 native.bytes 7\n");
  EXPECT_EQ(decoded(*decoder, Kind::event, "chunk", R"({"bytes":"e*"})"), "");
  EXPECT_EQ(decoded(*decoder, Kind::event, "chunk", R"({"bytes":"eyJ4"})"), "bad frame\n");
  EXPECT_EQ(decoded(*decoder, Kind::event, "chunk", "{"), "bad frame\n");
}

}  // namespace
}  // namespace shunt::dialect::test
