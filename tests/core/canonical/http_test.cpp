// Header blocks: which lines count, what a value is, and that what is appended reads back.
#include "canonical/http.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

TEST(HeaderBlock, ReadsBackWhatWasAppended) {
  std::string lines;
  append_header(lines, "a", "1");
  append_header(lines, "b", "");
  EXPECT_EQ(lines, "a: 1\nb: \n");
  EXPECT_EQ(HeaderBlock(lines).get("a"), "1");
}

}  // namespace
}  // namespace shunt
