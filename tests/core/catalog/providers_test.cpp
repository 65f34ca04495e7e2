// The preset rows: complete, unambiguous, and right for the providers everybody uses.
#include "catalog/providers.h"

#include <gtest/gtest.h>

#include <set>

#include "base/strings.h"

namespace shunt {
namespace {

TEST(Providers, EveryRowIsComplete) {
  EXPECT_GE(presets().size(), 40U);
  for (const Preset& preset : presets()) {
    const std::string_view name = preset.name;
    const std::string_view base_url = preset.base_url;
    SCOPED_TRACE(name);
    EXPECT_FALSE(name.empty());
    EXPECT_TRUE(base_url.starts_with(preset.keyless ? "http://127.0.0.1" : "https://"));
    EXPECT_FALSE(base_url.ends_with('/'));
    EXPECT_EQ(base_url.find(' '), std::string_view::npos);
    EXPECT_EQ(name, to_lower(name));
    EXPECT_EQ(preset.key_header(), name == "azure" ? "api-key" : "");
  }
}

TEST(Providers, NoNameOrAliasStandsTwice) {
  std::set<std::string_view> seen;
  for (const Preset& preset : presets()) {
    EXPECT_TRUE(seen.insert(preset.name).second) << std::string_view(preset.name);
    EXPECT_EQ(find_preset(preset.name), &preset);
    std::string_view aliases = preset.aliases();
    while (!aliases.empty()) {
      const std::string_view alias = cut(aliases, ' ');
      EXPECT_TRUE(seen.insert(alias).second) << alias;
      EXPECT_EQ(find_preset(alias), &preset) << alias;
    }
  }
}

TEST(Providers, AtLeastTwelveSpeakChatOrMessages) {
  int speaking = 0;
  for (const Preset& preset : presets()) {
    speaking +=
        preset.dialect == DialectId::openai_chat || preset.dialect == DialectId::anthropic_messages ? 1 : 0;
  }
  EXPECT_GE(speaking, 12);
}

struct Endpoint {
  std::string_view name;
  std::string_view url;  // base_url and path, from the provider's API reference
};

TEST(Providers, EndpointsAreTheDocumentedOnes) {
  const Endpoint rows[] = {
      {"openai", "https://api.openai.com/v1/chat/completions"},
      {"anthropic", "https://api.anthropic.com/v1/messages"},
      {"deepseek", "https://api.deepseek.com/chat/completions"},
      {"groq", "https://api.groq.com/openai/v1/chat/completions"},
      {"xai", "https://api.x.ai/v1/chat/completions"},
      {"openrouter", "https://openrouter.ai/api/v1/chat/completions"},
      {"together", "https://api.together.xyz/v1/chat/completions"},
      {"fireworks", "https://api.fireworks.ai/inference/v1/chat/completions"},
      {"mistral", "https://api.mistral.ai/v1/chat/completions"},
      {"moonshot", "https://api.moonshot.cn/v1/chat/completions"},
      {"zhipu", "https://open.bigmodel.cn/api/paas/v4/chat/completions"},
      {"zai", "https://api.z.ai/api/paas/v4/chat/completions"},
      {"dashscope", "https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions"},
      {"siliconflow", "https://api.siliconflow.cn/v1/chat/completions"},
      {"cerebras", "https://api.cerebras.ai/v1/chat/completions"},
      {"perplexity", "https://api.perplexity.ai/chat/completions"},
      {"huggingface", "https://router.huggingface.co/v1/chat/completions"},
      {"minimax", "https://api.minimax.io/v1/chat/completions"},
      {"volcengine-ark", "https://ark.cn-beijing.volces.com/api/v3/chat/completions"},
      {"baidu-qianfan", "https://qianfan.baidubce.com/v2/chat/completions"},
      {"tencent-hunyuan", "https://api.hunyuan.cloud.tencent.com/v1/chat/completions"},
      {"stepfun", "https://api.stepfun.com/v1/chat/completions"},
      {"gemini-openai", "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions"},
      {"ollama", "http://127.0.0.1:11434/v1/chat/completions"},
      {"cohere", "https://api.cohere.com/v2/chat"},
      {"ollama-native", "http://127.0.0.1:11434/api/chat"},
      {"ollama-cloud-native", "https://ollama.com/api/chat"},
      {"lmstudio-native", "http://127.0.0.1:1234/api/v1/chat"},
      {"dashscope-native", "https://dashscope.aliyuncs.com/api/v1/services/aigc/text-generation/generation"},
      {"workers-ai-native", "https://api.cloudflare.com/client/v4/accounts/{account}/ai/run/{+model}"},
      {"bedrock", "https://bedrock-runtime.{region}.amazonaws.com/model/{model}/converse"},
      {"openai-completions", "https://api.openai.com/v1/completions"},
  };
  for (const Endpoint& row : rows) {
    const Preset* preset = find_preset(row.name);
    ASSERT_NE(preset, nullptr) << row.name;
    EXPECT_EQ(std::string(std::string_view(preset->base_url)) + shape_of(preset->dialect).path, row.url);
  }
}

TEST(Providers, LabelsOfRecordedTrafficAreKnown) {
  for (const std::string_view label : {"aws-bedrock",
                                       "azure-openai",
                                       "z.ai",
                                       "zai",
                                       "alibaba",
                                       "cloudflare",
                                       "cloudflare-workers-ai",
                                       "volcengine-ark",
                                       "bedrock",
                                       "google",
                                       "gemini",
                                       "vertex",
                                       "vertex-ai",
                                       "llamacpp",
                                       "llama-cpp",
                                       "lm-studio",
                                       "iflytek-spark",
                                       "tgi",
                                       "one-api",
                                       "new-api",
                                       "ollama-cloud",
                                       "venice",
                                       "doubleword",
                                       "databricks",
                                       "vercel-gateway",
                                       "zenmux",
                                       "OpenAI"}) {
    EXPECT_NE(find_preset(label), nullptr) << label;
  }
  EXPECT_EQ(find_preset("nginx"), nullptr);
  EXPECT_EQ(find_preset(""), nullptr);
}

TEST(Providers, AnthropicWantsItsVersionAndItsOwnKeyHeader) {
  const Preset& preset = *find_preset("anthropic");
  EXPECT_EQ(preset.dialect, DialectId::anthropic_messages);
  EXPECT_EQ(preset.key_header(), "");
  const DialectShape& shape = shape_of(preset.dialect);
  EXPECT_EQ(shape.auth, AuthKind::header);
  EXPECT_STREQ(shape.auth_name, "x-api-key");
  EXPECT_STREQ(shape.header, "anthropic-version");
  EXPECT_STREQ(shape.header_value, "2023-06-01");
}

TEST(Providers, EveryDialectHasItsUsualShape) {
  for (std::size_t i = 0; i < kDialectNames.size(); ++i) {
    SCOPED_TRACE(kDialectNames[i]);
    const DialectShape& shape = shape_of(static_cast<DialectId>(i));
    EXPECT_TRUE(std::string_view(shape.path).starts_with('/'));
    if (shape.auth == AuthKind::header || shape.auth == AuthKind::bearer) {
      EXPECT_STRNE(shape.auth_name, "");
    }
  }
  EXPECT_EQ(shape_of(DialectId::bedrock_converse).framing, Framing::aws_eventstream);
  EXPECT_EQ(shape_of(DialectId::ollama_chat).framing, Framing::ndjson);
}

}  // namespace
}  // namespace shunt
