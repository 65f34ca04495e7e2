// Bottom-up merge sort.
#include "base/order.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace shunt {

void stable_order(std::span<std::uint32_t> numbers, Before before, const void* context) {
  const std::size_t count = numbers.size();
  std::vector<std::uint32_t> merged(count);
  for (std::size_t run = 1; run < count; run *= 2) {
    for (std::size_t begin = 0; begin < count; begin += 2 * run) {
      const std::size_t middle = std::min(begin + run, count);
      const std::size_t end = std::min(begin + 2 * run, count);
      std::size_t left = begin;
      std::size_t right = middle;
      for (std::size_t at = begin; at < end; ++at) {
        // The right one goes first only when it is strictly ahead: that is what keeps equals in order.
        const bool take_right =
            left == middle || (right < end && before(context, numbers[right], numbers[left]));
        merged[at] = numbers[take_right ? right++ : left++];
      }
    }
    std::copy(merged.begin(), merged.end(), numbers.begin());
  }
}

}  // namespace shunt
