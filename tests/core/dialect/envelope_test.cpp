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
  const auto decoder = decoder_for(*find(DialectId::ollama_chat), 0, wire::BodyShape::aws_eventstream);
  // {"response":"a"} and {"response":"b?"}: with padding and without.
  EXPECT_EQ(decoded(*decoder, Kind::event, "chunk", R"({"bytes":"eyJyZXNwb25zZSI6ImEifQ==","p":"ab"})"),
            "start 0\ntext 0 a\n");
  EXPECT_EQ(decoded(*decoder, Kind::event, "chunk", R"({"p":"","bytes":"eyJyZXNwb25zZSI6ImI/In0"})"),
            "text 0 b?\n");
}

TEST(Envelope, WhatIsNoChunkPassesAsItIs) {
  const auto decoder = decoder_for(*find(DialectId::ollama_chat), 0, wire::BodyShape::aws_eventstream);
  EXPECT_EQ(decoded(*decoder, Kind::event, "", R"({"response":"a"})"), "start 0\ntext 0 a\n");
  EXPECT_EQ(decoded(*decoder, Kind::exception, "throttlingException", R"({"message":"m"})"),
            "error type=throttlingException message=m\n");
  EXPECT_EQ(decoded(*decoder, Kind::event, "chunk", R"({"bytes":7})"), "extra 0 native.bytes 7\n");
  EXPECT_EQ(decoded(*decoder, Kind::event, "chunk", R"({"bytes":"e*"})"), "");
  EXPECT_EQ(decoded(*decoder, Kind::event, "chunk", R"({"bytes":"eyJ4"})"), "bad frame\n");
  EXPECT_EQ(decoded(*decoder, Kind::event, "chunk", "{"), "bad frame\n");
}

TEST(Envelope, OnlyWhatIsWrappedIsUnwrapped) {
  const auto plain = decoder_for(*find(DialectId::ollama_chat), 0, wire::BodyShape::ndjson);
  EXPECT_EQ(decoded(*plain, Kind::event, "", R"({"bytes":"eyJ4"})"), "extra 0 native.bytes \"eyJ4\"\n");
  // Converse's own events come bare from Converse, and wrapped from InvokeModel.
  const auto converse = decoder_for(*find(DialectId::bedrock_converse), 0, wire::BodyShape::aws_eventstream);
  EXPECT_EQ(decoded(*converse, Kind::event, "contentBlockDelta", R"({"delta":{"text":"a"}})"),
            "start 0\ntext 0 a\n");
  // {"contentBlockDelta":{"delta":{"text":"b"}}}
  EXPECT_EQ(decoded(*converse, Kind::event, "chunk",
                    R"({"bytes":"eyJjb250ZW50QmxvY2tEZWx0YSI6eyJkZWx0YSI6eyJ0ZXh0IjoiYiJ9fX0="})"),
            "text 0 b\n");
}

}  // namespace
}  // namespace shunt::dialect::test
