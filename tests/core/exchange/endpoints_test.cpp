// Paths and methods to endpoints.
#include "exchange/endpoints.h"

#include <gtest/gtest.h>

namespace shunt::exchange {
namespace {

TEST(Endpoints, MatchByPathAndMethod) {
  struct Case {
    const char* method;
    const char* target;
    Endpoint endpoint;
    DialectId dialect;
  };
  const Case cases[] = {
      {"POST", "/v1/chat/completions", Endpoint::completion, DialectId::openai_chat},
      {"POST", "/v1/chat/completions/", Endpoint::completion, DialectId::openai_chat},
      {"POST", "/v1/messages?beta=true", Endpoint::completion, DialectId::anthropic_messages},
      {"POST", "/v1/responses", Endpoint::completion, DialectId::openai_responses},
      {"GET", "/v1/responses", Endpoint::wrong_method, DialectId::openai_responses},
      {"GET", "/v1/responses/resp_1", Endpoint::passthrough, DialectId::openai_chat},
      {"GET", "/v1/messages", Endpoint::wrong_method, DialectId::anthropic_messages},
      {"OPTIONS", "/v1/messages", Endpoint::preflight, DialectId::anthropic_messages},
      {"POST", "/v1beta/models/m:generateContent", Endpoint::completion, DialectId::gemini_generate},
      {"POST", "/v1/models/a/b:c:streamGenerateContent?alt=sse", Endpoint::completion,
       DialectId::gemini_generate},
      {"GET", "/v1beta/models/m:generateContent", Endpoint::wrong_method, DialectId::gemini_generate},
      {"OPTIONS", "/v1beta/models/m:generateContent", Endpoint::preflight, DialectId::gemini_generate},
      {"POST", "/v1beta/models/m:countTokens", Endpoint::not_found, DialectId::openai_chat},
      {"POST", "/v1/models/m:countTokens", Endpoint::passthrough, DialectId::openai_chat},
      {"POST", "/v1beta/models/:generateContent", Endpoint::not_found, DialectId::openai_chat},
      {"POST", "/v1beta/models/generateContent", Endpoint::not_found, DialectId::openai_chat},
      {"POST", "{model}:generateContent", Endpoint::not_found, DialectId::openai_chat},
      {"GET", "/v1/models", Endpoint::models, DialectId::openai_chat},
      {"HEAD", "/healthz", Endpoint::health, DialectId::openai_chat},
      {"POST", "/healthz", Endpoint::wrong_method, DialectId::openai_chat},
      {"POST", "/v1/Chat/completions", Endpoint::passthrough, DialectId::openai_chat},
      {"GET", "/v1/tasks/7?x=1", Endpoint::passthrough, DialectId::openai_chat},
      {"GET", "/v1/../admin/keys", Endpoint::not_found, DialectId::openai_chat},
      {"GET", "/v1/a/%2E%2e/admin", Endpoint::not_found, DialectId::openai_chat},
      {"GET", "/v1/..\\admin", Endpoint::not_found, DialectId::openai_chat},
      {"GET", "/v1/tasks/7?next=..", Endpoint::passthrough, DialectId::openai_chat},
      {"HEAD", "/v1/tasks/7", Endpoint::not_found, DialectId::openai_chat},
      {"GET", "", Endpoint::not_found, DialectId::openai_chat},
      {"GET", "/", Endpoint::not_found, DialectId::openai_chat},
  };
  for (const Case& each : cases) {
    const EndpointMatch match = match_endpoint(each.method, each.target);
    EXPECT_EQ(match.endpoint, each.endpoint) << each.method << ' ' << each.target;
    EXPECT_EQ(match.dialect, each.dialect) << each.method << ' ' << each.target;
  }
}

TEST(Endpoints, GooglesPathsNameTheModelAndTheStream) {
  const auto path = [](std::string_view target) { return match_endpoint("POST", target).path; };
  EXPECT_EQ(path("/v1beta/models/a%40b:generateContent").model, "a%40b");
  EXPECT_FALSE(path("/v1beta/models/m:generateContent?alt=sse").stream);
  EXPECT_EQ(path("/v1/models/a/b:c:streamGenerateContent").model, "a/b:c");
  EXPECT_TRUE(path("/v1beta/models/m:streamGenerateContent?x=1&alt=sse").stream);
  EXPECT_TRUE(path("/v1beta/models/m:streamGenerateContent?x=1&alt=sse").sse);
  EXPECT_FALSE(path("/v1beta/models/m:streamGenerateContent?alt=json&xalt=sse").sse);
  EXPECT_EQ(path("/v1/chat/completions?alt=sse").model, "");
}

}  // namespace
}  // namespace shunt::exchange
