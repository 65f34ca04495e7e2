// A value or an error.
#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace shunt {
namespace {

Result<int, std::string> half(int n) {
  if (n % 2 != 0) return std::string("odd");
  return n / 2;
}

TEST(Result, HoldsAValueOrAnError) {
  EXPECT_TRUE(half(4));
  EXPECT_EQ(half(4).value(), 2);
  EXPECT_FALSE(half(3));
  EXPECT_EQ(half(3).error(), "odd");
}

TEST(Result, CarriesMoveOnlyValues) {
  Result<std::unique_ptr<int>, int> result(std::make_unique<int>(7));
  const std::unique_ptr<int> taken = std::move(result.value());
  EXPECT_EQ(*taken, 7);
}

TEST(ResultDeathTest, TheWrongSideTraps) {
  EXPECT_DEATH(static_cast<void>(half(3).value()), "");
  EXPECT_DEATH(static_cast<void>(half(4).error()), "");
}

}  // namespace
}  // namespace shunt
