// A request at the door, and the room that each of its attempts takes of a line. The door itself is
// admittance.h, the plan is in planning.cpp.
#include <algorithm>

#include "exchange/cost.h"
#include "exchange/exchange.h"

namespace shunt::exchange {
namespace {

// What a line is held for beyond its attempt's own deadline: the host may be late.
constexpr Duration kGrace{30000};

}  // namespace

// ---- the door ----

// False: it was refused, or it waits. The dearest line of the route is what it may use at most.
bool Exchange::let_in() {
  if (kind_ != Kind::request) return true;
  admit::Use most;
  for (const RouteEntry& entry : entries_) {
    const admit::Use use = engine_.expected_use(index_of(entry.deployment), needs_);
    most = {std::max(most.tokens, use.tokens), std::max(most.cost_micros, use.cost_micros)};
  }
  return heed(door_.ask(most, {now_, wall_now()}, !upload_));
}

bool Exchange::heed(Admittance::Answer answer) {
  switch (answer) {
    case Admittance::Answer::in: return true;
    case Admittance::Answer::queued: phase_ = Phase::queued; return false;
    case Admittance::Answer::asking: phase_ = Phase::asking; return false;
    case Admittance::Answer::refused:
      // Who has a plan was not let wait for a line: its route's fallback stands in.
      if (!tries_.counted || !fall_back(true)) refuse(door_.refusal());
      return false;
  }
  return false;
}

// No line may be called, but one that is well only has no room now: its turn is waited for.
bool Exchange::waits_for_line() {
  const route::LineView* nearest = nullptr;
  for (const route::LineView& view : record_.views) {
    if (view.availability != route::Availability::out) return false;
    if (view.cause != route::OutCause::limit) continue;
    if (nearest == nullptr || view.until < nearest->until) nearest = &view;
  }
  const Instant end = door_.patience(now_);
  if (nearest == nullptr || nearest->until > end || now_ >= end || upload_) return false;
  heed(door_.wait_for_line(nearest->deployment, nearest->until, now_, true));
  return true;
}

// Its time has come, or somebody woke it.
void Exchange::look_again() {
  if (phase_ != Phase::queued) return;
  if (door_.look_again(now_)) return go_on();
  heed(Admittance::Answer::refused);
}

void Exchange::on(const Woken&) { look_again(); }

// ---- the line's own room ----

// What an attempt takes of its line. Its view has just said that there is room; a probe needs none.
void Exchange::take_room(Upstream::Line& line) {
  if (door_.has_waited() && started_ == 1) record_.waited = now_ - record_.arrived;
  door_.leave_queue(now_);
  needs_.under_way = true;
  const std::uint32_t place = index_of(line.deployment);
  line.expected = engine_.expected_use(place, needs_);
  line.limit = engine_.limit_index(place, line.view_then.slot);
  line.own_key = catalog().provider_of(line.deployment).client_key;
  const auto permit = engine_.line_limits().take(place, line.expected, {now_, wall_now()}, now_ + kGrace);
  if (permit) line.permit = *permit;
  line.sent = engine_.learner().sent(line.limit, engine_.expected_tokens(place, needs_), now_);
}

// What the attempt in focus used: as the provider counted, else nothing where it refused; of one that was
// broken off the prompt, and what was expected once it had begun to answer. Returns what it cost, in
// micro-dollars.
std::int64_t Exchange::settle_room(OutcomeKind kind, const Verdict* verdict) {
  const Upstream::Line& line = upstream_->line();
  const std::uint32_t place = index_of(line.deployment);
  const Cost& prices = catalog().deployment(line.deployment).cost;
  const Usage& told = upstream_->usage();
  admit::Use used{tokens_of(told), cost_micros(prices, told)};
  if (used.tokens == 0 && upstream_->content()) used = line.expected;
  if (used.tokens == 0 && kind != OutcomeKind::failure) {
    Usage prompt;
    prompt.prompt = needs_.input_tokens;
    used = {needs_.input_tokens, cost_micros(prices, prompt)};
  }
  if (line.purpose != Purpose::shadow) {  // nobody asked for that one
    used_.tokens += used.tokens;
    used_.cost_micros += used.cost_micros;
  }
  engine_.line_limits().settle(upstream_->permit(), used, {now_, wall_now()});
  learn(kind, verdict);
  if (kind == OutcomeKind::success) engine_.note_usage(place, told);
  const bool lines_own = verdict == nullptr || verdict->penalty != Penalty::none;
  if (kind != OutcomeKind::neutral && lines_own) engine_.note_trial(place, kind == OutcomeKind::success);
  door_.wake_next({Engine::kLineTurn, place}, now_);
  return used.cost_micros;
}

// What the answer teaches of the provider's own limits.
void Exchange::learn(OutcomeKind kind, const Verdict* verdict) {
  if (upstream_->line().own_key) return;  // limits are of keys: each client has its own
  const Upstream::Line& line = upstream_->line();
  const Usage& told = upstream_->usage();
  admit::LimitLearner& learner = engine_.learner();
  const admit::CallTokens expected = engine_.expected_tokens(index_of(line.deployment), needs_);
  if (verdict != nullptr && verdict->error_class == ErrorClass::rate_limited) {
    learner.limited(line.limit, line.sent, expected, verdict->retry_after, now_);
  } else if (kind == OutcomeKind::success) {
    learner.succeeded(line.limit, line.sent, now_);
  }
  if (told.prompt || told.completion)
    learner.settled(line.limit, expected, {told.prompt.value_or(0), told.completion.value_or(0)});
}

}  // namespace shunt::exchange
