// What a client is told when no provider's answer is given.
#include "exchange/replies.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "canonical/http.h"

namespace shunt::exchange {
namespace {

using nlohmann::json;

Verdict of(ErrorClass error_class) {
  Verdict verdict;
  verdict.error_class = error_class;
  return verdict;
}

TEST(Replies, StatusFollowsTheClass) {
  EXPECT_EQ(client_status(of(ErrorClass::invalid_request), 422), 422);
  EXPECT_EQ(client_status(of(ErrorClass::invalid_request), 200), 400);
  EXPECT_EQ(client_status(of(ErrorClass::content_policy), 500), 400);
  EXPECT_EQ(client_status(of(ErrorClass::rate_limited), 200), 429);
  EXPECT_EQ(client_status(of(ErrorClass::auth_failure), 401), 502)
      << "the gateway's key is not the client's fault";
  Verdict own = of(ErrorClass::auth_failure);
  own.scope = Scope::request;
  EXPECT_EQ(client_status(own, 403), 401) << "its own key is";
  EXPECT_EQ(client_status(of(ErrorClass::temporary), 529), 503);
}

TEST(Replies, BothDialectsCarryTheSameFacts) {
  Verdict verdict = of(ErrorClass::rate_limited);
  verdict.retry_after = milliseconds(6400);
  verdict.message = "Slow \"down\"";
  Catalog catalog;
  const DecisionRecord record;
  const Reply openai = fail(*dialect::find(DialectId::openai_chat), verdict, record, catalog);
  const Reply anthropic = fail(*dialect::find(DialectId::anthropic_messages), verdict, record, catalog);
  for (const Reply& reply : {openai, anthropic}) {
    EXPECT_EQ(reply.status, 429);
    EXPECT_EQ(HeaderBlock(reply.headers).get("retry-after"), "7") << "rounded up";
    EXPECT_EQ(HeaderBlock(reply.headers).get("x-should-retry"), "true");
    const json body = json::parse(reply.body);
    EXPECT_EQ(body["error"]["message"], "Slow \"down\"");
    EXPECT_EQ(body["error"]["shunt"]["class"], "RATE_LIMITED");
    EXPECT_EQ(body["error"]["shunt"]["retry_after_s"], 7);
    EXPECT_FALSE(body["error"]["shunt"]["user_message"]["zh"].get<std::string>().empty());
    EXPECT_FALSE(body["error"]["shunt"]["user_message"]["en"].get<std::string>().empty());
  }
  EXPECT_EQ(json::parse(anthropic.body)["type"], "error");
  EXPECT_EQ(json::parse(openai.body)["error"]["code"], "rate_limited");
}

TEST(Replies, ModelsListRoutesAndNoPatterns) {
  Catalog catalog;
  for (const char* name : {"chat", "openai/*"}) {
    catalog.routes.emplace_back();
    catalog.routes.back().name = name;
  }
  const json openai = json::parse(models(catalog, false).body);
  ASSERT_EQ(openai["data"].size(), 1u);
  EXPECT_EQ(openai["data"][0]["id"], "chat");
  EXPECT_EQ(openai["object"], "list");
  EXPECT_EQ(json::parse(models(catalog, true).body)["data"][0]["type"], "model");
}

TEST(Replies, CorsOnlyForListedOrigins) {
  EXPECT_TRUE(cors_lines("https://evil.example", {"https://app.example"}).empty());
  EXPECT_TRUE(cors_lines("", {"*"}).empty());
  const std::string lines = cors_lines("https://app.example", {"https://app.example"});
  EXPECT_EQ(HeaderBlock(lines).get("access-control-allow-origin"), "https://app.example");
  EXPECT_EQ(preflight(false).status, 403);
  EXPECT_EQ(preflight(true).status, 204);
}

TEST(Replies, APageMaySendEveryHeaderThatChoosesALine) {
  const std::string allowed(HeaderBlock(preflight(true).headers).get("access-control-allow-headers"));
  for (const char* name :
       {"x-shunt-route", "x-shunt-deployment", "x-shunt-exclude", "x-shunt-task", "x-shunt-role",
        "x-shunt-region", "x-shunt-session", "x-shunt-priority", "x-shunt-repeatable"}) {
    EXPECT_NE(allowed.find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace shunt::exchange
