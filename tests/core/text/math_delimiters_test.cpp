// Math delimiters: what changes, what stays, and the same for every split.
#include "text/math_delimiters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "core/fuzz.h"
#include "samples.h"

namespace shunt::text {
namespace {

std::string fed(MathDelimiters& math, std::string_view text) {
  std::string out;
  math.feed(text, out);
  return out;
}

std::string whole(std::string_view text) {
  MathDelimiters math;
  std::string out = fed(math, text);
  math.finish(out);
  return out;
}

const std::vector<std::pair<std::string, std::string>> kCases = {
    {R"(a \(x\) b)", "a $x$ b"},
    {R"(\[ x \])", "$$ x $$"},
    {"\\[\nx \\\\[2pt] y\n\\]", "$$\nx \\\\[2pt] y\n$$"},
    {R"(\\(x\\) and \\[2pt])", R"(\\(x\\) and \\[2pt])"},
    {R"(open \(x)", R"(open \(x)"},
    {R"(close x\) y\])", R"(close x\) y\])"},
    {R"(\(a \[b\])", R"(\(a $$b$$)"},
    {R"(\(a\] b\))", R"($a\] b$)"},
    {"\\(a\n\nb\\)", "\\(a\n\nb\\)"},
    {"`\\(x\\)` \\(y\\)", "`\\(x\\)` $y$"},
    {"``a ` \\(x\\)`` \\(y\\)", "``a ` \\(x\\)`` $y$"},
    {"`open\n\n\\(y\\)", "`open\n\n$y$"},
    {"\\` \\(y\\)", "\\` $y$"},
    {"```tex\n\\(x\\)\n``` no end\n```\n\\(y\\)", "```tex\n\\(x\\)\n``` no end\n```\n$y$"},
    {"  ~~~\n\\[x\\]\n  ~~~~  \n\\[y\\]", "  ~~~\n\\[x\\]\n  ~~~~  \n$$y$$"},
    {"~~struck~~ \\(y\\)", "~~struck~~ $y$"},
    {"```\\(x\\)``` \\(y\\)", "```\\(x\\)``` $y$"},
    {"````\n```\n\\(x\\)\n````\n\\(y\\)", "````\n```\n\\(x\\)\n````\n$y$"},
    {"\\(a `b\\)` c\\)", "\\(a `b\\)` c\\)"},
    {"\\", "\\"},
    {"\\(\\text{~~} x\\)", "$\\text{~~} x$"},
};

TEST(MathDelimiters, WhatChangesAndWhatStays) {
  for (const auto& [text, out] : kCases) EXPECT_EQ(whole(text), out) << text;
}

TEST(MathDelimiters, EverySplitIsTheSame) {
  for (const auto& [text, out] : kCases) {
    for (std::size_t first = 0; first <= text.size(); ++first) {
      for (std::size_t second = first; second <= text.size(); ++second) {
        MathDelimiters math;
        std::string got;
        math.feed(std::string_view(text).substr(0, first), got);
        math.feed(std::string_view(text).substr(first, second - first), got);
        math.feed(std::string_view(text).substr(second), got);
        math.finish(got);
        ASSERT_EQ(got, out) << text << " at " << first << ", " << second;
      }
    }
  }
}

TEST(MathDelimiters, PlainTextIsNotHeldBack) {
  MathDelimiters math;
  EXPECT_EQ(fed(math, "one `two` three"), "one `two` three");
  EXPECT_EQ(fed(math, "\\"), "");
  EXPECT_EQ(fed(math, "n"), "\\n");
}

TEST(MathDelimiters, AFormulaBeyondTheLimitGoesOutAsItCame) {
  const std::string fits = "\\(" + std::string(limits::kMathBytes - 2, 'x') + "\\)";
  EXPECT_EQ(whole(fits), "$" + std::string(limits::kMathBytes - 2, 'x') + "$");
  const std::string over = "\\(" + std::string(limits::kMathBytes - 1, 'x') + "\\)";
  EXPECT_EQ(whole(over), over);
  MathDelimiters math;
  EXPECT_EQ(fed(math, over.substr(0, over.size() - 2)), over.substr(0, over.size() - 2));
}

// What was held back is given out, and the next text begins at a line's start outside any code.
TEST(MathDelimiters, AfterTheEndItBeginsAnew) {
  MathDelimiters math;
  std::string out;
  math.feed("```\n\\(a", out);
  math.finish(out);
  math.feed("\\(b\\)", out);
  math.finish(out);
  EXPECT_EQ(out, "```\n\\(a$b$");
}

TEST(MathFuzz, AnyTextInAnyPieces) {
  constexpr std::string_view kPieces[] = {"\\(", "\\)", "\\[", "\\]", "\\",   "`", "```",
                                          "~~~", "\n",  " ",   "x",   "\n\n", "é"};
  fuzz_runs("math delimiters", 20000, [&](Dice& dice) {
    std::string text;
    for (std::size_t left = dice.below(20); left > 0; --left) text += dice.of(kPieces);
    MathDelimiters math;
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t count = std::min(text.size() - at, 1 + dice.below(4));
      math.feed(std::string_view(text).substr(at, count), out);
      at += count;
    }
    math.finish(out);
    ASSERT_EQ(out, whole(text)) << text;
  });
}

}  // namespace
}  // namespace shunt::text
