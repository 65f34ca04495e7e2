// Errors as clients get them.
#include "dialect/client_error.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

std::string openai(const ErrorText& error) {
  std::string out;
  write_openai_error(error, out);
  return out;
}

std::string anthropic(const ErrorText& error) {
  std::string out;
  write_anthropic_error(error, out);
  return out;
}

std::string gemini(const ErrorText& error) {
  std::string out;
  write_gemini_error(error, out);
  return out;
}

TEST(ClientError, GooglesStatusFollowsTheHttpStatusOnly) {
  EXPECT_EQ(gemini({429, "mine", {}, "m", {}}),
            R"({"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}})");
  EXPECT_EQ(gemini({400, {}, {}, "m", {}}),
            R"({"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}})");
  EXPECT_EQ(gemini({500, {}, "internal", "m", R"("shunt":1)"}),
            R"({"error":{"code":500,"message":"m","status":"INTERNAL","details":[{"@type":)"
            R"("type.googleapis.com/google.rpc.ErrorInfo","reason":"internal"}],"shunt":1}})");
}

TEST(ClientError, TypesFollowTheStatus) {
  EXPECT_EQ(openai({429, {}, "rate_limited", "Slow \"down\"", {}}),
            R"({"error":{"message":"Slow \"down\"","type":"rate_limit_error","param":null,)"
            R"("code":"rate_limited"}})");
  EXPECT_EQ(openai({418, {}, {}, "m", {}}),
            R"({"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}})");
  EXPECT_EQ(openai({502, {}, {}, "m", {}}),
            R"({"error":{"message":"m","type":"server_error","param":null,"code":null}})");
  EXPECT_EQ(anthropic({529, {}, {}, "m", {}}),
            R"({"type":"error","error":{"type":"overloaded_error","message":"m"}})");
  EXPECT_EQ(anthropic({413, {}, "too_large", "m", {}}),
            R"({"type":"error","error":{"type":"request_too_large","message":"m","code":"too_large"}})");
  EXPECT_EQ(anthropic({500, {}, {}, "m", {}}),
            R"({"type":"error","error":{"type":"api_error","message":"m"}})");
}

TEST(ClientError, TypeCanBeSetAndMembersAdded) {
  EXPECT_EQ(openai({500, "mine", "c", "m", R"("shunt":{"tried":2})"}),
            R"({"error":{"message":"m","type":"mine","param":null,"code":"c","shunt":{"tried":2}}})");
  EXPECT_EQ(anthropic({500, "mine", {}, "m", R"("shunt":1)"}),
            R"({"type":"error","error":{"type":"mine","message":"m","shunt":1}})");
}

}  // namespace
}  // namespace shunt::dialect::test
