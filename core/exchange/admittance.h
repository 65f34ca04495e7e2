// How one request is let in: what its client, its task and the engine may use, a place in the queue where
// it must wait, and what it took, to be given back. Knows no plan and no attempt.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "admit/admission.h"
#include "admit/queue.h"
#include "exchange/engine.h"
#include "exchange/io.h"
#include "exchange/outbox.h"
#include "exchange/replies.h"
#include "exchange/timers.h"

namespace shunt::exchange {

class Admittance {
 public:
  // in: it may go on. queued: for a slot or its turn on a line. asking: the store, for a share of a quota.
  enum class Answer : std::uint8_t { in, queued, asking, refused };

  // `name`: what others' Wake effects call the exchange.
  Admittance(Engine& engine, Timers& timers, Outbox& out, std::uint32_t name)
      : engine_(engine), timers_(timers), out_(out), name_(name) {}

  // Who asks. A client may lower its own priority for one request, never raise it.
  void introduce(std::string_view client, std::string_view task, PriorityClass most);
  PriorityClass priority() const { return priority_; }
  admit::Queue::Ticket ticket() const { return ticket_; }
  admit::Resource waits_for() const { return resource_; }

  // Asks again each time it has waited; once in it stays in. What cannot stand still (a body that is sent
  // once) does not queue. After `refused`, refusal() says why.
  Answer ask(const admit::Use& most, admit::Times at, bool may_wait);
  // Waits for a line that has no room before `until`.
  Answer wait_for_line(std::uint32_t line, Instant until, Instant now, bool may_wait);
  // How long it may still wait for anything.
  Instant patience(Instant now) const;
  bool has_waited() const { return patience_.has_value(); }
  const Refusal& refusal() const { return refusal_; }

  // The store's answer, or its silence. True: ask() again.
  bool hear(const StoreAnswered& input, Instant now);
  // An answer that comes after its wait still counts, for others: it is waited for beyond the request's end.
  bool hear_late(const StoreAnswered& input, Instant now);
  bool awaits_late() const { return late_.has_value(); }
  void forget_late() { late_.reset(); }
  bool store_silent(Instant now);
  bool asks_store() const { return need_.has_value(); }
  // Somebody woke it, or its timer did. False: it has waited as long as it may (refusal()).
  bool look_again(Instant now);
  // It goes on: its place in the queue is free, and whoever is first now is woken.
  void leave_queue(Instant now);
  void wake_next(admit::Resource resource, Instant now);

  void hold_until(Instant end);
  // The request is over: what all its attempts used, or none if nobody was called.
  void close(const std::optional<admit::Use>& used, admit::Times at);

 private:
  bool credit(const admit::Need& need, const StoreAnswered& input, Instant now);
  enum Slot : std::uint32_t { engine_slot, client_slot, task_slot };  // as admit::Whose; then a line's turn

  bool is_turn(admit::Resource resource, Instant now);
  Answer over(const admit::Refusal& why);
  Answer wait_for(admit::Resource resource, Instant at, Instant now, bool may_wait);
  Answer waited_too_long(Instant at, Instant now);
  Answer ask_store(const admit::Need& need, Instant now);
  std::uint32_t place_of(std::uint32_t slot) const;

  Engine& engine_;
  Timers& timers_;
  Outbox& out_;
  std::uint32_t name_;
  admit::Ask asker_;
  PriorityClass priority_ = PriorityClass::normal;
  admit::Permit permit_;
  Refusal refusal_;
  std::string words_;                // of the refusal
  std::optional<admit::Need> need_;  // what the store is asked for
  std::optional<admit::Need> late_;  // … and was silent about in its time
  bool mine_ = false;                // … by this exchange, not by another
  int rounds_ = 0;                   // times it has been asked
  admit::Queue::Ticket ticket_ = 0;  // 0 = it does not wait
  admit::Resource resource_;         // what for
  std::optional<Instant> patience_;  // since it waited for the first time
};

}  // namespace shunt::exchange
