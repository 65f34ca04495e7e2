// Templates of JSON and what goes into them.
#include "dialect/fill.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

TEST(Fill, PutsTextEscapedNumbersAndRawJson) {
  std::string out;
  fill(out, R"({"a":"$",)", std::string_view("q\"$"));
  fill(out, R"("n":$,)", std::int64_t{-3});
  fill(out, R"("s":"$",)", std::string("x"));
  fill_raw(out, R"("r":$})", "{\"k\":\r\n1}");
  EXPECT_EQ(out, R"({"a":"q\"$","n":-3,"s":"x","r":{"k":  1}})");
}

TEST(Fill, AnEmptyValueNeedsNoPlace) {
  std::string out;
  fill(out, R"("code":null)", std::string_view());
  EXPECT_EQ(out, R"("code":null)");
}

}  // namespace
}  // namespace shunt::dialect::test
