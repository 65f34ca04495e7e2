// "providers" as they are written.
#include <gtest/gtest.h>

#include "config/drafts.h"

namespace shunt::config {
namespace {

ProviderDraft provider(std::string_view text) {
  std::string document = "{\"p\":";
  document.append(text).append("}");
  Report report;
  Reader in(document, report);
  Draft draft;
  read_providers(in, draft);
  EXPECT_FALSE(report.failed()) << text;
  return draft.providers.front();
}

TEST(ProviderKeys, KeysAreNamesOrTheClientsOwn) {
  EXPECT_EQ(provider(R"({"keys":["A","B_2"]})").row.keys, (std::vector<std::string>{"A", "B_2"}));
  EXPECT_TRUE(provider(R"({"keys":"client"})").row.client_key);
  EXPECT_FALSE(provider("{}").keys_given);
}

TEST(ProviderKeys, QuirksAreASet) {
  const ProviderDraft p = provider(R"({"quirks":["no_done","no_stream_options"]})");
  EXPECT_TRUE(has(p.quirks.value(), Quirk::no_done));
  EXPECT_TRUE(has(p.quirks.value(), Quirk::no_stream_options));
  EXPECT_FALSE(has(p.quirks.value(), Quirk::max_completion_tokens));
}

TEST(ProviderKeys, WhatIsNotSaidIsLeftToThePreset) {
  const ProviderDraft p =
      provider(R"({"preset":"Azure-OpenAI","base_url":"https://r.openai.azure.com/openai/v1"})");
  EXPECT_EQ(p.row.preset, "Azure-OpenAI");
  EXPECT_FALSE(p.auth || p.quirks);
  EXPECT_TRUE(p.row.path.empty() && p.row.auth_name.empty());
}

}  // namespace
}  // namespace shunt::config
