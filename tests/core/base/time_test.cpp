// Instants and durations.
#include "base/time.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace shunt {
namespace {

TEST(Time, Arithmetic) {
  const Instant start{1000};
  EXPECT_EQ(start + seconds(2), Instant{3000});
  EXPECT_EQ(start - milliseconds(1), Instant{999});
  EXPECT_EQ(start - Instant{1500}, milliseconds(-500));
  EXPECT_EQ(seconds(2) + milliseconds(5) - milliseconds(1), milliseconds(2004));
  EXPECT_EQ(seconds(2) * 3, seconds(6));
}

TEST(Time, NeverIsLaterThanEveryDeadline) {
  EXPECT_EQ(std::min(kNever, Instant{5}), Instant{5});
  EXPECT_LT(WallTime{1}, WallTime{2});
}

}  // namespace
}  // namespace shunt
