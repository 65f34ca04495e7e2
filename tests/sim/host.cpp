// One exchange's host: what it tells the core, what it does with what the core asks, and how it and its
// client misbehave.
#include <algorithm>
#include <utility>

#include "sim/describe.h"
#include "sim/world.h"

namespace shunt::sim {
namespace {

using exchange::Kind;

constexpr std::int64_t kBodyLimitMs = 300'000;
constexpr std::int64_t kShadowMs = 60'000;

std::string request_body(const std::string& route, bool stream) {
  return R"({"model":")" + route + R"(","stream":)" + (stream ? "true" : "false") +
         R"(,"max_tokens":9,"messages":[{"role":"user","content":"hi"}]})";
}

}  // namespace

std::uint32_t World::take_seat(std::uint32_t isolate, Kind kind, std::uint64_t exchange) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(seats_.size()));
    seats_.push_back(std::make_unique<Seat>());
  }
  const std::uint32_t index = free_.back();
  free_.pop_back();
  Seat& seat = *seats_[index];
  seat = Seat{};
  seat.index = index;
  seat.stamp = ++stamps_;
  seat.kind = kind;
  seat.isolate = isolate;
  seat.seen.exchange = exchange;
  seat.arrived_ms = now_ms_;
  const std::uint64_t seed =
      Dice(settings_.seed, Luck::seed, {static_cast<std::uint64_t>(kind), exchange}).next();
  seat.exchange = std::make_unique<exchange::Exchange>(*isolates_[isolate].engine, seed, kind, index);
  return index;
}

// The host runs it beside the request whose drain said that it is wanted.
void World::open_upkeep(std::uint32_t index) {
  Isolate& isolate = isolates_[index];
  if (!isolate.engine->sharing().wanted(isolate.engine->clock().now())) return;
  ++figures_.upkeeps;
  Seat& seat = *seats_[take_seat(index, Kind::upkeep, ++isolate.upkeeps)];
  Dice dice(settings_.seed, Luck::upkeep, {index, isolate.upkeeps});
  if (dice.permille(10) && strikes(Fault::host_gone))
    plan(now_ms_ + dice.between(0, 5000), Happens::host_gone, seat.index, dice.once_in(2) ? 1 : 0);
  tell(seat, exchange::Started{wall(isolate)});
}

// An operator's act on a line; more of them bring lines back than take them out.
void World::order(std::uint32_t index) {
  static constexpr std::string_view kActs[] = {"reset",  "reset",  "enable", "enable",  "enable",   "enable",
                                               "enable", "enable", "open",   "disable", "priority", "weight"};
  Isolate& isolate = isolates_[index];
  Dice dice(settings_.seed, Luck::upkeep, {index, ++isolate.orders, 1});
  const auto& lines = isolate.engine->catalog().deployments;
  std::string line = lines[dice.below(lines.size())].id;
  line.replace(line.find('@'), 1, "%40");
  const std::string_view act = dice.of(kActs);
  const bool valued = act == "priority" || act == "weight";
  const std::string body = valued ? R"({"value": )" + std::to_string(1 + dice.below(5)) + "}" : "";
  const std::string target = "/admin/providers/" + line + "/" + std::string(act);
  ++figures_.orders;
  Seat& seat = *seats_[take_seat(index, Kind::admin, isolate.orders)];
  const std::uint64_t stamp = seat.stamp;
  tell(seat, exchange::RequestArrived{"POST", target, "", "", wall(isolate), body.size()});
  if (valued && seat.stamp == stamp && seat.exchange) tell(seat, exchange::RequestBytes{body});
  if (seat.stamp == stamp && seat.exchange) tell(seat, exchange::RequestEnded{});
}

void World::begin(Seat& seat) {
  const std::uint64_t stamp = seat.stamp;
  Isolate& isolate = isolates_[seat.isolate];
  ++figures_.requests;
  isolate.repeats[seat.route].request(now_ms_);
  seat.body = request_body(isolate.engine->catalog().routes[seat.route].name, seat.stream);
  const Caller& caller = caller_of(seat);
  const std::string headers = "accept: */*\n" + std::string(caller.headers);
  tell(seat, exchange::RequestArrived{"POST", seat.anthropic ? "/v1/messages" : "/v1/chat/completions",
                                      headers, caller.client, wall(isolate), seat.body.size()});
  if (seat.stamp != stamp || !seat.exchange) return;
  draw_fate(seat);
}

// What its client and its host will do to it, whatever comes of it.
void World::draw_fate(Seat& seat) {
  Dice dice(settings_.seed, Luck::client, {seat.seen.exchange});
  const bool slow = dice.permille(10);
  const bool never = dice.once_in(3);
  const std::int64_t slow_ms = dice.between(10, 4000);
  const bool pauses = dice.permille(10);
  const std::int64_t pause_at = now_ms_ + dice.between(100, 1500);
  const std::int64_t pause_ms = dice.once_in(3) ? 60'000 : dice.between(50, 3000);
  if (dice.permille(10) && strikes(Fault::client_gone))
    plan(now_ms_ + dice.between(0, 6000), Happens::client_gone, seat.index);
  if (strikes(Fault::client_slow) && pauses) {
    plan(pause_at, Happens::client_pauses, seat.index);
    plan(pause_at + pause_ms, Happens::client_ready, seat.index);
  }
  if (dice.permille(3) && strikes(Fault::host_gone))
    plan(now_ms_ + dice.between(0, 3000), Happens::host_gone, seat.index, dice.once_in(2) ? 1 : 0);
  if (!strikes(Fault::client_slow) || !slow) return send_body(seat);
  seat.deadline_ms = now_ms_ + kBodyLimitMs;
  if (!never) plan(now_ms_ + slow_ms, Happens::body, seat.index);
  plan(seat.deadline_ms, Happens::deadline, seat.index);
}

void World::send_body(Seat& seat) {
  const std::uint64_t stamp = seat.stamp;
  const std::string body = std::exchange(seat.body, {});
  tell(seat, exchange::RequestBytes{body});
  if (seat.stamp != stamp || !seat.exchange) return;
  const Timeouts& limits = isolates_[seat.isolate].engine->catalog().deployments.front().timeouts;
  const Duration total = seat.stream ? limits.total : limits.plain_total;
  seat.deadline_ms = std::max(now_ms_, seat.arrived_ms + total.ms);
  plan(seat.deadline_ms, Happens::deadline, seat.index);
  tell(seat, exchange::RequestEnded{});
  if (seat.stamp != stamp || !seat.exchange || !seat.calls.empty() || seat.seen.ends > 0) return;
  ++figures_.waited;
  seat.waits = true;
  ++isolates_[seat.isolate].turns.waiting[rank_of(caller_of(seat))];
}

// ---- between host and core ----

Scene World::scene(const Seat& seat) const {
  const Isolate& isolate = isolates_[seat.isolate];
  std::uint32_t out = chronicle_.lines;
  if (settings_.plant != nullptr) {
    for (std::uint32_t line = 0; line < chronicle_.lines; ++line) {
      if (isolate.ledger->standing(line, 0, isolate.engine->clock().now()) == Ledger::Standing::out)
        out = line;
    }
  }
  return {seat.seen.exchange, seat.seen, out, *isolate.engine};
}

void World::log(const Seat& seat, const std::string& what) {
  log_ += std::to_string(now_ms_) + " ms  isolate " + std::to_string(seat.isolate) + "  " +
          (seat.kind == Kind::request ? "#"
           : seat.kind == Kind::admin ? "operator "
                                      : "upkeep ") +
          std::to_string(seat.seen.exchange) + "  " + what + "\n";
}

void World::tell(Seat& seat, const exchange::Input& input) {
  Isolate& isolate = isolates_[seat.isolate];
  if (settings_.logs) log(seat, describe(input));
  if (settings_.plant != nullptr && !saboteur_.lets_in(scene(seat), input)) return;
  if (scenario_.clocks == Clocks::moody && strikes(Fault::clock_stop) &&
      isolate.clock.stands_until_ms <= now_ms_) {
    Dice dice(settings_.seed, Luck::host, {seat.seen.exchange, static_cast<std::uint64_t>(now_ms_)});
    if (dice.permille(2)) {
      isolate.clock.stands_at_ms = now_ms_ + isolate.clock.offset_ms;
      isolate.clock.stands_until_ms = now_ms_ + dice.between(1, kStandsMost);
    }
  }
  isolate.heard_ms = now_ms_;
  const auto* ended = std::get_if<exchange::AttemptEnded>(&input);
  const OnCall* call = ended != nullptr ? seat.call(ended->attempt) : nullptr;
  const bool learns = call != nullptr && call->reply.stated && call->ends_clean_for_core();
  if (std::get_if<exchange::ClientGone>(&input) != nullptr) answered(seat);
  seat.exchange->handle(host_now(isolate), settings_.plant != nullptr ? saboteur_.changed(input) : input);
  isolate.ledger->refresh(*isolate.engine, wall(isolate));
  note_trips(seat.isolate);
  if (learns) learn_wait(seat, *call);
  drain(seat);
}

void World::note_trips(std::uint32_t index) {
  const Isolate& isolate = isolates_[index];
  if (!scenario_.keeps_chronicle) return;
  for (std::uint32_t line = 0; line < chronicle_.lines; ++line) {
    std::int64_t& knew = chronicle_.knew_ms[index * chronicle_.lines + line];
    if (knew < 0 && isolate.ledger->first_trip(line) != kNever) knew = now_ms_;
  }
}

// A rate limit with its wait has been handed over whole.
void World::learn_wait(const Seat& seat, const OnCall& call) {
  Isolate& isolate = isolates_[seat.isolate];
  Wait& wait = isolate.waits[waits_at(call.line, call.slot)];
  const Instant until = isolate.engine->clock().now() + *call.reply.stated;
  const std::int64_t epoch = isolate.ledger->epoch(call.line, call.slot);
  wait = {epoch == wait.epoch ? std::max(wait.until, until) : until, epoch};
}

void World::drain(Seat& seat) {
  const auto on = [&](const exchange::Effect& effect) {
    if (settings_.logs) log(seat, "  " + describe(effect));
    std::visit([&](const auto& each) { perform(seat, each); }, effect);
  };
  while (const auto effect = seat.exchange->poll()) {
    if (settings_.plant != nullptr) {
      saboteur_.pass(scene(seat), *effect, on);
    } else {
      on(*effect);
    }
  }
  const bool of_request = seat.kind == Kind::request;
  const std::uint32_t isolate = seat.isolate;
  if (seat.exchange->finished()) {
    leave(seat);
  } else {
    arm(seat);
  }
  if (of_request) open_upkeep(isolate);
}

// The host's one timer: set by its own clock, rung by the world's.
void World::arm(Seat& seat) {
  const exchange::Wakeup wake = seat.exchange->wake_at();
  if (wake.at == kNever) {
    watch_.note(Rule::by_deadline, seat.seen, "waits for nothing");
    return;
  }
  if (seat.armed_ms != 0 && wake.at == seat.armed_for) return;
  const Isolate& isolate = isolates_[seat.isolate];
  std::int64_t due = now_ms_ + std::max<std::int64_t>(0, (wake.at - host_now(isolate)).ms);
  if (strikes(Fault::late_timer)) {
    Dice dice(settings_.seed, Luck::host, {seat.seen.exchange, static_cast<std::uint64_t>(due)});
    if (dice.once_in(10)) due += dice.between(1, kLateMs);
  }
  seat.armed_for = wake.at;
  const bool sooner = seat.armed_ms == 0 || due < seat.planned_ms;
  seat.armed_ms = due;
  if (!sooner) return;  // what is planned finds out when it comes
  seat.planned_ms = due;
  plan(due, Happens::timer, seat.index);
}

void World::rings(Seat& seat) {
  if (seat.armed_ms == 0 || now_ms_ < seat.planned_ms) return;
  if (now_ms_ < seat.armed_ms) {
    seat.planned_ms = seat.armed_ms;
    return plan(seat.armed_ms, Happens::timer, seat.index);
  }
  seat.armed_ms = 0;
  tell(seat, exchange::TimerFired{});
}

// ---- the provider's side ----

void World::perform(Seat& seat, const exchange::StartAttempt& e) {
  Isolate& isolate = isolates_[seat.isolate];
  const std::uint32_t line = index_of(e.deployment);
  const Instant now = isolate.engine->clock().now();
  Made made{.attempt = e.attempt,
            .line = line,
            .slot = e.slot,
            .standing = isolate.ledger->standing(line, e.slot, now),
            .shadow = e.shadow,
            .at_ms = now_ms_};
  const Wait& wait = isolate.waits[waits_at(line, e.slot)];
  made.in_doubt = isolate.ledger->in_doubt(line, e.slot, now);
  made.in_wait = now < wait.until && isolate.ledger->epoch(line, e.slot) == wait.epoch;
  const DialectId dialect = isolate.engine->catalog().provider_of(e.deployment).dialect;
  OnCall call{.attempt = e.attempt, .line = line, .slot = e.slot, .shadow = e.shadow, .open = true};
  call.reply = weather_.answer(
      {seat.isolate, line, e.slot, seat.seen.exchange, e.attempt, {dialect, seat.stream, e.shadow}}, now_ms_);
  take_room(seat, call, made);
  watch_.attempt(seat.seen, e, made);
  ++(e.shadow ? figures_.shadows : figures_.attempts);
  const std::int64_t hedge = isolate.engine->catalog().routes[seat.route].hedge.budget_micros;
  if (seat.seen.made.size() > 1 && !e.shadow && !isolate.repeats[seat.route].repeat(now_ms_, hedge))
    watch_.note(Rule::within_budget, seat.seen, "more repeats of the route than its budgets hold");
  if (!e.shadow) begins(seat);
  if (e.shadow) seat.shadow_ms = now_ms_ + kShadowMs;
  const Reply& reply = call.reply;
  if (reply.status != 0 || reply.end != Reply::End::silence)
    plan(now_ms_ + (reply.status != 0 ? reply.head_ms : reply.end_ms), Happens::provider, seat.index,
         e.attempt);
  seat.calls.push_back(std::move(call));
}

void World::perform(Seat& seat, const exchange::AbortAttempt& e) {
  if (OnCall* call = seat.call(e.attempt)) end_call(seat, *call);
}

void World::end_call(Seat& seat, OnCall& call) {
  call.open = false;
  leave_room(seat, call);
  for (Made& made : seat.seen.made) {
    if (made.attempt == call.attempt) made.ended_ms = now_ms_;
  }
}

// A host reads upstream only while the client takes; a shadow it reads in any case.
void World::provider_goes_on(Seat& seat, OnCall& call) {
  if (seat.paused && call.step > 0 && !call.shadow) {
    call.held_back = true;
    return;
  }
  const std::uint64_t stamp = seat.stamp;
  const std::uint32_t attempt = call.attempt;
  const std::size_t step = call.step++;
  const Reply reply = call.reply;  // what is told now may lead to further calls
  const bool over = reply.status == 0 || step > reply.count;
  if (over) {
    end_call(seat, call);
    if (reply.end == Reply::End::clean) return tell(seat, exchange::AttemptEnded{attempt});
    return tell(seat, exchange::AttemptBroke{attempt, reply.fault, "ECONNRESET"});
  }
  if (step == 0) {
    tell(seat, exchange::HeadArrived{attempt, reply.status, reply.headers});
  } else {
    tell(seat, exchange::BytesArrived{attempt, reply.chunks[step - 1].bytes});
  }
  if (seat.stamp != stamp || !seat.exchange || !seat.call(attempt)->open) return;
  if (step < reply.count) {
    plan(now_ms_ + reply.chunks[step].delay_ms, Happens::provider, seat.index, attempt);
  } else if (reply.end != Reply::End::silence) {
    plan(now_ms_ + reply.end_ms, Happens::provider, seat.index, attempt);
  }
}

// ---- the store's side ----

void World::answer_later(Seat& seat, std::uint32_t request, Store::Answer answer) {
  ++figures_.store_questions;
  if (answer.after_ms < 0) return;
  const std::int64_t after = answer.after_ms;
  seat.answers.push_back({request, std::move(answer)});
  plan(now_ms_ + after, Happens::store_answer, seat.index,
       static_cast<std::uint32_t>(seat.answers.size() - 1));
}
void World::perform(Seat& seat, const exchange::StoreGet& e) {
  answer_later(seat, e.request, store_.get(e.key, now_ms_));
}
void World::perform(Seat& seat, const exchange::StorePut& e) {
  watch_.secret(seat.seen, e.bytes);
  answer_later(seat, e.request, store_.put(e.key, e.bytes, now_ms_));
}
void World::perform(Seat& seat, const exchange::StoreLease& e) {
  answer_later(seat, e.request, store_.lease(e.key, e.ttl.ms, now_ms_));
}

void World::perform(Seat& seat, const exchange::StoreTake& e) {
  answer_later(seat, e.request, store_.take(e, now_ms_));
}
// A host wakes by resolving a promise: behind what is being done now.
void World::perform(Seat& seat, const exchange::Wake& e) {
  ++figures_.wakes;
  Dice dice(settings_.seed, Luck::host, {seat.seen.exchange, static_cast<std::uint64_t>(now_ms_), 2});
  const bool lost = dice.once_in(10) && strikes(Fault::lost_wake);
  if (!lost && seats_[e.exchange]->exchange) plan(now_ms_, Happens::woken, e.exchange);
}

}  // namespace shunt::sim
