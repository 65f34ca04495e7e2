// Finish reasons both ways.
#include "dialect/finish.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

TEST(Finish, ProvidersWordsMapToOpenAis) {
  EXPECT_EQ(finish_of_openai("stop"), FinishReason::stop);
  EXPECT_EQ(finish_of_openai("function_call"), FinishReason::tool_calls);
  EXPECT_EQ(finish_of_openai("model_length"), FinishReason::length);
  EXPECT_EQ(finish_of_openai("sensitive"), FinishReason::content_filter);
  EXPECT_EQ(finish_of_openai("insufficient_system_resource"), FinishReason::error);
  EXPECT_EQ(finish_of_openai("guardrail_intervened"), FinishReason::content_filter);
  EXPECT_EQ(finish_of_openai("TOOL_CALL"), FinishReason::tool_calls);
  EXPECT_EQ(finish_of_openai("load"), FinishReason::stop);
  EXPECT_EQ(finish_of_openai("never heard of"), FinishReason::unknown);
  EXPECT_EQ(finish_of_anthropic("pause_turn"), FinishReason::stop);
  EXPECT_EQ(finish_of_anthropic("model_context_window_exceeded"), FinishReason::length);
  EXPECT_EQ(finish_of_anthropic("refusal"), FinishReason::content_filter);
}

TEST(Finish, GeminisWordsAreRead) {
  EXPECT_EQ(finish_of_gemini("STOP"), FinishReason::stop);
  EXPECT_EQ(finish_of_gemini("1"), FinishReason::stop);
  EXPECT_EQ(finish_of_gemini("MAX_TOKENS"), FinishReason::length);
  EXPECT_EQ(finish_of_gemini("MALFORMED_FUNCTION_CALL"), FinishReason::error);
  for (const char* word : {"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII",
                           "MODEL_ARMOR", "IMAGE_SAFETY", "IMAGE_RECITATION"}) {
    EXPECT_EQ(finish_of_gemini(word), FinishReason::content_filter) << word;
  }
  EXPECT_EQ(finish_of_gemini("stop"), FinishReason::unknown);
}

TEST(Finish, GeminiHasNoWordForCallsNorForAnotherProvidersFailure) {
  EXPECT_EQ(finish_to_gemini(FinishReason::tool_calls, "tool_calls"), "STOP");
  EXPECT_EQ(finish_to_gemini(FinishReason::unknown, "eos"), "STOP");
  EXPECT_EQ(finish_to_gemini(FinishReason::length, "2"), "MAX_TOKENS");
  EXPECT_EQ(finish_to_gemini(FinishReason::content_filter, "refusal"), "SAFETY");
  EXPECT_EQ(finish_to_gemini(FinishReason::content_filter, "SPII"), "SPII");
  EXPECT_EQ(finish_to_gemini(FinishReason::error, "network_error"), "OTHER");
  EXPECT_EQ(finish_to_gemini(FinishReason::error, "MALFORMED_FUNCTION_CALL"), "MALFORMED_FUNCTION_CALL");
}

TEST(Finish, EveryReasonHasAWordInBothDialects) {
  EXPECT_EQ(finish_to_openai(FinishReason::unknown), "stop");
  EXPECT_EQ(finish_to_openai(FinishReason::tool_calls), "tool_calls");
  EXPECT_EQ(finish_to_anthropic(FinishReason::unknown, "eos"), "end_turn");
  EXPECT_EQ(finish_to_anthropic(FinishReason::length, "length"), "max_tokens");
  EXPECT_EQ(finish_to_anthropic(FinishReason::tool_calls, "stop"), "tool_use");
  EXPECT_EQ(finish_to_anthropic(FinishReason::content_filter, ""), "refusal");
}

TEST(Finish, AnthropicsOwnWordIsKeptForItsReasonOnly) {
  EXPECT_EQ(finish_to_anthropic(FinishReason::stop, "pause_turn"), "pause_turn");
  EXPECT_EQ(finish_to_anthropic(FinishReason::tool_calls, "end_turn"), "tool_use");
}

TEST(Finish, OnlyStopIsRelabelled) {
  EXPECT_EQ(with_calls(FinishReason::stop, true), FinishReason::tool_calls);
  EXPECT_EQ(with_calls(FinishReason::stop, false), FinishReason::stop);
  EXPECT_EQ(with_calls(FinishReason::length, true), FinishReason::length);
  EXPECT_EQ(with_calls(FinishReason::unknown, true), FinishReason::unknown);
  EXPECT_EQ(told(FinishReason::unknown, true), FinishReason::tool_calls);
  EXPECT_EQ(told(FinishReason::unknown, false), FinishReason::stop);
}

}  // namespace
}  // namespace shunt::dialect::test
