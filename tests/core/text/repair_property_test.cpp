// What holds of repair for any text: the output is JSON, valid JSON keeps its value, twice is once, time is
// linear.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/limits.h"
#include "core/fuzz.h"
#include "samples.h"

namespace shunt::text {
namespace {

TEST(RepairProperty, ValidJsonKeepsItsValue) {
  Dice dice(1);
  for (int run = 0; run < 4000; ++run) {
    const Json value = random_json(dice, 4);
    const std::string text = dice.below(2) == 0 ? value.dump() : value.dump(2);
    const auto json = repair_json(text);
    ASSERT_TRUE(json) << text;
    ASSERT_EQ(parsed(*json), value) << text;
  }
}

TEST(RepairProperty, OneSlipInPlainJsonLosesNothing) {
  const Json value = {
      {"name", "Ann"}, {"tags", {"x", "y z"}}, {"n", -1.5}, {"o", {{"k", nullptr}, {"t", true}}}};
  const std::string text = value.dump();
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != ',' && text[at] != ':') continue;
    std::string without = text;
    without[at] = ' ';
    EXPECT_EQ(parsed(repaired(without)), value) << without;
    EXPECT_EQ(parsed(repaired(std::string(text).insert(at, "/* c */"))), value) << at;
  }
}

TEST(RepairFuzz, OutputIsJsonAndTwiceIsOnce) {
  fuzz_runs("JSON repair", 20000, [](Dice& dice) {
    RepairOptions options;
    options.latex = dice.below(4) == 0;
    const std::string text = broken(dice, random_json(dice, 3).dump());
    const auto json = repair_json(text, options);
    if (!json) return;
    ASSERT_FALSE(parsed(*json).is_discarded()) << text << "\n" << *json;
    ASSERT_EQ(repair_json(*json), json) << text;
  });
}

std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

// Steps are bytes looked at ahead; reading itself passes each byte a fixed number of times.
TEST(RepairProperty, TimeIsLinear) {
  constexpr std::string_view kShapes[] = {"\"",         "\\",
                                          "{",          "[",
                                          "/*",         "\" /*",
                                          "//",         "'a",
                                          "\"a,[",      "{\"a\":",
                                          "a{",         "\"a\" ",
                                          "\"a\n",      "{x ",
                                          "\"{\"",      "\",\"",
                                          "[\"x\" y",   "` ",
                                          "```",        "(",
                                          "f(",         "\"a\":\"b ",
                                          ", a",        "\"a, b: \"",
                                          "\\\"",       "“",
                                          "&quot;",     "{\"a\",",
                                          "\"+",        "<think>",
                                          "[1,",        "]}",
                                          "{\"a\":{\"", "# \"",
                                          "...",        "\"\\ud83d",
                                          "\xE2\x80",   "{\"a\":\"x, \"",
                                          "\"a\"/",     "{\"k\": \"{\"k\": ",
                                          "\"a (b\") ", "{a:b c, d ",
                                          "\"a\" \"",   "1 ",
                                          "{\"a\":1}",  "=",
                                          "{\"a\" b"};
  for (const std::string_view shape : kShapes) {
    for (const std::size_t bytes : {1000U, 10000U, 100000U, 1000000U}) {
      std::size_t steps = 0;
      const std::string text = repeated(shape, bytes);
      repair_json(text, {}, &steps);
      EXPECT_LE(steps, 30 * text.size()) << shape << " × " << bytes;
      if (steps > 30 * text.size()) break;
    }
  }
}

TEST(RepairProperty, DepthIsBounded) {
  const std::size_t most = limits::kRepairDepth;
  EXPECT_EQ(repaired(std::string(most, '[')), std::string(most, '[') + std::string(most, ']'));
  EXPECT_EQ(repaired(std::string(most + 1, '[')), "nothing");
  EXPECT_EQ(repaired(repeated("{\"a\":", 5 * (most + 1))), "nothing");
  EXPECT_EQ(repaired(repeated("[", 1000000)), "nothing");
}

}  // namespace
}  // namespace shunt::text
