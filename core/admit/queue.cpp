// One vector in order of arrival, looked through at each question: queues are short.
#include "admit/queue.h"

#include <algorithm>

#include "admit/arithmetic.h"

namespace shunt::admit {

Queue::Queue(std::size_t size) : size_(std::min(size, kMostWaiters)) {}

Queue::Entry* Queue::find(Ticket ticket) {
  for (Entry& entry : entries_) {
    if (entry.ticket == ticket) return &entry;
  }
  return nullptr;
}

void Queue::drop_lost(Instant now) {
  std::erase_if(entries_, [now](const Entry& entry) {
    return entry.waiter.end <= now || now > later(entry.polled, kSilenceMs);
  });
}

bool Queue::make_room(PriorityClass priority) {
  const Entry* last = nullptr;
  for (const Entry& entry : entries_) {
    const PriorityClass theirs = entry.waiter.priority;
    if (theirs < priority && (last == nullptr || theirs <= last->waiter.priority)) last = &entry;
  }
  if (last == nullptr) return false;
  leave(last->ticket);
  return true;
}

Queue::Ticket Queue::join(const Waiter& waiter, Instant now) {
  if (waiting(now) >= size_ && !make_room(waiter.priority)) return 0;
  entries_.push_back({waiter, ++last_, now});
  return last_;
}

void Queue::leave(Ticket ticket) {
  if (Entry* entry = find(ticket)) entries_.erase(entries_.begin() + (entry - entries_.data()));
}

bool Queue::touch(Ticket ticket, Instant now) {
  // Who polls is not lost, however late.
  if (Entry* entry = find(ticket)) entry->polled = std::max(entry->polled, now);
  drop_lost(now);
  return find(ticket) != nullptr;
}

std::optional<std::size_t> Queue::place(Ticket ticket, Instant now) {
  if (!touch(ticket, now)) return {};
  const Entry& own = *find(ticket);
  std::size_t before = 0;
  for (const Entry& entry : entries_) {
    if (entry.waiter.resource != own.waiter.resource) continue;
    const PriorityClass theirs = entry.waiter.priority;
    const PriorityClass ours = own.waiter.priority;
    if (theirs > ours || (theirs == ours && entry.ticket < ticket)) ++before;
  }
  return before;
}

bool Queue::may_barge(Resource resource, PriorityClass priority, Instant now) {
  drop_lost(now);
  return std::none_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.waiter.resource == resource && entry.waiter.priority >= priority;
  });
}

std::optional<std::uint32_t> Queue::next(Resource resource, Instant now) {
  drop_lost(now);
  const Waiter* best = nullptr;
  for (const Entry& entry : entries_) {
    if (entry.waiter.resource != resource) continue;
    if (best == nullptr || entry.waiter.priority > best->priority) best = &entry.waiter;
  }
  if (best == nullptr) return {};
  return best->owner;
}

std::size_t Queue::waiting(Instant now) {
  drop_lost(now);
  return entries_.size();
}

}  // namespace shunt::admit
