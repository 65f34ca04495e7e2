// Packed tables read back as they were written.
#include "base/packed_texts.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace shunt {
namespace {

constexpr std::string_view kList = "one||three|\xE7\xA7\x92";
constexpr auto kPacked = packed_texts<ListTable<kList>>();

struct Mixed {
  template <typename Out>
  static constexpr void write(Out& out) {
    out.byte(200);
    out.text("");
    out.text("x");
    out.byte(0);
  }
};
constexpr auto kMixed = packed_texts<Mixed>();

TEST(PackedTexts, GiveTheListInItsOrder) {
  std::vector<std::string> got;
  for (PackedTexts texts(kPacked); !texts.empty();) got.emplace_back(texts.text());
  EXPECT_EQ(got, (std::vector<std::string>{"one", "", "three", "\xE7\xA7\x92"}));
}

TEST(PackedTexts, HoldBytesBetweenTexts) {
  PackedTexts texts(kMixed);
  EXPECT_EQ(texts.byte(), 200U);
  EXPECT_EQ(texts.text(), "");
  EXPECT_EQ(texts.text(), "x");
  EXPECT_EQ(texts.byte(), 0U);
  EXPECT_TRUE(texts.empty());
}

TEST(PackedTexts, AListHasAPartBetweenItsSigns) {
  std::vector<std::string> got;
  each_part("a|b|", [&got](std::string_view part) { got.emplace_back(part); });
  EXPECT_EQ(got, (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace shunt
