// A verdict's JSON: which keys, in which order, and what stands where there is nothing.
#include "classify/verdict_json.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace shunt::classify {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Verdict& verdict, Medium medium = Medium::text) {
  std::string out;
  json::Writer writer(out);
  writer.begin_object();
  write_verdict(writer, verdict, medium);
  writer.end_object();
  return out;
}

Json json_of(const Verdict& verdict, Medium medium = Medium::text) {
  return Json::parse(text_of(verdict, medium));
}

Verdict limited() {
  Verdict verdict;
  verdict.error_class = ErrorClass::rate_limited;
  verdict.sub = "rpm";
  verdict.scope = Scope::key;
  verdict.retry_same = true;
  verdict.penalty = Penalty::cooldown;
  verdict.retry_after = milliseconds(7660);
  verdict.exposure = Exposure::rejected;
  verdict.rule = "say/rpm";
  verdict.message = "slow down";
  return verdict;
}

TEST(VerdictJson, HasTheseKeysInThisOrder) {
  std::vector<std::string> keys;
  const Json got = json_of(limited());
  for (const auto& [key, value] : got.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"class", "sub", "scope", "retry_same", "switch_provider",
                                            "penalise", "penalty", "retry_after_s", "exposure", "rule",
                                            "user_message", "refunded_user_message", "log_message"}));
}

TEST(VerdictJson, SaysWhatTheVerdictSays) {
  const Json got = json_of(limited());
  EXPECT_EQ(got["class"], "RATE_LIMITED");
  EXPECT_EQ(got["sub"], "rpm");
  EXPECT_EQ(got["scope"], "key");
  EXPECT_EQ(got["retry_same"], true);
  EXPECT_EQ(got["switch_provider"], true);
  EXPECT_EQ(got["penalty"], "cooldown");
  EXPECT_EQ(got["exposure"], "rejected");
  EXPECT_EQ(got["rule"], "say/rpm");
  EXPECT_EQ(got["log_message"], log_message(limited()));
  EXPECT_EQ(got["user_message"]["zh"], user_message(limited(), Medium::text).zh);
  EXPECT_EQ(got["user_message"]["en"], user_message(limited(), Medium::text).en);
  EXPECT_EQ(got["refunded_user_message"]["zh"], refunded_user_message(limited(), Medium::text).zh);
  EXPECT_EQ(got["refunded_user_message"]["en"], refunded_user_message(limited(), Medium::text).en);
}

TEST(VerdictJson, OnlyNormalAndLongPenaltiesPenalise) {
  const struct {
    Penalty penalty;
    bool penalise;
  } kCases[] = {{Penalty::none, false},
                {Penalty::cooldown, false},
                {Penalty::weak, false},
                {Penalty::normal, true},
                {Penalty::long_, true}};
  for (const auto& [penalty, penalise] : kCases) {
    Verdict verdict;
    verdict.penalty = penalty;
    EXPECT_EQ(json_of(verdict)["penalise"], penalise) << name_of(penalty);
  }
}

TEST(VerdictJson, AWaitIsDecimalSeconds) {
  const struct {
    std::int64_t ms;
    const char* seconds;
  } kCases[] = {{0, "0"},
                {17, "0.017"},
                {7660, "7.66"},
                {20000, "20"},
                {4611686018427387, "4611686018427.387"},
                {INT64_MAX, "9223372036854.775"}};  // no overflow; nobody waits so long
  for (const auto& [ms, seconds] : kCases) {
    Verdict verdict;
    verdict.retry_after = milliseconds(ms);
    EXPECT_NE(text_of(verdict).find(std::string("\"retry_after_s\":") + seconds + ","), std::string::npos)
        << text_of(verdict);
  }
}

TEST(VerdictJson, NothingIsNull) {
  const Json got = json_of(Verdict());
  EXPECT_TRUE(got["sub"].is_null());
  EXPECT_TRUE(got["retry_after_s"].is_null());
}

TEST(VerdictJson, ThePicturesAndFilmsOfAProviderHaveTheirOwnTexts) {
  Verdict refused;
  refused.error_class = ErrorClass::content_policy;
  refused.sub = "content_input";
  EXPECT_NE(json_of(refused, Medium::image)["user_message"], json_of(refused, Medium::video)["user_message"]);
}

TEST(Medium, IsKnownByTheProvidersName) {
  const struct {
    const char* provider;
    Medium medium;
  } kCases[] = {{"vidu", Medium::video},
                {"Kling", Medium::video},
                {"kling-relay", Medium::video},
                {"midjourney-proxy", Medium::image},
                {"black-forest-labs", Medium::image},
                {"elevenlabs", Medium::audio},
                {"openai", Medium::text},
                {"falcon", Medium::text},  // begins like fal, and is another name
                {"", Medium::text}};
  for (const auto& [provider, medium] : kCases) EXPECT_EQ(medium_of(provider), medium) << provider;
}

TEST(Medium, IsNamedByOneOfFourWords) {
  EXPECT_EQ(medium_named("text"), Medium::text);
  EXPECT_EQ(medium_named("image"), Medium::image);
  EXPECT_EQ(medium_named("video"), Medium::video);
  EXPECT_EQ(medium_named("audio"), Medium::audio);
  EXPECT_EQ(medium_named(""), std::nullopt);
  EXPECT_EQ(medium_named("Image"), std::nullopt);
}

}  // namespace
}  // namespace shunt::classify
