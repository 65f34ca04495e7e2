// One value with everything in it: where reading stops, and what is refused.
#include "text/structure.h"

#include <gtest/gtest.h>

#include <string>

#include "base/limits.h"

namespace shunt::text {
namespace {

TEST(Structure, ReadsOneValueAndStopsBehindIt) {
  Source source("{a:1} rest");
  std::string out;
  ASSERT_TRUE(Structure(source, {}).read(out));
  EXPECT_EQ(out, R"({"a":1})");
  EXPECT_EQ(source.at, 5U);
}

TEST(Structure, GoesOnWithAnObjectClosedTooEarly) {
  Source source("\"b\":2}");
  std::string out = R"({"a":1})";
  ASSERT_TRUE(Structure(source, {}).read_on(out));
  EXPECT_EQ(out, R"({"a":1,"b":2})");
}

TEST(Structure, WhatCannotGoOnIsAsBefore) {
  Source source("\"b\":\"\\uZ\"}");
  std::string out = R"({"a":1})";
  EXPECT_FALSE(Structure(source, {}).read_on(out));
  EXPECT_EQ(out, R"({"a":1})");
}

TEST(Structure, SaysWhenItIsTooDeep) {
  const std::string text(limits::kRepairDepth + 1, '[');
  Source source(text);
  Structure structure(source, {});
  std::string out;
  EXPECT_FALSE(structure.read(out));
  EXPECT_TRUE(structure.too_deep());
}

}  // namespace
}  // namespace shunt::text
