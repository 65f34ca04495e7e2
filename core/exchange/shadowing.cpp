// A copy of an answered request for a line that is being tried out: what comes of it is learnt, and seen by
// nobody. Its answer is read as any other is; nothing here writes to the client.
#include <algorithm>
#include <utility>

#include "base/rng.h"
#include "exchange/ends.h"
#include "exchange/exchange.h"

namespace shunt::exchange {
namespace {

// A shadow may take its line's own limits, and in all no longer than this.
constexpr Duration kShadowTime{60000};
constexpr std::uint32_t kWhole = 1000000;  // shares are in millionths

}  // namespace

// Once an exchange, when its first content is on its way and the client's body is still held.
void Exchange::start_shadow() {
  if (std::exchange(shadow_drawn_, true) || kind_ != Kind::request || route_ == nullptr || !upstream_) return;
  const Shadow& shadow = route_->shadow;
  if (shadow.deployment.empty() || upload_ || !intake_->repeatable()) return;
  if (draw_below(seed_, Draw::shadow, 0, kWhole) >= shadow.share_micros) return;
  const auto line = catalog().find_deployment(shadow.deployment);
  const auto asked = [&](const AttemptRecord& attempt) { return attempt.deployment == *line; };
  if (!line || upstream_->line().deployment == *line ||
      std::any_of(record_.attempts.begin(), record_.attempts.end(), asked))
    return;
  Needs ungated = needs_;
  ungated.route = nullptr;  // the gate is for ranking; whatever else holds a line holds its shadows
  const route::LineView view = engine_.view(RouteEntry{*line, 1, 1, {}}, ungated, now_);
  RequestProblem problem;
  if (view.availability == route::Availability::out ||
      !build_body(*intake_, target_of(*line), out_.body, problem))
    return;
  const auto ticket = engine_.health().begin(index_of(*line), view.slot, now_, now_ + kShadowTime);
  if (!ticket) return;
  beside_ = std::make_unique<Course>();
  beside_->limits = limits_of(*line);
  swap_courses();
  arm_for_attempt();
  const Duration own = record_.stream ? limits_.attempt : limits_.plain_total;
  timers_.set_after(TimerReason::attempt, now_, own.ms > 0 ? std::min(own, kShadowTime) : kShadowTime);
  launch({0, 0, *line, Purpose::shadow, *ticket, {}, {}, 0, false, {}, {}, view});
  swap_courses();
}

// Reads the answer of a shadow that is in focus. What it does says whether the shadow is over.
class Exchange::ShadowReader {
 public:
  explicit ShadowReader(Exchange& exchange) : x_(exchange), up_(*exchange.upstream_) {}

  bool tell(const Input& input) {
    if (const auto* head = std::get_if<HeadArrived>(&input)) {
      if (!up_.has_head()) x_.take_head(*head);
      return false;
    }
    if (const auto* bytes = std::get_if<BytesArrived>(&input)) return up_.has_head() && read(bytes->bytes);
    if (const auto* broke = std::get_if<AttemptBroke>(&input)) return ended(broke->fault, broke->text);
    if (std::get_if<AttemptEnded>(&input) != nullptr) return ended(TransportFault::none, {});
    return timed_out(x_.timers_.next());
  }

 private:
  bool read(std::string_view bytes) {
    if (up_.shape() != Shape::failure) x_.arm_idle();
    const std::size_t taken = up_.on_bytes(bytes, x_.now_);
    if (up_.shape() == Shape::stream) return read_frames();
    if (taken == bytes.size() && x_.reserve_answer(up_.body().size())) return false;
    x_.abort_attempt();
    if (up_.shape() == Shape::failure) return failed(x_.judge(TransportFault::none, {}));
    return close(OutcomeKind::neutral);  // more than is collected
  }

  bool read_frames() {
    Step step;
    while (up_.step(step)) {
      const auto& error = up_.error();
      if (!error && !up_.done()) continue;
      x_.abort_attempt();
      if (!error) return finished();
      if (step.frame->kind == wire::Frame::Kind::broken)
        return failed(x_.judge(TransportFault::protocol, step.frame->event));
      return failed(x_.judge_event(*error));
    }
    if (!up_.frame_too_large()) return false;
    x_.abort_attempt();
    return failed(x_.judge(TransportFault::protocol, "a frame over the limit"));
  }

  bool ended(TransportFault fault, std::string_view text) {
    if (up_.shape() == Shape::stream) {
      up_.on_end();
      if (read_frames()) return true;
      return up_.finished() ? finished() : failed(x_.judge(cut_unless_said(fault), text));
    }
    if (up_.shape() == Shape::failure) return failed(x_.judge(TransportFault::none, {}));
    if (!up_.has_head() || fault != TransportFault::none)
      return failed(x_.judge(cut_unless_said(fault), text));
    up_.whole_events();
    if (const auto& error = up_.error()) return failed(x_.judge_event(*error));
    if (up_.bad_frames() > 0 || up_.body().empty()) return failed(x_.judge(TransportFault::truncated, {}));
    return finished();
  }

  bool timed_out(const Wakeup& due) {
    if (due.at > x_.now_) return false;
    x_.abort_attempt();
    if (up_.finished() && up_.content()) return finished();
    if (up_.shape() == Shape::failure) return failed(x_.judge(TransportFault::none, {}));
    return failed(x_.judge(TransportFault::response_timeout, name_of(due.reason)));
  }

  // Finished and well formed; there is something in it, or not.
  bool finished() {
    const bool relayed = &up_.dialect() == &x_.intake_->dialect();
    if (up_.content() || (relayed && up_.output())) return close(OutcomeKind::success);
    return failed(empty_verdict());
  }
  bool failed(const Verdict& verdict) { return close(OutcomeKind::failure, &verdict); }
  bool close(OutcomeKind kind, const Verdict* verdict = nullptr) {
    const AttemptRecord attempt = x_.close_attempt(kind, verdict);
    std::string json;
    write_shadow(x_.record_, attempt, up_.usage(), x_.catalog(), x_.engine_.loaded().hash, json);
    x_.out_.emit(Emit::Kind::record, std::move(json));
    return true;
  }

  Exchange& x_;
  Upstream& up_;
};

void Exchange::tell_shadow(const Input& input) {
  swap_courses();
  const bool over = ShadowReader(*this).tell(input);
  swap_courses();
  if (!over) return;
  beside_.reset();
  engine_.loans().set_answer(loan_, 0);
  if (phase_ != Phase::lingering) return;
  engine_.loans().close(loan_);
  if (!timers_.running(TimerReason::linger)) stop_lingering();
}

}  // namespace shunt::exchange
