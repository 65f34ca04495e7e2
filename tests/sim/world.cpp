// The queue of a world, its isolates and its days.
#include "sim/world.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "config/config.h"

namespace shunt::sim {
namespace {

// Long enough for every limit of the simulated configurations, the longest being a body that never comes, and
// for what a lost exchange held to expire.
constexpr std::int64_t kNightMs = 420'000;
constexpr std::int64_t kOriginMs = 1'000;                // of the hosts' clocks
constexpr std::int64_t kWallOrigin = 1'800'000'000'000;  // 2027
constexpr std::int64_t kSetBackMs = 3'600'000;
constexpr std::uint64_t kMostAtOnce = 20'000;  // events in one millisecond

// What somebody still holds of the engine's limits; empty = nothing.
std::string kept_of_limits(exchange::Engine& engine, admit::Times at) {
  const auto held = [](std::size_t count, const char* what) {
    return count > 0 ? std::to_string(count) + what : std::string();
  };
  const exchange::EnginePolicy& policy = engine.loaded().engine;
  std::size_t slots = engine.admission().in_flight(admit::Whose::engine, 0, at.now);
  for (std::uint32_t i = 0; i < policy.clients.size(); ++i)
    slots += engine.admission().in_flight(admit::Whose::client, i, at.now);
  for (std::uint32_t i = 0; i < policy.tasks.size(); ++i)
    slots += engine.admission().in_flight(admit::Whose::task, i, at.now);
  std::size_t calls = 0;
  for (std::uint32_t line = 0; line < engine.catalog().deployments.size(); ++line)
    calls += engine.line_limits().look(line, {}, at).in_flight;
  return held(engine.queue().waiting(at.now), " who wait") + held(slots, " slots") +
         held(calls, " calls with lines");
}

}  // namespace

World::World(const Settings& settings)
    : settings_(settings),
      scenario_(*settings.scenario),
      faults_{settings.scenario->faults.bits & settings.faults.bits},
      weather_(settings.seed, settings.scenario->climate, faults_),
      store_(settings.seed, settings.scenario->store, faults_),
      watch_(RetryPolicy{}.attempts),
      saboteur_(settings.plant, settings.seed) {
  const config::Loaded loaded = load(0);
  for (const std::string_view name : scenario_.routes) {
    const auto route = loaded.catalog.find_route(name);
    if (!route) std::abort();
    routes_.push_back(index_of(*route));
  }
  for (std::uint32_t i = 0; i < scenario_.isolates; ++i) {
    Isolate& isolate = isolates_.emplace_back();
    isolate.ledger = std::make_unique<Ledger>(loaded.catalog);
    isolate.waits.resize(loaded.catalog.deployments.size() * 4);
    isolate.probes.resize(isolate.waits.size());
    isolate.repeats.resize(loaded.catalog.routes.size());
    isolate.engine = std::make_unique<exchange::Engine>(load(i));
    for (const Deployment& line : isolate.engine->catalog().deployments)
      isolate.rooms.emplace_back(line.limits);
    isolate.turns.of_clients.resize(isolate.engine->loaded().engine.clients.size());
    Dice dice(settings.seed, Luck::host, {i});
    isolate.clock.offset_ms = kOriginMs + dice.between(0, 1'000'000);
    isolate.clock.skew_ms = dice.between(-2000, 2000);
    isolate.clock.stands_at_ms = isolate.clock.offset_ms;
    if (scenario_.clocks == Clocks::standing && strikes(Fault::clock_stop))
      isolate.clock.stands_until_ms = kNever.ms;
  }
  chronicle_.lines = static_cast<std::uint32_t>(loaded.catalog.deployments.size());
  chronicle_.knew_ms.assign(std::size_t{scenario_.isolates} * chronicle_.lines, -1);
}

// Where configurations are drawn each isolate has its own, as in the middle of a change: of the same lines.
config::Loaded World::load(std::uint32_t isolate) const {
  const std::string text =
      scenario_.draw != nullptr ? scenario_.draw(settings_.seed, isolate, faults_) : scenario_.config;
  config::Loaded loaded;
  std::vector<config::Fault> found;
  if (config::load(text, loaded, found)) return loaded;
  for (const config::Fault& fault : found) std::fprintf(stderr, "%s\n", config::fault_json(fault).c_str());
  std::abort();
}

Report World::run() {
  plan_arrival();
  std::uint64_t at_once = 0;
  while (!queue_.empty() && !watch_.broken()) {
    const Event event = queue_.top();
    queue_.pop();
    if (scenario_.slots > 0 && event.at_ms > now_ms_) check_turns();
    at_once = event.at_ms > now_ms_ ? 0 : at_once + 1;
    if (at_once > kMostAtOnce)
      watch_.note(Rule::by_deadline, {}, "so much happens in a moment that it never ends");
    now_ms_ = std::max(now_ms_, event.at_ms);
    watch_.tick(now_ms_);
    happen(event);
  }
  Report report;
  report.broken = watch_.verdict();
  for (const Isolate& isolate : isolates_) figures_.trips += isolate.ledger->trips();
  figures_.store_faults = store_.struck();
  report.figures = figures_;
  report.chronicle = std::move(chronicle_);
  report.played = figures_.requests;
  report.log = std::move(log_);
  return report;
}

Report play(const Settings& settings) { return World(settings).run(); }

void World::plan(std::int64_t at_ms, Happens what, std::uint32_t where, std::uint32_t number) {
  const bool of_seat = what != Happens::arrival && what != Happens::quiet;
  queue_.push({at_ms, ++planned_, what, where, of_seat ? seats_[where]->stamp : 0, number});
}

void World::happen(const Event& event) {
  switch (event.what) {
    case Happens::arrival: return arrive();
    case Happens::quiet: return all_quiet();
    case Happens::body:
    case Happens::provider:
    case Happens::timer:
    case Happens::deadline:
    case Happens::client_gone:
    case Happens::client_pauses:
    case Happens::client_ready:
    case Happens::host_gone:
    case Happens::store_answer:
    case Happens::woken: break;
  }
  Seat& seat = *seats_[event.where];
  if (seat.stamp == event.stamp && seat.exchange) happen_to(seat, event);
}

void World::happen_to(Seat& seat, const Event& event) {
  switch (event.what) {
    case Happens::body: return send_body(seat);
    case Happens::provider:
      if (OnCall* call = seat.call(event.number); call != nullptr && call->open)
        provider_goes_on(seat, *call);
      return;
    case Happens::timer: return rings(seat);
    case Happens::deadline: return check_deadline(seat);
    case Happens::client_gone: seat.client_gone = true; return tell(seat, exchange::ClientGone{});
    case Happens::client_pauses: seat.paused = true; return tell(seat, exchange::ClientPaused{});
    case Happens::client_ready:
      seat.paused = false;
      for (OnCall& call : seat.calls) {
        if (std::exchange(call.held_back, false)) plan(now_ms_, Happens::provider, event.where, call.attempt);
      }
      return tell(seat, exchange::ClientReady{});
    case Happens::host_gone: return vanish(seat, event.number == 1);
    case Happens::store_answer: {
      const Seat::Heard heard = std::move(seat.answers[event.number]);
      return tell(seat, exchange::StoreAnswered{heard.request, heard.answer.result, heard.answer.bytes});
    }
    case Happens::woken: return tell(seat, exchange::Woken{});
    case Happens::arrival:
    case Happens::quiet: return;
  }
}

// ---- days ----

std::uint64_t World::day_of(std::uint64_t exchange) const {
  return scenario_.day == 0 ? 0 : exchange / scenario_.day;
}

std::int64_t World::arrival_ms(std::uint64_t exchange) const {
  Dice dice(settings_.seed, Luck::arrival, {exchange});
  const auto in_order = static_cast<std::int64_t>(exchange) * scenario_.gap_us / 1000;
  return kOriginMs + in_order + dice.between(0, std::max<std::int64_t>(1, scenario_.gap_us / 1000) - 1) +
         static_cast<std::int64_t>(day_of(exchange)) * kNightMs;
}

void World::plan_arrival() {
  const std::uint64_t last = settings_.only.empty() ? settings_.exchanges : settings_.only.size();
  if (next_ == last) return plan(now_ms_ + kNightMs, Happens::quiet, 1);
  const std::uint64_t exchange = settings_.only.empty() ? next_ : settings_.only[next_];
  if (next_ > 0) {
    const std::uint64_t before = settings_.only.empty() ? next_ - 1 : settings_.only[next_ - 1];
    if (day_of(before) != day_of(exchange)) plan(now_ms_ + kNightMs - 1000, Happens::quiet);
  }
  plan(arrival_ms(exchange), Happens::arrival);
}

void World::arrive() {
  const std::uint64_t exchange = settings_.only.empty() ? next_ : settings_.only[next_];
  ++next_;
  Dice dice(settings_.seed, Luck::ask, {exchange});
  const bool crowded = scenario_.crowded_permille > 0 && dice.permille(scenario_.crowded_permille);
  const auto isolate = crowded ? 0 : static_cast<std::uint32_t>(dice.below(scenario_.isolates));
  Seat& seat = *seats_[take_seat(isolate, exchange::Kind::request, exchange)];
  seat.route = routes_[dice.below(routes_.size())];
  seat.anthropic = dice.once_in(3);
  seat.stream = dice.permille(scenario_.stream_permille);
  for (std::uint64_t drawn = dice.below(1000); drawn >= scenario_.callers[seat.caller].permille;
       ++seat.caller)
    drawn -= scenario_.callers[seat.caller].permille;
  const std::uint64_t often = scenario_.clocks == Clocks::set_back ? 100 : 3000;
  if (scenario_.clocks != Clocks::honest && dice.once_in(often) && strikes(Fault::clock_back))
    set_back(isolate);
  if (scenario_.operators_permille > 0 && dice.permille(scenario_.operators_permille) &&
      strikes(Fault::operators))
    order(isolate);
  begin(seat);
  plan_arrival();
}

// Nobody asks any more: every exchange is over, and the engines hold nothing.
void World::all_quiet() {
  Watched nobody;
  for (const auto& seat : seats_) {
    if (seat->exchange && seat->kind == exchange::Kind::request)
      watch_.note(Rule::by_deadline, seat->seen, "still under way when all has been quiet for minutes");
  }
  for (int with_ghosts = 0; with_ghosts < 2; ++with_ghosts) {
    for (std::size_t i = 0; i < isolates_.size(); ++i) {
      exchange::Engine& engine = *isolates_[i].engine;
      const Instant now = engine.clock().observe(host_now(isolates_[i]));
      engine.loans().reclaim(now);
      const std::string who = "isolate " + std::to_string(i) + ": ";
      if (engine.loans().count() > 0 || engine.loans().bodies() > 0 || engine.loans().answers() > 0)
        watch_.note(Rule::all_comes_back, nobody,
                    who + std::to_string(engine.loans().count()) + " loans when all is quiet");
      const std::string kept = kept_of_limits(engine, {now, wall(isolates_[i])});
      if (!kept.empty()) watch_.note(Rule::all_comes_back, nobody, who + kept + " when all is quiet");
      for (std::uint32_t line = 0; line < chronicle_.lines; ++line) {
        if (engine.health().report(line, now).lease_until > now)
          watch_.note(Rule::all_comes_back, nobody,
                      who + "a probe of nobody on line " + std::to_string(line));
      }
    }
    ghosts_.clear();
  }
}

// Whoever waits, waits for the next slot that falls free.
void World::check_turns() {
  for (const Isolate& isolate : isolates_) {
    std::uint32_t waiting = 0;
    for (const std::uint32_t each : isolate.turns.waiting) waiting += each;
    if (waiting > 0 && isolate.turns.inside < scenario_.slots)
      watch_.note(Rule::in_turn, {}, "a slot is free while somebody waits");
  }
}

// ---- clocks ----

Instant World::host_now(const Isolate& isolate) const {
  const HostClock& clock = isolate.clock;
  if (clock.stands_until_ms > now_ms_) return Instant{clock.stands_at_ms};
  return Instant{now_ms_ + clock.offset_ms};
}

WallTime World::wall(const Isolate& isolate) const { return {kWallOrigin + now_ms_ + isolate.clock.skew_ms}; }

void World::set_back(std::uint32_t index) {
  Isolate& isolate = isolates_[index];
  isolate.clock.offset_ms -= kSetBackMs;
  // What passed since the engine last heard is lost to it.
  const std::int64_t unheard = now_ms_ - isolate.heard_ms;
  for (const auto& seat : seats_) {
    if (seat->exchange && seat->isolate == index) seat->excused_ms += unheard;
  }
}

}  // namespace shunt::sim
