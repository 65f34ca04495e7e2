// The wait queue against a plain list, and its laws: first come first served inside a class, no class before
// a higher one, bounded, and nobody who is gone holds up the others.
#include "admit/queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/dice.h"

namespace shunt::admit {
namespace {

using enum PriorityClass;
constexpr Resource kSlot{1, 0};
constexpr Resource kTurn{2, 7};

Queue::Waiter waiter(PriorityClass priority, std::uint32_t owner = 0, Resource resource = kSlot) {
  return {owner, priority, resource, kNever};
}

struct Plain {
  Queue::Waiter waiter;
  Queue::Ticket ticket;
  std::int64_t polled;
};

bool goes_before(const Plain& a, const Plain& b) {
  if (!(a.waiter.resource == b.waiter.resource)) return false;
  if (a.waiter.priority != b.waiter.priority) return a.waiter.priority > b.waiter.priority;
  return a.ticket < b.ticket;
}

class Both {
 public:
  Both(Dice& dice, std::size_t size) : dice_(dice), size_(size), queue_(size) {}

  void step() {
    now_ += static_cast<std::int64_t>(dice_.below(dice_.below(20) == 0 ? 3'000 : 60));
    const Resource resource{static_cast<std::uint32_t>(dice_.below(2)),
                            static_cast<std::uint32_t>(dice_.below(2))};
    const auto priority = static_cast<PriorityClass>(dice_.below(3));
    const std::size_t which = given_.empty() ? 0 : dice_.below(given_.size());
    const Queue::Ticket ticket = given_.empty() ? 0 : given_[which];
    switch (dice_.below(7)) {
      case 0:
      case 1: return join({static_cast<std::uint32_t>(dice_.below(1'000)), priority, resource, end()});
      case 2:
        queue_.leave(ticket);
        std::erase_if(list_, [ticket](const Plain& p) { return p.ticket == ticket; });
        return;
      case 3: return poll(ticket);
      case 4:
        ASSERT_EQ(queue_.may_barge(resource, priority, {now_}), count_at_least(resource, priority) == 0);
        return;
      case 5: ASSERT_EQ(queue_.waiting({now_}), reclaimed().size()); return;
      default: return next(resource);
    }
  }

 private:
  Instant end() {
    return dice_.below(3) == 0 ? kNever : Instant{now_ + static_cast<std::int64_t>(dice_.below(6'000))};
  }
  std::vector<Plain>& reclaimed() {
    std::erase_if(list_,
                  [this](const Plain& p) { return p.waiter.end.ms <= now_ || now_ - p.polled > 2'000; });
    return list_;
  }
  std::int64_t count_at_least(Resource resource, PriorityClass priority) {
    const auto& list = reclaimed();
    return std::count_if(list.begin(), list.end(), [&](const Plain& p) {
      return p.waiter.resource == resource && p.waiter.priority >= priority;
    });
  }
  void join(const Queue::Waiter& who) {
    bool room = reclaimed().size() < size_;
    if (!room) {  // the last of the lowest class, if that is below the newcomer's
      auto lowest = list_.end();
      for (auto it = list_.begin(); it != list_.end(); ++it) {
        if (lowest == list_.end() || it->waiter.priority <= lowest->waiter.priority) lowest = it;
      }
      if (lowest != list_.end() && lowest->waiter.priority < who.priority) {
        list_.erase(lowest);
        room = true;
      }
    }
    const Queue::Ticket ticket = queue_.join(who, {now_});
    ASSERT_EQ(ticket != 0, room);
    if (!room) return;
    given_.push_back(ticket);
    list_.push_back({who, ticket, now_});
  }
  void poll(Queue::Ticket ticket) {
    for (Plain& p : list_) {
      if (p.ticket == ticket) p.polled = now_;
    }
    const auto& list = reclaimed();
    const auto own =
        std::find_if(list.begin(), list.end(), [&](const Plain& p) { return p.ticket == ticket; });
    const bool waits = own != list.end();
    std::int64_t before = 0;
    if (waits)
      before = std::count_if(list.begin(), list.end(), [&](const Plain& p) { return goes_before(p, *own); });
    switch (dice_.below(3)) {
      case 0: ASSERT_EQ(queue_.touch(ticket, {now_}), waits); return;
      case 1: ASSERT_EQ(queue_.is_turn(ticket, {now_}), waits && before == 0); return;
      default:
        ASSERT_EQ(queue_.place(ticket, {now_}),
                  waits ? std::optional(static_cast<std::size_t>(before)) : std::nullopt);
    }
  }
  void next(Resource resource) {
    const Plain* best = nullptr;
    for (const Plain& p : reclaimed()) {
      if (p.waiter.resource == resource && (best == nullptr || goes_before(p, *best))) best = &p;
    }
    ASSERT_EQ(queue_.next(resource, {now_}),
              best != nullptr ? std::optional(best->waiter.owner) : std::nullopt);
  }

  Dice& dice_;
  std::size_t size_;
  Queue queue_;
  std::int64_t now_ = -5'000;
  std::vector<Plain> list_;
  std::vector<Queue::Ticket> given_;
};

TEST(Queue, AgreesWithAPlainList) {
  Dice dice(29);
  for (int round = 0; round < 300; ++round) {
    Both both(dice, dice.below(12));
    for (int i = 0; i < 500 && !HasFailure(); ++i) both.step();
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST(Queue, FirstComeFirstServedInsideAClass) {
  Queue queue(100);
  std::vector<Queue::Ticket> tickets;
  for (std::uint32_t i = 0; i < 100; ++i) tickets.push_back(queue.join(waiter(normal, i), {0}));
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(queue.next(kSlot, {0}), i);
    EXPECT_TRUE(queue.is_turn(tickets[i], {0}));
    EXPECT_EQ(queue.is_turn(tickets.back(), {0}), i == 99);
    queue.leave(tickets[i]);
  }
}

TEST(Queue, NoLowerClassGoesWhileAHigherOneWaitsForTheSame) {
  Queue queue(10);
  const Queue::Ticket low_one = queue.join(waiter(low, 1), {0});
  EXPECT_TRUE(queue.is_turn(low_one, {0}));
  const Queue::Ticket high_one = queue.join(waiter(high, 2), {1});
  EXPECT_FALSE(queue.is_turn(low_one, {1}));
  EXPECT_TRUE(queue.is_turn(high_one, {1}));
  EXPECT_EQ(queue.next(kSlot, {1}), 2U);
  EXPECT_EQ(queue.place(low_one, {1}), 1U);
  EXPECT_FALSE(queue.may_barge(kSlot, low, {1}));
  EXPECT_FALSE(queue.may_barge(kSlot, high, {1}));
  queue.leave(high_one);
  EXPECT_TRUE(queue.may_barge(kSlot, high, {1}));  // only a low one waits
  EXPECT_FALSE(queue.may_barge(kSlot, low, {1}));
  EXPECT_TRUE(queue.is_turn(low_one, {1}));
}

TEST(Queue, ResourcesDoNotHoldUpEachOther) {
  Queue queue(10);
  queue.join(waiter(high, 1, kSlot), {0});
  const Queue::Ticket other = queue.join(waiter(low, 2, kTurn), {0});
  EXPECT_TRUE(queue.is_turn(other, {0}));
  EXPECT_EQ(queue.next(kTurn, {0}), 2U);
  EXPECT_TRUE(queue.may_barge({1, 1}, low, {0}));
  EXPECT_FALSE(queue.next({1, 1}, {0}));
}

TEST(Queue, WhoIsSilentForTwoSecondsOrPastTheEndIsDropped) {
  Queue queue(10);
  Queue::Waiter brief = waiter(high, 1);
  brief.end = {500};
  queue.join(brief, {0});
  queue.join(waiter(normal, 2), {0});  // never polls
  const Queue::Ticket last = queue.join(waiter(normal, 3), {0});
  EXPECT_EQ(queue.place(last, {499}), 2U);
  EXPECT_EQ(queue.place(last, {500}), 1U);
  EXPECT_EQ(queue.place(last, {2'000}), 1U);
  EXPECT_TRUE(queue.is_turn(last, {2'001}));
  EXPECT_EQ(queue.waiting({4'001}), 1U);
  EXPECT_EQ(queue.waiting({4'002}), 0U);
  EXPECT_FALSE(queue.is_turn(last, {4'002}));
  EXPECT_FALSE(queue.touch(last, {4'002}));
}

TEST(Queue, WhoPollsLateButBeforeAllOthersIsNotLost) {
  Queue queue(10);
  const Queue::Ticket ticket = queue.join(waiter(normal, 1), {0});
  EXPECT_TRUE(queue.is_turn(ticket, {60'000}));
}

TEST(Queue, HoldsNoMoreThanItsSize) {
  Queue queue(2);
  const Queue::Ticket first = queue.join(waiter(low), {0});
  EXPECT_NE(queue.join(waiter(low), {0}), 0U);
  EXPECT_EQ(queue.join(waiter(low), {0}), 0U);
  queue.leave(first);
  queue.leave(first);
  EXPECT_NE(queue.join(waiter(low), {0}), 0U);
  EXPECT_EQ(Queue(0).join(waiter(high), {0}), 0U);
  Queue large(std::numeric_limits<std::size_t>::max());
  std::size_t joined = 0;
  while (joined < kMostWaiters + 5 && large.join(waiter(low), {0}) != 0) ++joined;
  EXPECT_EQ(joined, kMostWaiters);
}

TEST(Queue, AFullQueueDropsTheLastOfALowerClass) {
  Queue queue(3);
  const Queue::Ticket first = queue.join(waiter(low, 1), {0});
  const Queue::Ticket middle = queue.join(waiter(normal, 2, kTurn), {0});
  const Queue::Ticket last = queue.join(waiter(low, 3), {0});
  EXPECT_EQ(queue.join(waiter(low, 4), {0}), 0U);
  EXPECT_NE(queue.join(waiter(normal, 5), {0}), 0U);
  EXPECT_FALSE(queue.touch(last, {0}));
  EXPECT_TRUE(queue.touch(first, {0}));
  EXPECT_NE(queue.join(waiter(high, 6), {0}), 0U);
  EXPECT_FALSE(queue.touch(first, {0}));
  EXPECT_NE(queue.join(waiter(high, 7), {0}), 0U);  // the last normal one goes, who came after the first
  EXPECT_TRUE(queue.touch(middle, {0}));
  EXPECT_NE(queue.join(waiter(high, 8), {0}), 0U);
  EXPECT_FALSE(queue.touch(middle, {0}));
  EXPECT_EQ(queue.join(waiter(high, 9), {0}), 0U);
  EXPECT_EQ(queue.waiting({0}), 3U);
}

TEST(Queue, AClockThatGoesBackLosesNobody) {
  Queue queue(3);
  const Queue::Ticket ticket = queue.join(waiter(normal, 1), {10'000});
  EXPECT_TRUE(queue.is_turn(ticket, {5'000}));
  EXPECT_EQ(queue.waiting({12'000}), 1U);
  EXPECT_EQ(queue.waiting({std::numeric_limits<std::int64_t>::min()}), 1U);
}

// Three slots, each request runs 10 ms; whoever waits polls each ms: all of a class are served in order, and
// a high one waits no longer than for the next slot.
TEST(Queue, AFloodOfLowOnesDelaysNoHighOne) {
  struct Request {
    PriorityClass priority;
    Queue::Ticket ticket;
    std::int64_t came;
  };
  Queue queue(1'000);
  std::vector<Request> waiting;
  std::vector<std::int64_t> running;
  Queue::Ticket last_low = 0;
  std::size_t served_low = 0;
  for (std::int64_t now = 0; now < 600; ++now) {
    std::erase_if(running, [now](std::int64_t end) { return end <= now; });
    const PriorityClass arriving = now % 100 == 50 ? high : low;
    if (now % 2 == 0) {
      waiting.push_back({arriving, queue.join(waiter(arriving), {now}), now});
      ASSERT_NE(waiting.back().ticket, 0U);
    }
    for (std::size_t i = waiting.size(); i-- > 0;) {  // polled in an unkind order
      const Request request = waiting[i];
      if (!queue.is_turn(request.ticket, {now}) || running.size() == 3) continue;
      running.push_back(now + 10);
      queue.leave(request.ticket);
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
      if (request.priority == high) {
        ASSERT_LE(now - request.came, 10);
      } else {
        ASSERT_GT(request.ticket, last_low);
        last_low = request.ticket;
        ++served_low;
      }
    }
  }
  EXPECT_GT(served_low, 150U);
}

}  // namespace
}  // namespace shunt::admit
