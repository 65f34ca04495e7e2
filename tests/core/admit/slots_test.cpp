// Slots against a list of leases, and what a lost or a late holder does.
#include "admit/slots.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/limits.h"
#include "core/admit/slow.h"
#include "core/dice.h"

namespace shunt::admit {
namespace {

struct Held {
  Slots::Id id;
  std::size_t lease;
};

// Some steps of one pair; every id ever given may be used again, long after.
void run(Dice& dice, Slots& slots, std::size_t most) {
  SlowSlots slow;
  std::vector<Held> given;
  std::int64_t now = static_cast<std::int64_t>(dice.below(2'000)) - 1'000;
  for (int i = 0; i < 300; ++i) {
    now += static_cast<std::int64_t>(dice.below(20));
    const std::int64_t end = now + static_cast<std::int64_t>(dice.below(120)) - 5;
    ASSERT_EQ(slots.count({now}), slow.count(now));
    if (given.empty() || dice.below(2) == 0) {
      const bool room = slow.count(now) < most;
      const Slots::Id id = slots.take({now}, {end});
      ASSERT_EQ(static_cast<bool>(id), room);
      if (room) given.push_back({id, slow.take(now, end)});
      continue;
    }
    const Held held = given[dice.below(given.size())];
    switch (dice.below(3)) {
      case 0: ASSERT_EQ(slots.renew(held.id, {end}), slow.renew(held.lease, end)); break;
      case 1:
        slots.give_back(held.id);
        slow.give_back(held.lease);
        break;
      default: slow.count(now); ASSERT_EQ(slots.first_end({now}).ms, slow.first_end());
    }
  }
}

TEST(Slots, AgreeWithAListOfLeases) {
  Dice dice(5);
  for (int round = 0; round < 500; ++round) {
    const std::size_t most = 1 + dice.below(12);
    Slots slots(static_cast<std::int64_t>(most));
    run(dice, slots, most);
    ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "round " << round;
    EXPECT_LE(slots.memory(), 16 * sizeof(Slots::Id) * 2);  // no more slots than the limit, in powers of two
  }
}

TEST(Slots, ALostHoldersSlotIsFreeAtItsEnd) {
  Slots slots(1);
  const Slots::Id lost = slots.take({0}, {100});
  EXPECT_FALSE(slots.take({99}, {500}));
  const Slots::Id next = slots.take({100}, {500});
  ASSERT_TRUE(next);
  slots.give_back(lost);  // late: it is somebody else's now
  EXPECT_FALSE(slots.renew(lost, {900}));
  EXPECT_EQ(slots.count({200}), 1U);
  EXPECT_TRUE(slots.full({200}));
  slots.give_back(next);
  slots.give_back(next);
  EXPECT_EQ(slots.count({200}), 0U);
}

TEST(Slots, RenewingKeepsASlot) {
  Slots slots(1);
  const Slots::Id id = slots.take({0}, {100});
  EXPECT_TRUE(slots.renew(id, {300}));
  EXPECT_FALSE(slots.take({299}, {500}));
  EXPECT_TRUE(slots.take({300}, {500}));
}

TEST(Slots, WithoutALimitTheyAreCountedUpToTheBoundOfAll) {
  Slots slots;
  const auto bound = static_cast<std::uint32_t>(limits::kExchanges);
  for (std::uint32_t i = 0; i < bound; ++i) ASSERT_TRUE(slots.take({0}, {10}));
  EXPECT_FALSE(slots.take({0}, {10}));
  EXPECT_EQ(slots.count({9}), bound);
  EXPECT_EQ(slots.count({10}), 0U);
  EXPECT_TRUE(slots.take({10}, kNever));
  EXPECT_EQ(Slots(std::numeric_limits<std::int64_t>::max()).most(), bound);
}

TEST(Slots, IdsOfNobodyDoNothing) {
  Slots slots(3);
  slots.give_back({});
  slots.give_back({7, 0});
  EXPECT_FALSE(slots.renew({}, {5}));
  EXPECT_EQ(slots.count({0}), 0U);
  EXPECT_EQ(slots.first_end({0}), kNever);
}

}  // namespace
}  // namespace shunt::admit
