// Prices times tokens.
#include "exchange/cost.h"

#include <gtest/gtest.h>

namespace shunt::exchange {
namespace {

Cost prices(std::optional<std::int64_t> input, std::optional<std::int64_t> output,
            std::optional<std::int64_t> cached = std::nullopt) {
  return {input, output, cached};
}

TEST(Cost, APricePerMillionTokensIsThousandthsOfItInNanoDollars) {
  // 2.5 dollars in and 10 out per million: 1000 in and 100 out are 2500 + 1000 micro-dollars.
  EXPECT_EQ(cost_nanos(prices(2'500'000, 10'000'000), 1000, 0, 100), 3'500'000);
}

TEST(Cost, WhatTheCacheReadHasItsOwnPriceOrThatOfAllInput) {
  EXPECT_EQ(cost_nanos(prices(2'500'000, 0, 1'250'000), 1000, 400, 0), 600 * 2500 + 400 * 1250);
  EXPECT_EQ(cost_nanos(prices(2'500'000, 0), 1000, 400, 0), 2'500'000);
  EXPECT_EQ(cost_nanos(prices(2'500'000, 0, 0), 1000, 5000, 0), 0) << "no more is cached than there is";
}

TEST(Cost, ALineWithoutPricesIsUnknownAndAFreeOneIsFree) {
  EXPECT_EQ(cost_nanos(prices(std::nullopt, std::nullopt), 1000, 0, 10), -1);
  EXPECT_EQ(cost_nanos(prices(0, 0), 1000, 0, 10), 0);
  EXPECT_EQ(cost_nanos(prices(std::nullopt, 1'000'000), 1000, 0, 10), 10'000);
}

TEST(Cost, NoCountAndNoPriceOverflows) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  EXPECT_GT(cost_nanos(prices(kHuge, kHuge, kHuge), kHuge, kHuge, kHuge), 0);
  EXPECT_EQ(cost_nanos(prices(5, 5), -kHuge, -kHuge, -kHuge), 0);
  Usage usage;
  usage.prompt = kHuge;
  usage.completion = kHuge;
  EXPECT_GT(tokens_of(usage), 0);
}

TEST(Cost, MicroDollarsAreRoundedUp) {
  Usage usage;
  usage.completion = 1;
  EXPECT_EQ(cost_micros(prices(0, 1), usage), 0) << "a thousandth of a nano-dollar is nothing";
  EXPECT_EQ(cost_micros(prices(0, 1000), usage), 1);
  EXPECT_EQ(cost_micros({}, usage), 0);
}

TEST(Cost, TokensOfAnAnswerAreItsTwoCountsElseTheirSum) {
  Usage usage;
  usage.total = 9;
  EXPECT_EQ(tokens_of(usage), 9);
  usage.prompt = 3;
  usage.completion = 4;
  EXPECT_EQ(tokens_of(usage), 7);
}

}  // namespace
}  // namespace shunt::exchange
