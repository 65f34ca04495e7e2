// Which members of a body a line changes.
#include "dialect/edits.h"

#include <gtest/gtest.h>

namespace shunt::dialect {
namespace {

using Params = std::vector<std::pair<std::string, std::string>>;

TEST(Edits, MembersAreFoundByName) {
  const Params params = {{"temperature", "0.2"}};
  const std::vector<std::string> drop = {"n"};
  RequestTarget target;
  target.params = params;
  target.drop = drop;
  Edits edits(target, DialectId::openai_responses);
  ASSERT_NE(edits.of("temperature"), nullptr);
  EXPECT_EQ(edits.of("temperature")->value, "0.2");
  EXPECT_FALSE(edits.drops("temperature"));
  EXPECT_TRUE(edits.drops("n"));
  EXPECT_EQ(edits.of("max_tokens"), nullptr);
  edits.forget("n");
  EXPECT_EQ(edits.of("n"), nullptr);
}

TEST(Edits, OneMemberMayHaveTwoNames) {
  const Params params = {{"max_tokens", "5"}, {"generationConfig", "{}"}};
  RequestTarget target;
  target.params = params;
  Edits chat(target, DialectId::openai_chat);
  EXPECT_NE(chat.of("max_completion_tokens"), nullptr);
  EXPECT_EQ(chat.of("generation_config"), nullptr);
  Edits gemini(target, DialectId::gemini_generate);
  EXPECT_NE(gemini.of("generation_config"), nullptr);
  EXPECT_EQ(gemini.of("generation_configs"), nullptr);
  EXPECT_EQ(gemini.of("max_completion_tokens"), nullptr);
}

TEST(Edits, WhatADialectDemandsIsNotLeftOut) {
  const std::vector<std::string> drop = {"max_tokens"};
  RequestTarget target;
  target.drop = drop;
  EXPECT_EQ(Edits(target, DialectId::anthropic_messages).of("max_tokens")->value, "4096");
  target.default_max_tokens = 77;
  EXPECT_EQ(Edits(target, DialectId::anthropic_messages).of("max_tokens")->value, "77");
  EXPECT_TRUE(Edits(target, DialectId::openai_chat).drops("max_tokens"));
}

}  // namespace
}  // namespace shunt::dialect
