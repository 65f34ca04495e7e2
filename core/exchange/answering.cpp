// The provider's answer on its way to the client, its ends, and the timers.
#include <string>
#include <utility>

#include "base/limits.h"
#include "base/strings.h"
#include "canonical/http.h"
#include "classify/reading.h"
#include "exchange/empty_when.h"
#include "exchange/ends.h"
#include "exchange/exchange.h"
#include "exchange/lending.h"

namespace shunt::exchange {
namespace {

// The client has its answer; the provider may take this long to close its stream before it is cut.
constexpr Duration kLinger{1000};
// An error status has come: its body is read no longer than this.
constexpr Duration kErrorBodyTime{5000};

// There is an answer: content, or what a client of the provider's own dialect is given beside it (a step the
// client must run, a picture).
bool says_something(const Upstream& upstream, const Answer& answer) {
  return upstream.content() || (answer.same_dialect() && upstream.output());
}

}  // namespace

void Exchange::on(const HeadArrived& input) {
  if (!is_current(input.attempt) || upstream_->has_head() || phase_ != Phase::attempting) return;
  take_head(input);
}

void Exchange::take_head(const HeadArrived& input) {
  upstream_->on_head(input.status, input.headers, now_);
  timers_.stop(TimerReason::first_byte);
  if (!upstream_->line().own_key) {
    engine_.learner().heard(upstream_->line().limit, upstream_->line().sent,
                            admit::read_limits(HeaderBlock(input.headers), wall_now()), now_);
  }
  if (upstream_->shape() == Shape::failure) {
    timers_.stop(TimerReason::first_token);
    timers_.set_after(TimerReason::idle, now_, kErrorBodyTime);
  } else {
    arm_idle();
  }
}

void Exchange::on(const BytesArrived& input) {
  if (!is_current(input.attempt) || !upstream_->has_head() || phase_ != Phase::attempting) return;
  if (relaying_plain_) return answer_->relay_more(input.bytes, out_);
  if (upstream_->shape() != Shape::failure) arm_idle();
  const std::size_t taken = upstream_->on_bytes(input.bytes, now_);
  if (upstream_->shape() == Shape::stream) {
    if (read_stream() && !record_.stream && !reserve_answer(answer_->folded().bytes())) too_large({});
  } else if (taken < input.bytes.size() && upstream_->shape() == Shape::failure) {
    abort_attempt();
    attempt_broke(TransportFault::none, {});
  } else if (taken < input.bytes.size() || !reserve_answer(upstream_->body().size())) {
    too_large(input.bytes.substr(taken));
  }
}

// Collected answers are bounded over all exchanges of the engine.
bool Exchange::reserve_answer(std::size_t bytes) {
  const EnginePolicy& policy = engine_.loaded().engine;
  Loans& loans = engine_.loans();
  loans.set_answer(loan_, bytes);
  if (loans.answers() > policy.answer_bytes_all) loans.reclaim(now_);
  return bytes <= policy.answer_bytes && loans.answers() <= policy.answer_bytes_all;
}

// No further attempt will be made; a body that is still being sent on is needed to its end.
void Exchange::let_body_go() {
  if (!upload_ || body_ended_) out_.release_body();
  engine_.loans().set_body(loan_, 0);
}

// Takes all frames that are complete. False: the attempt or the exchange is over.
bool Exchange::read_stream() {
  Step step;
  while (upstream_->step(step)) {
    if (const auto& error = upstream_->error()) {
      abort_attempt();
      if (step.frame->kind == wire::Frame::Kind::broken) {  // nobody's words: the transport's own fault
        attempt_broke(TransportFault::protocol, step.frame->event);
      } else {
        attempt_failed(judge_event(*error));
      }
      return false;
    }
    answer_->take(step, out_);
    if (!record_.stream) continue;
    if (!answer_->content_sent() && (upstream_->content() || answer_->prepared() > limits::kPreludeBytes)) {
      outrun();
      timers_.stop(TimerReason::first_token);
      timers_.stop(TimerReason::keepalive);
      timers_.stop(TimerReason::hedge);
      answer_->send_content(head_lines(), out_);
      start_shadow();
      let_body_go();
    }
    if (upstream_->done()) {
      content_ended(false);
      return false;
    }
  }
  if (upstream_->frame_too_large()) {
    abort_attempt();
    attempt_broke(TransportFault::protocol, "a frame over the limit");
    return false;
  }
  return true;
}

void Exchange::on(const AttemptEnded& input) { on(AttemptBroke{input.attempt, TransportFault::none, {}}); }

// No more bytes will come. Whether that is an end or a cut, only a finish reason or the stream's terminator
// can tell.
void Exchange::on(const AttemptBroke& input) {
  if (!is_current(input.attempt)) return;
  if (phase_ == Phase::lingering) return stop_lingering();
  if (upstream_->shape() != Shape::stream) return whole_ended(input.fault, input.text);
  upstream_->on_end();
  if (!read_stream()) return;
  if (upstream_->finished() || upstream_->done()) return content_ended(true);
  attempt_broke(cut_unless_said(input.fault), input.text);
}

// Nothing more is heard of the answer; the shadow may still be under way, and a late answer of the store,
// whose tokens others need.
void Exchange::stop_lingering() {
  timers_.stop_all();
  phase_ = beside_ || door_.awaits_late() ? Phase::lingering : Phase::finished;
  if (door_.awaits_late()) timers_.set_after(TimerReason::store, now_, kLinger);
}

void Exchange::whole_ended(TransportFault fault, std::string_view text) {
  if (relaying_plain_) {
    if (fault == TransportFault::none) {
      settle(OutcomeKind::success, nullptr);
      out_.end(true);
      return finish(Result::answered, 200);
    }
    const Verdict verdict = judge(fault, text);
    settle(OutcomeKind::failure, &verdict);
    out_.end(false);
    return finish(Result::broken, 200);
  }
  if (!upstream_->has_head() || (fault != TransportFault::none && upstream_->shape() != Shape::failure)) {
    return attempt_broke(cut_unless_said(fault), text);
  }
  if (upstream_->shape() == Shape::failure) return attempt_broke(TransportFault::none, {});
  if (intake_->passthrough()) return passed_through();
  const EventList& events = upstream_->whole_events();
  if (const auto& error = upstream_->error()) return attempt_failed(judge_event(*error));
  if (upstream_->bad_frames() > 0 || upstream_->body().empty()) {
    return attempt_broke(TransportFault::truncated, {});
  }
  answer_->take_whole(events, upstream_->body());
  if (says_something(*upstream_, *answer_) && !called_empty()) return completed(true);
  empty_answer();
}

// What a provider's own API answers goes to the client as it came; but it is read: a job that failed says so
// in the answer to a poll, and it failed on this line.
void Exchange::passed_through() {
  const int status = upstream_->status();
  std::string lines = head_lines();
  const std::string_view type = HeaderBlock(upstream_->headers()).get("content-type");
  if (!type.empty()) append_header(lines, "content-type", type);
  const bool failed = classify::tells_error(upstream_->body());
  const Verdict verdict = failed ? judge(TransportFault::none, {}) : Verdict{};
  const bool known = failed && verdict.error_class != ErrorClass::unknown;
  if (known) lines += failure_lines(verdict, catalog().provider_of(upstream_->line().deployment));
  settle(known ? OutcomeKind::failure : OutcomeKind::success, known ? &verdict : nullptr);
  out_.head(status, lines);
  out_.bytes(upstream_->take_body());
  out_.end(true);
  finish(Result::answered, status);
}

// Does the route call this plain answer empty, whatever it says?
bool Exchange::called_empty() {
  if (record_.stream || route_ == nullptr || !route_->empty_when.asked()) return false;
  std::string text;
  for (const dialect::FoldedChoice& choice : answer_->folded().choices) text += choice.text;
  return counts_as_empty(route_->empty_when, answer_->plain_body(), text);
}

// The answer is finished and well formed.
void Exchange::content_ended(bool upstream_ended) {
  if (says_something(*upstream_, *answer_)) return completed(upstream_ended);
  empty_answer();
}

// … and nothing in it. Another line may do better; where there is none, the client gets
// what there is.
void Exchange::empty_answer() {
  if (answer_->content_sent() || exhausted_alternatives()) return completed(false);
  abort_attempt();
  attempt_failed(empty_verdict());
}

// A plain answer over the limit of what is collected; `rest` was not.
void Exchange::too_large(std::string_view rest) {
  if (!record_.stream && answer_->relays() && upstream_->shape() == Shape::whole) {
    answer_->relay_plain(head_lines(), upstream_->body(), out_);
    answer_->relay_more(rest, out_);
    relaying_plain_ = true;
    start_shadow();
    let_body_go();
    engine_.loans().set_answer(loan_, 0);
    return;
  }
  if (racing()) {
    abort_attempt();
    settle(OutcomeKind::neutral, nullptr);
    return leave_to_other();
  }
  drop_attempt();
  refuse({502, "answer_too_large",
          "The provider's answer is larger than this gateway may collect to translate it. Ask for a stream."},
         Result::failed);
}

void Exchange::completed(bool upstream_ended) {
  outrun();
  settle(OutcomeKind::success, nullptr);
  answer_->complete(head_lines(), out_);
  start_shadow();
  finish(Result::answered, 200);
  if (upstream_ended) return;
  if (kind_ == Kind::probe) return abort_attempt();
  phase_ = Phase::lingering;
  timers_.set_after(TimerReason::linger, now_, kLinger);
}

// After content there is no silent end.
void Exchange::break_off(const Verdict& verdict) {
  answer_->broken(fail(intake_->dialect(), verdict, record_, catalog()).body, out_);
  finish(Result::broken, 200);
}

void Exchange::give_up(const Verdict& verdict) {
  const bool clients =
      verdict.error_class == ErrorClass::invalid_request || verdict.error_class == ErrorClass::content_policy;
  if (!clients && fall_back(may_repeat(verdict))) return;
  if (answer_->head_sent()) return break_off(verdict);
  send_reply(fail(intake_->dialect(), verdict, record_, catalog()), Result::failed);
}

std::string Exchange::head_lines() const {
  std::string lines;
  append_header(lines, "x-shunt-request-id", record_.id);
  lines += cors_lines(intake_->origin(), engine_.loaded().engine.cors_origins);
  if (upstream_)
    append_header(lines, "x-shunt-deployment", catalog().deployment(upstream_->line().deployment).id);
  const std::size_t under_way =
      upstream_ && (record_.attempts.empty() || record_.attempts.back().no != upstream_->line().no);
  const std::int64_t within = tries_.within + (under_way ? used_of_lent(*upstream_) : 0);
  const std::size_t attempts =
      record_.attempts.size() + under_way + (racing() ? 1 : 0) + static_cast<std::size_t>(within);
  if (attempts > 0) {
    std::string count;
    append_uint(count, attempts);
    append_header(lines, "x-shunt-attempts", count);
    append_header(lines, "x-shunt-reason",
                  reason_in_words(record_, catalog(), upstream_ ? &upstream_->line().view_then : nullptr));
  }
  if (!record_.fallback.empty()) append_header(lines, "x-shunt-fallback", record_.fallback);
  if (!record_.dropped.empty()) {
    std::string list;
    for (const std::string& what : record_.dropped) {
      if (!list.empty()) list += ", ";
      for (const char c : what) list.push_back(c >= ' ' && c < 0x7F ? c : '?');
    }
    append_header(lines, "x-shunt-dropped", list.substr(0, 512));
  }
  return lines;
}

void Exchange::send_reply(const Reply& reply, Result result) {
  if (answer_ && answer_->head_sent()) {  // a body sent once went wrong after its answer had begun
    answer_->broken(reply.body, out_);
    return finish(Result::broken, 200);
  }
  upstream_.reset();
  const bool body = !intake_->head_request() && reply.status != 204;
  out_.head(reply.status, reply.headers + head_lines());
  if (body) out_.bytes(intake_->array() ? joined({"[", reply.body, "]"}) : reply.body);
  out_.end(true);
  finish(result, reply.status);
}

// The client is served. Books are closed; only an attempt's last bytes and the shadow's may still come.
void Exchange::finish(Result result, int status) {
  door_.close(record_.attempts.empty() ? std::nullopt : std::optional(used_), {now_, wall_now()});
  stop_lingering();
  record_.result = result;
  record_.status = status;
  record_.ended = now_;
  out_.release_body();
  engine_.loans().set_body(loan_, 0);
  if (!beside_) engine_.loans().close(loan_);
  if (result == Result::local) return;
  std::string json;
  write_record(record_, catalog(), engine_.loaded().hash, json);
  out_.emit(Emit::Kind::record, std::move(json));
}

// ---- timers ----

void Exchange::attempt_timed_out(std::string_view limit) {
  if (upstream_->finished() && upstream_->content()) return completed(false);
  abort_attempt();
  if (upstream_->shape() == Shape::failure) return attempt_broke(TransportFault::none, {});
  attempt_broke(TransportFault::response_timeout, limit);
}

void Exchange::on(const TimerFired&) {
  const Wakeup due = timers_.next();
  if (due.at > now_) return;
  timers_.stop(due.reason);
  switch (due.reason) {
    case TimerReason::none:
    case TimerReason::upkeep: return;
    case TimerReason::queue: return look_again();
    case TimerReason::store:
      if (phase_ != Phase::lingering) return door_.store_silent(now_) ? go_on() : take_plan();
      door_.forget_late();
      return timers_.running(TimerReason::linger) ? void() : stop_lingering();
    case TimerReason::hedge: return hedge();
    case TimerReason::request_body:
      drop_attempt();
      return refuse({408, "request_timeout", "The request's body did not arrive in time."});
    case TimerReason::first_byte:
    case TimerReason::first_token:
    case TimerReason::idle:
    case TimerReason::attempt:
      if (upstream_) attempt_timed_out(name_of(due.reason));
      return;
    case TimerReason::total: return total_reached();
    case TimerReason::client_stall:
      drop_attempt();
      out_.end(false);
      return finish(Result::client_gone, 0);
    case TimerReason::backoff: return start(tries_.same_view, Purpose::main);
    case TimerReason::linger: abort_attempt(); return stop_lingering();
    case TimerReason::keepalive:
      answer_->keepalive(head_lines(), out_);
      if (racing()) beside_->answer->join(*answer_);
      timers_.set_after(TimerReason::keepalive, now_, route_ != nullptr ? route_->keepalive : Duration{});
      return;
  }
}

// The whole exchange has had its time: no further attempt.
void Exchange::total_reached() {
  Verdict verdict;
  verdict.error_class = ErrorClass::external_network;
  verdict.sub = "timeout";
  if (upstream_ && upstream_->finished() && upstream_->content()) return completed(false);
  if (upstream_) {
    verdict = judge(TransportFault::response_timeout, "total");
    abort_attempt();
    settle(OutcomeKind::failure, &verdict);
    if (racing()) {
      leave_to_other();
      drop_attempt();
    }
    upstream_.reset();
  }
  give_up(verdict);
}

}  // namespace shunt::exchange
