// The storm that every rule is checked in, and the scenarios whose figures are promised.
#include "sim/scenario.h"

#include <algorithm>
#include <string>

#include "sim/promises.h"
#include "sim/storm_config.h"

namespace shunt::sim {
namespace {

// Lines of one kind, each of a provider of its own, all of one rank or one behind the other.
std::string plain_lines(int lines, bool ranked, std::string_view route_rules = {},
                        std::string_view state = {}) {
  return config_of({.lines = lines, .ranked = ranked, .route_rules = route_rules, .more = state});
}

// ---- one of three lines is dead ----

std::vector<std::string> judge_dead_line(const Figures& f, const Chronicle& c) {
  std::int64_t detected_ms = -1;
  for (std::size_t i = 0; i < c.knew_ms.size(); ++i) {
    if (c.knew_ms[i] >= 0 && (detected_ms < 0 || c.knew_ms[i] < detected_ms)) detected_ms = c.knew_ms[i];
  }
  std::uint64_t asks = 0;
  std::uint64_t attempts = 0;
  for (const AskSeen& ask : c.asks) {
    if (detected_ms < 0 || ask.at_ms <= detected_ms) continue;
    ++asks;
    attempts += ask.attempts;
  }
  return {share_at_least("whole answers", f.succeeded, f.requests, 999'900),
          at_most("attempts per 10000 requests after detection",
                  attempts * 10'000 / std::max<std::uint64_t>(asks, 1), 10'100)};
}

Scenario dead_line() {
  Scenario s;
  s.name = "dead_line";
  s.about = "one of three equal lines is dead, at 20 requests a second";
  s.config = plain_lines(3, false);
  s.gap_us = 50'000;
  s.exchanges = 20'000;
  s.faults = Faults{}.with(Fault::outage);
  s.climate.spells = {{1, 10'000, kForEver, Fault::outage, 1000}};
  s.routes = {"chat"};
  s.judge = judge_dead_line;
  return s;
}

// ---- a storm of rate limits over 50 isolates ----

std::vector<std::string> judge_rate_limits(const Figures& f, const Chronicle& c) {
  std::uint64_t limited = 0;
  for (const CallSeen& call : c.calls) limited += call.line == 0 && !call.success;
  return {share_at_least("whole answers", f.succeeded, f.requests, 999'000),
          at_most("attempts per 1000 requests", f.attempts * 1000 / f.requests, 1'300),
          at_most("refused calls of the limited line in 1000 of all its requests",
                  limited * 1000 / f.requests, 300)};
}

Scenario rate_limits() {
  Scenario s;
  s.name = "rate_limits";
  s.about = "the first of two lines lets 20 of 100 requests a second through, for 50 isolates";
  s.config = plain_lines(2, true);
  s.isolates = 50;
  s.gap_us = 10'000;
  s.exchanges = 30'000;
  s.faults = Faults{}.with(Fault::throttle);
  s.climate.throttles = {{20, 20}};
  s.routes = {"chat"};
  s.judge = judge_rate_limits;
  return s;
}

// ---- brownout ----

std::vector<std::string> judge_brownout(const Figures& f, const Chronicle&) {
  return {share_at_least("whole answers", f.succeeded, f.requests, 999'000),
          at_most("attempts per 1000 requests", f.attempts * 1000 / f.requests, 1'400)};
}

Scenario brownout() {
  Scenario s;
  s.name = "brownout";
  s.about = "three of ten calls of the first line fail, the second is well";
  s.config = plain_lines(2, true);
  s.isolates = 4;
  s.gap_us = 20'000;
  s.exchanges = 20'000;
  s.faults = Faults{}.with(Fault::brownout);
  s.climate.spells = {{0, 5'000, kForEver, Fault::brownout, 300}};
  s.routes = {"chat"};
  s.judge = judge_brownout;
  return s;
}

// ---- recovery ----

constexpr std::int64_t kDiesMs = 20'000;
constexpr std::int64_t kRisesMs = 200'000;
constexpr std::int64_t kOpenMs = 60'000;  // of `stepped` below its tenth failure

std::vector<std::string> judge_recovery(const Figures& f, const Chronicle& c) {
  std::int64_t back_ms = kForEver;
  std::uint64_t later = 0;
  std::uint64_t on_it = 0;
  for (const CallSeen& call : c.calls) {
    if (call.line != 0 || call.at_ms < kRisesMs || !call.success) continue;
    if (!call.probe) back_ms = std::min(back_ms, call.at_ms);
  }
  for (const CallSeen& call : c.calls) {
    if (call.at_ms < kRisesMs + 2 * kOpenMs) continue;
    ++later;
    on_it += call.line == 0;
  }
  return {share_at_least("whole answers", f.succeeded, f.requests, 999'000),
          at_most("ms until the first ordinary call",
                  static_cast<std::uint64_t>(std::max<std::int64_t>(0, back_ms - kRisesMs)), 2 * kOpenMs),
          share_at_least("calls on it after two open periods", on_it, later, 999'000)};
}

Scenario recovery() {
  Scenario s;
  s.name = "recovery";
  s.about = "the first of two lines is dead for three minutes and comes back";
  s.config = plain_lines(2, true);
  s.gap_us = 50'000;
  s.exchanges = 10'000;
  s.faults = Faults{}.with(Fault::outage);
  s.climate.spells = {{0, kDiesMs, kRisesMs, Fault::outage, 1000}};
  s.routes = {"chat"};
  s.judge = judge_recovery;
  return s;
}

// ---- every line is out ----

// Who is told to wait is told the truth: to the second, rounded up, of the earliest end.
std::vector<std::string> judge_all_out(const Figures& f, const Chronicle& c) {
  std::uint64_t refused = 0;
  std::uint64_t untrue = 0;
  std::uint64_t silent = 0;
  for (const AskSeen& ask : c.asks) {
    if (ask.status != 503 || ask.attempts > 0) continue;
    ++refused;
    if (!ask.retry_after || !ask.true_wait) {
      ++silent;
      continue;
    }
    // A document tells ends by a wall clock: a second of it is not ours.
    const std::int64_t apart = ask.retry_after->ms - std::max<std::int64_t>(ask.true_wait->ms, 1);
    untrue += apart < -10 || apart > 1010;
  }
  return {(refused > 0 ? "" : "NOT ") + number(refused) + " of " + number(f.requests) +
              " told that all is protected",
          at_most("of them without a wait", silent, 0), at_most("of them with an untrue wait", untrue, 0)};
}

Scenario all_wait() {
  Scenario s;
  s.name = "all_wait";
  s.about = "both lines of a route say 429 with a wait";
  s.config = plain_lines(2, true);
  s.gap_us = 100'000;
  s.exchanges = 4'000;
  s.faults = Faults{}.with(Fault::throttle);
  s.climate.throttles = {{1, 1}, {1, 1}};
  s.routes = {"chat"};
  s.judge = judge_all_out;
  return s;
}

// A route with words of its own gives those instead: nobody is refused, and nobody waits.
std::vector<std::string> judge_static(const Figures& f, const Chronicle& c) {
  std::uint64_t refused = 0;
  std::uint64_t without_call = 0;
  for (const AskSeen& ask : c.asks) {
    refused += ask.status == 503;
    without_call += ask.success && ask.attempts == 0;
  }
  return {at_most("told that all is protected", refused, 0),
          share_at_least("whole answers", f.succeeded, f.requests, 999'000),
          (without_call > 0 ? "" : "NOT ") + number(without_call) + " answered without a call"};
}

Scenario with_words(Scenario s, std::string_view name, std::string_view about, std::string_view rules) {
  s.name = name;
  s.about = about;
  s.config = plain_lines(2, true, std::string(rules) + R"(, "fallback": [{"static": {"message": "later"}}])");
  s.judge = judge_static;
  return s;
}

Scenario all_dead() {
  Scenario s;
  s.name = "all_dead";
  s.about =
      "every line of a route is dead under last_line protect: one leased probe, the others 503 with the wait";
  s.config = plain_lines(2, true, R"(, "last_line": "protect")");
  s.gap_us = 10'000;
  s.exchanges = 12'000;
  s.faults = Faults{}.with(Fault::outage);
  s.climate.spells = {{0, 5'000, 100'000, Fault::outage, 1000}, {1, 5'000, 100'000, Fault::outage, 1000}};
  s.routes = {"chat"};
  s.judge = judge_all_out;
  return s;
}

// ---- clocks ----

std::vector<std::string> judge_clocks(const Figures& f, const Chronicle&) {
  // The rule by_deadline has been checked for each exchange; here it is only that some met a limit.
  return {(f.failures[static_cast<std::size_t>(ErrorClass::external_network)] > 100 ? "" : "NOT ") +
          number(f.failures[static_cast<std::size_t>(ErrorClass::external_network)]) +
          " calls ended by a limit"};
}

Scenario clock(std::string_view name, std::string_view about, Clocks clocks, Fault fault) {
  Scenario s;
  s.name = name;
  s.about = about;
  s.config = plain_lines(2, true);
  s.isolates = 4;
  s.gap_us = 100'000;
  s.exchanges = 6'000;
  s.faults = Faults{}.with(Fault::stall).with(fault);
  s.climate.spells = {{0, 0, kForEver, Fault::stall, 100}, {1, 0, kForEver, Fault::stall, 100}};
  s.clocks = clocks;
  s.routes = {"chat"};
  s.judge = judge_clocks;
  return s;
}

// ---- a shared store ----

constexpr std::string_view kKvState = R"("state": {"store": "kv", "shard": "sim"},)";
constexpr std::uint64_t kTripCount = 3;  // of `stepped`

std::uint64_t in_flight_at_trip(const Chronicle& c, std::uint32_t isolate, std::uint32_t line) {
  const std::int64_t knew = c.knew_ms[isolate * c.lines + line];
  return static_cast<std::uint64_t>(std::count_if(c.calls.begin(), c.calls.end(), [&](const CallSeen& call) {
    return call.isolate == isolate && call.line == line && call.at_ms <= knew && call.ended_ms > knew;
  }));
}

std::vector<std::string> judge_stale_store(const Figures& f, const Chronicle& c) {
  std::uint64_t on_dead = 0;
  std::uint64_t probes = 0;
  std::vector<bool> failed_itself(c.knew_ms.size() / c.lines);
  for (const CallSeen& call : c.calls) {
    if (call.line != 0 || call.at_ms < kDiesMs) continue;
    ++on_dead;
    probes += call.probe;
    failed_itself[call.isolate] = failed_itself[call.isolate] || !call.probe;
  }
  std::uint64_t bound = probes;
  for (std::uint32_t i = 0; i < failed_itself.size(); ++i) bound += kTripCount + in_flight_at_trip(c, i, 0);
  return {
      share_at_least("whole answers", f.succeeded, f.requests, 999'000),
      at_most("calls to the dead line", on_dead, bound) + " (" + number(probes) + " probes)",
      at_most("isolates that had to fail themselves",
              static_cast<std::uint64_t>(std::count(failed_itself.begin(), failed_itself.end(), true)), 50)};
}

Scenario stale_store() {
  Scenario s;
  s.name = "stale_store";
  s.about = "50 isolates hear of a dead line through a store whose reads are up to 60 s old";
  s.config = plain_lines(2, true, {}, kKvState);
  s.isolates = 50;
  s.gap_us = 20'000;
  s.exchanges = 30'000;
  s.faults = Faults{}.with(Fault::outage).with(Fault::store_late).with(Fault::store_pace);
  s.climate.spells = {{0, kDiesMs, kForEver, Fault::outage, 1000}};
  s.store = {.stale_ms = 60'000, .least_gap_ms = 1000, .grants = false};
  s.routes = {"chat"};
  s.judge = judge_stale_store;
  return s;
}

constexpr std::int64_t kAloneMs = 40'000;  // two isolates learn at once what no other can see
// The debounce, the staleness bound and its jitter, the readers' pace, and once more the age of what they
// read.
constexpr std::int64_t kSpreadMs = 5'000 + 75'000 + 30'000 + 60'000;

std::vector<std::string> judge_concurrent_writes(const Figures& f, const Chronicle& c) {
  std::int64_t last = 0;
  std::uint64_t unheard = 0;
  for (std::size_t i = 0; i < c.knew_ms.size(); ++i) {
    if (i % c.lines == 2) continue;  // the line that is well
    unheard += c.knew_ms[i] < 0;
    last = std::max(last, c.knew_ms[i]);
  }
  const std::uint64_t dropped = f.store_faults[static_cast<std::size_t>(Fault::store_lost)];
  return {(dropped > 0 ? "" : "NOT ") + number(dropped) + " concurrent writes dropped",
          at_most("isolates that never heard of a line", unheard, 0),
          at_most("ms until all have heard of both", static_cast<std::uint64_t>(last - kAloneMs), kSpreadMs)};
}

Scenario concurrent_writes() {
  Scenario s;
  s.name = "concurrent_writes";
  s.about = "a store that drops one of two concurrent writes: both facts still reach every isolate";
  s.config = plain_lines(3, false, {}, kKvState);
  s.isolates = 4;
  s.gap_us = 50'000;
  s.exchanges = 8'000;
  s.faults = Faults{}.with(Fault::quota_end).with(Fault::store_late).with(Fault::store_lost);
  s.climate.spells = {{0, kAloneMs, kAloneMs + 3000, Fault::quota_end, 1000, 0},
                      {1, kAloneMs, kAloneMs + 3000, Fault::quota_end, 1000, 1}};
  s.store = {.stale_ms = 60'000, .drops_within_ms = 3'000, .grants = false};
  s.routes = {"chat"};
  s.judge = judge_concurrent_writes;
  return s;
}

// ---- the storm ----

Scenario storm(std::string_view name, std::string_view about, bool grants) {
  Scenario s;
  s.name = name;
  s.about = about;
  s.draw = grants ? storm_with_leases : storm_alone;
  s.store = {.stale_ms = grants ? 0 : 20'000,
             .least_gap_ms = 1000,
             .lost_permille = 50,
             .twice_permille = 50,
             .down_permille = 100,
             .garbage_permille = 100,
             .grants = grants,
             .slow_permille = 100,
             .silent_permille = 50,
             .lies_permille = 50,
             .false_permille = 50};
  s.callers = storm_callers();
  s.isolates = 8;
  s.crowded_permille = 500;
  s.gap_us = 20'000;
  s.day = 5'000;
  s.exchanges = 100'000;
  s.faults = kAllFaults;
  s.climate.stormy = true;
  s.clocks = Clocks::moody;
  s.operators_permille = 2;
  s.keeps_chronicle = false;
  s.routes = {"chat", "even", "small", "kept", "claude"};
  return s;
}

Scenario without_limits(Scenario s, std::string_view name, std::string_view about) {
  s.name = name;
  s.about = about;
  s.faults = s.faults.without(Fault::limits);
  return s;
}

std::vector<Scenario> all_scenarios() {
  std::vector<Scenario> all = {
      storm("storm", "everything at once, drawn by the seed; the rules alone are checked", false),
      storm("storm_leases", "the same over a store that grants probe leases and shares of quotas", true),
      without_limits(storm("storm", "", false), "storm_unlimited",
                     "the same with no limits: more hedges and shadows"),
      dead_line(),
      rate_limits(),
      brownout(),
      recovery(),
      stale_store(),
      concurrent_writes(),
      all_wait(),
      all_dead(),
      with_words(all_wait(), "all_wait_static",
                 "both lines of a route with words of its own say 429 with a wait", ""),
      with_words(all_dead(), "all_dead_static",
                 "every line of a route with words of its own is dead under last_line protect",
                 R"(, "last_line": "protect")"),
      clock("clock_stands", "hosts whose clocks stand still for good: timers alone move time",
            Clocks::standing, Fault::clock_stop),
      clock("clock_set_back", "hosts whose clocks are set back an hour once a minute", Clocks::set_back,
            Fault::clock_back),
  };
  for (const auto& more : {limit_scenarios(), turn_scenarios(), second_call_scenarios(), quota_scenarios()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> kScenarios = all_scenarios();
  return kScenarios;
}

const Scenario* find_scenario(std::string_view name) {
  for (const Scenario& scenario : scenarios()) {
    if (scenario.name == name) return &scenario;
  }
  return nullptr;
}

}  // namespace shunt::sim
