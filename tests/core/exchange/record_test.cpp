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

TEST(Record, TellsHedgesAndWhatTheyCost) {
  const Catalog catalog = two_lines();
  DecisionRecord record;
  record.hedge_after = milliseconds(850);
  AttemptRecord& slow = record.attempts.emplace_back();
  slow.no = 1;
  slow.superseded = true;
  slow.cost_micros = 1200;
  std::string text;
  write_record(record, catalog, "hash", text);
  auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["hedge_after_ms"], 850);
  EXPECT_EQ(json["attempts"][0]["outcome"], "neutral");
  EXPECT_EQ(json["attempts"][0]["superseded"], true);
  EXPECT_EQ(json["attempts"][0]["cost_micros"], 1200);
  EXPECT_EQ(text.find("cost_micros"), text.rfind("cost_micros")) << "a member stands once";
  EXPECT_EQ(reason_in_words(record, catalog, nullptr), "hedge after 850 ms: a@p was slow to begin");
  slow.purpose = Purpose::hedge;  // the first answered after all
  EXPECT_EQ(reason_in_words(record, catalog, nullptr), "first choice");
}

TEST(Record, AShadowHasOneOfItsOwn) {
  const Catalog catalog = two_lines();
  DecisionRecord record;
  record.id = "req_1";
  record.route = "chat";
  AttemptRecord shadow = failed(1, ErrorClass::temporary, 503);
  shadow.purpose = Purpose::shadow;
  Usage usage;
  usage.prompt = 7;
  std::string text;
  write_shadow(record, shadow, usage, catalog, "hash", text);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["record"], "shunt-shadow/1");
  EXPECT_EQ(json["id"], "req_1");
  EXPECT_EQ(json["config"], "hash");
  EXPECT_EQ(json["purpose"], "shadow");
  EXPECT_EQ(json["deployment"], "b@p");
  EXPECT_EQ(json["verdict"]["class"], "TEMPORARY");
  EXPECT_EQ(json["usage"]["prompt"], 7);
}

TEST(Record, TheFirstChoiceIsNamedByItsStrategy) {
  const Catalog catalog = two_lines();
  DecisionRecord record;
  for (const auto& [strategy, words] :
       {std::pair<Strategy, std::string>{Strategy::priority_weighted, "first choice"},
        {Strategy::weighted, "drawn by weight"},
        {Strategy::cost_aware, "the cheapest"},
        {Strategy::score, "the best score"},
        {Strategy::least_busy, "the least busy"},
        {Strategy::affinity, "drawn by weight"}}) {
    record.policy = route::PlanPolicy{};
    record.policy->strategy = strategy;
    EXPECT_EQ(reason_in_words(record, catalog, nullptr), words);
  }
  record.policy->affinity = 7;
  EXPECT_EQ(reason_in_words(record, catalog, nullptr), "the line of this session or prompt");
}

TEST(Record, ReasonsNameLinesPassedOverAndTheWait) {
  const Catalog catalog = two_lines();
  DecisionRecord record;
  record.views.resize(2);
  record.views[0].availability = route::Availability::out;
  record.views[0].cause = route::OutCause::cooldown;
  record.views[1].deployment = 1;
  record.views[1].priority = 2;
  EXPECT_EQ(reason_in_words(record, catalog, &record.views[1]), "first choice; a@p is out (cooldown)");
  record.views[0].cause = route::OutCause::excluded;
  EXPECT_EQ(reason_in_words(record, catalog, &record.views[1]), "first choice") << "it was no candidate";
  record.waited = milliseconds(1200);
  EXPECT_EQ(reason_in_words(record, catalog, &record.views[1]), "first choice; waited 1200 ms for its turn");
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
