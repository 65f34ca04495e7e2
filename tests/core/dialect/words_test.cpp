// Rows of words.
#include "dialect/words.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

enum class Colour : std::uint8_t { red, green };
constexpr Word kColours[] = {{"red", Colour::red}, {"green", Colour::green}, {"verde", Colour::green}};

TEST(FindWord, SaysWhatTheWholeTextMeans) {
  EXPECT_EQ(find_word(kColours, "red"), static_cast<int>(Colour::red));
  EXPECT_EQ(find_word(kColours, "verde"), static_cast<int>(Colour::green));
  EXPECT_EQ(find_word(kColours, "gree"), kNoWord);
  EXPECT_EQ(find_word(kColours, "Red"), kNoWord);
  EXPECT_EQ(find_word(kColours, ""), kNoWord);
}

}  // namespace
}  // namespace shunt::dialect::test
