// Usage objects of the providers, and the two that are written.
#include "dialect/usage.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

struct Case {
  const char* who;
  const char* raw;
  Usage usage;  // prompt, completion, total, cached, cache_write, reasoning
};

const std::optional<std::int64_t> kUnsaid;

TEST(Usage, EachProvidersFieldsAreFound) {
  const Case cases[] = {
      {"OpenAI",
       R"({"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,)"
       R"("prompt_tokens_details":{"cached_tokens":4,)"
       R"("audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":3}})",
       {10, 5, 15, 4, kUnsaid, 3}},
      {"DeepSeek",
       R"({"prompt_tokens":339,"completion_tokens":83,"total_tokens":422,"prompt_cache_hit_tokens":320})",
       {339, 83, 422, 320, kUnsaid, kUnsaid}},
      {"Moonshot",
       R"({"prompt_tokens":8,"completion_tokens":1,"cached_tokens":8})",
       {8, 1, 9, 8, kUnsaid, kUnsaid}},
      {"Mistral",
       R"({"prompt_tokens":8,"completion_tokens":1,"prompt_token_details":{"cached_tokens":2}})",
       {8, 1, 9, 2, kUnsaid, kUnsaid}},
      {"Perplexity",
       R"({"prompt_tokens":8,"completion_tokens":2,"reasoning_tokens":1,"cost":{"total_cost":0.1}})",
       {8, 2, 10, kUnsaid, kUnsaid, 1}},
      {"Qwen",
       R"({"prompt_tokens":8,"completion_tokens":2,)"
       R"("prompt_tokens_details":{"cache_creation_input_tokens":5}})",
       {8, 2, 10, kUnsaid, 5, kUnsaid}},
      {"Bedrock",
       R"({"inputTokens":3,"outputTokens":4,"totalTokens":7,"cacheReadInputTokens":2})",
       {3, 4, 7, 2, kUnsaid, kUnsaid}},
      {"Cohere bills less than it used",
       R"({"billed_units":{"input_tokens":1,"output_tokens":1},)"
       R"("tokens":{"input_tokens":9,"output_tokens":4},"cached_tokens":8})",
       {9, 4, 13, 8, kUnsaid, kUnsaid}},
      {"Ollama", R"({"prompt_eval_count":3,"eval_count":4})", {3, 4, 7, kUnsaid, kUnsaid, kUnsaid}},
      {"LM Studio",
       R"({"input_tokens":3,"total_output_tokens":4,"reasoning_output_tokens":1})",
       {3, 4, 7, kUnsaid, kUnsaid, 1}},
      {"ERNIE counts the completion in its total only",
       R"({"prompt_tokens":3,"completion_tokens":0,"total_tokens":7})",
       {3, 4, 7, kUnsaid, kUnsaid, kUnsaid}},
      {"nulls and nonsense",
       R"({"prompt_tokens":null,"completion_tokens":"2","total_tokens":-1,"prompt_tokens_details":null})",
       {}},
      {"not an object", "[]", {}},
  };
  for (const Case& c : cases) EXPECT_EQ(read_openai_usage(c.raw, 0), c.usage) << c.who;
}

TEST(Usage, XaiAddsReasoningAndCachedTokens) {
  const Usage usage = read_openai_usage(R"({"prompt_tokens":3,"completion_tokens":2,"total_tokens":10,)"
                                        R"("prompt_tokens_details":{"cached_tokens":7},)"
                                        R"("completion_tokens_details":{"reasoning_tokens":5}})",
                                        with(0, Quirk::completion_excludes_reasoning));
  EXPECT_EQ(usage, (Usage{10, 7, 10, 7, kUnsaid, 5}));
}

TEST(Usage, AnthropicIsCumulativeFieldByField) {
  AnthropicUsage usage;
  usage.read(
      R"({"input_tokens":10,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":1})",
      true);
  EXPECT_EQ(usage.sums(), (Usage{15, 1, 16, 3, 2, kUnsaid}));
  usage.read(R"({"input_tokens":61,"cache_read_input_tokens":0,"output_tokens":9,)"
             R"("output_tokens_details":{"thinking_tokens":4}})",
             false);
  EXPECT_EQ(usage.sums(), (Usage{66, 9, 75, 3, 2, 4, true}));
}

// What a message has said when it begins is provisional, even where nothing follows: a refusal.
TEST(Usage, AnthropicsLastCompletionCountsEvenAsZero) {
  AnthropicUsage usage;
  usage.read(R"({"input_tokens":20,"output_tokens":1})", true);
  Usage gathered;
  overwrite(gathered, usage.sums());
  EXPECT_EQ(gathered, (Usage{20, 1, 21, kUnsaid, kUnsaid, kUnsaid}));
  usage.read(R"({"input_tokens":0,"output_tokens":0})", false);
  overwrite(gathered, usage.sums());
  EXPECT_EQ(gathered, (Usage{20, 0, 20, kUnsaid, kUnsaid, kUnsaid}));
  usage.read(R"({"output_tokens":5})", false);
  usage.read(R"({"output_tokens":0})", false);
  EXPECT_EQ(usage.sums().completion, 5);
}

TEST(Usage, GeminiCountsThoughtsAndItsOwnToolsApart) {
  GeminiUsage usage;
  usage.read(R"({"promptTokenCount":10,"totalTokenCount":10,"trafficType":"ON_DEMAND"})");
  EXPECT_EQ(usage.sums(), (Usage{10, kUnsaid, 10, kUnsaid, kUnsaid, kUnsaid}));
  usage.read(R"({"promptTokenCount":10,"thoughtsTokenCount":7,"toolUsePromptTokenCount":5,)"
             R"("cachedContentTokenCount":4})");
  EXPECT_EQ(usage.sums(), (Usage{15, 7, 10, 4, kUnsaid, 7}));
  usage.read(R"({"candidatesTokenCount":3,"totalTokenCount":25})");
  EXPECT_EQ(usage.sums(), (Usage{15, 10, 25, 4, kUnsaid, 7}));
  usage = {};
  usage.read(R"({"promptTokenCount":1,"candidatesTokenCount":2})");
  EXPECT_EQ(usage.sums(), (Usage{1, 2, 3, kUnsaid, kUnsaid, kUnsaid}));
}

std::string written(void (*write)(const Usage&, std::string&), const Usage& usage) {
  std::string out;
  write(usage, out);
  return out;
}

TEST(Usage, IsWrittenAsEachDialectSums) {
  const Usage usage{15, 9, kUnsaid, 3, 2, 4};
  EXPECT_EQ(written(write_openai_usage, usage),
            R"({"prompt_tokens":15,"completion_tokens":9,"total_tokens":24,)"
            R"("prompt_tokens_details":{"cached_tokens":3,)"
            R"("cache_write_tokens":2},"completion_tokens_details":{"reasoning_tokens":4}})");
  EXPECT_EQ(
      written(write_anthropic_usage, usage),
      R"({"input_tokens":10,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":9,)"
      R"("output_tokens_details":{"thinking_tokens":4}})");
  EXPECT_EQ(written(write_gemini_usage, usage),
            R"({"promptTokenCount":15,"candidatesTokenCount":5,"totalTokenCount":24,)"
            R"("cachedContentTokenCount":3,"thoughtsTokenCount":4})");
  EXPECT_EQ(written(write_gemini_usage, {}),
            R"({"promptTokenCount":0,"candidatesTokenCount":0,"totalTokenCount":0})");
  EXPECT_EQ(written(write_anthropic_usage, {}), R"({"input_tokens":0,"output_tokens":0})");
}

TEST(Usage, CachedTokensBeyondThePromptAreNotWritten) {
  EXPECT_EQ(written(write_anthropic_usage, {228, 1, kUnsaid, 366, kUnsaid, kUnsaid}),
            R"({"input_tokens":0,"cache_read_input_tokens":228,"output_tokens":1})");
}

}  // namespace
}  // namespace shunt::dialect::test
