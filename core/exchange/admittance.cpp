// One request at the door: slots in turn, quotas from the store where they are shared, and true waits.
#include "exchange/admittance.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"

namespace shunt::exchange {
namespace {

// Of an exchange's questions to the store; the first is for a lease.
constexpr std::uint32_t kQuotaQuestion = 2;
// For the store's answer; then this engine keeps to the limit alone.
constexpr Duration kStoreWait{50};
constexpr int kMostRounds = 4;
// A waiter whom nobody wakes looks again after this.
constexpr Duration kLookAgain{250};
constexpr Duration kLongestNap{1000};
// A permit outlives its exchange's own deadline by this: the host may be late.
constexpr Duration kGrace{30000};

constexpr std::array<std::string_view, 3> kWhose = {"this gateway", "this client", "this kind of task"};
// By admit::What.
constexpr std::array<std::string_view, 5> kWhat = {"requests a minute", "tokens a minute",
                                                   "requests at a time", "dollars a day", "tokens a day"};

}  // namespace

void Admittance::introduce(std::string_view client, std::string_view task, PriorityClass most) {
  asker_ = engine_.asker(client, task);
  priority_ = std::min(engine_.priority_of(client), most);
}

std::uint32_t Admittance::place_of(std::uint32_t slot) const {
  return slot == client_slot ? asker_.client : slot == task_slot ? asker_.task : 0;
}

Admittance::Answer Admittance::ask(const admit::Use& most, admit::Times at, bool may_wait) {
  if (permit_.open) return Answer::in;
  for (const std::uint32_t slot : {engine_slot, client_slot, task_slot}) {
    const admit::Resource resource{slot, place_of(slot)};
    if (!is_turn(resource, at.now)) return wait_for(resource, at.now + kLookAgain, at.now, may_wait);
  }
  admit::Admission& admission = engine_.admission();
  admit::Ask ask = asker_;
  ask.tokens = most.tokens;
  ask.cost_micros = most.cost_micros;
  auto decision = admission.admit(ask, at, at.now + kGrace);
  if (decision) {
    permit_ = decision.value();
    leave_queue(at.now);
    return Answer::in;
  }
  const admit::Refusal why = decision.error();
  if (const auto need = rounds_ < kMostRounds ? admission.lacks(ask, at.now) : std::nullopt)
    return ask_store(*need, at.now);
  if (why.what != admit::What::concurrency) return over(why);
  const auto slot = static_cast<std::uint32_t>(why.whose);
  return wait_for({slot, place_of(slot)}, at.now + kLookAgain, at.now, may_wait);
}

Admittance::Answer Admittance::over(const admit::Refusal& why) {
  words_ = joined({"Over a limit of ", kWhose[static_cast<std::size_t>(why.whose)], ": ",
                   kWhat[static_cast<std::size_t>(why.what)],
                   why.wait ? ". Try again after the wait."
                            : ". This request alone is more than it allows: ask for less."});
  refusal_ = {429, why.wait ? "rate_limited" : "request_over_limit", words_, why.wait};
  return Answer::refused;
}

// ---- shares of a quota ----

Admittance::Answer Admittance::ask_store(const admit::Need& need, Instant now) {
  need_ = need;
  mine_ = !need.under_way;  // else somebody's answer will do for all
  ++rounds_;
  timers_.set_after(TimerReason::store, now, kStoreWait);
  if (!mine_) return Answer::asking;
  engine_.admission().asked(need, now + kStoreWait);
  Outbox::Ask ask{Outbox::Ask::What::take, kQuotaQuestion, engine_.quota_key(need), {}, {}};
  ask.amount = need.amount;
  ask.per_minute = need.per_minute;
  ask.burst = need.burst;
  out_.ask(std::move(ask));
  return Answer::asking;
}

// "GRANTED WAIT"; anything else is no answer.
bool Admittance::credit(const admit::Need& need, const StoreAnswered& input, Instant now) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  std::string_view rest = input.bytes;
  const auto tokens = parse_uint(cut(rest, ' '));
  const auto wait = parse_uint(rest);
  if (input.result != StoreResult::ok || !tokens || !wait || *tokens > kMost || *wait > kMost) return false;
  engine_.admission().granted(need, static_cast<std::int64_t>(*tokens),
                              Duration{static_cast<std::int64_t>(*wait)}, now);
  return true;
}

bool Admittance::hear(const StoreAnswered& input, Instant now) {
  if (!need_ || !mine_ || input.request != kQuotaQuestion) return false;
  timers_.stop(TimerReason::store);
  if (!credit(*need_, input, now)) engine_.admission().unanswered(*need_, now);
  need_.reset();
  return true;
}

bool Admittance::hear_late(const StoreAnswered& input, Instant now) {
  if (need_ || !late_ || input.request != kQuotaQuestion) return false;
  credit(*late_, input, now);
  late_.reset();
  return true;
}

bool Admittance::store_silent(Instant now) {
  if (!need_) return false;
  timers_.stop(TimerReason::store);
  if (mine_) {
    engine_.admission().unanswered(*need_, now);
    late_ = std::move(need_);
  }
  need_.reset();
  return true;
}

// ---- waiting ----

// Who waits has passed by what comes before: there he lets only higher classes go first. So those who wait
// for different things never wait for each other.
bool Admittance::is_turn(admit::Resource resource, Instant now) {
  admit::Queue& queue = engine_.queue();
  if (ticket_ != 0 && resource == resource_) return queue.is_turn(ticket_, now);
  const bool passed = ticket_ != 0 && resource.kind < resource_.kind;
  if (passed && priority_ == PriorityClass::high) return true;
  const auto higher = static_cast<PriorityClass>(static_cast<std::uint8_t>(priority_) + 1);
  return queue.may_barge(resource, passed ? higher : priority_, now);
}

Instant Admittance::patience(Instant now) const {
  return patience_.value_or(now + engine_.loaded().engine.queue.max_wait);
}

Admittance::Answer Admittance::wait_for_line(std::uint32_t line, Instant until, Instant now, bool may_wait) {
  return wait_for({Engine::kLineTurn, line}, until, now, may_wait);
}

// Until `at`, or until somebody leaves room.
Admittance::Answer Admittance::wait_for(admit::Resource resource, Instant at, Instant now, bool may_wait) {
  patience_ = patience(now);
  // It moves on to what comes later and never back: else those who wait could send each other round for ever.
  if (ticket_ != 0 && resource.kind < resource_.kind) resource = resource_;
  if (ticket_ != 0 && !(resource == resource_)) leave_queue(now);
  if (ticket_ == 0) {
    resource_ = resource;
    if (may_wait && now < *patience_)
      ticket_ = engine_.queue().join({name_, priority_, resource, *patience_}, now);
    if (ticket_ == 0) return waited_too_long(at, now);
  }
  const Instant look = at > now ? at : now + kLookAgain;  // there is room, but others come first
  timers_.set(TimerReason::queue, std::min({look, now + kLongestNap, *patience_}));
  return Answer::queued;
}

Admittance::Answer Admittance::waited_too_long(Instant at, Instant now) {
  leave_queue(now);
  refusal_ = {429, "rate_limited",
              "Every slot is taken, and the queue for one is full or was waited in for as long as allowed. "
              "Try again after the wait.",
              std::max(at - now, seconds(1))};
  return Answer::refused;
}

bool Admittance::look_again(Instant now) {
  timers_.stop(TimerReason::queue);
  if (now >= patience(now)) {
    waited_too_long(now, now);
    return false;
  }
  if (ticket_ != 0 && !engine_.queue().touch(ticket_, now)) ticket_ = 0;  // given up for lost: it joins anew
  return true;
}

void Admittance::leave_queue(Instant now) {
  if (ticket_ == 0) return;
  engine_.queue().leave(ticket_);
  ticket_ = 0;
  wake_next(resource_, now);
}

void Admittance::wake_next(admit::Resource resource, Instant now) {
  const auto owner = engine_.queue().next(resource, now);
  if (owner && *owner != name_) out_.wake(*owner);
}

// ---- what it holds ----

void Admittance::hold_until(Instant end) {
  if (permit_.open) engine_.admission().renew(permit_, end);
}

void Admittance::close(const std::optional<admit::Use>& used, admit::Times at) {
  leave_queue(at.now);
  if (!permit_.open) return;
  if (used) {
    engine_.admission().settle(permit_, *used, at);
  } else {
    engine_.admission().cancel(permit_, at);
  }
  for (const std::uint32_t slot : {engine_slot, client_slot, task_slot}) {
    if (place_of(slot) != admit::kNone) wake_next({slot, place_of(slot)}, at.now);
  }
}

}  // namespace shunt::exchange
