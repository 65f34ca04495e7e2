// performance_first: the better of two weighted draws, so never the worst of many, and not always the best.
#include <gtest/gtest.h>

#include <map>

#include "core/route/samples.h"
#include "route/strategy.h"

namespace shunt::route {
namespace {

std::map<Places, int> firsts(const std::vector<LineView>& views) {
  std::map<Places, int> seen;
  for (std::uint64_t seed = 0; seed < kSome; ++seed)
    ++seen[{ordered(views, seed, Strategy::performance_first)[0]}];
  return seen;
}

// Three equal weights, a faster than b faster than c: a pair with a comes up in two of three.
TEST(PerformanceFirst, TheBetterOfTwoDrawsIsFirst) {
  auto views = lines({1, 1, 1});
  views[0].ttft_micros = 100;
  views[1].ttft_micros = 200;
  views[2].ttft_micros = 300;
  const auto seen = firsts(views);
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_LT(chi_square(seen, {{{0}, 2.0 / 3}, {{1}, 1.0 / 3}}), kChi1);
}

// Weights 2, 1, 1: the pair b c comes up with 1/4 x 1/3, twice.
TEST(PerformanceFirst, BothDrawsAreByWeight) {
  auto views = lines({2, 1, 1});
  views[0].ttft_micros = 100;
  views[1].ttft_micros = 200;
  views[2].ttft_micros = 300;
  const auto seen = firsts(views);
  EXPECT_LT(chi_square(seen, {{{0}, 5.0 / 6}, {{1}, 1.0 / 6}}), kChi1);
}

// The first place by two draws, those after it by weight alone.
TEST(PerformanceFirst, TheRestIsDrawnByWeight) {
  auto views = lines({1, 60, 40, 0});
  for (LineView& view : views) view.ttft_micros = 500;
  views[0].weight = 1000000;  // nearly always one of the two
  views[0].ttft_micros = 1;
  std::map<Places, int> seen;
  int all = 0;
  for (std::uint64_t seed = 0; seed < kSome; ++seed) {
    const Places order = ordered(views, seed, Strategy::performance_first);
    EXPECT_EQ(order[3], 3);
    if (order[0] != 0) continue;
    ++seen[{order[1]}];
    ++all;
  }
  EXPECT_GT(all, kSome - 1000);
  EXPECT_NEAR(seen[{1}], 0.6 * all, 3 * 219);  // three times sqrt(n p q)
}

}  // namespace
}  // namespace shunt::route
