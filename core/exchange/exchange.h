// One piece of work from arrival to last byte: the only place that knows all rooms. Mutate once with
// handle(), drain with poll(), repeat.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "classify/evidence.h"
#include "exchange/admin.h"
#include "exchange/admittance.h"
#include "exchange/answer.h"
#include "exchange/course.h"
#include "exchange/engine.h"
#include "exchange/intake.h"
#include "exchange/phase.h"
#include "exchange/tries.h"
#include "exchange/upkeep.h"
#include "exchange/upload.h"
#include "exchange/upstream.h"

namespace shunt::exchange {

class Exchange {
 public:
  // The engine must outlive it. The seed decides every draw; `name` is what others' Wake effects call it.
  Exchange(Engine& engine, std::uint64_t seed, Kind kind = Kind::request, std::uint32_t name = 0);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // One mutation; `host_now` is the host's monotonic time. Effects of the one before must have been drained.
  void handle(Instant host_now, const Input& input);
  std::optional<Effect> poll() { return out_.poll(); }
  // The single timer to arm after each drain, in the host's time. Never empty while the exchange waits for
  // anything.
  Wakeup wake_at() const;
  bool finished() const { return phase_ == Phase::finished; }
  std::size_t memory() const;

 private:
  // Inputs (exchange.cpp).
  void on(const RequestArrived& input);
  void on(const RequestBytes& input);
  void on(const RequestEnded& input);
  void on(const HeadArrived& input);
  void on(const BytesArrived& input);
  void on(const AttemptEnded& input);
  void on(const AttemptBroke& input);
  void on(const ClientPaused& input);
  void on(const ClientReady& input);
  void on(const ClientGone& input);
  void on(const TimerFired& input);
  void on(const Woken& input);
  void on(const Started& input);
  void on(const StoreAnswered& input);

  void hold_until(Instant end);
  void keep_up(const Input& input);
  bool check_next();
  void begin_record(std::uint64_t number);
  void answer_operator();
  // The request (exchange.cpp).
  void hold_or_send_once(std::uint64_t bytes);
  void wait_for_body();
  void body_grew(std::string_view bytes);
  bool resolve();
  void state_needs();
  Timeouts limits_of(DeploymentId line) const;
  BodyTarget target_of(DeploymentId line) const;
  std::string_view prompt_of(DeploymentId line) const;
  void refuse(const Refusal& refusal, Result result = Result::refused);
  void refuse(const RequestProblem& problem);
  // The door, and room on lines (admitting.cpp).
  bool let_in();
  bool heed(Admittance::Answer answer);
  bool waits_for_line();
  void look_again();
  void take_room(Upstream::Line& line);
  std::int64_t settle_room(OutcomeKind kind, const Verdict* verdict);
  void learn(OutcomeKind kind, const Verdict* verdict);
  // The plan (planning.cpp).
  void plan_and_start();
  void go_on();
  void take_plan();
  bool ask_for_lease(std::uint32_t line);
  void all_protected(Instant retry_at);
  void all_at_limits(Instant retry_at);
  std::optional<std::uint16_t> next_line();
  bool fall_back(bool may_call);
  void answer_ourselves(const FallbackStep& step);
  // Attempts (attempting.cpp).
  void prepare_answer();
  void start(std::uint16_t view, Purpose purpose);
  void launch(Upstream::Line line);
  void send_more_body(bool last);
  void arm_for_attempt();
  void arm_idle();
  void disarm_attempt();
  Instant lease_end() const;
  bool exhausted_alternatives();
  void attempt_failed(const Verdict& verdict);
  void attempt_broke(TransportFault fault, std::string_view text);
  void abort_attempt();
  void drop_attempt();
  void retry_or_fail(const Verdict& verdict);
  bool attempt_left() const;
  std::int64_t attempts_to_lend();
  bool may_repeat(const Verdict& verdict) const;
  bool wait_same(const Verdict& verdict);
  bool next_key(const Verdict& verdict);
  bool next_better(const Verdict& verdict);
  bool retry_same(const Verdict& verdict);
  void switch_to(std::uint16_t view, const Verdict& verdict);
  void pause(Duration wait);
  int attempts_made() const { return static_cast<int>(record_.attempts.size()) + tries_.within; }
  AttemptRecord close_attempt(OutcomeKind kind, const Verdict* verdict, bool superseded = false);
  void settle(OutcomeKind kind, const Verdict* verdict, bool superseded = false);
  classify::Evidence evidence() const;
  Verdict judge(TransportFault fault, std::string_view text) const;
  Verdict judge_event(const event::Error& error) const;
  // Two attempts at once (hedging.cpp, shadowing.cpp).
  void dispatch(const Input& input);
  void swap_courses();
  Wakeup next_wake() const;
  void plan_hedge();
  void hedge();
  void outrun();
  void leave_to_other();
  void start_shadow();
  void tell_shadow(const Input& input);
  class ShadowReader;
  // Answers (answering.cpp).
  void take_head(const HeadArrived& input);
  bool read_stream();
  void whole_ended(TransportFault fault, std::string_view text);
  void stop_lingering();
  void too_large(std::string_view rest);
  bool reserve_answer(std::size_t bytes);
  void let_body_go();
  void passed_through();
  bool called_empty();
  void completed(bool upstream_ended);
  void content_ended(bool upstream_ended);
  void empty_answer();
  void break_off(const Verdict& verdict);
  void give_up(const Verdict& verdict);
  std::string head_lines() const;
  void send_reply(const Reply& reply, Result result);
  void finish(Result result, int status);
  void attempt_timed_out(std::string_view limit);
  void total_reached();

  WallTime wall_now() const { return {record_.wall.ms + (now_ - record_.arrived).ms}; }
  bool is_current(AttemptNo attempt) const { return upstream_ && upstream_->line().no == attempt; }
  bool racing() const { return race_ == Race::running; }
  const RetryPolicy& retry_policy() const;
  const Catalog& catalog() const { return engine_.catalog(); }

  Engine& engine_;
  std::uint64_t seed_;
  std::uint32_t checked_ = 0;  // of a probe: lines below this have had their turn
  std::string check_body_;     // … what is asked of the line
  Kind kind_;
  Phase phase_ = Phase::waiting;
  Instant now_;
  Timers timers_;
  Outbox out_;
  Loans::Id loan_;
  DecisionRecord record_;
  std::optional<Intake> intake_;
  std::optional<Upload> upload_;  // the body is sent once, while it arrives
  bool body_ended_ = false;
  bool length_stated_ = false;  // else the body is counted as it comes
  Needs needs_;
  route::PlanPolicy policy_;
  Admittance door_;
  admit::Use used_;  // by all attempts so far

  const Route* route_ = nullptr;     // null: the client named its line
  std::vector<RouteEntry> entries_;  // the candidates, in configuration order
  Timeouts limits_;
  Tries tries_;

  std::unique_ptr<AdminCall> admin_;  // of that kind
  std::unique_ptr<Upkeep> upkeep_;    // of that kind
  // The attempt in focus, and the client's side of it; beside it a rival or a shadow, when two are under way.
  std::unique_ptr<Upstream> upstream_;
  std::unique_ptr<Answer> answer_;
  std::unique_ptr<Course> beside_;
  AttemptNo started_ = 0;  // attempts so far
  Race race_ = Race::not_run;
  bool shadow_drawn_ = false;
  bool relaying_plain_ = false;
  bool client_paused_ = false;
};

}  // namespace shunt::exchange
