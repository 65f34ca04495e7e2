// Decision records: valid JSON that holds the decision, and reasons in words.
#include "exchange/record.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace shunt::exchange {
namespace {

Catalog two_lines() {
  Catalog catalog;
  catalog.providers.emplace_back();
  for (const char* id : {"a@p", "b@p"}) {
    catalog.deployments.emplace_back();
    catalog.deployments.back().id = id;
  }
  catalog.finish();
  return catalog;
}

AttemptRecord failed(std::uint32_t line, ErrorClass error_class, int status) {
  AttemptRecord attempt;
  attempt.no = 1;
  attempt.deployment = DeploymentId{line};
  attempt.status = status;
  attempt.outcome = OutcomeKind::failure;
  attempt.verdict.emplace();
  attempt.verdict->error_class = error_class;
  attempt.verdict->message = "say \"no\"\n";
  return attempt;
}

TEST(Record, IsJsonWithEveryLineAndAttempt) {
  const Catalog catalog = two_lines();
  DecisionRecord record;
  record.seed = 0xABCDEF;
  record.route = "chat \"x\"";
  record.views.resize(2);
  record.views[1].deployment = 1;
  record.order = {1, 0};
  record.attempts = {failed(1, ErrorClass::rate_limited, 429)};
  record.result = Result::failed;
  record.status = 429;
  record.usage.prompt = 7;
  std::string text;
  write_record(record, catalog, "hash", text);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["route"], "chat \"x\"");
  EXPECT_EQ(json["seed"], "0000000000abcdef");
  EXPECT_EQ(json["order"], (std::vector<int>{1, 0}));
  EXPECT_EQ(json["lines"].size(), 2u);
  EXPECT_EQ(json["attempts"][0]["deployment"], "b@p");
  EXPECT_EQ(json["attempts"][0]["verdict"]["class"], "RATE_LIMITED");
  EXPECT_EQ(json["usage"]["prompt"], 7);
  EXPECT_EQ(json["result"], "failed");
}

TEST(Record, ReasonsAreWords) {
  const Catalog catalog = two_lines();
  DecisionRecord record;
  EXPECT_EQ(reason_in_words(record, catalog, nullptr), "first choice");
  record.attempts = {failed(0, ErrorClass::rate_limited, 429), failed(1, ErrorClass::external_network, 0)};
  EXPECT_EQ(reason_in_words(record, catalog, nullptr),
            "after a@p: RATE_LIMITED (429), b@p: EXTERNAL_NETWORK");
  route::LineView serving;
  serving.kept = true;
  EXPECT_EQ(
      reason_in_words(record, catalog, &serving),
      "last line, kept although its breaker is open; after a@p: RATE_LIMITED (429), b@p: EXTERNAL_NETWORK");
}

}  // namespace
}  // namespace shunt::exchange
