// The reader's own promises: where it appends, and what it leaves when it fails.
#include "dialect/openai_chat_reader.h"

#include <gtest/gtest.h>

#include "event_text.h"

namespace shunt::dialect::test {
namespace {

TEST(OpenAiChatReader, AppendsAndLeavesNothingOfAFrameThatIsNotJson) {
  std::string block;
  OpenAiChatReader reader(0, block);
  EventList out{event::Ping{}};
  EXPECT_FALSE(reader.read(R"({"id":"c","choices":[{"index":0,"delta":{"content":"x"}}]} trailing)", out));
  EXPECT_EQ(out.size(), 1U);
  EXPECT_TRUE(reader.read(R"({"id":"c","choices":[{"index":0,"delta":{"content":"x"}}]})", out));
  EXPECT_EQ(out.size(), 3U);
  EXPECT_NE(std::get_if<event::Start>(&out[1]), nullptr);
}

TEST(OpenAiChatReader, JsonThatIsNoObjectIsAnExtra) {
  std::string block;
  OpenAiChatReader reader(0, block);
  EventList out;
  EXPECT_TRUE(reader.read("[1]", out));
  ASSERT_EQ(out.size(), 1U);
  const auto* extra = std::get_if<event::Extra>(&out[0]);
  ASSERT_NE(extra, nullptr);
  EXPECT_EQ(extra->raw, "[1]");
}

// Perplexity's plain answers have an empty delta beside the message, its streams the text so far; Together
// has a choice's text twice.
TEST(OpenAiChatReader, AMessageOrTextBesideADeltaIsToldOnce) {
  const auto told = [](const std::vector<std::string>& choices) {
    std::string block, lines;
    OpenAiChatReader reader(0, block);
    for (const std::string& choice : choices) {
      EventList out;
      const std::string chunk = R"({"choices":[{"index":0,)" + choice + "}]}";  // events are views of it
      EXPECT_TRUE(reader.read(chunk, out));
      for (const Event& event : out) lines += event_text(event) + "\n";
    }
    return lines;
  };
  const std::string empty = R"("delta":{"role":"assistant","content":""})";
  EXPECT_EQ(told({empty + R"(,"message":{"content":"Hi"})"}), "start 0\ntext 0 Hi\n");
  EXPECT_EQ(told({R"("message":{"content":"Hi"},)" + empty}), "start 0\ntext 0 Hi\n");
  EXPECT_EQ(told({R"("delta":{"content":"H"},"message":{"content":"H"})",
                  R"("delta":{"content":"i"},"message":{"content":"Hi"})",
                  empty + R"(,"message":{"content":"Hi"},"finish_reason":"stop")"}),
            "start 0\ntext 0 H\ntext 0 i\nfinish 0 stop (stop)\n");
  EXPECT_EQ(told({R"("delta":{"content":"H"},"text":"H")", empty + R"(,"text":"")"}), "start 0\ntext 0 H\n");
}

TEST(OpenAiChatReader, XaiCountsReasoningBesideCompletion) {
  std::string block;
  OpenAiChatReader reader(with(0, Quirk::completion_excludes_reasoning), block);
  EventList out;
  EXPECT_TRUE(reader.read(R"({"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":8,)"
                          R"("completion_tokens_details":{"reasoning_tokens":5}}})",
                          out));
  const auto* usage = std::get_if<event::UsageUpdate>(&out.back());
  ASSERT_NE(usage, nullptr);
  EXPECT_EQ(usage->usage.completion, 7);
  EXPECT_EQ(usage->usage.total, 8);
}

}  // namespace
}  // namespace shunt::dialect::test
