// A caller's own notion of empty.
#include "exchange/empty_when.h"

#include <gtest/gtest.h>

namespace shunt::exchange {
namespace {

TEST(EmptyWhen, PointersFollowRfc6901) {
  const char* body = R"({"a":{"b":["x",{"c/d":"","e~f":[]}]},"n":null,"t":"  ","ok":false,"text":"no"})";
  struct Case {
    const char* pointer;
    const char* equals;
    bool empty;
  };
  const Case cases[] = {
      {"/missing", "", true},    {"/n", "", true},          {"/t", "", true},
      {"/a/b/1/c~1d", "", true}, {"/a/b/1/e~0f", "", true}, {"/a/b/0", "", false},
      {"/a/b/9", "", true},      {"/a/b/x", "", true},      {"/ok", "", false},
      {"/ok", "false", true},    {"/ok", "true", false},    {"/text", "\"no\"", true},
      {"/missing", "1", false},  {"/a", "", false},         {"/text/deeper", "", true},
  };
  for (const Case& each : cases) {
    const EmptyWhen rule{each.pointer, each.equals, {}};
    EXPECT_EQ(counts_as_empty(rule, body, "no"), each.empty) << each.pointer << ' ' << each.equals;
  }
}

TEST(EmptyWhen, PhrasesAreFoundInTheTextWhateverTheirCase) {
  const EmptyWhen rule{"", "", {"I cannot solve", "无法解答"}};
  EXPECT_TRUE(counts_as_empty(rule, "{}", "Sorry, i CANNOT solve this."));
  EXPECT_TRUE(counts_as_empty(rule, "{}", "这道题无法解答。"));
  EXPECT_FALSE(counts_as_empty(rule, "{}", "The answer is 4."));
}

TEST(EmptyWhen, WhatCannotBeReadIsNotEmpty) { EXPECT_FALSE(counts_as_empty({"/a", "", {}}, "not json", "")); }

}  // namespace
}  // namespace shunt::exchange
