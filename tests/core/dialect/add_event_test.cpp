// Events appended to a list.
#include "dialect/add_event.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

TEST(AddEvent, AppendsTheKindItNames) {
  EventList out;
  add_text(out, 1, "t");
  add_refusal(out, 0, "r");
  add_reasoning(out, {0, "x", "s", {}});
  add_call(out, 0, 2, "id", "name");
  add_arguments(out, 0, 2, "{}");
  add_usage(out, Usage{}, "{}");
  add_finish(out, 0, FinishReason::length, "length");
  add_extra(out, -1, "key", "1");
  add_error(out, {"type", {}, "message", "raw", 500});
  add_bad_frame(out, "{");
  add_ping(out);
  add_done(out);
  ASSERT_EQ(out.size(), 12U);
  EXPECT_EQ(std::get_if<event::TextDelta>(&out[0])->choice, 1);
  EXPECT_EQ(std::get_if<event::RefusalDelta>(&out[1])->text, "r");
  EXPECT_EQ(std::get_if<event::ReasoningDelta>(&out[2])->signature, "s");
  EXPECT_EQ(std::get_if<event::ToolCallStart>(&out[3])->name, "name");
  EXPECT_EQ(std::get_if<event::ToolCallArguments>(&out[4])->call, 2);
  EXPECT_EQ(std::get_if<event::UsageUpdate>(&out[5])->raw, "{}");
  EXPECT_EQ(std::get_if<event::Finish>(&out[6])->reason, FinishReason::length);
  EXPECT_EQ(std::get_if<event::Extra>(&out[7])->key, "key");
  EXPECT_EQ(std::get_if<event::Error>(&out[8])->status, 500);
  EXPECT_EQ(std::get_if<event::BadFrame>(&out[9])->data, "{");
  EXPECT_NE(std::get_if<event::Ping>(&out[10]), nullptr);
  EXPECT_NE(std::get_if<event::Done>(&out[11]), nullptr);
  cut_back(out, 1);
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(std::get_if<event::TextDelta>(&out[0])->text, "t");
}

}  // namespace
}  // namespace shunt::dialect::test
