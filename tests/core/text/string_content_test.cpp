// Strings' content, a row for each kind of escape and byte.
#include "text/string_content.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace shunt::text {
namespace {

std::string content(std::string_view raw, ContentRules rules = {}) {
  std::string out;
  return append_content(out, raw, rules) ? out : "refused";
}

TEST(StringContent, Escapes) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"(a\n\"\/\\)", R"(a\n\"\/\\)"},
      {R"(it\'s)", "it's"},
      {R"(\alpha C:\Users \d+\()", R"(\\alpha C:\\Users \\d+\\()"},
      {R"(\underset C:\users)", R"(\\underset C:\\users)"},
      {"a\\\nb", R"(a\nb)"},
      {"\\“", "“"},
      {"say \"hi\"\t\x01", R"(say \"hi\"\t\u0001)"},
      {R"(\u00e9\ud83d\ude00)", R"(\u00e9\ud83d\ude00)"},
      {R"(\ud83d!\ude00)", "\xEF\xBF\xBD!\xEF\xBF\xBD"},
      {"\xFF", "\xEF\xBF\xBD"},
      {R"(\uZ000)", "refused"},
      {R"(\u26)", "refused"},
      {"\\", "\\\\"},
  };
  for (const auto& [raw, json] : cases) EXPECT_EQ(content(raw), json) << raw;
}

TEST(StringContent, WhatIsCutOffIsDropped) {
  ContentRules rules;
  rules.cut_off = true;
  EXPECT_EQ(content("a\\", rules), "a");
  EXPECT_EQ(content("a\\u26", rules), "a");
  EXPECT_EQ(content("a\\ud83d", rules), "a");
}

TEST(StringContent, ControlsAloneAreNoText) {
  ContentRules rules;
  rules.alone = true;
  EXPECT_EQ(content("a\n\t", rules), "a\\n\\t");
  EXPECT_EQ(content(std::string_view("a\0", 2), rules), "refused");
}

TEST(StringContent, LatexKeepsItsBackslash) {
  ContentRules rules;
  rules.latex = true;
  EXPECT_EQ(content(R"(\frac\nu\n\text{a}\b)", rules), R"(\\frac\\nu\n\\text{a}\b)");
}

TEST(StringContent, HexDigits) {
  EXPECT_EQ(hex_value('9'), 9);
  EXPECT_EQ(hex_value('F'), 15);
  EXPECT_EQ(hex_value('g'), -1);
}

}  // namespace
}  // namespace shunt::text
