// The checker of encoded openai_responses streams refuses what breaks an invariant: a good stream, broken by
// hand in one place a row.
#include <gtest/gtest.h>

#include "invariants.h"
#include "streams.h"

namespace shunt::dialect::test {
namespace {

std::string good() {
  return encode_events(
      DialectId::openai_responses,
      {event::Start{"r", "c", 0}, event::Extra{0, "responses.item", R"({"type":"reasoning","id":"rs"})"},
       event::ReasoningDelta{0, "So", "", ""},
       event::Extra{0, "responses.item", R"({"type":"message","id":"msg"})"}, event::TextDelta{0, "a"},
       event::TextDelta{0, "b"}, event::RefusalDelta{0, "no"},
       event::Extra{0, "responses.item", R"({"type":"function_call","id":"fc"})"},
       event::ToolCallStart{0, 0, "c1", "f"}, event::ToolCallArguments{0, 0, "{}"}, event::ToolCallEnd{0, 0}},
      {"i", "m", 1, false});
}

struct Break {
  const char* what;
  const char* from;  // the first of it …
  const char* to;    // … becomes this
};

constexpr Break kBreaks[] = {
    {"event and type differ", "event: response.created", "event: response.queued"},
    {"a number is left out", "\"sequence_number\":4", "\"sequence_number\":40"},
    {"no in_progress", "response.in_progress\ndata: {\"type\":\"response.in_progress",
     "response.queued\ndata: {\"type\":\"response.queued"},
    {"it begins completed", "\"status\":\"in_progress\"", "\"status\":\"completed\""},
    {"an empty id", "\"id\":\"r\"", "\"id\":\"\""},
    {"another model", "\"model\":\"c\"", "\"model\":\"d\""},
    {"output indexes with a hole", "\"output_index\":0", "\"output_index\":1"},
    {"two items of one id", "\"item\":{\"id\":\"msg\"", "\"item\":{\"id\":\"rs\""},
    {"the id of an item changes", "\"item_id\":\"msg\"", "\"item_id\":\"other\""},
    {"a message begins with content", "\"content\":[]", "\"content\":[1]"},
    {"a part begins with text", "\"text\":\"\"", "\"text\":\"x\""},
    {"parts with a hole", "\"content_index\":0", "\"content_index\":1"},
    {"a delta more than is told at the end", "\"delta\":\"b\"", "\"delta\":\"bb\""},
    {"a text other than its deltas", "\"text\":\"ab\"", "\"text\":\"a\""},
    {"a refusal delta in a text", "response.output_text.delta\ndata: {\"type\":\"response.output_text.delta",
     "response.refusal.delta\ndata: {\"type\":\"response.refusal.delta"},
    {"a call without call_id", "\"call_id\":\"c1\"", "\"call_id\":\"\""},
    {"a call begins with arguments", "\"arguments\":\"\"", "\"arguments\":\"{\""},
    {"arguments other than their deltas", "\"arguments\":\"{}\",\"name\"", "\"arguments\":\"{\",\"name\""},
    {"a call is done under another name", "\"arguments\":\"{}\"}}\n\nevent: response.completed",
     "\"arguments\":\"{}\",\"name\":\"g\"}}\n\nevent: response.completed"},
    {"an end by another name", "event: response.completed\ndata: {\"type\":\"response.completed\"",
     "event: response.incomplete\ndata: {\"type\":\"response.incomplete\""},
    {"completed for a reason", "\"status\":\"completed\",\"error\":null,\"incomplete_details\":null",
     "\"status\":\"completed\",\"error\":null,\"incomplete_details\":{\"reason\":\"content_filter\"}"},
    {"a good answer with an error", "\"status\":\"completed\",\"error\":null",
     "\"status\":\"completed\",\"error\":{}"},
    {"an item is left out of the output", "\"output\":[{\"id\":\"rs\"", "\"output\":[{\"id\":\"xx\""},
    {"a data line is cut", "data: {\"type\":\"response.completed\"",
     "data: \n{\"type\":\"response.completed\""},
};

TEST(ResponsesInvariants, AGoodStreamHoldsThem) { EXPECT_EQ(breach_of_responses(good(), false), ""); }

TEST(ResponsesInvariants, EveryBreachIsSeen) {
  for (const Break& row : kBreaks) {
    std::string bytes = good();
    const std::size_t at = bytes.find(row.from);
    ASSERT_NE(at, std::string::npos) << row.what << "\n" << bytes;
    bytes.replace(at, std::string_view(row.from).size(), row.to);
    EXPECT_NE(breach_of_responses(bytes, false), "") << row.what;
  }
}

TEST(ResponsesInvariants, TheEndIsOneAndTheLast) {
  const std::string bytes = good();
  const std::size_t last = bytes.rfind("event: ");
  EXPECT_NE(breach_of_responses(bytes.substr(0, last), false), "");
  EXPECT_NE(breach_of_responses(bytes + bytes.substr(last), false), "");
  EXPECT_NE(breach_of_responses(bytes + "data: [DONE]\n\n", false), "");
  EXPECT_NE(breach_of_responses(bytes, true), "");
}

}  // namespace
}  // namespace shunt::dialect::test
