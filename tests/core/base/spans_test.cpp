// Spans: every notation protocols use, and nothing from garbage.
#include "base/spans.h"

#include <gtest/gtest.h>

namespace shunt {
namespace {

struct Case {
  const char* text;
  std::int64_t ms;
};

TEST(Spans, InEveryNotation) {
  for (const Case& c :
       {Case{"34s", 34000}, Case{"6m0s", 360000}, Case{"17ms", 17}, Case{"1h2m3.5s", 3723500},
        Case{"7.66s", 7660}, Case{"2 minutes", 120000}, Case{"1 minute 30 seconds", 90000}, Case{"30", 30000},
        Case{"2.5", 2500}, Case{"1d", 86400000}, Case{"0s", 0}, Case{"0.0001s", 1}, Case{"479.417207ms", 480},
        Case{"5 小时", 18000000}, Case{"99999999999", 99999999999000}}) {
    EXPECT_EQ(parse_span(c.text), milliseconds(c.ms)) << c.text;
  }
}

TEST(Spans, GarbageIsNone) {
  for (const char* text : {"", "-5", "+5", "1e3", "0x10", "NaN", "inf", "30, 60", "18446744073709551616", "s",
                           "5x", "5 s x", ".5", "99999999999999999999d", "1.2.3s"}) {
    EXPECT_EQ(parse_span(text), std::nullopt) << text;
  }
}

TEST(Spans, WhatFollowsIsLeft) {
  std::string_view rest;
  EXPECT_EQ(take_span("1m 2s, then", rest), milliseconds(62000));
  EXPECT_EQ(rest, ", then");
}

}  // namespace
}  // namespace shunt
