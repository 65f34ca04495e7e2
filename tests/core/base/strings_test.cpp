// Protocol text helpers.
#include "base/strings.h"

#include <gtest/gtest.h>

namespace shunt {
namespace {

TEST(Strings, ParsesMicros) {
  EXPECT_EQ(parse_micros("2.5"), 2500000);
  EXPECT_EQ(parse_micros("1e-6"), 1);
  EXPECT_EQ(parse_micros("-3"), -3000000);
  EXPECT_EQ(parse_micros("0.0000019"), 1);
  EXPECT_EQ(parse_micros("1e3"), 1000000000);
  EXPECT_EQ(parse_micros("1e300"), std::nullopt);
  EXPECT_EQ(parse_micros("9223372036854775807"), std::nullopt);
  EXPECT_EQ(parse_micros("1x"), std::nullopt);
  EXPECT_EQ(parse_micros(""), std::nullopt);
  EXPECT_EQ(parse_micros("."), std::nullopt);
}

TEST(Strings, IntegersAreWholeTexts) {
  EXPECT_EQ(parse_int("-12"), -12);
  EXPECT_EQ(parse_int("12 "), std::nullopt);
  EXPECT_EQ(parse_int("+12"), std::nullopt);
  EXPECT_EQ(parse_int("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_uint("18446744073709551615"), 18446744073709551615ULL);
  EXPECT_EQ(parse_uint(""), std::nullopt);
}

TEST(Strings, CutLeavesTheRest) {
  std::string_view text = "a;b";
  EXPECT_EQ(cut(text, ';'), "a");
  EXPECT_EQ(text, "b");
  EXPECT_EQ(cut(text, ';'), "b");
  EXPECT_EQ(text, "");
}

TEST(Strings, JoinedPartsStandOneBehindTheOther) {
  EXPECT_EQ(joined({"the key \"", std::string("a"), "\""}), "the key \"a\"");
  EXPECT_EQ(joined({}), "");
}

TEST(Strings, EditDistanceStopsAtMost) {
  EXPECT_EQ(edit_distance("weight", "wieght", 3), 2);
  EXPECT_EQ(edit_distance("abc", "abc", 2), 0);
  EXPECT_EQ(edit_distance("abc", "xyzabcxyz", 2), 3);
}

TEST(Strings, FoldsAsciiCaseOnly) {
  EXPECT_TRUE(equal_fold("Content-Type", "content-type"));
  EXPECT_TRUE(contains_fold("A Rate Limit was hit", "rate limit"));
  EXPECT_FALSE(contains_fold("short", "longer than it"));
}

TEST(Strings, PercentEscapesAreReadAsBytes) {
  EXPECT_EQ(percent_decoded("a%40b%2f%E4%bd%a0+"), "a@b/\xE4\xBD\xA0+");
  EXPECT_EQ(percent_decoded("100%, %4, %zz%"), "100%, %4, %zz%");
}

}  // namespace
}  // namespace shunt
