// Members without a row, as extras.
#include "dialect/others.h"

#include <gtest/gtest.h>

namespace shunt::dialect {
namespace {

constexpr Member kRows[] = {{"known", 0}, {"typed", 1, true}};

TEST(Others, EveryMemberWithoutARowIsAnExtraUnderItsPrefix) {
  std::string block;
  Scratch scratch(block);
  const std::string object = R"({"a":[1],"known":2,"b\n":"x","c":null,"typed":{"d":3},"typed":"no"})";
  scratch.reset(object.size());
  EventList out;
  add_others(out, scratch, 7, "p.", object, kRows);
  ASSERT_EQ(out.size(), 3U);
  const std::string_view told[][2] = {{"p.a", "[1]"}, {"p.b\n", "\"x\""}, {"p.typed", R"({"d":3})"}};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto* extra = std::get_if<event::Extra>(&out[i]);
    ASSERT_NE(extra, nullptr);
    EXPECT_EQ(extra->choice, 7);
    EXPECT_EQ(extra->key, told[i][0]);
    EXPECT_EQ(extra->raw, told[i][1]);
  }
  add_others(out, scratch, 7, "p.", "[1]", kRows);
  EXPECT_EQ(out.size(), 3U);
}

}  // namespace
}  // namespace shunt::dialect
