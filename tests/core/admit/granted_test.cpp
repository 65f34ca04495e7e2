// Granted tokens against a list of blocks: spent once, dead after 10 s, debts paid first.
#include "admit/granted.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/dice.h"

namespace shunt::admit {
namespace {

TEST(Granted, ABlockLivesForTenSeconds) {
  Granted granted;
  granted.add(10, {-500});
  EXPECT_EQ(granted.level({9'499}), 10);
  EXPECT_EQ(granted.level({9'500}), 0);
  granted.add(4, {9'500});
  EXPECT_EQ(granted.level({19'499}), 4);
}

TEST(Granted, DebtsArePaidFirstAndDoNotExpire) {
  Granted granted;
  granted.add(10, {0});
  granted.take(25, {0});
  EXPECT_EQ(granted.level({60'000}), -15);
  granted.add(20, {60'000});
  EXPECT_EQ(granted.level({60'000}), 5);
}

struct Block {
  std::int64_t tokens;
  std::int64_t came;
};

std::int64_t alive(const std::vector<Block>& blocks, std::int64_t now, std::int64_t life) {
  std::int64_t out = 0;
  for (const Block& block : blocks) out += now < block.came + life ? block.tokens : 0;
  return out;
}

// Never more than the blocks of the last 10 s hold, the oldest spent first; never less than those of the
// last 5.
TEST(Granted, HoldsNoTokenForLongerThanTenSecondsAndLosesNoneBeforeFive) {
  Dice dice(19);
  for (int round = 0; round < 400; ++round) {
    Granted granted;
    std::vector<Block> most;
    std::vector<Block> least;
    std::int64_t now = static_cast<std::int64_t>(dice.below(4'000)) - 2'000;
    const std::size_t gap = 1 + dice.below(4'000);
    for (int i = 0; i < 300; ++i) {
      now += static_cast<std::int64_t>(dice.below(gap));
      const std::int64_t level = granted.level({now});
      ASSERT_LE(level, alive(most, now, 10'000)) << "round " << round << " step " << i;
      ASSERT_GE(level, alive(least, now, 5'000)) << "round " << round << " step " << i;
      const auto n = static_cast<std::int64_t>(dice.below(50));
      if (dice.below(2) == 0) {
        granted.add(n, {now});
        most.push_back({n, now});
        least.push_back({n, now});
        continue;
      }
      std::int64_t due = std::min(n, level);
      granted.take(due, {now});
      // In the best case what dies last is left, in the worst what is spent was to live.
      std::int64_t rest = due;
      for (Block& block : most) {
        if (now >= block.came + 10'000) continue;
        const std::int64_t part = std::min(rest, block.tokens);
        block.tokens -= part;
        rest -= part;
      }
      for (auto block = least.rbegin(); block != least.rend(); ++block) {
        const std::int64_t part = std::min(due, block->tokens);
        block->tokens -= part;
        due -= part;
      }
    }
  }
}

TEST(Granted, TheExtremesDoNotOverflow) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  Granted granted;
  for (int i = 0; i < 100; ++i) granted.add(kMax, {kMax});
  EXPECT_GT(granted.level({kMax - 1}), 0);
  for (int i = 0; i < 5'000; ++i) granted.take(kMax, {kMax});
  EXPECT_LT(granted.level({kMax}), 0);
  granted.add(-5, {0});
  granted.take(-5, {0});
}

}  // namespace
}  // namespace shunt::admit
