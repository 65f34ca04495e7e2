// A flood of low priority, and slots that all wait for. Who begins before whom is checked by the watch.
#include <algorithm>
#include <string>

#include "sim/promises.h"

namespace shunt::sim {
namespace {

constexpr std::uint32_t kSlots = 8;  // about eleven requests a second
constexpr std::int64_t kMaxWaitMs = 10'000;

constexpr std::string_view kKeys[] = {
    R"("key_sha256": "0000000000000000000000000000000000000000000000000000000000000001")",
    R"("key_sha256": "0000000000000000000000000000000000000000000000000000000000000002")"};

std::vector<std::string> judge_flood(const Figures& f, const Chronicle& c) {
  std::uint64_t high = 0;
  std::uint64_t high_served = 0;
  std::uint64_t low_refused = 0;
  std::uint64_t lost = 0;
  std::uint64_t without_wait = 0;
  std::int64_t longest_ms = 0;
  std::int64_t high_ms = 0;
  for (const AskSeen& ask : c.asks) {
    const bool is_high = ask.caller == 0;
    const bool refused = ask.status == 429;
    high += is_high;
    high_served += is_high && ask.success;
    low_refused += !is_high && refused;
    lost += !ask.success && !refused;
    without_wait += refused && !ask.retry_after;
    const std::int64_t waited = (ask.began_ms < 0 ? ask.ended_ms : ask.began_ms) - ask.at_ms;
    longest_ms = std::max(longest_ms, waited);
    if (is_high) high_ms = std::max(high_ms, waited);
  }
  return {share_at_least("high ones served", high_served, high, 1'000'000),
          at_most("longest wait of a high one in ms", static_cast<std::uint64_t>(high_ms), 3'000),
          at_most("longest wait of anyone in ms", static_cast<std::uint64_t>(longest_ms), kMaxWaitMs + 100),
          at_most("neither served nor told 429", lost, 0),
          at_most("told 429 without a wait", without_wait, 0),
          at_least("low ones told 429", low_refused, 1),
          at_least("who waited", f.waited, 1'000)};
}

Scenario flood(std::string_view name, std::string_view about, std::string_view more) {
  Scenario s;
  s.name = name;
  s.about = about;
  s.config = config_of({.more = more});
  s.gap_us = 50'000;
  s.exchanges = 6'000;
  s.slots = kSlots;
  s.callers = {{"app", "x-shunt-priority: high\n", 200}, {"batch", "x-shunt-priority: low\n", 800}};
  s.routes = {"chat"};
  s.judge = judge_flood;
  return s;
}

}  // namespace

std::vector<Scenario> turn_scenarios() {
  static const std::string kGlobal =
      R"("limits": {"concurrency": 8}, "clients": [{"id": "app", "priority": "high", )" +
      std::string(kKeys[0]) + R"(}, {"id": "batch", "priority": "low", )" + std::string(kKeys[1]) + "}],";
  static const std::string kClient =
      R"("clients": [{"id": "app", "priority": "high", "limits": {"concurrency": 8}, )" +
      std::string(kKeys[0]) + "}],";
  Scenario of_client = flood("flood_of_client", "… of one client, over eight slots of its own", kClient);
  of_client.callers[1].client = "app";
  return {flood("flood", "four of five requests are of low priority, at twice what eight slots can serve",
                kGlobal),
          of_client};
}

}  // namespace shunt::sim
