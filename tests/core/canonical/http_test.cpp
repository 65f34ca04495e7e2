// Header blocks: which lines count, what a value is, and that what is appended reads back.
#include "canonical/http.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "core/dice.h"

namespace shunt {
namespace {

TEST(HeaderBlock, GivesTheFirstValueTrimmed) {
  const HeaderBlock block("content-type:  text/plain \nretry-after: 1\nretry-after: 2\nempty:\n");
  EXPECT_EQ(block.get("content-type"), "text/plain");
  EXPECT_EQ(block.get("retry-after"), "1");
  EXPECT_EQ(block.get("empty"), "");
  EXPECT_EQ(block.get("absent"), "");
  EXPECT_EQ(HeaderBlock().get("absent"), "");
}

TEST(HeaderBlock, NamesAreFoundInAnyCase) {
  EXPECT_EQ(HeaderBlock("Content-Type: a\n").get("content-type"), "a");
}

// An empty first value is a value: the second does not stand in for it.
TEST(HeaderBlock, AnEmptyValueIsTheFirstOne) { EXPECT_EQ(HeaderBlock("a:\na: 1\n").get("a"), ""); }

TEST(HeaderBlock, VisitsWellFormedLinesInOrder) {
  std::vector<std::string> seen;
  HeaderBlock("b: 1\nno colon\n: no name\n\na: x: y").each([&](auto name, auto value) {
    seen.push_back(std::string(name) + "=" + std::string(value));
  });
  EXPECT_EQ(seen, (std::vector<std::string>{"b=1", "a=x: y"}));
}

// Line by line, as they are defined.
std::vector<std::string> slow_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) continue;
    lines.push_back(joined({trim(line.substr(0, colon)), "=", trim(line.substr(colon + 1))}));
  }
  return lines;
}

TEST(HeaderBlock, AgreesWithASlowReaderWhereverLinesEnd) {
  for (std::uint64_t round = 0; round < 20000; ++round) {
    Dice dice(round);
    std::string text;
    for (std::size_t size = dice.below(90); text.size() < size;) text.push_back("ab :\n"[dice.below(5)]);
    std::vector<std::string> seen;
    HeaderBlock(text).each([&seen](auto name, auto value) { seen.push_back(joined({name, "=", value})); });
    ASSERT_EQ(seen, slow_lines(text)) << text;
  }
}

TEST(HeaderBlock, ReadsBackWhatWasAppended) {
  std::string lines;
  append_header(lines, "a", "1");
  append_header(lines, "b", "");
  EXPECT_EQ(lines, "a: 1\nb: \n");
  EXPECT_EQ(HeaderBlock(lines).get("a"), "1");
}

}  // namespace
}  // namespace shunt
