// What a host is told about a configuration.
#include <gtest/gtest.h>

#include "base/json.h"
#include "sample.h"

namespace shunt::config {
namespace {

TEST(Describe, NamesAuthKeysAndHeadersOfEveryLine) {
  const Read result = read(
      R"({"providers":{"c":{"preset":"anthropic","keys":["K1","K2"]},"b":{"preset":"groq","keys":"client"}},
    "deployments":[{"id":"x","provider":"c","model":"m"},{"id":"y","provider":"b","model":"m"}],
    "cors":{"origins":["https://a.example"]}})");
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(
      describe_catalog(result.loaded),
      "{\"hash\":\"" + result.loaded.hash +
          R"(","deployments":[)"
          R"({"id":"x","provider":"c","auth":"header","auth_name":"x-api-key","keys":["K1","K2"],"client_key":false,)"
          R"("headers":{"anthropic-version":"2023-06-01"}},)"
          R"({"id":"y","provider":"b","auth":"bearer","auth_name":"authorization","keys":[],"client_key":true,"headers":{}}],)"
          R"("clients":[],"cors":{"origins":["https://a.example"]},)"
          R"("state":{"store":"memory","shard":"default"},"warnings":[]})");
}

TEST(Describe, TellsTheStoreTheTokenAndTheChecks) {
  const std::string text = describe_catalog(
      read(with_line(
               R"("state":{"store":"kv","shard":"eu"},"admin":{"token":"T"},"active_checks":{"every_s":9})"))
          .loaded);
  EXPECT_NE(
      text.find(
          R"("state":{"store":"kv","shard":"eu"},"admin_token":"T","active_checks":{"every_s":9},"warnings")"),
      std::string::npos)
      << text;
}

TEST(Describe, OfTheFullDocumentIsJson) {
  const std::string text = describe_catalog(read(kFull).loaded);
  EXPECT_TRUE(json::valid(text));
  EXPECT_NE(text.find(R"({"id":"web","key_sha256":"9f86d081)"), std::string::npos);
  EXPECT_NE(text.find(R"("warning":true,"path":"$.routes.chat.)"), std::string::npos);
}

TEST(Describe, AFaultHasThePartsThatCheckPrints) {
  EXPECT_EQ(fault_json({false, "$.a", 3, 5, "\"x\"", "y", "z"}),
            R"({"path":"$.a","line":3,"column":5,"found":"\"x\"","allowed":"y","suggestion":"z"})");
}

}  // namespace
}  // namespace shunt::config
