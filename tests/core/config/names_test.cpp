// Grammars of ids, addresses, origins, headers and names of secrets.
#include "config/names.h"

#include <gtest/gtest.h>

namespace shunt::config {
namespace {

// The value as `read_one` gives it from a JSON string, "(none)" when it was refused.
std::string given(std::string_view value, bool (*read_one)(Reader& in, std::string& into)) {
  std::string text = "\"";
  text.append(value).append("\"");
  Report report;
  Reader in(text, report);
  std::string read = "(none)";
  EXPECT_EQ(report.failed(), !read_one(in, read)) << value;
  return read;
}

TEST(Names, IdsAreAsciiThatTravelsInHeaders) {
  EXPECT_TRUE(valid_id("gpt-4o@openai"));
  EXPECT_TRUE(valid_id("a/b:c._D-9"));
  EXPECT_TRUE(valid_id(std::string(64, 'a')));
  EXPECT_FALSE(valid_id(""));
  EXPECT_FALSE(valid_id(std::string(65, 'a')));
  for (const std::string_view bad : {"a b", "a\n", "*", "a,b", "\xE4\xBD\xA0", "a\"b"})
    EXPECT_FALSE(valid_id(bad)) << bad;
}

TEST(Names, BaseUrlsLoseTheirTrailingSlash) {
  EXPECT_EQ(given("https://api.x.example/v1/", read_base_url), "https://api.x.example/v1");
  EXPECT_EQ(given("http://[::1]:8080", read_base_url), "http://[::1]:8080");
  EXPECT_EQ(given("http://localhost:11434/v1", read_base_url), "http://localhost:11434/v1");
  for (const std::string_view bad :
       {"", "https://", "https:///v1", "HTTPS//x", "https://x?a=b", "https://x#a", "https://a@b",
        "https://x:0", "https://x:", "https://x:70000", "https://{account}.x", "https://x/\\u0000"}) {
    EXPECT_EQ(given(bad, read_base_url), "(none)") << bad;
  }
}

TEST(Names, OriginsHaveNoPath) {
  EXPECT_EQ(given("*", read_origin), "*");
  EXPECT_EQ(given("https://a.example:8443", read_origin), "https://a.example:8443");
  for (const std::string_view bad : {"https://a.example/", "a.example", "null", "https://*.example", ""}) {
    EXPECT_EQ(given(bad, read_origin), "(none)") << bad;
  }
}

TEST(Names, SecretsAreNamedLikeVariables) {
  EXPECT_EQ(given("OPENAI_API_KEY", read_secret_name), "OPENAI_API_KEY");
  EXPECT_EQ(given("_k2", read_secret_name), "_k2");
  for (const std::string_view bad :
       {"", "2K", "A-B", "A B", "sk-12345678", "0f8fad5bd9cb469fa16570867728950e"}) {
    EXPECT_EQ(given(bad, read_secret_name), "(none)") << bad;
  }
}

TEST(Names, HashesAre64HexDigitsInLowerCase) {
  EXPECT_EQ(given(std::string(64, 'A'), read_sha256), std::string(64, 'a'));
  EXPECT_EQ(given(std::string(63, 'a'), read_sha256), "(none)");
  EXPECT_EQ(given(std::string(64, 'g'), read_sha256), "(none)");
}

TEST(Names, HeadersComeInLowerCaseInOrder) {
  Report report;
  Reader in(R"({"X-B": "two words", "x-a": ""})", report);
  Headers headers;
  read_headers(in, headers);
  EXPECT_FALSE(report.failed());
  EXPECT_EQ(headers, (Headers{{"x-b", "two words"}, {"x-a", ""}}));
}

}  // namespace
}  // namespace shunt::config
