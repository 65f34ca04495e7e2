// Quoting: short, printable, and never a secret.
#include "config/shown.h"

#include <gtest/gtest.h>

namespace shunt::config {
namespace {

TEST(Shown, NamesAndNumbersOfOrdinaryConfigurationsAreNoSecrets) {
  for (const std::string_view text :
       {"gpt-4o@openai", "claude-sonnet-4-5-20250929", "accounts/fireworks/models/Llama-v3p1-405B-Instruct",
        "OPENAI_API_KEY_2", "Qwen/Qwen2.5-Coder-32B-Instruct", "https://api.openai.com/v1",
        "performance_first", "sk-short"}) {
    EXPECT_FALSE(looks_secret(text)) << text;
  }
}

TEST(Shown, KeysAreSecretsByPrefixOrByRandomness) {
  for (const std::string_view text :
       {"sk-ant-api03-AAAABBBBCCCC", "AKIAIOSFODNN7EXAMPLE", "Bearer abcdefghijk",
        "5f4dcc3b5aa765d61d8327deb882cf99", "aB3dE5fG7hI9jK1lM3nO5pQ7"}) {
    EXPECT_TRUE(looks_secret(text)) << text;
    EXPECT_EQ(quoted(std::string(text)).find(text.substr(0, 6)), std::string::npos);
  }
}

TEST(Shown, NamesOfSecretsAreNoKeyValues) {
  for (const std::string_view text :
       {"OPENAI_API_KEY", "key1", "MY_VERY_LONG_ENVIRONMENT_VARIABLE_2", "anthropicKeyNumberTwo"}) {
    EXPECT_FALSE(looks_like_key_value(text)) << text;
  }
}

TEST(Shown, LongTextIsCutAtACharacterAndControlsAreMasked) {
  std::string text(59, 'a');
  text += "\xE4\xBD\xA0\xE4\xBD\xA0";
  EXPECT_EQ(shown(text), std::string(59, 'a') + "…");
  EXPECT_EQ(quoted("a\nb\x7F"), "\"a?b?\"");
}

}  // namespace
}  // namespace shunt::config
