// The bounded wait queue: who may go next where somebody must wait. Knows neither what is waited for nor what
// a waiter is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "canonical/quota.h"

namespace shunt::admit {

// What is waited for: a small number for the kind (the caller's own), and which of the kind.
struct Resource {
  std::uint32_t kind = 0;
  std::uint32_t id = 0;
  friend bool operator==(const Resource&, const Resource&) = default;
};

// For each resource: higher classes first, inside a class who came first. Waiters sleep on timers of their
// own and poll; one whose end has come, or that has not polled for 2 s, is dropped by whoever asks next.
class Queue {
 public:
  using Ticket = std::uint64_t;  // never used twice; 0 = none

  struct Waiter {
    std::uint32_t owner = 0;  // whom to wake
    PriorityClass priority = PriorityClass::normal;
    Resource resource;
    Instant end;  // it waits no longer
  };

  explicit Queue(std::size_t size);  // waiters of all resources together; at most kMostWaiters

  // Behind all of its class. A full queue drops the last of the lowest class, if that is a lower one: a flood
  // of low ones shuts no high one out. 0 = it is full of others.
  Ticket join(const Waiter& waiter, Instant now);
  void leave(Ticket ticket);  // it goes, or gives up; twice is once. Then wake next()
  // A poll. False: it has been dropped.
  bool touch(Ticket ticket, Instant now);
  // A poll too: nobody goes before it. False also when it has been dropped.
  bool is_turn(Ticket ticket, Instant now) { return place(ticket, now) == std::size_t{0}; }
  // A poll too: how many go before it; none = it has been dropped.
  std::optional<std::size_t> place(Ticket ticket, Instant now);
  bool empty() const { return entries_.empty(); }
  // A newcomer of this class need not queue: nobody of its class or above waits for the resource.
  bool may_barge(Resource resource, PriorityClass priority, Instant now);
  // Whose turn it is: the owner to wake.
  std::optional<std::uint32_t> next(Resource resource, Instant now);
  std::size_t waiting(Instant now);

 private:
  struct Entry {
    Waiter waiter;
    Ticket ticket = 0;
    Instant polled;
  };

  Entry* find(Ticket ticket);
  bool make_room(PriorityClass priority);
  void drop_lost(Instant now);

  std::vector<Entry> entries_;  // in the order they came
  std::size_t size_;
  Ticket last_ = 0;
};

inline constexpr std::size_t kMostWaiters = 4'096;
inline constexpr std::int64_t kSilenceMs = 2'000;  // a waiter polls at least so often

}  // namespace shunt::admit
