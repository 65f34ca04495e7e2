// Attempts of an exchange: starting on a line, what a failure leads to. The plan is in planning.cpp.
#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "base/rng.h"
#include "base/strings.h"
#include "classify/classify.h"
#include "exchange/ends.h"
#include "exchange/exchange.h"
#include "exchange/lending.h"

namespace shunt::exchange {
namespace {

// Pause before the same line is tried again: doubling from kPauseBase, ±20 %.
constexpr Duration kPauseBase{250};
constexpr std::uint32_t kPauseDoublings = 5;
// Of a lease when no limit runs at all.
constexpr Duration kLeaseWithoutLimit{600000};

// Routes whose lines all stand behind one account: what says something about the account ends the search.
bool stops(const Route* route, ErrorClass error_class) {
  if (route == nullptr) return false;
  return (error_class == ErrorClass::quota_insufficient && route->stop_on_quota) ||
         (error_class == ErrorClass::auth_failure && route->stop_on_auth) ||
         (error_class == ErrorClass::provider_unavailable && route->stop_on_unavailable);
}

void write_url(const Provider& provider, std::string_view model, bool stream, std::string& out) {
  out = provider.base_url;
  std::string_view path = stream && !provider.stream_path.empty() ? provider.stream_path : provider.path;
  // As in RFC 6570: {+model} leaves slashes, which part the names of Workers AI; an ARN's must be encoded.
  const bool slashes = path.find("{+model}") != std::string_view::npos;
  const std::string_view hole = slashes ? "{+model}" : "{model}";
  for (std::size_t at = path.find(hole); at != std::string_view::npos; at = path.find(hole)) {
    out.append(path.substr(0, at));
    // Unreserved, and what providers' model names hold.
    append_percent(out, model, slashes ? "-._~:@/" : "-._~:@");
    path.remove_prefix(at + hole.size());
  }
  out.append(path);
}

}  // namespace

const RetryPolicy& Exchange::retry_policy() const {
  static constexpr RetryPolicy kDirect{};
  return route_ != nullptr ? route_->retry : kDirect;
}

// The client's side, as the request says how it wants its answer: again when a body that is sent once says so
// only behind its content. A provider that answers before the end of its request has nothing else to go by.
void Exchange::prepare_answer() {
  const auto& request = intake_->request();
  record_.stream = request.stream;
  timers_.set_after(TimerReason::total, record_.arrived,
                    record_.stream ? limits_.total : limits_.plain_total);
  if (record_.stream && route_ != nullptr) timers_.set_after(TimerReason::keepalive, now_, route_->keepalive);
  answer_ = std::make_unique<Answer>(
      Answer::Client{&intake_->dialect(), request.stream, request.include_usage, record_.id, record_.route,
                     record_.wall.ms / 1000, route_ != nullptr ? route_->text : TextCare{},
                     request.custom_tools, intake_->array()});
  if (upstream_) answer_->attempt_begins(&upstream_->dialect());
}

bool Exchange::exhausted_alternatives() {
  if (racing()) return false;
  const std::size_t cursor = tries_.cursor;
  const bool none = attempts_made() - tries_.unused + 1 >= retry_policy().attempts || !next_line();
  tries_.cursor = cursor;
  return none || upload_.has_value();
}

Instant Exchange::lease_end() const {
  const Instant nearest = timers_.attempt_end();
  return nearest == kNever ? now_ + kLeaseWithoutLimit : nearest;
}

// Makes one attempt at a line. When its own dialect cannot say the request, the next line is taken without a
// call.
void Exchange::start(std::uint16_t index, Purpose purpose) {
  tries_.tried.push_back(index);
  const RouteEntry& entry = entries_[index];
  route::LineView view = engine_.view(entry, needs_, now_);
  view.kept = record_.views[index].kept;
  // While this exchange paused, others may have used up what the line allows, or shut its gate.
  const bool limited = view.cause == route::OutCause::limit;
  if (purpose == Purpose::main && !view.kept && (limited || view.cause == route::OutCause::gated)) {
    if (const auto next = next_line()) return start(*next, purpose);
    return limited ? all_at_limits(view.until) : all_protected(view.until);
  }
  limits_ = limits_of(entry.deployment);
  arm_for_attempt();

  RequestProblem problem;
  const bool said =
      upload_ ? upload_->advance(*intake_, target_of(entry.deployment), body_ended_, out_.body, problem)
              : build_body(*intake_, target_of(entry.deployment), out_.body, problem);
  if (!said) {
    if (const auto next = next_line()) return start(*next, purpose);
    if (fall_back(true)) return;
    return refuse(problem);
  }

  health::HealthTable& health = engine_.health();
  const std::uint32_t line = index_of(entry.deployment);
  std::optional<health::Ticket> ticket;
  if (purpose == Purpose::probe) {
    ticket = health.begin_probe(line, view.slot, now_, lease_end());
  } else if (view.kept) {
    ticket = health.begin_kept(line, view.slot, now_);
  } else {
    ticket = health.begin(line, view.slot, now_, lease_end());
    if (ticket && ticket->is_probe()) purpose = Purpose::probe;
  }
  if (!ticket) {  // another exchange holds the only permit
    if (const auto next = next_line()) return start(*next, Purpose::main);
    return all_protected(view.until);
  }

  if (kind_ == Kind::probe) out_.body = as_literals(out_.body, check_body_);
  launch({0, index, entry.deployment, purpose, *ticket, {}, {}, 0, false, {}, {}, view});
  phase_ = Phase::attempting;
  if (record_.hedge_after && race_ == Race::not_run && purpose == Purpose::main)
    timers_.set_after(TimerReason::hedge, now_, *record_.hedge_after);
}

// The call itself, with the body that stands ready; the attempt gets its number here.
void Exchange::launch(Upstream::Line line) {
  line.no = ++started_;
  take_room(line);
  const Provider& provider = catalog().provider_of(line.deployment);
  upstream_ = std::make_unique<Upstream>(line, *dialect::find(provider.dialect), provider.quirks, now_,
                                         static_cast<std::size_t>(engine_.loaded().engine.answer_bytes));
  if (answer_) answer_->attempt_begins(&upstream_->dialect());
  record_.dropped = out_.body.dropped;
  if (intake_->passthrough()) {
    out_.url = provider.base_url;
    out_.url += intake_->target().substr(kPassedUnder.size() - 1);
    upstream_->collect();
  } else {
    write_url(provider, target_of(line.deployment).model, record_.stream, out_.url);
  }
  out_.headers.clear();
  intake_->attempt_headers(provider, record_.stream, out_.headers);
  if (has(provider.quirks, Quirk::gateway)) {
    out_.headers += lend_retries(*upstream_, engine_.budgets(route_).repeats, attempts_to_lend(), now_);
  }
  StartAttempt effect;
  effect.attempt = line.no;
  effect.deployment = line.deployment;
  effect.slot = line.view_then.slot;
  effect.method = intake_->method();
  effect.more = upload_ && !body_ended_;
  effect.shadow = line.purpose == Purpose::shadow;
  effect.release_to = upload_ ? upload_->release_to() : 0;
  out_.start(effect);
}

// Streams have a limit to the head, to the first content and for the attempt; a plain answer's head comes
// with its end, so only the total holds it. While the client's body is still arriving, the provider cannot be
// late.
void Exchange::arm_for_attempt() {
  timers_.stop(TimerReason::backoff);
  if (upstream_ && upstream_->has_head()) return;  // its answer began before its body had ended: idle runs
  timers_.stop(TimerReason::idle);
  if (!record_.stream || (upload_ && !body_ended_)) return;
  timers_.set_after(TimerReason::first_byte, now_, limits_.first_byte);
  timers_.set_after(TimerReason::first_token, now_, limits_.first_token);
  timers_.set_after(TimerReason::attempt, now_, limits_.attempt);
}

// The limit between chunks, while they are read: a shadow's, which has no client, always are.
void Exchange::arm_idle() {
  if (record_.stream && !(client_paused_ && answer_))
    timers_.set_after(TimerReason::idle, now_, limits_.idle);
}

void Exchange::disarm_attempt() {
  timers_.stop_attempt();
  timers_.stop(TimerReason::client_stall);
  timers_.stop(TimerReason::hedge);
  client_paused_ = false;
}

void Exchange::send_more_body(bool last) {
  if (phase_ != Phase::attempting) return;
  RequestProblem problem;
  if (!last && !intake_->read()) return;
  if (!upload_->advance(*intake_, target_of(upstream_->line().deployment), last, out_.body, problem))
    return last ? refuse(problem) : void();
  if (last) {
    record_.dropped = out_.body.dropped;
    arm_for_attempt();
  }
  if (out_.body.pieces.empty() && !last) return;
  AttemptBody effect;
  effect.attempt = upstream_->line().no;
  effect.more = !last;
  effect.release_to = upload_->release_to();
  out_.more_body(effect);
}

// Closes the books of the attempt under way: health hears of it, the record keeps it.
void Exchange::settle(OutcomeKind kind, const Verdict* verdict, bool superseded) {
  if (!upstream_) return;
  record_.attempts.push_back(close_attempt(kind, verdict, superseded));
  record_.usage = upstream_->usage();
}

AttemptRecord Exchange::close_attempt(OutcomeKind kind, const Verdict* verdict, bool superseded) {
  const Upstream& up = *upstream_;
  Outcome outcome;
  outcome.kind = kind;
  outcome.began = up.began();
  outcome.first_byte = up.first_byte().value_or(Duration{});
  outcome.total = up.took(now_);
  if (record_.stream && up.shape() == Shape::stream) {
    outcome.first_token = up.first_token().value_or(Duration{});
    outcome.inter_token_micros = up.inter_token_micros();
  }
  // What a rival answered before is slow by at least so much; the rival itself has hardly begun.
  outcome.superseded = superseded && up.line().purpose != Purpose::hedge;
  if (outcome.superseded) outcome.first_token = up.took(now_);
  outcome.task = needs_.task;
  if (verdict != nullptr) {
    outcome.error_class = verdict->error_class;
    outcome.scope = verdict->scope;
    outcome.penalty = verdict->penalty;
    outcome.wait = verdict->retry_after;
  }
  engine_.health().settle(up.line().ticket, outcome, now_, seed_);
  if (verdict != nullptr) engine_.note_error(index_of(up.line().deployment), *verdict, now_);
  AttemptRecord attempt;
  attempt.no = up.line().no;
  attempt.deployment = up.line().deployment;
  attempt.slot = up.line().view_then.slot;
  attempt.purpose = up.line().purpose;
  attempt.kept = up.line().view_then.kept;
  attempt.began = up.began();
  attempt.ended = now_;
  attempt.status = up.status();
  attempt.first_byte = up.first_byte();
  attempt.first_token = up.first_token();
  attempt.outcome = kind;
  attempt.superseded = superseded;
  if (verdict != nullptr) attempt.verdict = *verdict;
  attempt.bad_frames = up.bad_frames();
  attempt.view = up.line().view_then;
  take_retries_back(*upstream_, engine_.budgets(route_).repeats, now_);
  tries_.within += static_cast<int>(used_of_lent(*upstream_));
  attempt.cost_micros = settle_room(kind, verdict);
  return attempt;
}

// What is known of the attempt whatever went wrong with it.
classify::Evidence Exchange::evidence() const {
  const Provider& provider = catalog().provider_of(upstream_->line().deployment);
  classify::Evidence evidence;
  evidence.status = upstream_->status();
  evidence.headers = HeaderBlock(upstream_->headers());
  evidence.provider = provider.preset.empty() ? provider.name : provider.preset;
  evidence.configured = provider.name;
  evidence.dialect = provider.dialect;
  evidence.stream = record_.stream;
  evidence.wall = wall_now();
  evidence.content_delivered = answer_ && answer_->content_sent();
  return evidence;
}

Verdict Exchange::judge(TransportFault fault, std::string_view text) const {
  classify::Evidence known = evidence();
  known.fault = fault;
  known.fault_text = text;
  known.body = upstream_->body();
  known.body_cut = fault != TransportFault::none || upstream_->body().size() >= limits::kErrorBodyBytes;
  return blamed(classify::classify(known, engine_.rules()), upstream_->line().own_key);
}

// An error told inside a 200.
Verdict Exchange::judge_event(const event::Error& error) const {
  classify::Evidence known = evidence();
  known.body = error.raw.empty() ? error.message : error.raw;
  known.told_error = true;
  return blamed(classify::classify(known, engine_.rules()), upstream_->line().own_key);
}

void Exchange::attempt_broke(TransportFault fault, std::string_view text) {
  attempt_failed(judge(fault, text));
}

void Exchange::abort_attempt() { out_.abort(upstream_->line().no); }

// Nobody's fault: whatever attempt the client could be answered by is broken off.
void Exchange::drop_attempt() {
  if (!upstream_) return;
  abort_attempt();
  settle(OutcomeKind::neutral, nullptr);
  if (!racing()) return;
  leave_to_other();
  abort_attempt();
  settle(OutcomeKind::neutral, nullptr);
}

void Exchange::attempt_failed(const Verdict& verdict) {
  settle(OutcomeKind::failure, &verdict);
  if (racing()) return leave_to_other();
  disarm_attempt();
  tries_.same_view = upstream_->line().view;
  upstream_.reset();
  if (answer_->content_sent()) return break_off(verdict);
  retry_or_fail(verdict);
}

// A further attempt is within the bounds of this exchange, and of a gateway before this one.
bool Exchange::attempt_left() const {
  const int made = attempts_made();
  return made < limits::kAttempts &&
         made <= static_cast<int>(intake_->retries_left().value_or(limits::kAttempts));
}

// What a gateway further in may make of attempts beside the one call to it that has just begun: all that is
// left, but one that is kept for another line.
std::int64_t Exchange::attempts_to_lend() {
  if (upstream_->line().purpose == Purpose::shadow) return 0;  // nobody waits for that one
  std::int64_t taken = attempts_made() + 1;
  if (racing()) taken += 1 + beside_->upstream->line().lent.tokens;
  std::int64_t left = retry_policy().attempts + tries_.unused - taken;
  if (const auto most = intake_->retries_left()) left = std::min<std::int64_t>(left, 1 + *most - taken);
  return exhausted_alternatives() ? left : left - 1;
}

bool Exchange::may_repeat(const Verdict& verdict) const {
  return intake_->repeatable() || verdict.exposure == Exposure::not_sent ||
         verdict.exposure == Exposure::rejected;
}

// Before content anything may be tried again, within the attempts, the budgets, and what the request and the
// route allow.
void Exchange::retry_or_fail(const Verdict& verdict) {
  if (kind_ == Kind::probe) return give_up(verdict);
  if (!may_repeat(verdict) || upload_ || stops(route_, verdict.error_class)) return give_up(verdict);
  if (!attempt_left()) {
    record_.budget_spent = intake_->retries_left().has_value();  // the share of a gateway before this one
    return give_up(verdict);
  }
  if (wait_same(verdict)) return;
  if (attempts_made() - tries_.unused >= retry_policy().attempts) return give_up(verdict);
  if (next_key(verdict) || next_better(verdict) || retry_same(verdict)) return;
  give_up(verdict);
}

// on_rate_limit: wait_same. The line has said when; nobody else is asked, and no attempt is used up.
bool Exchange::wait_same(const Verdict& verdict) {
  if (verdict.error_class != ErrorClass::rate_limited || route_ == nullptr || route_->wait_same.ms == 0)
    return false;
  const Duration backoff =
      std::min(seconds(1) * (std::int64_t{1} << std::min(tries_.unused, 4)), seconds(10));
  const Duration wait = verdict.retry_after.value_or(backoff);
  if (wait > route_->wait_same) return false;
  ++tries_.unused;
  pause(wait);
  return true;
}

// Quota, key and rate limits are the key's: another key of the same line, when it has one that is well.
bool Exchange::next_key(const Verdict& verdict) {
  const bool of_key = verdict.error_class == ErrorClass::quota_insufficient ||
                      verdict.error_class == ErrorClass::auth_failure ||
                      verdict.error_class == ErrorClass::rate_limited;
  if (!of_key) return false;
  const route::LineView now = engine_.view(entries_[tries_.same_view], needs_, now_);
  const bool another = now.slot != record_.attempts.back().slot;
  if (now.availability == route::Availability::out || !another) return false;
  switch_to(tries_.same_view, verdict);
  return true;
}

// The next line of the plan. A request too long for one model goes only to a line that takes more.
bool Exchange::next_better(const Verdict& verdict) {
  const bool refused = verdict.error_class == ErrorClass::content_policy;
  if (refused ? route_ == nullptr || !route_->content_policy_switch : !verdict.switch_provider) return false;
  const bool too_long = verdict.error_class == ErrorClass::invalid_request && verdict.sub == "context_length";
  const auto context = [&](std::uint16_t view) {
    return catalog().deployment(entries_[view].deployment).context_tokens;
  };
  while (const auto next = next_line()) {
    if (too_long && context(*next) <= context(tries_.same_view)) continue;
    switch_to(*next, verdict);
    return true;
  }
  return false;
}

// The first switch of a request has a budget of its own; an exhausted one ends the search.
void Exchange::switch_to(std::uint16_t view, const Verdict& verdict) {
  route::Budgets& budgets = engine_.budgets(route_);
  if (!(tries_.switches == 0 ? budgets.failover : budgets.repeats).spend(now_)) {
    record_.budget_spent = true;
    return give_up(verdict);
  }
  ++tries_.switches;
  start(view, Purpose::main);
}

// The same line again, only when no other is left and its health allows it; after the wait it named, or a
// growing pause.
bool Exchange::retry_same(const Verdict& verdict) {
  if (!verdict.retry_same || record_.views[tries_.same_view].kept) return false;
  if (engine_.view(entries_[tries_.same_view], needs_, now_).availability == route::Availability::out)
    return false;
  Duration wait = kPauseBase * (std::int64_t{1} << std::min(tries_.repeats, kPauseDoublings));
  const auto jitter =
      static_cast<std::int64_t>(draw_below(seed_, Draw::backoff_jitter, tries_.repeats, 401)) - 200;
  wait.ms += wait.ms * jitter / 1000;
  if (verdict.retry_after) wait = std::max(wait, *verdict.retry_after);
  if (wait > engine_.loaded().engine.longest_wait) return false;
  if (!engine_.budgets(route_).repeats.spend(now_)) {
    record_.budget_spent = true;
    return false;
  }
  ++tries_.repeats;
  pause(wait);
  return true;
}

void Exchange::pause(Duration wait) {
  timers_.set(TimerReason::backoff, now_ + wait);
  phase_ = Phase::pausing;
}

}  // namespace shunt::exchange
