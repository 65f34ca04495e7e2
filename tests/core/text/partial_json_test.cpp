// The beginning of a JSON text at every moment: the policy as a table, and what holds for any text and split.
#include "text/partial_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/limits.h"
#include "core/fuzz.h"
#include "samples.h"

namespace shunt::text {
namespace {

struct Case {
  std::string text;
  std::string json;  // "nothing" when nothing is offered
};

void check(const std::vector<Case>& cases, RepairOptions options = {}) {
  for (const auto& [text, json] : cases) EXPECT_EQ(partial(text, options).value_or("nothing"), json) << text;
}

TEST(PartialJson, ValuesAreWholeOrLeftOut) {
  check({{R"({"a": 1, "b)", R"({"a":1})"},
         {R"({"a":)", "{}"},
         {R"({"a": 12)", "{}"},
         {R"({"a": 12,)", R"({"a":12})"},
         {R"({"a": 12 )", R"({"a":12})"},
         {"[2, 3, 4", "[2,3]"},
         {"[1, 2e", "[1]"},
         {R"({"a": tr)", R"({"a":true})"},
         {"[n", "[null]"},
         {R"([1, {"a": [)", R"([1,{"a":[]}])"},
         {"", "nothing"},
         {" \n", "nothing"}});
}

TEST(PartialJson, StringsMayBeCut) {
  check({{R"({"a": "he)", R"({"a":"he"})"},
         {R"({"a": ")", R"({"a":""})"},
         {R"("x\)", R"("x")"},
         {R"("x\u00e)", R"("x")"},
         {R"("x\ud83d)", R"("x")"},
         {R"("x\ud83d\ude00)", R"("x\ud83d\ude00")"},
         {"\"x\xE2\x82", R"("x")"}});
}

TEST(PartialJson, HalfAPairBecomesAReplacement) {
  check({{"\"\\ud83dx\"", "\"\xEF\xBF\xBDx\""},
         {"\"\\ud83d\"", "\"\xEF\xBF\xBD\""},
         {"\"\\ude00\"", "\"\xEF\xBF\xBD\""},
         {"\"\\ud83d\\ud83d\\ude00\"", "\"\xEF\xBF\xBD\\ud83d\\ude00\""},
         {"\"\xFFx\"", "\"\xEF\xBF\xBDx\""}});
}

TEST(PartialJson, ANumberAloneIsShownAsFarAsItIsOne) {
  check({{"1", "1"}, {"12.", "12"}, {"-1e+", "-1"}, {"-", "nothing"}, {"12 ", "12"}, {"1e999", "\"1e999\""}});
}

TEST(PartialJson, AFenceAndRawControlsAreForgiven) {
  check({{"```json\n{\"a\": \"x", R"({"a":"x"})"},
         {"```\n[1]\n```\nDone.", "[1]"},
         {"\xEF\xBB\xBF[1", "[]"},
         {"[\"a\nb", R"(["a\nb"])"}});
}

TEST(PartialJson, WhatNoJsonTextHasIsMalformed) {
  for (const char* text :
       {"{]", "[1,]", "{\"a\":1,}", "{a", "nulx", "{\"a\" 1", "1.2.3", "-01", "+1", "[1] [2]", "'a", "\"\\x",
        "\"\\u12G", "[1]x", "[1] ```", "/* c */", "]", "``[", "[,"}) {
    PartialJson json;
    json.feed(text);
    EXPECT_TRUE(json.malformed()) << text;
    EXPECT_FALSE(json.completed()) << text;
  }
}

TEST(PartialJson, LatexWaitsForTheEndOfTheWord) {
  RepairOptions latex;
  latex.latex = true;
  check({{R"({"m": "\fra)", R"({"m":""})"},
         {R"({"m": "\frac{)", R"({"m":"\\frac{"})"},
         {R"({"m": "\nNext)", R"({"m":""})"},
         {R"({"m": "\nNext )", R"({"m":"\nNext "})"},
         {R"({"m": "\alpha\beta")", R"({"m":"\\alpha\\beta"})"}},
        latex);
}

TEST(PartialJson, DepthIsBounded) {
  const std::size_t most = limits::kRepairDepth;
  EXPECT_TRUE(partial(std::string(most, '[')));
  EXPECT_FALSE(partial(std::string(most + 1, '[')));
}

// Whatever has been shown of `before` stands in `after`: equal, but for an open string, which is extended,
// and open containers, which have more members.
bool extends(const Json& before, const Json& after) {
  if (before.is_string() && after.is_string()) {
    return after.get<std::string>().starts_with(before.get<std::string>());
  }
  if (before.is_object() && after.is_object()) {
    for (const auto& [key, value] : before.items()) {
      if (!after.contains(key) || !extends(value, after[key])) return false;
    }
    return true;
  }
  if (before.is_array() && after.is_array() && before.size() <= after.size()) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (!extends(before[i], after[i])) return false;
    }
    return true;
  }
  return before == after;
}

// An object with a key that stands twice: its reader keeps the last, so a value may seem to change.
bool has_a_key_twice(const std::string& json) {
  std::vector<std::set<std::string>> keys(1);
  bool twice = false;
  const auto note = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key) twice |= !keys.back().insert(value.get<std::string>()).second;
    return true;
  };
  const Json read = Json::parse(json, note, false);
  return twice || read.is_discarded();
}

// Feeds `text` in random pieces: at each cut the incremental result is that of the prefix at once, it parses,
// and settled() has only grown.
void check_growth(Dice& dice, const std::string& text, RepairOptions options) {
  PartialJson growing(options);
  std::string settled;
  std::optional<Json> shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t count = std::min(text.size() - at, 1 + dice.below(3));
    growing.feed(std::string_view(text).substr(at, count));
    at += count;
    const auto completed = growing.completed();
    ASSERT_EQ(completed, partial(std::string_view(text).substr(0, at), options)) << text.substr(0, at);
    ASSERT_TRUE(growing.settled().starts_with(settled)) << text.substr(0, at);
    settled = growing.settled();
    if (!completed) continue;
    const Json value = parsed(*completed);
    ASSERT_FALSE(value.is_discarded()) << text.substr(0, at) << "\n" << *completed;
    if (shown && !shown->is_number() && !has_a_key_twice(*completed)) {
      ASSERT_TRUE(extends(*shown, value)) << text.substr(0, at);
    }
    shown = value;
  }
}

TEST(PartialJson, EveryPrefixOfValidJsonIsOffered) {
  Dice dice(2);
  for (int run = 0; run < 400; ++run) {
    const Json value = random_json(dice, 4);
    const std::string text = dice.below(2) == 0 ? value.dump() : value.dump(2);
    check_growth(dice, text, {});
    EXPECT_EQ(parsed(partial(text).value_or("")), value) << text;
    for (std::size_t at = 1; at <= text.size(); ++at) {
      PartialJson json;
      json.feed(std::string_view(text).substr(0, at));
      ASSERT_FALSE(json.malformed()) << text.substr(0, at);
    }
  }
}

TEST(PartialFuzz, AnyTextInAnyPieces) {
  fuzz_runs("growing JSON", 4000, [](Dice& dice) {
    RepairOptions options;
    options.latex = dice.below(2) == 0;
    check_growth(dice, broken(dice, random_json(dice, 3).dump()), options);
  });
}

TEST(PartialJson, WhatIsHeldBackIsAKeyOrATokenOnly) {
  PartialJson json;
  json.feed("{\"a\":\"");
  const std::size_t before = json.settled().size();
  for (int i = 0; i < 100000; ++i) json.feed("x");
  EXPECT_EQ(json.settled().size(), before + 100000);
  EXPECT_EQ(json.closing(), "\"}");
}

}  // namespace
}  // namespace shunt::text
