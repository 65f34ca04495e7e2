// The inner layer against a slow quota per line: when a line may be called, what is with it, what is left.
#include "admit/line_limits.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/admit/slow_quota.h"
#include "core/dice.h"

namespace shunt::admit {
namespace {

constexpr std::int64_t kNoon = 20'000 * kDayMs + kDayMs / 2;

struct Held {
  LinePermit permit;
  SlowQuota::Taken taken;
};

void run(Dice& dice) {
  constexpr std::int64_t kRatesSeen[] = {0, 30, 600};
  constexpr std::int64_t kSlots[] = {0, 1, 4};
  constexpr std::int64_t kDays[] = {0, 0, 4'000};
  std::vector<Quota> quotas;
  std::vector<SlowQuota> slow;
  std::int64_t now = 0;
  for (int i = 0; i < 4; ++i) {
    quotas.push_back({dice.of(kRatesSeen), dice.of(kRatesSeen) * 50, dice.of(kSlots), dice.of(kDays), 0});
    slow.emplace_back(quotas.back(), now);
  }
  LineLimits lines(quotas);
  std::vector<Held> held;
  for (int i = 0; i < 600; ++i) {
    now += static_cast<std::int64_t>(dice.below(dice.below(5) == 0 ? 10'000 : 60));
    const auto line = static_cast<std::uint32_t>(dice.below(4));
    const Use use{static_cast<std::int64_t>(dice.below(70)), static_cast<std::int64_t>(dice.below(50))};
    const WallTime wall{kNoon + now};
    const std::int64_t end = now + 1 + static_cast<std::int64_t>(dice.below(9'000));
    const Look look = lines.look(line, use, {{now}, wall});
    ASSERT_EQ(look.in_flight, slow[line].in_flight(now));
    const std::string lacking = slow[line].lacks(use, now, wall.ms);
    ASSERT_EQ(look.until.ms <= now, lacking.empty()) << lacking << look.until.ms - now;
    if (!lacking.empty() && look.until != kNever) {  // with nothing else happening, it is exact
      const std::int64_t then = look.until.ms;
      LineLimits early = lines;
      ASSERT_GT(early.look(line, use, {{then - 1}, {kNoon + then - 1}}).until.ms, then - 1) << lacking;
      ASSERT_TRUE(early.take(line, use, {{then}, {kNoon + then}}, {end})) << lacking;
    }
    auto permit = lines.take(line, use, {{now}, wall}, {end});
    ASSERT_EQ(permit.has_value(), lacking.empty());
    if (permit) held.push_back({*permit, slow[line].take(use, now, wall.ms, end)});
    if (held.empty() || dice.below(3) == 0) continue;
    const std::size_t which = dice.below(held.size());
    Held& done = held[which];
    SlowQuota& its = slow[done.permit.line];
    if (dice.below(3) == 0) {
      ASSERT_EQ(lines.renew(done.permit, {end}), its.renew(done.taken, end));
      continue;
    }
    const bool sent = dice.below(3) != 0;
    its.settle(done.taken, sent ? use : Use{}, now, sent);
    if (sent) lines.settle(done.permit, use, {{now}, wall});
    lines.cancel(done.permit, {{now}, wall});  // after a settlement: nothing more
    held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
  }
}

TEST(LineLimits, AgreeWithSlowQuotas) {
  Dice dice(17);
  for (int round = 0; round < 250; ++round) {
    run(dice);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST(LineLimits, InFlightIsCountedOnEveryLineAndSurvivesLostOnes) {
  LineLimits lines({Quota{}, Quota{.concurrency = 9}});
  for (std::uint32_t line = 0; line < 2; ++line) {
    LinePermit permit = lines.take(line, {}, {{0}, {0}}, {100}).value();
    lines.take(line, {}, {{0}, {0}}, {200});
    lines.take(line, {}, {{0}, {0}}, {300});
    EXPECT_EQ(lines.look(line, {}, {{99}, {0}}).in_flight, 3U);
    lines.settle(permit, {}, {{99}, {0}});
    lines.settle(permit, {}, {{99}, {0}});
    EXPECT_EQ(lines.look(line, {}, {{99}, {0}}).in_flight, 2U);
    EXPECT_EQ(lines.look(line, {}, {{200}, {0}}).in_flight, 1U);
  }
}

TEST(LineLimits, AFullLineIsFreeWhenTheFirstLeaseEnds) {
  LineLimits lines({Quota{.concurrency = 2}});
  ASSERT_TRUE(lines.take(0, {}, {{0}, {0}}, {700}));
  LinePermit renewed = lines.take(0, {}, {{0}, {0}}, {300}).value();
  ASSERT_TRUE(lines.renew(renewed, {900}));
  const Look look = lines.look(0, {}, {{10}, {0}});
  EXPECT_EQ(look.until.ms, 700);
  EXPECT_EQ(look.share_left_micros, 0);
}

TEST(LineLimits, ALineThatIsNotThereHasNone) {
  LineLimits lines({});
  auto permit = lines.take(3, {1, 1}, {{0}, {0}}, {5});
  ASSERT_TRUE(permit);
  EXPECT_TRUE(lines.renew(*permit, {9}));
  lines.settle(*permit, {}, {{0}, {0}});
  EXPECT_FALSE(lines.renew(*permit, {9}));
  EXPECT_EQ(lines.look(3, {}, {{4}, {0}}).until.ms, 4);
}

TEST(LineLimits, OnlyAShortSlotLeavesItsEndOpen) {
  Quota quota;
  quota.rpm = 10;
  quota.concurrency = 2;
  LineLimits limits({quota});
  const Times at{Instant{1000}, WallTime{1000}};
  auto first = limits.take(0, {}, at, at.now + seconds(90));
  ASSERT_TRUE(first);
  EXPECT_TRUE(limits.look(0, {}, at).sure) << "the next request may come in six seconds";
  const Times later{at.now + seconds(6), WallTime{7000}};
  ASSERT_TRUE(limits.take(0, {}, later, later.now + seconds(90)));
  const Look full = limits.look(0, {}, later);
  EXPECT_GT(full.until, later.now);
  EXPECT_FALSE(full.sure);
  limits.cancel(*first, later);
}

}  // namespace
}  // namespace shunt::admit
