// Hedges and shadows, beside the same run without them.
#include <algorithm>
#include <string>

#include "sim/promises.h"

namespace shunt::sim {
namespace {

// ---- hedging ----

// Whole milliseconds to the first content, of those that were answered: the slowest of the first 99 %.
std::uint64_t p99_of(const Chronicle& c) {
  std::vector<std::int64_t> waits;
  for (const AskSeen& ask : c.asks) {
    if (ask.success && ask.content_ms >= 0) waits.push_back(ask.content_ms - ask.at_ms);
  }
  if (waits.empty()) return 0;
  std::sort(waits.begin(), waits.end());
  return static_cast<std::uint64_t>(waits[(waits.size() * 99 + 99) / 100 - 1]);
}

std::vector<std::string> compare_hedged(const Chronicle& c, const Chronicle& without) {
  const auto hedges = static_cast<std::uint64_t>(
      std::count_if(c.calls.begin(), c.calls.end(), [](const CallSeen& call) { return call.hedge; }));
  return {at_most("p99 of the first content in ms", p99_of(c), p99_of(without) / 2) + " (half of it without)",
          share_at_most("extra calls", hedges, c.asks.size(), 50'000),
          share_at_least("whole answers",
                         static_cast<std::uint64_t>(std::count_if(
                             c.asks.begin(), c.asks.end(), [](const AskSeen& ask) { return ask.success; })),
                         c.asks.size(), 999'000)};
}

Scenario hedged() {
  Scenario s;
  s.name = "hedged";
  s.about = "3 % of two lines' streams are slow to begin; a hedge at 5 %";
  s.config = config_of({.lines = 2,
                        .ranked = false,
                        .route_rules = R"(, "hedge": {"after": "p95_ttft", "budget": 0.05})",
                        .defaults = kPatient});
  s.twin = config_of({.lines = 2, .ranked = false, .defaults = kPatient});
  s.gap_us = 50'000;
  s.exchanges = 20'000;
  s.faults = Faults{}.with(Fault::slow_start);
  s.climate.spells = {{0, 0, kForEver, Fault::slow_start, 30}, {1, 0, kForEver, Fault::slow_start, 30}};
  s.stream_permille = 1000;
  s.routes = {"chat"};
  s.compare = compare_hedged;
  return s;
}

// ---- shadows ----

constexpr std::uint32_t kTried = 2;  // the line that is being tried out
// Its failures alone take no line out.
constexpr std::string_view kTolerant = R"("defaults": {"breaker": {"preset": "window_50"}, "timeouts": {
  "first_byte_ms": 3000, "first_token_ms": 5000, "idle_ms": 4000, "attempt_ms": 15000, "total_ms": 40000,
  "plain_total_ms": 30000, "client_stall_ms": 10000}},)";

std::vector<std::string> compare_shadowed(const Chronicle& c, const Chronicle& without) {
  std::uint64_t shadows = 0;
  std::uint64_t failed = 0;
  std::uint64_t others = 0;
  for (const CallSeen& call : c.calls) {
    shadows += call.shadow;
    failed += call.shadow && !call.success;
    others += call.line == kTried && !call.shadow;
  }
  // As they ended: a client that was answered later is another one's neighbour.
  const auto by_number = [](const Chronicle& chronicle) {
    std::vector<AskSeen> asks = chronicle.asks;
    std::sort(asks.begin(), asks.end(),
              [](const AskSeen& a, const AskSeen& b) { return a.exchange < b.exchange; });
    return asks;
  };
  const std::vector<AskSeen> with = by_number(c);
  const std::vector<AskSeen> plain = by_number(without);
  std::uint64_t differ = with.size() != plain.size();
  for (std::size_t i = 0; i < with.size() && i < plain.size(); ++i) {
    differ += with[i].exchange != plain[i].exchange || with[i].digest != plain[i].digest ||
              with[i].content_ms != plain[i].content_ms || with[i].ended_ms != plain[i].ended_ms;
  }
  return {at_most("clients that were sent anything else, or at another time", differ, 0),
          share_at_least("shadows of requests", shadows, c.asks.size(), 400'000),
          at_least("shadows that failed", failed, 100), at_most("answers of the line tried out", others, 0)};
}

Scenario shadowed() {
  Scenario s;
  s.name = "shadowed";
  s.about = "half of all requests are copied to a line that does all sorts of things; its gate stays shut";
  s.config = config_of(
      {.lines = 3,
       .route_rules =
           R"(, "shadow": {"deployment": "m@p2", "share": 0.5, "gate": {"min_calls": 10, "success": 0.99}})",
       .defaults = kTolerant});
  s.twin = config_of({.lines = 3, .defaults = kTolerant, .unlisted = 1});
  s.gap_us = 50'000;
  s.exchanges = 5'000;
  s.faults = Faults{}
                 .with(Fault::brownout)
                 .with(Fault::stall)
                 .with(Fault::cut)
                 .with(Fault::emptiness)
                 .with(Fault::client_gone)
                 .with(Fault::client_slow);
  s.climate.spells = {
      {0, 0, kForEver, Fault::brownout, 50},      {1, 0, kForEver, Fault::cut, 50},
      {kTried, 0, kForEver, Fault::brownout, 50}, {kTried, 0, kForEver, Fault::stall, 50},
      {kTried, 0, kForEver, Fault::cut, 50},      {kTried, 0, kForEver, Fault::emptiness, 50}};
  s.routes = {"chat"};
  s.compare = compare_shadowed;
  return s;
}

constexpr std::uint64_t kGateCalls = 200;

std::vector<std::string> judge_gate(const Figures& f, const Chronicle& c) {
  std::int64_t opened_ms = kForEver;
  for (const CallSeen& call : c.calls) {
    if (call.line == 0 && !call.shadow) opened_ms = std::min(opened_ms, call.at_ms);
  }
  std::uint64_t shown = 0;
  std::uint64_t good = 0;
  std::uint64_t good_later = 0;
  for (const CallSeen& call : c.calls) {
    if (!call.shadow) continue;
    shown += call.ended_ms <= opened_ms;
    good += call.ended_ms <= opened_ms && call.success;
    good_later += call.ended_ms > opened_ms;
  }
  std::uint64_t asks = 0;
  std::uint64_t elsewhere = 0;
  for (const CallSeen& call : c.calls) {
    if (call.shadow || call.at_ms < opened_ms) continue;
    ++asks;
    elsewhere += call.line != 0;
  }
  return {at_least("calls it had shown when it was first ranked", shown, kGateCalls),
          share_at_least("of them good", good, shown, 950'000),
          share_at_most("calls on the other line since", elsewhere, asks, 60'000),
          share_at_least("whole answers", f.succeeded, f.requests, 999'000)};
}

Scenario gate() {
  Scenario s;
  s.name = "gate";
  s.about = "the first of two lines is tried out by shadows: bad for a while, then well";
  s.config = config_of(
      {.lines = 2,
       .route_rules =
           R"(, "shadow": {"deployment": "m@p0", "share": 1, "gate": {"min_calls": 200, "success": 0.95}})"});
  s.gap_us = 100'000;
  s.exchanges = 12'000;
  s.faults = Faults{}.with(Fault::brownout);
  s.climate.spells = {{0, 0, 30'000, Fault::brownout, 200}};
  s.routes = {"chat"};
  s.judge = judge_gate;
  return s;
}

}  // namespace

std::vector<Scenario> second_call_scenarios() { return {hedged(), shadowed(), gate()}; }

}  // namespace shunt::sim
