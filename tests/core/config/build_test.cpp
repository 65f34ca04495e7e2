// From names to tables: what providers become.
#include <gtest/gtest.h>

#include "sample.h"

namespace shunt::config {
namespace {

Provider provider(std::string_view text) {
  std::string document = R"({"providers":{"p":)";
  document.append(text).append(R"(},"deployments":[{"id":"a","provider":"p","model":"m"}]})");
  const Read result = read(document);
  EXPECT_TRUE(result.ok) << text << (result.ok ? "" : describe(result.faults[0]));
  return result.ok ? result.loaded.catalog.providers[0] : Provider{};
}

TEST(Build, ADialectGivesPathAuthAndHeaders) {
  const Provider p =
      provider(R"({"dialect":"anthropic_messages","base_url":"https://x.example","keys":["K"]})");
  EXPECT_EQ(p.path, "/v1/messages");
  EXPECT_EQ(p.auth, AuthKind::header);
  EXPECT_EQ(p.auth_name, "x-api-key");
  EXPECT_EQ(p.headers.size(), 1U);
}

TEST(Build, WhatIsWrittenStandsOverThePreset) {
  const Provider p =
      provider(R"({"preset":"anthropic","base_url":"https://relay.example/","path":"/anthropic","keys":["K"],
    "auth":"query","auth_name":"key","headers":{"Anthropic-Version":"2099-01-01","x-a":"b"},"quirks":["no_done"]})");
  EXPECT_EQ(p.base_url, "https://relay.example");
  EXPECT_EQ(p.path, "/anthropic");
  EXPECT_EQ(p.auth, AuthKind::query);
  EXPECT_EQ(p.auth_name, "key");
  EXPECT_EQ(p.headers, (std::vector<std::pair<std::string, std::string>>{{"anthropic-version", "2099-01-01"},
                                                                         {"x-a", "b"}}));
  EXPECT_TRUE(has(p.quirks, Quirk::no_done));
}

TEST(Build, WithoutKeysThereIsNoAuth) {
  EXPECT_EQ(provider(R"({"preset":"vllm"})").auth, AuthKind::none);
  EXPECT_EQ(provider(R"({"preset":"openai","base_url":"http://127.0.0.1:9999"})").auth, AuthKind::none);
  EXPECT_EQ(provider(R"({"preset":"vllm","keys":["K"]})").auth, AuthKind::bearer);
}

TEST(Build, AliasesFindTheirPreset) {
  const Provider p =
      provider(R"({"preset":"azure-openai","base_url":"https://r.openai.azure.com/openai/v1","keys":["K"]})");
  EXPECT_EQ(p.preset, "azure");
  EXPECT_EQ(p.auth_name, "api-key");
}

TEST(Build, LinesOfDialectsThatOnlyProvidersSpeakAreTaken) {
  for (const char* name : {"bedrock_converse", "cohere_chat", "ollama_chat", "dashscope_native",
                           "workers_ai_native", "lmstudio_native", "openai_completions"}) {
    const Provider p =
        provider(std::string(R"({"base_url":"https://x.example","keys":["K"],"dialect":")") + name + "\"}");
    EXPECT_EQ(name_of(p.dialect), name);
    EXPECT_EQ(p.auth, AuthKind::bearer);
  }
  EXPECT_EQ(provider(R"({"preset":"ollama-native"})").framing, Framing::ndjson);
}

TEST(Build, HystrixLimitsTheFirstByteWhereNobodyElseDoes) {
  const auto first_byte = [](std::string_view level, std::string_view line) {
    std::string document = R"({"defaults":{"timeouts":{)";
    document.append(level).append(R"(}},"providers":{"p":{"preset":"ollama"}},"deployments":[)");
    document.append(R"({"id":"a","provider":"p","model":"m","timeouts":{)").append(line);
    document.append(R"(},"breaker":{"preset":"hystrix"}},{"id":"b","provider":"p","model":"m"}]})");
    const Read result = read(document);
    EXPECT_TRUE(result.ok) << document;
    EXPECT_NE(result.loaded.catalog.deployments[1].timeouts.first_byte, milliseconds(500));
    return result.loaded.catalog.deployments[0].timeouts.first_byte;
  };
  EXPECT_EQ(first_byte("", ""), milliseconds(500));
  EXPECT_EQ(first_byte("", R"("first_byte_ms":700)"), milliseconds(700));
  EXPECT_EQ(first_byte(R"("first_byte_ms":900)", R"("idle_ms":7)"), milliseconds(900));
}

TEST(Build, HystrixCapsALinesCallsWhereTheLineStatesNoCap) {
  const auto cap = [](std::string_view preset, std::string_view limits) {
    std::string document =
        R"({"providers":{"p":{"preset":"ollama"}},"deployments":[{"id":"a","provider":"p",)";
    document.append(R"("model":"m","limits":{)").append(limits).append(R"(},"breaker":{"preset":")");
    const Read result = read(document.append(preset).append(R"("}}]})"));
    EXPECT_TRUE(result.ok) << document;
    return result.loaded.catalog.deployments[0].limits.concurrency;
  };
  EXPECT_EQ(cap("hystrix", ""), 50);
  EXPECT_EQ(cap("hystrix", R"("rpm":9)"), 50);
  EXPECT_EQ(cap("hystrix", R"("concurrency":30)"), 30);
  EXPECT_EQ(cap("stepped", ""), 0);
}

TEST(Build, PatternLinesAreSharedAndCarryTheProvidersPolicies) {
  const Read result = read(
      R"({"providers":{"p":{"preset":"ollama","timeouts":{"idle_ms":1234},"breaker":{"preset":"latched"}}},
    "routes":{"x/*":{"deployments":["*@p"]},"y/*":{"deployments":[{"id":"*@p","weight":3}]}}})");
  ASSERT_TRUE(result.ok);
  ASSERT_EQ(result.loaded.catalog.deployments.size(), 1U);
  EXPECT_EQ(result.loaded.catalog.deployments[0].timeouts.idle, milliseconds(1234));
  EXPECT_EQ(result.loaded.breakers[0].open.form, health::OpenTime::Form::manual);
  EXPECT_EQ(result.loaded.catalog.routes[1].entries[0].weight, 3);
}

}  // namespace
}  // namespace shunt::config
