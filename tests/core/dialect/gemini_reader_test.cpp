// The reader's own promises on objects that break off.
#include "dialect/gemini_reader.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

TEST(GeminiReader, AFrameThatBreaksOffChangesNothing) {
  std::string block;
  GeminiReader reader(block);
  EventList out;
  EXPECT_FALSE(reader.read(R"({"candidates":[{"content":{"parts":[{"text":"x"}]}}],"a":1)", out));
  EXPECT_FALSE(reader.read(R"([{"candidates":[{"content":{"parts":[{"text":"x"}]}}]},{)", out));
  EXPECT_TRUE(out.empty());
  EXPECT_TRUE(reader.read(R"({"candidates":[{"content":{"parts":[{"text":"x"}]}}]})", out));
  ASSERT_EQ(out.size(), 2U);
  EXPECT_NE(std::get_if<event::Start>(&out[0]), nullptr);
}

TEST(GeminiReader, TheAnswerStartsOnce) {
  std::string block;
  GeminiReader reader(block);
  EventList out;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(reader.read(R"({"responseId":"r","candidates":[]})", out));
  EXPECT_EQ(out.size(), 1U);
}

TEST(GeminiReader, WrappedOnceAndNoDeeper) {
  std::string block;
  GeminiReader reader(block);
  EventList out;
  EXPECT_TRUE(reader.read(R"({"response":{"response":{"responseId":"r"}}})", out));
  EXPECT_TRUE(out.empty());
}

}  // namespace
}  // namespace shunt::dialect::test
