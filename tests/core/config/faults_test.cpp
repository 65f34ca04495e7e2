// Places of faults, and the sentences people read.
#include "config/faults.h"

#include <gtest/gtest.h>

namespace shunt::config {
namespace {

Fault placed(std::string_view text, std::string_view at) {
  Report report;
  report.fault(text.find(at), "x", "y");
  std::vector<Fault> faults, warnings;
  report.settle(text, faults, warnings);
  return faults.at(0);
}

TEST(Faults, PathsAreJsonPath) {
  constexpr std::string_view kText =
      R"({"a": [1, {"b": 2}, [3, 4]], "gpt-4o": {"c.d": {"e": 5}}, "f\u0067": 6, "z": {}, "9": 7})";
  EXPECT_EQ(placed(kText, "{").path, "$");
  EXPECT_EQ(placed(kText, "[1").path, "$.a");
  EXPECT_EQ(placed(kText, "1,").path, "$.a[0]");
  EXPECT_EQ(placed(kText, "{\"b\"").path, "$.a[1]");
  EXPECT_EQ(placed(kText, "2}").path, "$.a[1].b");
  EXPECT_EQ(placed(kText, "4]").path, "$.a[2][1]");
  EXPECT_EQ(placed(kText, "\"gpt").path, "$['gpt-4o']");
  EXPECT_EQ(placed(kText, "5").path, "$['gpt-4o']['c.d'].e");
  EXPECT_EQ(placed(kText, "6,").path, "$.fg");
  EXPECT_EQ(placed(kText, "{}").path, "$.z");
  EXPECT_EQ(placed(kText, "7}").path, "$['9']");
}

TEST(Faults, LinesAndColumnsCountCharactersFromOne) {
  constexpr std::string_view kText = "{\n  \"模型\": 1,\r\n \"b\": 2}";
  EXPECT_EQ(placed(kText, "1").line, 2);
  EXPECT_EQ(placed(kText, "1").column, 9);
  EXPECT_EQ(placed(kText, "2").line, 3);
  EXPECT_EQ(placed(kText, "2").column, 7);
}

TEST(Faults, AreSaidInPlainWords) {
  EXPECT_EQ(describe({false, "$.a", 3, 5, "unknown key \"stratgy\"", "strategy or task", "strategy"}),
            "$.a (line 3, column 5): found unknown key \"stratgy\"; allowed: strategy or task. Did you mean "
            "\"strategy\"?");
  EXPECT_EQ(describe({true, "$.b", 1, 2, "\"hedge\"", "read, not yet in force", ""}),
            "warning: $.b (line 1, column 2): found \"hedge\"; read, not yet in force.");
}

TEST(Faults, ComeInDocumentOrderAndTheSameIsSaidOnce) {
  Report report;
  report.fault(5, "late", "");
  report.warn(3, "warned", "");
  report.fault(1, "early", "");
  report.fault(5, "late", "");
  std::vector<Fault> faults, warnings;
  report.settle("{\"a\": 1}", faults, warnings);
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].found, "early");
  EXPECT_EQ(faults[1].found, "late");
  EXPECT_EQ(warnings.size(), 1U);
}

TEST(Faults, AKeyNotYetInForceIsWarnedOfOnce) {
  Report report;
  const int row = 0;
  report.not_in_force(&row, 1, "hedge");
  report.not_in_force(&row, 5, "hedge");
  std::vector<Fault> faults, warnings;
  report.settle("{\"a\": 1}", faults, warnings);
  EXPECT_EQ(warnings.size(), 1U);
  EXPECT_FALSE(report.failed());
}

}  // namespace
}  // namespace shunt::config
