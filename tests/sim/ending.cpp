// How an exchange ends as its host sees it: its record, a host that vanishes, a deadline that is missed.
#include <algorithm>
#include <utility>

#include "sim/describe.h"
#include "sim/world.h"

namespace shunt::sim {
namespace {

using exchange::Kind;

constexpr std::int64_t kLingerMs = 1000;  // behind the answer, for the provider's last bytes

}  // namespace

void World::perform(Seat& seat, const exchange::Emit& e) {
  if (seat.kind != Kind::request) return watch_.secret(seat.seen, e.json);
  if (is_shadows(e.json)) return shadow_told(seat, e.json);
  watch_.record(seat.seen, e.json);
  Isolate& isolate = isolates_[seat.isolate];
  for (const Told& told : seat.seen.told) {
    figures_.probes += told.probe;
    figures_.kept += told.kept;
    figures_.hedges += told.hedge;
    for (int i = 0; i < kErrorClasses; ++i)
      figures_.failures[static_cast<std::size_t>(i)] +=
          told.error_class == name_of(static_cast<ErrorClass>(i));
    if (!told.probe) continue;
    for (const Made& made : seat.seen.made) {
      if (made.attempt != told.attempt) continue;
      watch_.probe(seat.seen, made, isolate.probes[waits_at(made.line, made.slot)], grace_ms(seat));
      if (told.outcome == Told::Outcome::success)
        isolate.ledger->proved(made.line, made.slot, isolate.engine->clock().now());
    }
  }
  look_back(seat);
}

void World::shadow_told(Seat& seat, std::string_view json) {
  const Told told = watch_.shadow_record(seat.seen, json);
  Isolate& isolate = isolates_[seat.isolate];
  for (const Made& made : seat.seen.made) {
    if (!made.shadow) continue;
    if (told.outcome == Told::Outcome::success && made.standing == Ledger::Standing::on_trial)
      isolate.ledger->proved(made.line, made.slot, isolate.engine->clock().now());
    if (!scenario_.keeps_chronicle) continue;
    CallSeen seen{
        .at_ms = made.at_ms, .ended_ms = now_ms_, .exchange = seat.seen.exchange, .isolate = seat.isolate};
    seen.line = made.line;
    seen.success = told.outcome == Told::Outcome::success;
    seen.shadow = true;
    chronicle_.calls.push_back(seen);
  }
}

void World::look_back(Seat& seat) {
  const Watched& seen = seat.seen;
  const bool success = seen.status == 200 && seen.ends == 1 && seen.clean && seen.answered_whole;
  figures_.succeeded += success;
  figures_.gone += seat.client_gone;
  const bool refused = seen.status == 503 && seen.made.empty();
  const bool limited = seen.status == 429 && seen.made.empty();
  figures_.refused += refused;
  figures_.limited += limited;
  figures_.failed += !success && !refused && !limited && !seat.client_gone;
  if (!scenario_.keeps_chronicle) return;
  const Isolate& isolate = isolates_[seat.isolate];
  const Instant now = isolate.engine->clock().now();
  AskSeen ask{seat.arrived_ms, seen.exchange, seat.isolate,     static_cast<std::uint32_t>(seen.made.size()),
              success,         seen.status,   seen.retry_after, std::nullopt};
  ask.caller = seat.caller;
  ask.began_ms = seen.made.empty() ? -1 : seen.made.front().at_ms;
  ask.content_ms = seen.content_ms;
  ask.ended_ms = seen.ended_ms;
  ask.digest = seen.digest;
  if (refused) {
    Instant nearest = kNever;
    for (const RouteEntry& entry : isolate.engine->catalog().routes[seat.route].entries)
      nearest = std::min(nearest, isolate.ledger->end(index_of(entry.deployment), 0, now));
    if (nearest != kNever) ask.true_wait = nearest - now;
  }
  chronicle_.asks.push_back(ask);
  for (const Told& told : seen.told) {
    for (const Made& made : seen.made) {
      if (made.attempt != told.attempt || made.shadow) continue;
      chronicle_.calls.push_back({made.at_ms, made.ended_ms, seen.exchange, seat.isolate, made.line,
                                  told.probe, told.kept, told.outcome == Told::Outcome::success, told.hedge,
                                  false, told.error_class == name_of(ErrorClass::rate_limited)});
    }
  }
}

void World::vanish(Seat& seat, bool destroyed) {
  if (settings_.logs)
    log(seat, destroyed ? "its host ends it without a word" : "its host is never heard of again");
  figures_.gone += seat.kind == Kind::request;
  for (OnCall& call : seat.calls) {
    if (!call.open) continue;
    for (const Made& made : seat.seen.made)
      figures_.lost_leases += made.attempt == call.attempt && made.standing != Ledger::Standing::well;
    leave_room(seat, call);
  }
  answered(seat);
  if (!destroyed) ghosts_.push_back(std::move(seat.exchange));
  seat.exchange.reset();
  free_.push_back(seat.index);
}

void World::leave(Seat& seat) {
  for (OnCall& call : seat.calls) leave_room(seat, call);
  answered(seat);
  if (seat.kind == Kind::request) watch_.over(seat.seen, seat.client_gone);
  if (seat.kind == Kind::admin && (seat.seen.status != 200 || seat.seen.ends != 1))
    watch_.note(Rule::one_terminal, seat.seen,
                "an operator's order ends with " + std::to_string(seat.seen.status));
  seat.exchange.reset();
  free_.push_back(seat.index);
}

// How late a limit may come: of its timers, and of a clock that stood or was set back.
std::int64_t World::grace_ms(const Seat& seat) const {
  const bool moody = strikes(Fault::clock_stop) && scenario_.clocks != Clocks::honest;
  return 4 * kLateMs + seat.excused_ms + (moody ? 2 * kStandsMost : 0);
}

void World::check_deadline(Seat& seat) {
  const bool over = seat.seen.ends > 0 || seat.client_gone;
  const std::int64_t due = over ? std::max(seat.deadline_ms, seat.shadow_ms) : seat.deadline_ms;
  const std::int64_t last = due + kLingerMs + grace_ms(seat);
  if (now_ms_ < last) return plan(last, Happens::deadline, seat.index);
  watch_.note(Rule::by_deadline, seat.seen,
              "not over " + std::to_string(now_ms_ - seat.arrived_ms) + " ms after its arrival");
}

}  // namespace shunt::sim
