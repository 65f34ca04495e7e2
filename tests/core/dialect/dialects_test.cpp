// The table of dialects.
#include <gtest/gtest.h>

#include "dialect/dialect.h"

namespace shunt::dialect::test {
namespace {

TEST(Dialects, RowsAreFoundByTheirIdAndAreComplete) {
  for (const DialectId id : {DialectId::openai_chat, DialectId::openai_responses,
                             DialectId::anthropic_messages, DialectId::gemini_generate}) {
    const Dialect* dialect = find(id);
    ASSERT_NE(dialect, nullptr);
    EXPECT_EQ(dialect->id, id);
    EXPECT_TRUE(dialect->make_decoder && dialect->make_encoder && dialect->decode_answer &&
                dialect->encode_answer);
    EXPECT_TRUE(dialect->write_error && dialect->read_request && dialect->write_request);
    EXPECT_TRUE(dialect->terminator.empty() || dialect->terminator.ends_with("\n\n"));
  }
}

TEST(Dialects, OfProvidersOnlyAreReadAndNotWritten) {
  for (const DialectId id :
       {DialectId::bedrock_converse, DialectId::cohere_chat, DialectId::ollama_chat,
        DialectId::dashscope_native, DialectId::workers_ai_native, DialectId::lmstudio_native,
        DialectId::ernie_native, DialectId::openai_completions}) {
    const Dialect* dialect = find(id);
    ASSERT_NE(dialect, nullptr);
    EXPECT_EQ(dialect->id, id);
    EXPECT_TRUE(dialect->make_decoder && dialect->decode_answer && dialect->write_request);
    EXPECT_FALSE(dialect->make_encoder || dialect->encode_answer || dialect->read_request);
  }
}

}  // namespace
}  // namespace shunt::dialect::test
