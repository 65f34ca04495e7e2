// HTTP dates in their three forms (RFC 9110 5.6.7) and RFC 3339 times.
#include <gtest/gtest.h>

#include "base/spans.h"

namespace shunt {
namespace {

constexpr WallTime kRfcExample{784111777000};  // RFC 9110: Sun, 06 Nov 1994 08:49:37 GMT

TEST(Dates, TheThreeFormsOfHttpAreOneMoment) {
  EXPECT_EQ(parse_date("Sun, 06 Nov 1994 08:49:37 GMT"), kRfcExample);
  EXPECT_EQ(parse_date("Sunday, 06-Nov-94 08:49:37 GMT"), kRfcExample);
  EXPECT_EQ(parse_date("Sun Nov  6 08:49:37 1994"), kRfcExample);
}

TEST(Dates, Rfc3339WithFractionAndOffset) {
  EXPECT_EQ(parse_date("1994-11-06T08:49:37Z"), kRfcExample);
  EXPECT_EQ(parse_date("1994-11-06T08:49:37.123456Z"), kRfcExample);
  EXPECT_EQ(parse_date("1994-11-06T16:49:37+08:00"), kRfcExample);
  EXPECT_EQ(parse_date("1994-11-06T03:19:37-05:30"), kRfcExample);
}

TEST(Dates, LeapDaysAndYearEnds) {
  EXPECT_EQ(parse_date("2024-02-29T00:00:00Z"), WallTime{1709164800000});
  EXPECT_EQ(parse_date("2026-12-31T23:59:59Z"), WallTime{1798761599000});
  EXPECT_EQ(parse_date("1970-01-01T00:00:00Z"), WallTime{0});
}

TEST(Dates, GarbageIsNone) {
  for (const char* text :
       {"", "now", "Mon, 32 Foo 2026 99:99:99 GMT", "Mon, 32 Mar 2026 10:00:00 GMT", "2026-13-01T00:00:00Z",
        "2026-03-02", "2026-03-02T10:00:41", "2026-03-02T10:00:41+8", "Sun, 06 Nov 1994 08:49:37 CET", "1e9",
        "Sun, 06 Nov 1994 08:49 GMT", "20260302T100000Z", "a b c d e f g h i j"}) {
    EXPECT_EQ(parse_date(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace shunt
