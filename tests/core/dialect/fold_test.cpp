// Events gathered into one answer.
#include "dialect/fold.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

TEST(Fold, JoinsDeltasByChoiceAndCall) {
  Folded folded;
  folded.add(EventList{event::Start{"c", "m", 7}, event::TextDelta{1, "b"}, event::TextDelta{0, "a"},
                       event::TextDelta{1, "c"}, event::ToolCallStart{0, 0, "", "f"},
                       event::ToolCallArguments{0, 0, "{"}, event::ToolCallName{0, 0, "id", ""},
                       event::ToolCallArguments{0, 0, "}"}, event::RefusalDelta{0, "no"}});
  ASSERT_EQ(folded.choices.size(), 2U);
  EXPECT_EQ(folded.id + folded.model, "cm");
  EXPECT_EQ(folded.created, 7);
  EXPECT_EQ(folded.choices[0].text, "a");
  EXPECT_EQ(folded.choices[1].text, "bc");
  EXPECT_EQ(folded.choices[0].calls, (std::vector<FoldedCall>{{"id", "f", "{}"}}));
  EXPECT_TRUE(folded.choices[0].has_content());
}

TEST(Fold, ASignatureEndsItsBlock) {
  Folded folded;
  folded.add(EventList{event::ReasoningDelta{0, "a", {}, {}}, event::ReasoningDelta{0, "b", {}, {}},
                       event::ReasoningDelta{0, {}, "s", {}}, event::ReasoningDelta{0, "c", {}, {}},
                       event::ReasoningDelta{0, {}, {}, "sealed"}, event::ReasoningDelta{0, "d", {}, {}}});
  const std::vector<FoldedReasoning> expected = {
      {"ab", "s", ""}, {"c", "", ""}, {"", "", "sealed"}, {"d", "", ""}};
  EXPECT_EQ(folded.choices[0].reasoning, expected);
  EXPECT_EQ(folded.choices[0].reasoning_text(), "abcd");
  EXPECT_FALSE(folded.choices[0].has_content());
}

TEST(Fold, TheLastFinishAndTheFullestUsageCount) {
  Folded folded;
  Usage first, second;
  first.prompt = 5;
  second.prompt = 0;
  second.completion = 2;
  folded.add(EventList{event::Finish{0, FinishReason::tool_calls, "tool_calls"},
                       event::Finish{0, FinishReason::stop, "STOP"}, event::UsageUpdate{first, "{1}"},
                       event::UsageUpdate{second, "{2}"}});
  EXPECT_EQ(folded.choices[0].finish_raw, "STOP");
  EXPECT_EQ(folded.usage.prompt, 5);
  EXPECT_EQ(folded.usage.completion, 2);
  EXPECT_EQ(folded.usage_raw, "{2}");
}

TEST(Fold, KeepsWhatIsNoContent) {
  Folded folded;
  folded.add(EventList{event::Ping{}, event::BadFrame{"x"}, event::Extra{-1, "k", "1"},
                       event::Extra{0, "j", "2"}, event::Error{"t", "c", "m", "raw", 500}, event::Done{}});
  EXPECT_EQ(folded.bad_frames, 1U);
  EXPECT_EQ(folded.extras, (std::vector<std::string>{"k\n1"}));
  EXPECT_EQ(folded.choices[0].extras, (std::vector<std::string>{"j\n2"}));
  ASSERT_EQ(folded.errors.size(), 1U);
  EXPECT_EQ(folded.errors[0].status, 500);
  EXPECT_TRUE(folded.done);
  EXPECT_GT(folded.bytes(), 0U);
}

}  // namespace
}  // namespace shunt::dialect::test
