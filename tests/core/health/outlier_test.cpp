// The outlier rule of the design to the letter: cases O1 to O3.
#include "health/outlier.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/rng.h"

namespace shunt::health {
namespace {

using Siblings = std::vector<Sibling>;

// Success rates in percent, of 100 calls each.
Siblings rates(std::initializer_list<std::uint32_t> percents) {
  Siblings all;
  for (const std::uint32_t percent : percents) all.push_back({100, 100 - percent, false});
  return all;
}

std::vector<std::size_t> outliers(const Siblings& siblings, const OutlierRule& rule = kOutlier) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    if (is_outlier(siblings, i, rule)) found.push_back(i);
  }
  return found;
}
using Found = std::vector<std::size_t>;

// Envoy's example {50, 100, 100, 100, 100} gives a threshold of 52 with the line itself in mean and
// deviation. DESIGN §5 leaves it out: mean 100, deviation taken as 5 points, threshold 90.5.
TEST(Outlier, O1_PopulationDeviationOfTheOtherLines) {
  EXPECT_EQ(outliers(rates({50, 100, 100, 100, 100})), Found{0});
  EXPECT_EQ(outliers(rates({90, 100, 100, 100, 100})), Found{0});
  EXPECT_EQ(outliers(rates({91, 100, 100, 100, 100})), Found{});
}

// Others 60, 80, 100: mean 80, population deviation 16.33 (the sample's would be 20), threshold 48.97.
TEST(Outlier, O1_ADeviationAboveTheLeastIsThePopulations) {
  EXPECT_EQ(outliers(rates({48, 60, 80, 100})), Found{0});
  EXPECT_EQ(outliers(rates({49, 60, 80, 100})), Found{});
}

TEST(Outlier, BelowIsStrict) {
  Siblings at_threshold = {{1000, 95, false}, {100, 0, false}, {100, 0, false}};  // 90.5 %
  EXPECT_EQ(outliers(at_threshold), Found{});
  at_threshold[0].failures = 96;
  EXPECT_EQ(outliers(at_threshold), Found{0});
}

TEST(Outlier, O2_FromThreeLinesUp) {
  EXPECT_EQ(outliers(rates({0, 100})), Found{});
  EXPECT_EQ(outliers(rates({0, 100, 100})), Found{0});
  EXPECT_EQ(outliers(rates({0, 100, 100, 100, 100})), Found{0});
}

TEST(Outlier, O2_NeverMoreThanAllButOneOut) {
  Siblings five = rates({0, 100, 100, 100, 100});
  for (std::size_t i = 1; i < 4; ++i) five[i].out = true;
  EXPECT_EQ(outliers(five), Found{0}) << "the fifth stays in";
  five[4].out = true;
  EXPECT_EQ(outliers(five), Found{}) << "all others are out";
}

TEST(Outlier, O2_TenCallsAreNeededAndTwoOthersThatHaveThem) {
  Siblings three = {{9, 9, false}, {10, 0, false}, {10, 0, false}};
  EXPECT_EQ(outliers(three), Found{});
  three[0] = {10, 10, false};
  EXPECT_EQ(outliers(three), Found{0});
  three[2] = {9, 0, false};
  EXPECT_EQ(outliers(three), Found{}) << "one line is no mean of others";
}

TEST(Outlier, O3_TheWorstGoesFirstAndEqualsInConfigurationOrder) {
  Siblings nine = rates({100, 40, 40, 100, 100, 100, 100, 100, 100});
  EXPECT_EQ(outliers(nine), (Found{1, 2}));
  for (const std::size_t i : {0U, 3U, 4U, 5U, 6U, 7U, 8U}) nine[i].out = true;
  EXPECT_EQ(outliers(nine), Found{1}) << "one may go: the first of the equals";
  nine[2].failures = 61;
  EXPECT_EQ(outliers(nine), Found{2}) << "one may go: the worse";
}

TEST(Outlier, ManyEqualLinesNeverGo) {
  for (const std::uint32_t percent : {0U, 50U, 100U})
    EXPECT_EQ(outliers(Siblings(500, {100, percent, false})), Found{});
}

// The same rule in rational arithmetic over the widest type, without roots: an independent oracle.
bool below(const Siblings& all, std::size_t self) {
  const auto rate = [&](std::size_t i) {
    return std::int64_t{all[i].calls - all[i].failures} * 1'000'000 / all[i].calls;
  };
  std::vector<std::int64_t> others;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != self && all[i].calls >= 10) others.push_back(rate(i));
  }
  if (all[self].calls < 10 || others.size() < 2) return false;
  const auto n = static_cast<std::int64_t>(others.size());
  const std::int64_t sum = std::accumulate(others.begin(), others.end(), std::int64_t{0});
  long double variance = 0;
  for (const std::int64_t r : others) {
    const long double off =
        static_cast<long double>(r) - static_cast<long double>(sum) / static_cast<long double>(n);
    variance += off * off / static_cast<long double>(n);
  }
  const long double least = 50'000.0L * 50'000.0L;
  const long double gap =
      static_cast<long double>(sum) / static_cast<long double>(n) - static_cast<long double>(rate(self));
  return gap > 0 && gap * gap > 1.9L * 1.9L * (variance > least ? variance : least);
}

TEST(Outlier, AgreesWithAnOracleOnRandomGroups) {
  int fired = 0;
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    Siblings all(3 + mix64(seed) % 6);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::uint64_t r = mix64(seed * 16 + i + 1);
      all[i].calls = static_cast<std::uint32_t>(r % 60);
      all[i].failures = static_cast<std::uint32_t>((r >> 8U) % (all[i].calls + 1)) / (r % 3 == 0 ? 1 : 12);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool found = is_outlier(all, i, kOutlier);
      ASSERT_EQ(found, below(all, i)) << "seed " << seed << " line " << i;
      fired += found ? 1 : 0;
    }
  }
  EXPECT_GT(fired, 10'000);
}

}  // namespace
}  // namespace shunt::health
