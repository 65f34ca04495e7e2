// An operator's own rows: what is written comes out as classify's book takes it, and decides before the
// others.
#include <gtest/gtest.h>

#include "classify/classify.h"
#include "sample.h"

namespace shunt::config {
namespace {

// The book of a configuration; a verdict's texts are the book's.
class Judge {
 public:
  explicit Judge(const Read& read) : book_(read.loaded.rules) {}

  Verdict judged(int status, std::string_view body, std::string_view provider = "p") const {
    classify::Evidence evidence;
    evidence.status = status;
    evidence.body = body;
    evidence.configured = provider;
    return classify::classify(evidence, book_);
  }

 private:
  classify::RuleBook book_;
};

TEST(OwnRules, DecideBeforeTheBuiltInOnes) {
  const Read result = read(with_line(
      R"("rules":[{"id":"lanes","provider":"p","status":503,"contains":"All Lanes","class":"RATE_LIMITED","sub":"lanes",)"
      R"("scope":"model","retry_same":false,"switch_provider":true,"penalty":"cooldown"}])"));
  ASSERT_TRUE(result.ok);
  const Judge judge(result);
  EXPECT_TRUE(result.loaded.warnings.empty());
  const Verdict verdict = judge.judged(503, R"({"error":{"message":"Sorry, all lanes are busy"}})");
  EXPECT_EQ(verdict.rule, "rules/lanes");
  EXPECT_EQ(verdict.error_class, ErrorClass::rate_limited);
  EXPECT_EQ(verdict.sub, "lanes");
  EXPECT_EQ(verdict.scope, Scope::model);
  EXPECT_FALSE(verdict.retry_same);
  EXPECT_TRUE(verdict.switch_provider);
  EXPECT_EQ(verdict.penalty, Penalty::cooldown);
}

TEST(OwnRules, ApplyOnlyWhereAllThatTheyNameHolds) {
  const Read result = read(with_line(
      R"("rules":[{"provider":"p","status":503,"contains":"lanes","class":"QUOTA_INSUFFICIENT"}])"));
  ASSERT_TRUE(result.ok);
  const Judge judge(result);
  const char* const body = R"({"message":"no lanes"})";
  EXPECT_EQ(judge.judged(503, body).error_class, ErrorClass::quota_insufficient);
  EXPECT_EQ(judge.judged(503, body, "q").error_class, ErrorClass::temporary);
  EXPECT_EQ(judge.judged(529, body).error_class, ErrorClass::temporary);
  EXPECT_EQ(judge.judged(503, R"({"message":"planes"})").error_class, ErrorClass::temporary);
}

TEST(OwnRules, NameCodesAsListsAndPatterns) {
  const Read result = read(with_line(
      R"("rules":[{"code":["E17","lane_*"],"class":"AUTH_FAILURE"},{"status":418,"class":"TEMPORARY"}])"));
  ASSERT_TRUE(result.ok);
  const Judge judge(result);
  EXPECT_EQ(judge.judged(500, R"({"code":"e17"})").rule, "rules/0");
  EXPECT_EQ(judge.judged(500, R"({"code":"lane_full"})").rule, "rules/0");
  EXPECT_EQ(judge.judged(418, R"({"code":"E170"})").rule, "rules/1");
}

TEST(OwnRules, AClasssDefaultsFillWhatIsLeftOut) {
  const Read result = read(with_line(R"("rules":[{"status":418,"class":"QUOTA_INSUFFICIENT"}])"));
  ASSERT_TRUE(result.ok);
  const Judge judge(result);
  const Verdict verdict = judge.judged(418, "");
  EXPECT_EQ(verdict.scope, Scope::key);
  EXPECT_EQ(verdict.penalty, Penalty::long_);
  EXPECT_FALSE(verdict.retry_same);
}

// Whatever texts rules hold, they load or are refused, and a book of them answers.
TEST(OwnRules, AnyTextIsTakenOrRefused) {
  for (const char* text :
       {"**", "a**b", "=418", "form:html", "\\u0000", "a|b", "|", " ", "\\n", "\xF0\x9F\x98\x80"}) {
    const Read result = read(with_line(std::string(R"("rules":[{"class":"TEMPORARY","code":")") + text +
                                       R"(","contains":")" + text + "\"}]"));
    if (!result.ok) continue;
    const Judge judge(result);
    EXPECT_FALSE(judge.judged(418, "x").rule.empty()) << text;
  }
}

}  // namespace
}  // namespace shunt::config
