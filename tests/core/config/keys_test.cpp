// Tables of keys: what every object has in common, whatever it is read into.
#include "config/values.h"

#include <gtest/gtest.h>

namespace shunt::config {
namespace {

enum class Colour : std::uint8_t { red, blue };
struct Thing {
  int size = 0;
  Colour colour = Colour::red;
};
constexpr auto kThing = table<Thing>({
    {"size", integer<&Thing::size>(range<1, 9>), Stand::required},
    {"colour", word<&Thing::colour>("red ~blue")},
    {"spare", flag(), Stand::later},
});

struct Got {
  Thing thing;
  int keys = 0;
  std::vector<Fault> faults, warnings;
};

Got read(std::string_view text) {
  Got got;
  Report report;
  Reader in(text, report);
  got.keys = read_object(in, got.thing, kThing);
  report.settle(text, got.faults, got.warnings);
  return got;
}

TEST(Keys, AnObjectIsReadByItsTable) {
  const Got got = read(R"({"size":3,"colour":"red"})");
  EXPECT_EQ(got.keys, 2);
  EXPECT_EQ(got.thing.size, 3);
  EXPECT_TRUE(got.faults.empty() && got.warnings.empty());
}

TEST(Keys, MistakesAreFaultsAtTheirPlace) {
  struct Case {
    std::string_view text, path, found, suggestion;
  };
  for (const Case& c : {Case{R"({"size":3,"color":"red"})", "$.color", "unknown key \"color\"", "colour"},
                        Case{R"({"size":3,"size":4})", "$.size", "the key \"size\" a second time", ""},
                        Case{R"({"colour":"red"})", "$", "no \"size\"", ""},
                        Case{R"({"size":3,"colour":"rd"})", "$.colour", "\"rd\"", "red"}}) {
    const Got got = read(c.text);
    ASSERT_EQ(got.faults.size(), 1U) << c.text;
    EXPECT_EQ(got.faults[0].path, c.path);
    EXPECT_EQ(got.faults[0].found, c.found);
    EXPECT_EQ(got.faults[0].suggestion, c.suggestion);
  }
}

TEST(Keys, WhatIsNotInForceWarnsAndLeavesTheDefault) {
  const Got got = read(R"({"size":3,"colour":"blue","spare":true})");
  EXPECT_TRUE(got.faults.empty());
  EXPECT_EQ(got.warnings.size(), 2U);
  EXPECT_EQ(got.thing.colour, Colour::red);
}

TEST(Keys, WhatIsNoObjectHasNoKeys) {
  const Got got = read("[1]");
  EXPECT_EQ(got.keys, kNoObject);
  EXPECT_EQ(got.faults.size(), 1U);
}

}  // namespace
}  // namespace shunt::config
