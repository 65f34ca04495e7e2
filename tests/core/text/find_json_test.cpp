// Where JSON begins in what a model wrote.
#include "text/find_json.h"

#include <gtest/gtest.h>

#include <string>

namespace shunt::text {
namespace {

TEST(FindJson, BracketsOfProseAreNone) {
  for (const char* prose : {"Use {x}.", "[link](u)", "{a, b}", "f(x)", ""}) {
    EXPECT_EQ(find_json(prose, 0, false), std::string_view::npos) << prose;
  }
  for (const char* json :
       {"a {\"b\"", "a {'b'", "a {b: 1", "a {}", "a [1", "a [{", "a [\"b", "a [true", "a [", "a {"}) {
    EXPECT_EQ(find_json(json, 0, false), 2U) << json;
  }
}

TEST(FindJson, BehindAFence) {
  EXPECT_EQ(find_json("a {b:1} ```json\n{c:2}\n```", 0, true), 16U);
  EXPECT_EQ(find_json("~~~\n(1, 2)\n~~~", 0, true), 4U);
  EXPECT_EQ(find_json("```sh\nls\n```", 0, true), std::string_view::npos);
}

TEST(FindJson, Disguises) {
  EXPECT_EQ(undisguised(R"({\"a\": \"b\\n\"})"), R"({"a": "b\n"})");
  EXPECT_EQ(undisguised(R"({\n  \"a\": 1\n})"), "{\n  \"a\": 1\n}");
  EXPECT_EQ(undisguised("[&quot;a &amp; b&quot;]"), R"(["a & b"])");
  EXPECT_FALSE(undisguised(R"({"a": "&quot;"})"));
}

TEST(FindJson, Wrapping) {
  EXPECT_EQ(unwrapped("<think>{x}</think>\n{a:1}"), "{a:1}");
  EXPECT_EQ(unwrapped("{a:1}\n```\n"), "{a:1}\n");
  EXPECT_EQ(unwrapped("[```json\n{}```]"), "```json\n{}```]");
  EXPECT_EQ(unwrapped("{\"a\":\"``"), "{\"a\":\"``");
}

}  // namespace
}  // namespace shunt::text
