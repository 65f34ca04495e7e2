// The JSON readers, whole and in slices, over documents made to be hard: time is linear in the bytes.
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/json_writer.h"
#include "base/outline.h"
#include "core/linear.h"

namespace shunt::json {
namespace {

struct Shape {
  const char *before, *unit, *after;
};
constexpr Shape kShapes[] = {
    {"\"", "x", "\""},
    {"\"", "\\n", "\""},
    {"\"", "\\ud83d", "\""},
    {"[", "1,", "2]"},
    {"[", "\"\\\"\",", "2]"},
    {"[", "[],", "[]]"},
    {"", "[", ""},
    {"", "{\"a\":", ""},
    {"{", "\"k#\":1,", "\"z\":2}"},
    {"{", "\"k\":1,", "\"k\":2}"},
    {"{\"messages\":[", "{\"content\":\"x\"},", "{}]}"},
    {"", " ", "1"},
    {"", "9", ""},
    {"[", "{\"a\":{\"b\":[1,{}]}},", "0]"},
    {"\"", "\xC3\xA9", "\""},
    {"\"", "\xFF", "\""},
};

template <typename Work>
void check(const char* what, const Work& work) {
  for (const Shape& each : kShapes) {
    expect_linear(
        std::string(what) + ": " + each.before + " (" + each.unit + ")* " + each.after,
        [&](std::size_t bytes) { return repeated(each.before, each.unit, each.after, bytes); }, work);
  }
}

void walk(Cursor& cursor, int depth) {
  std::string_view key;
  if (depth < 64 && cursor.peek() == Kind::object && cursor.enter_object()) {
    while (cursor.next_key(key)) walk(cursor, depth + 1);
  } else if (depth < 64 && cursor.peek() == Kind::array && cursor.enter_array()) {
    while (cursor.next_element()) walk(cursor, depth + 1);
  } else {
    cursor.skip();
  }
}

TEST(JsonLinear, Valid) {
  check("valid", [](const std::string& text) { valid(text); });
}

TEST(JsonLinear, Cursor) {
  check("cursor", [](const std::string& text) {
    Cursor cursor(text);
    walk(cursor, 0);
  });
}

TEST(JsonLinear, Outline) {
  for (const std::size_t slice : {std::size_t{65'536}, std::size_t{7}}) {
    check("outline", [&](const std::string& text) {
      Outline outline;
      for (std::size_t at = 0; at < text.size(); at += slice)
        outline.feed(std::string_view(text).substr(at, slice), at + slice >= text.size());
      if (!outline.empty()) outline.duplicate(0);
    });
  }
}

TEST(JsonLinear, Strings) {
  check("unescape", [](const std::string& text) {
    std::string plain, again;
    unescape(std::string_view(text).substr(1, text.size() - 2), plain);
    append_escaped(again, plain);
    EXPECT_LE(again.size(), 6 * text.size());
  });
}

}  // namespace
}  // namespace shunt::json
