// One client's requests a minute, shared by several isolates through a store, or kept to by each alone.
#include <algorithm>
#include <string>

#include "sim/promises.h"

namespace shunt::sim {
namespace {

constexpr std::uint64_t kPerMinute = 600;
constexpr std::uint64_t kSlack = kPerMinute / 50;
constexpr std::int64_t kBeginMs = 1'000;
constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::uint64_t kMinutes = 6;
constexpr std::uint32_t kAlone = 2;  // isolates of the scenarios where each keeps to the limit alone

// Requests let in by isolate `of` (none = by all), for each minute but the first.
std::vector<std::uint64_t> let_in(const Chronicle& c, std::int64_t of) {
  std::vector<std::uint64_t> minutes(kMinutes);
  for (const AskSeen& ask : c.asks) {
    const std::int64_t minute = (ask.began_ms - kBeginMs) / kMinuteMs;
    const bool counts = ask.began_ms >= 0 && minute < static_cast<std::int64_t>(kMinutes);
    if (counts && (of < 0 || ask.isolate == static_cast<std::uint32_t>(of)))
      ++minutes[static_cast<std::size_t>(minute)];
  }
  minutes.erase(minutes.begin());
  return minutes;
}

void within(const std::vector<std::uint64_t>& minutes, const std::string& whose,
            std::vector<std::string>& out) {
  const auto [least, most] = std::minmax_element(minutes.begin(), minutes.end());
  out.push_back(at_least("least let in in a minute" + whose, *least, kPerMinute - kSlack));
  out.push_back(at_most("most let in in a minute" + whose, *most, kPerMinute + kSlack));
}

std::vector<std::string> judge_others(const Figures& f, const Chronicle& c) {
  std::uint64_t lost = 0;
  std::uint64_t without_wait = 0;
  for (const AskSeen& ask : c.asks) {
    lost += !ask.success && ask.status != 429;
    without_wait += ask.status == 429 && !ask.retry_after;
  }
  return {at_most("neither served nor told 429", lost, 0),
          at_most("told 429 without a wait", without_wait, 0), at_least("told 429", f.limited, 1'000)};
}

std::vector<std::string> judge_shared(const Figures& f, const Chronicle& c) {
  std::vector<std::string> out = judge_others(f, c);
  within(let_in(c, -1), "", out);
  return out;
}

std::vector<std::string> judge_alone(const Figures& f, const Chronicle& c) {
  std::vector<std::string> out = judge_others(f, c);
  for (std::uint32_t i = 0; i < kAlone; ++i) within(let_in(c, i), " by isolate " + number(i), out);
  return out;
}

// Sometimes together, sometimes alone: between one limit and one for each, with a burst that is owed.
std::vector<std::string> judge_between(const Figures& f, const Chronicle& c) {
  std::vector<std::string> out = judge_others(f, c);
  for (std::uint32_t i = 0; i < kAlone; ++i) {
    const std::vector<std::uint64_t> minutes = let_in(c, i);
    out.push_back(at_most("most let in in a minute by isolate " + number(i),
                          *std::max_element(minutes.begin(), minutes.end()), kPerMinute + kPerMinute / 10));
  }
  const std::vector<std::uint64_t> all = let_in(c, -1);
  out.push_back(
      at_least("least let in in a minute", *std::min_element(all.begin(), all.end()), kPerMinute - kSlack));
  return out;
}

Scenario shared(std::string_view name, std::string_view about, std::uint32_t isolates,
                std::uint64_t a_minute) {
  Scenario s;
  s.name = name;
  s.about = about;
  s.config = config_of(
      {.more = R"("state": {"store": "durable_object"}, "clients": [{"id": "app", "limits": {"rpm": 600},
         "key_sha256": "0000000000000000000000000000000000000000000000000000000000000001"}],)"});
  s.isolates = isolates;
  s.gap_us = static_cast<std::int64_t>(60'000'000 / a_minute);
  s.exchanges = kMinutes * a_minute;
  s.store.answer_ms = 10;
  s.callers = {{"app", "", 1000}};
  s.routes = {"chat"};
  s.judge = judge_shared;
  return s;
}

Scenario alone(std::string_view name, std::string_view about, Fault fault) {
  Scenario s = shared(name, about, kAlone, 2 * kAlone * kPerMinute);
  s.faults = Faults{}.with(fault);
  s.judge = judge_alone;
  return s;
}

}  // namespace

std::vector<Scenario> quota_scenarios() {
  Scenario slow =
      shared("quota_slow", "… through a store whose answers come too late, but come", 2, 4 * kPerMinute);
  slow.store.answer_ms = 100;
  Scenario silent = alone("quota_silent", "… through a store that never answers", Fault::store_silent);
  silent.store.silent_permille = 1000;
  Scenario lying = alone("quota_lies", "… through a store that answers nonsense", Fault::store_garbage);
  lying.store.lies_permille = 1000;
  Scenario generous =
      alone("quota_generous", "… through a store that grants whatever is asked", Fault::store_garbage);
  generous.store.generous = true;
  Scenario moody =
      alone("quota_moody", "… through a store that is slow, silent or lies now and then", Fault::store_slow);
  moody.faults = moody.faults.with(Fault::store_silent).with(Fault::store_garbage).with(Fault::store_down);
  moody.store.slow_permille = moody.store.silent_permille = moody.store.lies_permille = 100;
  moody.store.false_permille = 50;
  moody.store.down_permille = 200;
  moody.judge = judge_between;
  return {shared("quota", "one client's 600 requests a minute over five isolates, asked for twice as many", 5,
                 2 * kPerMinute),
          shared("quota_two", "… over two isolates", 2, 2 * kPerMinute),
          slow,
          silent,
          lying,
          generous,
          moody};
}

}  // namespace shunt::sim
