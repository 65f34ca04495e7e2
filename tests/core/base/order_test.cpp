// The core's one stable sort, against the library's.
#include "base/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/rng.h"

namespace shunt {
namespace {

TEST(Order, IsTheLibrarysStableSort) {
  for (std::uint32_t size = 0; size < 200; ++size) {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < size; ++i) {
      keys.push_back(draw_below(size, Draw::route, i, 10));
      numbers.push_back(i);
    }
    auto want = numbers;
    const auto before = [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; };
    std::stable_sort(want.begin(), want.end(), before);
    stable_order(numbers, before);
    EXPECT_EQ(numbers, want) << size;
  }
}

}  // namespace
}  // namespace shunt
