// Draws without state: their values are part of recorded decisions.
#include "base/rng.h"

#include <gtest/gtest.h>

#include <array>

namespace shunt {
namespace {

// The first outputs of the reference splitmix64 seeded with 0: mix64 of its successive states.
TEST(Rng, Mix64IsSplitmix64) {
  EXPECT_EQ(mix64(0), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(mix64(0x9E3779B97F4A7C15ULL), 0x6E789E6AA1B965F4ULL);
  EXPECT_EQ(mix64(2 * 0x9E3779B97F4A7C15ULL), 0x06C45D188009454FULL);
}

TEST(Rng, ADrawDependsOnSeedPurposeAndCounterOnly) {
  EXPECT_EQ(draw(1, Draw::route, 2), draw(1, Draw::route, 2));
  EXPECT_NE(draw(1, Draw::route, 2), draw(2, Draw::route, 2));
  EXPECT_NE(draw(1, Draw::route, 2), draw(1, Draw::backoff_jitter, 2));
  EXPECT_NE(draw(1, Draw::route, 2), draw(1, Draw::route, 3));
}

TEST(Rng, DrawsBelowABoundAreUniform) {
  std::array<int, 7> counts{};
  constexpr int kDraws = 70000;
  for (std::uint64_t i = 0; i < kDraws; ++i) ++counts[draw_below(42, Draw::route, i, 7)];
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 7, 500);  // five standard deviations
  EXPECT_EQ(draw_below(42, Draw::route, 1, 1), 0U);
}

}  // namespace
}  // namespace shunt
