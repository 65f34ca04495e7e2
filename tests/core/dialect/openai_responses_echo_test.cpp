// What only openai_responses says comes out of it again.
#include <gtest/gtest.h>

#include "invariants.h"
#include "streams.h"

namespace shunt::dialect::test {
namespace {

std::string encoded(const EventList& events) {
  const std::string bytes = encode_events(DialectId::openai_responses, events, {"made", "model", 5, false});
  EXPECT_EQ(breach_of_responses(bytes, false), "") << bytes;
  return bytes;
}

bool has(const std::string& bytes, std::string_view what) { return bytes.find(what) != std::string::npos; }

TEST(ResponsesEcho, ExtrasOfThisDialectComeOutWithTheirNewNumbers) {
  const std::string bytes = encoded(
      {event::Start{"r", "c", 0},
       event::Extra{-1, "responses.response", R"({"id":"x","tools":[1],"store":true})"},
       event::Extra{0, "responses.item", R"({"type":"reasoning","id":"rs_1","summary":[],"format":"f"})"},
       event::Extra{
           0, "responses.event",
           R"({"type":"response.output_item.added","output_index":7,"item":{"type":"ws","id":"ws_1"}})"},
       event::Extra{0, "responses.event",
                    R"({"sequence_number":9,"type":"response.ws.busy","output_index":7})"},
       event::Extra{
           0, "responses.event",
           R"({"type":"response.output_item.done","output_index":7,"item":{"type":"ws","id":"ws_1","q":1}})"},
       event::Extra{0, "responses.item", R"({"type":"message","id":"msg_1","phase":"last"})"},
       event::TextDelta{0, "Hi"}, event::Extra{0, "responses.annotation", "{\"url\":\n\"u\"}"},
       event::Extra{0, "responses.item",
                    R"({"type":"custom_tool_call","id":"ctc_1","call_id":"c","name":"sql"})"},
       event::ToolCallStart{0, 0, "c", "sql", true}, event::ToolCallArguments{0, 0, "SELECT"},
       event::ToolCallEnd{0, 0}, event::Extra{0, "responses.output", R"({"type":"odd","id":"odd_1"})"},
       event::Extra{0, "delta.audio", "{}"}});
  EXPECT_TRUE(has(bytes, R"("output":[],"tools":[1],"store":true,"usage":null})"));
  EXPECT_TRUE(has(bytes, R"({"type":"response.ws.busy","sequence_number":5,"output_index":1})"));
  EXPECT_TRUE(has(bytes,
                  R"("output":[{"id":"rs_1","type":"reasoning","summary":[],"format":"f"},)"
                  R"({"type":"ws","id":"ws_1","q":1},)"
                  R"({"id":"msg_1","type":"message","status":"completed","role":"assistant","content":)"
                  R"([{"type":"output_text","text":"Hi","annotations":[{"url": "u"}],"logprobs":[]}],)"
                  R"("phase":"last"},{"id":"ctc_1","type":"custom_tool_call","status":"completed",)"
                  R"("call_id":"c","name":"sql","input":"SELECT"},{"type":"odd","id":"odd_1"}])"))
      << bytes;
  EXPECT_FALSE(has(bytes, "audio"));
}

TEST(ResponsesEcho, WhatNeverBeganIsToldWhole) {
  const std::string bytes = encoded(
      {event::Extra{
           0, "responses.event",
           R"({"type":"response.output_item.done","output_index":3,"item":{"type":"ws","id":"ws_1"}})"},
       event::Extra{0, "responses.event", R"({"no":"type"})"},
       event::Extra{0, "responses.event", R"({"type":"response.y","output_index":9})"},
       event::Extra{0, "responses.event", R"({"type":"response.z",})"},
       event::Extra{0, "responses.event", R"({"type":"response.x","n":1})"}});
  EXPECT_TRUE(has(
      bytes,
      R"("response.output_item.added","sequence_number":2,"output_index":0,"item":{"type":"ws","id":"ws_1"}})"));
  EXPECT_TRUE(has(bytes, R"("output":[{"type":"ws","id":"ws_1"}])"));
  EXPECT_TRUE(has(bytes, R"({"type":"response.x","sequence_number":4,"n":1})"));
  EXPECT_FALSE(has(bytes, R"("no":"type")"));
  EXPECT_FALSE(has(bytes, "response.y"));  // of an item that never began
  EXPECT_FALSE(has(bytes, "response.z"));  // no JSON
}

}  // namespace
}  // namespace shunt::dialect::test
