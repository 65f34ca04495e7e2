// Every transform of text, whole and in pieces, over texts made to be hard: time is linear in the bytes.
#include <gtest/gtest.h>

#include "core/linear.h"
#include "samples.h"
#include "text/math_delimiters.h"
#include "text/think_tags.h"

namespace shunt::text {
namespace {

constexpr std::string_view kShapes[] = {
    "x",          "word ",       "\"",          "\\",        "{",       "[",        "{\"a\":",
    "/*",         "'a",          "\"a,[",       "{\"a\":1}", "\"\\\"",  "\"a\n",    "[1,",
    "]}",         "`",           "```",         "``` \n",    "<think>", "<",        "</think>",
    "<think",     "\\(",         "\\)",         "\\(x\\)",   "\\[",     "\\[x\\]",  "\\(\n\n",
    "$",          "~~~\n",       "`\\(x\\)`",   "\\\\",      "1 ",      "1e",       "null,",
    "&quot;",     "\xE2\x80",    "\"\\ud83d\"", "“",         ", a",     "\"a\" \"", "{\"k\": \"{\"k\": ",
    "\"a\":\"b ", "{\"a\":[\"x", "//\n",        "{a:b c, d "};

// `work(text, piece)`: all of it, so many bytes at a time.
template <typename Work>
void check(const Work& work) {
  for (const std::string_view shape : kShapes) {
    for (const std::size_t piece : {std::size_t{65'536}, std::size_t{5}}) {
      expect_linear(
          std::string(shape) + ", pieces of " + std::to_string(piece),
          [&](std::size_t bytes) { return shunt::repeated({}, shape, {}, bytes); },
          [&](const std::string& text) { work(text, piece); });
    }
  }
}

template <typename Feed>
void each_piece(std::string_view text, std::size_t piece, const Feed& feed) {
  for (std::size_t at = 0; at < text.size(); at += piece) feed(text.substr(at, piece));
}

TEST(TextLinear, Repair) {
  for (const std::string_view shape : kShapes) {
    expect_linear(
        std::string(shape), [&](std::size_t bytes) { return shunt::repeated({}, shape, {}, bytes); },
        [](const std::string& text) { repair_json(text); });
  }
}

TEST(TextLinear, Partial) {
  check([](std::string_view text, std::size_t piece) {
    PartialJson json;
    each_piece(text, piece, [&](std::string_view part) {
      json.feed(part);
      EXPECT_LE(json.closing().size(), json.settled().size() + 1);
    });
  });
}

TEST(TextLinear, MathDelimiters) {
  check([](std::string_view text, std::size_t piece) {
    MathDelimiters math;
    std::string out;
    each_piece(text, piece, [&](std::string_view part) { math.feed(part, out); });
    math.finish(out);
    EXPECT_LE(out.size(), text.size());
  });
}

TEST(TextLinear, ThinkTags) {
  for (const bool opened : {false, true}) {
    check([&](std::string_view text, std::size_t piece) {
      ThinkTags think;
      if (opened) think.opened();
      std::size_t bytes = 0;
      TextPiece out;
      each_piece(text, piece, [&](std::string_view part) {
        while (think.next(part, out)) bytes += out.text.size();
      });
      if (think.finish(out)) bytes += out.text.size();
      EXPECT_LE(bytes, text.size());
    });
  }
}

}  // namespace
}  // namespace shunt::text
