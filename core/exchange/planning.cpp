// Which line is asked: the plan, the lines it leaves, and what a route does when none is left.
#include <algorithm>

#include "base/check.h"
#include "base/limits.h"
#include "exchange/exchange.h"

namespace shunt::exchange {
namespace {

// Of the store's answer, when every line is out.
constexpr Duration kLeaseWait{200};
constexpr std::uint32_t kLeaseQuestion = 1;

}  // namespace

void Exchange::plan_and_start() {
  if (resolve()) go_on();
}

// Once it is admitted, and again whenever it has waited.
void Exchange::go_on() {
  if (!let_in()) return;
  if (!tries_.counted) {
    tries_.counted = true;
    engine_.budgets(route_).deposit(now_);
    prepare_answer();
    plan_hedge();
  }
  take_plan();
}

void Exchange::take_plan() {
  needs_.ticket = door_.ticket();
  needs_.waits_for = door_.waits_for();
  record_.views = engine_.views(entries_, needs_, now_);
  if (waits_for_line()) return;
  record_.policy = policy_;
  record_.planned = record_.views.size();
  route::Plan plan = route::plan(record_.views, policy_, seed_);
  record_.order = std::move(plan.order);
  record_.plan = plan.verdict;
  tries_.tried.clear();
  tries_.cursor = 0;
  switch (plan.verdict) {
    case route::PlanVerdict::available: {
      const auto next = next_line();
      CORE_CHECK(next.has_value());  // the plan was made from the views of this very moment
      return start(*next, Purpose::main);
    }
    case route::PlanVerdict::all_protected: {
      const std::uint16_t nearest = plan.nearest.value_or(0);
      const route::LineView& view = record_.views[nearest];
      // A stated wait is kept to the end; everything else the line nearest to its end may be asked about, one
      // probe at a time.
      const bool asked =
          plan.nearest && view.cause != route::OutCause::cooldown && view.cause != route::OutCause::limit;
      if (asked && ask_for_lease(view.deployment)) return;
      if (asked && engine_.may_probe(view.deployment, seed_, now_)) return start(nearest, Purpose::probe);
      if (plan.nearest && view.cause == route::OutCause::limit) return all_at_limits(plan.retry_at);
      return all_protected(plan.retry_at);
    }
    case route::PlanVerdict::empty:
      if (std::any_of(record_.views.begin(), record_.views.end(),
                      [](const route::LineView& view) { return view.cause == route::OutCause::disabled; })) {
        return refuse({503, "all_disabled", "Every line that could serve the request is switched off."},
                      Result::failed);
      }
      return refuse({400, "no_capable_deployment",
                     "No deployment of this route can serve the request: each lacks a capability it needs or "
                     "was excluded."});
  }
}

// Every line is out, and only a lease that upkeep has not fetched allows a call: the store is asked for it
// now, once, and waited for a moment. True: its answer, or the moment's end, plans again.
bool Exchange::ask_for_lease(std::uint32_t line) {
  if (tries_.lease_asked || !engine_.sharing().lacks_lease(line, now_)) return false;
  tries_.lease_asked = true;
  tries_.lease_line = line;
  phase_ = Phase::asking;
  timers_.set_after(TimerReason::store, now_, kLeaseWait);
  out_.ask({Outbox::Ask::What::lease, kLeaseQuestion, engine_.lease_key(line), {}, Sharing::kLease});
  return true;
}

void Exchange::on(const StoreAnswered& input) {
  if (input.more) return;
  if (door_.hear_late(input, now_)) {
    if (phase_ == Phase::lingering && !timers_.running(TimerReason::linger)) stop_lingering();
    return;
  }
  if (phase_ != Phase::asking) return;
  if (door_.hear(input, now_)) return go_on();
  if (door_.asks_store() || input.request != kLeaseQuestion) return;
  timers_.stop(TimerReason::store);
  // A store that is down knows nothing: whether to probe is drawn by lot then.
  if (input.result != StoreResult::failed)
    engine_.sharing().leased(tries_.lease_line, input.result == StoreResult::ok, now_ + Sharing::kLease);
  take_plan();
}

// The line that comes free first has no room for longer than anyone waits.
void Exchange::all_at_limits(Instant retry_at) {
  if (fall_back(true)) return;
  refuse({429, "rate_limited",
          "Every line of this route is at its limit of requests or tokens. Try again after the wait.",
          std::max(retry_at - now_, milliseconds(1))},
         Result::failed);
}

// Nobody may be called now: the route's fallback, else an error like any other, with the true wait.
void Exchange::all_protected(Instant retry_at) {
  if (fall_back(true)) return;
  std::optional<Duration> wait;
  if (retry_at != kNever) wait = retry_at > now_ ? retry_at - now_ : milliseconds(1);
  refuse({503, "all_protected",
          "Every line of this route is protected after failures. Try again after the wait.", wait},
         Result::failed);
}

// The next line of the plan that is not out by now; a line that went out meanwhile is skipped.
std::optional<std::uint16_t> Exchange::next_line() {
  while (tries_.cursor < record_.order.size()) {
    const std::uint16_t index = record_.order[tries_.cursor++];
    if (std::find(tries_.tried.begin(), tries_.tried.end(), index) != tries_.tried.end()) continue;
    if (record_.views[index].kept) return index;
    if (engine_.view(entries_[index], needs_, now_).availability != route::Availability::out) return index;
  }
  return std::nullopt;
}

// Every line has failed or is out: the next step of the route's fallback, a call only where `may_call` and
// the time allow one. False: there is none.
bool Exchange::fall_back(bool may_call) {
  const Duration total = record_.stream ? limits_.total : limits_.plain_total;
  const bool late = total.ms > 0 && record_.arrived + total <= now_;
  const bool spent = !attempt_left() || (upload_ && !record_.attempts.empty());
  while (route_ != nullptr && tries_.fallen < route_->fallback.size()) {
    const FallbackStep& step = route_->fallback[tries_.fallen++];
    if (step.deployment.empty()) {
      answer_ourselves(step);
      return true;
    }
    const auto line = catalog().find_deployment(step.deployment);
    if (!line || !may_call || late || spent) continue;
    const RouteEntry entry{*line, 1, 1, {}};
    const route::LineView view = engine_.view(entry, needs_, now_);
    if (view.availability == route::Availability::out) continue;
    record_.fallback = "deployment";
    entries_.push_back(entry);
    record_.views.push_back(view);
    start(static_cast<std::uint16_t>(entries_.size() - 1), Purpose::main);
    return true;
  }
  return false;
}

// The route's own words, as an answer or as an error.
void Exchange::answer_ourselves(const FallbackStep& step) {
  record_.fallback = "static";
  if (step.status >= 400)
    return send_reply(refusal_reply(intake_->dialect(), {step.status, "fallback", step.message}),
                      Result::failed);
  upstream_.reset();
  answer_->attempt_begins(nullptr);
  answer_->take_whole(
      {event::Start{}, event::TextDelta{0, step.message}, event::Finish{0, FinishReason::stop, "stop"}}, {});
  completed(true);
}

}  // namespace shunt::exchange
