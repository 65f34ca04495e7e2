// The reader takes exactly one value per read, whatever it is.
#include "config/reader.h"

#include <gtest/gtest.h>

namespace shunt::config {
namespace {

// Reads the list [value, 7] by `read` and expects the 7 still to come.
template <typename ReadOne>
std::vector<Fault> reading(std::string_view value, ReadOne read_one) {
  std::string text = "[";
  text.append(value).append(", 7]");
  Report report;
  Reader in(text, report);
  EXPECT_TRUE(in.enter_array() && in.next_element());
  read_one(in);
  EXPECT_TRUE(in.next_element());
  EXPECT_EQ(in.integer(0, 10), 7) << value;
  EXPECT_FALSE(in.next_element());
  std::vector<Fault> faults, warnings;
  report.settle(text, faults, warnings);
  return faults;
}

constexpr std::string_view kValues[] = {"1",
                                        "-1.5",
                                        "\"a\"",
                                        "true",
                                        "false",
                                        "null",
                                        "[]",
                                        "{}",
                                        "[[1],{\"a\":{}}]",
                                        "{\"a\":[1,2],\"b\":{\"c\":3}}"};

TEST(Reader, EveryReadConsumesOneValueOfAnyType) {
  for (const std::string_view value : kValues) {
    reading(value, [](Reader& in) { in.skip(); });
    reading(value, [](Reader& in) { in.integer(0, 5); });
    reading(value, [](Reader& in) { in.micros(0, 5); });
    reading(value, [](Reader& in) { in.flag(); });
    reading(value, [](Reader& in) {
      std::string text;
      in.text(text);
    });
    reading(value, [](Reader& in) { in.wrong("b"); });
    reading(value, [](Reader& in) {
      for (Members members(in); members.next();) in.skip();
    });
  }
}

TEST(Reader, NamesWhatItFoundAndWhatIsAllowed) {
  const auto integer = [](Reader& in) { EXPECT_EQ(in.integer(1, 16), std::nullopt); };
  const auto found = [&](std::string_view value) { return reading(value, integer).at(0).found; };
  EXPECT_EQ(found("0"), "0");
  EXPECT_EQ(found("1.0"), "1.0");
  EXPECT_EQ(found("\"x\""), "\"x\"");
  EXPECT_EQ(found("[1]"), "a list");
  EXPECT_EQ(found("{}"), "an object");
  EXPECT_EQ(found("null"), "null");
  EXPECT_EQ(reading("17", integer).at(0).allowed, "an integer from 1 to 16");
}

TEST(Reader, DecimalsBecomeMillionths) {
  EXPECT_TRUE(reading("0.995", [](Reader& in) { EXPECT_EQ(in.micros(0, 1'000'000), 995'000); }).empty());
  EXPECT_TRUE(reading("1", [](Reader& in) { EXPECT_EQ(in.micros(0, 1'000'000), 1'000'000); }).empty());
  EXPECT_EQ(reading("1.000001", [](Reader& in) { in.micros(0, 1'000'000); }).at(0).allowed,
            "a number from 0 to 1");
}

TEST(Reader, EscapedTextIsTheTextItStandsFor) {
  reading("\"a\\u0062\\n\"", [](Reader& in) {
    EXPECT_TRUE(in.is_string("ab\n"));
    std::string text;
    EXPECT_TRUE(in.text(text));
    EXPECT_EQ(text, "ab\n");
  });
}

TEST(Reader, NearestIsATypoAwayOrNothing) {
  const Names known = {"weight", "priority", "high"};
  EXPECT_EQ(nearest("wieght", known), "weight");
  EXPECT_EQ(nearest("Priority", known), "priority");
  EXPECT_EQ(nearest("hgih", known), "high");
  EXPECT_EQ(nearest("provider", known), "");
  EXPECT_EQ(nearest("", known), "");
  EXPECT_EQ(listed(known), "weight, priority or high");
}

}  // namespace
}  // namespace shunt::config
