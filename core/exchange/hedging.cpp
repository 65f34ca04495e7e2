// Two attempts under way: which of them an input is about, and a rival beside an attempt that is slow to
// begin. The shadow, which nobody waits for, is in shadowing.cpp.
#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "exchange/exchange.h"
#include "health/sketch.h"

namespace shunt::exchange {
namespace {

// Fewer samples of the time to first content say too little of what is slow.
constexpr std::uint64_t kHedgeSamples = 100;
// A percentile is read from the middle of its bucket; the bucket ends 3 % above. Who is as quick as the
// others in it is not slow: else the budget goes where waits lie close together.
constexpr std::int64_t kBucketPercent = 103;

// The attempt that an input is about; 0 = none.
AttemptNo attempt_of(const Input& input) {
  if (const auto* head = std::get_if<HeadArrived>(&input)) return head->attempt;
  if (const auto* bytes = std::get_if<BytesArrived>(&input)) return bytes->attempt;
  if (const auto* ended = std::get_if<AttemptEnded>(&input)) return ended->attempt;
  if (const auto* broke = std::get_if<AttemptBroke>(&input)) return broke->attempt;
  return 0;
}

bool concerns(const Input& input, const Course& course, const Timers& others) {
  if (std::get_if<TimerFired>(&input) != nullptr) return course.timers.next().at < others.next().at;
  return attempt_of(input) == course.upstream->line().no;
}

}  // namespace

// ---- two courses ----

// The rest of an exchange knows one attempt under way, the one in focus. What concerns the other is handled
// with the two exchanged; whichever is left when a race ends stays in focus.
void Exchange::dispatch(const Input& input) {
  const auto tell = [this](const auto& each) { on(each); };
  if (!beside_ || !concerns(input, *beside_, timers_)) return std::visit(tell, input);
  if (!racing()) return tell_shadow(input);
  swap_courses();
  std::visit(tell, input);
  if (racing()) swap_courses();
}

void Exchange::swap_courses() {
  upstream_.swap(beside_->upstream);
  answer_.swap(beside_->answer);
  timers_.swap_attempt(beside_->timers);
  std::swap(limits_, beside_->limits);
  record_.dropped.swap(beside_->dropped);
}

Wakeup Exchange::next_wake() const {
  const Wakeup own = timers_.next();
  const Wakeup others = beside_ ? beside_->timers.next() : Wakeup{};
  return others.at < own.at ? others : own;
}

// ---- the rival ----

// How long the first attempt may take to begin: what the given share of this route's streams of late have not
// exceeded. Fixed here, so that the record tells it.
void Exchange::plan_hedge() {
  if (route_ == nullptr || route_->hedge.permille <= 0 || !record_.stream) return;
  if (upload_ || !intake_->repeatable()) return;
  health::Spread waits;
  for (const RouteEntry& entry : entries_)
    engine_.health().collect(index_of(entry.deployment), health::Latency::first_token, needs_.task, now_,
                             waits);
  if (waits.count() < kHedgeSamples) return;
  const auto permille = static_cast<std::uint32_t>(std::min(route_->hedge.permille, 1000));
  const std::int64_t micros = waits.quantile(permille) * kBucketPercent / 100;
  record_.hedge_after = milliseconds(std::max<std::int64_t>((micros + 999) / 1000, 1));
}

// The first attempt has not begun in that time: the next line of the plan that is well is asked beside it.
// One that would have to be probed is left for later.
void Exchange::hedge() {
  const bool open = phase_ == Phase::attempting && race_ == Race::not_run && !answer_->content_sent() &&
                    !client_paused_ && upstream_->shape() != Shape::failure;
  const std::int64_t both = 2 + upstream_->line().lent.tokens;
  const bool room = attempts_made() - tries_.unused + both <= retry_policy().attempts &&
                    attempts_made() + both <= limits::kAttempts &&
                    attempts_made() + both <= 1 + intake_->retries_left().value_or(limits::kAttempts);
  if (!open || !room) return;
  for (std::size_t i = tries_.cursor; i < record_.order.size(); ++i) {
    const std::uint16_t index = record_.order[i];
    if (std::find(tries_.tried.begin(), tries_.tried.end(), index) != tries_.tried.end()) continue;
    const DeploymentId line = entries_[index].deployment;
    const route::LineView view = engine_.view(entries_[index], needs_, now_);
    RequestProblem problem;
    if (view.availability != route::Availability::ready ||
        !build_body(*intake_, target_of(line), out_.body, problem))
      continue;
    if (!engine_.budgets(route_).hedge.spend(now_)) return;
    const auto ticket = engine_.health().begin(index_of(line), view.slot, now_, lease_end());
    if (!ticket) return;
    tries_.tried.push_back(index);
    beside_ = std::make_unique<Course>();
    beside_->answer = std::make_unique<Answer>(answer_->client());
    beside_->answer->join(*answer_);
    beside_->limits = limits_of(line);
    race_ = Race::running;
    swap_courses();
    arm_for_attempt();
    launch({0, index, line, Purpose::hedge, *ticket, {}, {}, 0, false, {}, {}, view});
    return swap_courses();
  }
}

// The attempt in focus is the first to answer: the other's end is nobody's fault.
void Exchange::outrun() {
  if (!racing()) return;
  swap_courses();
  abort_attempt();
  settle(OutcomeKind::neutral, nullptr, true);
  leave_to_other();
}

// The attempt in focus is over and its books are closed: the other goes on alone.
void Exchange::leave_to_other() {
  swap_courses();
  beside_.reset();
  race_ = Race::over;
}

}  // namespace shunt::exchange
