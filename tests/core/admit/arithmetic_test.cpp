// Sums at the ends of 64 bits, and shares against a wide product.
#include "admit/arithmetic.h"

#include <gtest/gtest.h>

#include "core/dice.h"

namespace shunt::admit {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(Arithmetic, SumsStopAtTheEnds) {
  EXPECT_EQ(sum(kMax, 1), kMax);
  EXPECT_EQ(sum(kMin, -1), kMin);
  EXPECT_EQ(sum(kMin, kMax), -1);
  EXPECT_EQ(later(kNever, 5), kNever);
  EXPECT_EQ(span({kMin}, {kMax}).ms, kMax);
  EXPECT_EQ(span({kMax}, {kMin}).ms, kMin);
  EXPECT_EQ(span({0}, {kMin}).ms, kMin);
  EXPECT_EQ(span({3}, {10}).ms, 7);
}

TEST(Arithmetic, StepsRoundUp) {
  EXPECT_EQ(steps(0, 7), 0);
  EXPECT_EQ(steps(7, 7), 1);
  EXPECT_EQ(steps(8, 7), 2);
  EXPECT_EQ(steps(kMax, 1), kMax);
}

TEST(Arithmetic, SharesAreThoseOfAWideProduct) {
  __extension__ using Wide = __int128;
  Dice dice(3);
  for (int i = 0; i < 100'000; ++i) {
    const std::int64_t whole = 1 + (static_cast<std::int64_t>(dice.below(1U << 30U)) << dice.below(29));
    const std::int64_t left = static_cast<std::int64_t>(dice.below(static_cast<std::size_t>(whole)));
    ASSERT_EQ(share_micros(left, whole), static_cast<std::int64_t>(Wide{left} * 1'000'000 / whole));
  }
  EXPECT_EQ(share_micros(-1, 5), 0);
  EXPECT_EQ(share_micros(9, 5), 1'000'000);
  EXPECT_EQ(share_micros((std::int64_t{1} << 59) - 1, std::int64_t{1} << 59), 999'999);
}

}  // namespace
}  // namespace shunt::admit
