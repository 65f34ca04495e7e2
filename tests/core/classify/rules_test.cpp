// How rows match, and what classes mean by default.
#include "classify/rules.h"

#include <gtest/gtest.h>

#include <string>

#include "classify/rule_pack.h"

namespace shunt::classify {
namespace {

bool hits(const Rule& rule, const Reading& reading, int status, std::string_view sentence = "",
          Family family = Family::any) {
  return matches(rule, {family, "", status, reading, sentence});
}

TEST(Rules, AWordMatchesAnyMachineFieldWithoutCase) {
  const Rule rule{"r", Family::any, kAll, "slow_down|invalid_key", "", {}};
  Reading code, type, reason, state, finish, message;
  code.code = type.type = reason.reason = state.state = finish.finish = message.message = "Slow_Down";
  for (const Reading* reading : {&code, &type, &reason, &state, &finish})
    EXPECT_TRUE(hits(rule, *reading, 400));
  EXPECT_FALSE(hits(rule, message, 400));
}

TEST(Rules, AStarStandsForAnything) {
  struct Case {
    const char* pattern;
    const char* word;
    bool match;
  };
  for (const Case& c : {Case{"rate*", "rate_limit", true}, Case{"*limit", "rate_limit", true},
                        Case{"*te_li*", "rate_limit", true}, Case{"API_*_BLOCKED", "API_KEY_BLOCKED", true},
                        Case{"API_*_BLOCKED", "API_BLOCKED", false}, Case{"rate", "rate_limit", false},
                        Case{"*", "x", true}, Case{"a*b*c", "abbc", true}, Case{"a*b*c", "abb", false}}) {
    Reading reading;
    reading.code = c.word;
    EXPECT_EQ(hits({"r", Family::any, kAll, c.pattern, "", {}}, reading, 400), c.match)
        << c.pattern << ' ' << c.word;
  }
}

TEST(Rules, AllThatARowNamesMustHold) {
  const Rule rule{"r", Family::zhipu, k429 | k503, "1305", "busy", {}};
  Reading reading;
  reading.code = "1305";
  EXPECT_TRUE(hits(rule, reading, 429, "very busy", Family::zhipu));
  EXPECT_FALSE(hits(rule, reading, 400, "very busy", Family::zhipu));
  EXPECT_FALSE(hits(rule, reading, 429, "idle", Family::zhipu));
  EXPECT_FALSE(hits(rule, reading, 429, "very busy", Family::kling));
  reading.code = "1304";
  EXPECT_FALSE(hits(rule, reading, 429, "very busy", Family::zhipu));
}

TEST(Rules, AnEqualsSignMeansTheStatus) {
  EXPECT_TRUE(hits({"r", Family::any, kAll, "=407", "", {}}, {}, 407));
  EXPECT_FALSE(hits({"r", Family::any, kAll, "=407", "", {}}, {}, 408));
}

TEST(Rules, EveryStatusHasOneGroup) {
  for (int status = 0; status < 1000; ++status) {
    const unsigned group = group_of(status);
    EXPECT_TRUE(group != 0 && (group & (group - 1)) == 0 && (group & kAll) != 0) << status;
  }
  EXPECT_EQ(group_of(529), k503);
  EXPECT_EQ(group_of(524), k408);
  EXPECT_EQ(group_of(410), k404);
  EXPECT_EQ(group_of(418), k400);
}

TEST(Rules, FamiliesAreFoundByNameOrByEnvelope) {
  EXPECT_EQ(family_of("azure-openai", Envelope::common), Family::openai);
  EXPECT_EQ(family_of("OpenRouter", Envelope::common), Family::openrouter);
  EXPECT_EQ(family_of("dashscope-intl", Envelope::common), Family::dashscope);
  EXPECT_EQ(family_of("", Envelope::minimax_base_resp), Family::minimax);
  EXPECT_EQ(family_of("my-gateway", Envelope::tencent_response), Family::tencent);
  EXPECT_EQ(family_of("my-gateway", Envelope::common), Family::any);
}

// The table of the design: typical scope, same again, other provider, penalty.
TEST(Rules, ClassesHaveTheDesignsDefaults) {
  struct Case {
    ErrorClass error_class;
    bool same;
    bool other;
    Penalty penalty;
  };
  for (const Case& c : {Case{ErrorClass::content_policy, false, false, Penalty::none},
                        Case{ErrorClass::rate_limited, true, true, Penalty::cooldown},
                        Case{ErrorClass::quota_insufficient, false, true, Penalty::long_},
                        Case{ErrorClass::auth_failure, false, true, Penalty::long_},
                        Case{ErrorClass::provider_unavailable, false, true, Penalty::long_},
                        Case{ErrorClass::invalid_request, false, false, Penalty::none},
                        Case{ErrorClass::external_network, true, true, Penalty::normal},
                        Case{ErrorClass::temporary, true, true, Penalty::normal},
                        Case{ErrorClass::empty_content, false, true, Penalty::none},
                        Case{ErrorClass::unknown, false, true, Penalty::weak}}) {
    const Ruling got = filled({c.error_class, ""});
    EXPECT_EQ(got.retry_same, c.same) << name_of(c.error_class);
    EXPECT_EQ(got.switch_provider, c.other) << name_of(c.error_class);
    EXPECT_EQ(got.penalty, c.penalty) << name_of(c.error_class);
  }
}

TEST(Rules, ARowOverridesItsClass) {
  const Ruling got =
      filled({ErrorClass::invalid_request, "context_length", std::nullopt, std::nullopt, true});
  EXPECT_EQ(got.switch_provider, true);
  EXPECT_EQ(got.retry_same, false);
  EXPECT_EQ(got.scope, Scope::request);
}

constexpr Rule kRows[] = {
    {"a/full",
     Family::relay,
     kAll ^ k2xx,
     "x|y",
     "忙",
     {ErrorClass::unknown, "sub", Scope::own_host, false, true, Penalty::none}},
    {"a/bare", Family::any, kOther, "", "", {ErrorClass::content_policy, ""}},
    {"a/same", Family::iflow, kAll, "z", "", {ErrorClass::temporary, "same", Scope::request}},
};
constexpr auto kBytes = packed<kRows>();

TEST(Rules, PackingKeepsEveryMember) {
  Rules rules{kBytes};
  for (const Rule& row : kRows) {
    const auto got = rules.next();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->name, row.name);
    EXPECT_EQ(got->family, row.family);
    EXPECT_EQ(got->at, row.at);
    EXPECT_EQ(got->words, row.words);
    EXPECT_EQ(got->says, row.says);
    EXPECT_EQ(got->ruling.error_class, row.ruling.error_class);
    EXPECT_EQ(got->ruling.sub, row.ruling.sub);
    EXPECT_EQ(got->ruling.scope, row.ruling.scope);
    EXPECT_EQ(got->ruling.retry_same, row.ruling.retry_same);
    EXPECT_EQ(got->ruling.switch_provider, row.ruling.switch_provider);
    EXPECT_EQ(got->ruling.penalty, row.ruling.penalty);
  }
  EXPECT_FALSE(rules.next());
}

TEST(Rules, AnOperatorsRowKeepsItsProviderAndStatus) {
  Rule own{"rules/0", Family::any, kAll, "a|b", "c", {ErrorClass::temporary, "0"}, "east", 503};
  std::string rows;
  append_packed(rows, own);
  own.provider = "";
  append_packed(rows, own);
  Rules rules{rows};
  const auto first = rules.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->provider, "east");
  EXPECT_EQ(first->status, 503);
  EXPECT_EQ(first->ruling.sub, "0");
  const auto second = rules.next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->provider, "");
  EXPECT_EQ(second->status, 503);
  EXPECT_EQ(second->words, "a|b");
  EXPECT_FALSE(rules.next());
}

}  // namespace
}  // namespace shunt::classify
