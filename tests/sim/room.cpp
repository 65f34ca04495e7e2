// What an isolate's requests hold of limits, and who waits for a slot: a copy made from outside, by which the
// core's own is judged. Asks the core for its clock and its configuration alone.
#include <utility>

#include "sim/world.h"

namespace shunt::sim {
using exchange::Kind;

// Calls to a line that may be probes take no room in this copy: whether they are is told later.
void World::take_room(Seat& seat, OnCall& call, Made& made) {
  Isolate& isolate = isolates_[seat.isolate];
  Room& room = isolate.rooms[call.line];
  made.no_room = !room.there_is(isolate.engine->clock().now());
  call.in_room = !made.no_room && made.standing == Ledger::Standing::well;
  if (call.in_room) room.enter();
}

void World::leave_room(const Seat& seat, OnCall& call) {
  if (std::exchange(call.in_room, false)) isolates_[seat.isolate].rooms[call.line].leave();
}

// Its first call: it has been let in.
void World::begins(Seat& seat) {
  if (seat.seen.made.size() > 1 || seat.kind != Kind::request) return;
  Isolate& isolate = isolates_[seat.isolate];
  if (now_ms_ > seat.arrived_ms + 1000) isolate.repeats[seat.route].request(now_ms_);
  Turns& turns = isolate.turns;
  const std::size_t rank = rank_of(caller_of(seat));
  if (std::exchange(seat.waits, false)) --turns.waiting[rank];
  for (std::size_t higher = rank + 1; scenario_.slots > 0 && higher < turns.waiting.size(); ++higher) {
    if (turns.waiting[higher] > 0)
      watch_.note(Rule::in_turn, seat.seen, "it begins before one of a higher class that waits");
  }
  const exchange::EnginePolicy& policy = isolate.engine->loaded().engine;
  const std::int64_t most = policy.limits.concurrency;
  if (most > 0 && turns.inside >= most)
    watch_.note(Rule::within_limits, seat.seen, "more requests at a time than the engine may have");
  for (std::size_t i = 0; i < policy.clients.size(); ++i) {
    if (policy.clients[i].id != caller_of(seat).client) continue;
    const std::int64_t own = policy.clients[i].limits.concurrency;
    if (own > 0 && turns.of_clients[i] >= own)
      watch_.note(Rule::within_limits, seat.seen, "more requests at a time than its client may have");
    ++turns.of_clients[i];
  }
  ++turns.inside;
  seat.admitted = true;
}

// Its client has been answered, or is gone: what it held of limits is free.
void World::answered(Seat& seat) {
  Isolate& isolate = isolates_[seat.isolate];
  if (std::exchange(seat.waits, false)) --isolate.turns.waiting[rank_of(caller_of(seat))];
  for (OnCall& call : seat.calls) {
    if (!call.shadow) leave_room(seat, call);
  }
  if (!std::exchange(seat.admitted, false)) return;
  --isolate.turns.inside;
  const auto& clients = isolate.engine->loaded().engine.clients;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    if (clients[i].id == caller_of(seat).client) --isolate.turns.of_clients[i];
  }
}

void World::perform(Seat& seat, const exchange::SendEnd& e) {
  watch_.end(seat.seen, e);
  answered(seat);
}

}  // namespace shunt::sim
