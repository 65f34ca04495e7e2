// A provider that lets a fixed number of requests a minute through and says so nowhere: how near to it one
// comes, and how often one is refused.
#include <algorithm>
#include <string>

#include "sim/promises.h"

namespace shunt::sim {
namespace {

constexpr std::int64_t kPerMinute = 500;
constexpr std::int64_t kGapUs = 60'000;  // twice as many
constexpr std::int64_t kBeginMs = 1'000;
constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::uint64_t kMinutes = 8;

struct Bounds {
  std::uint64_t refused_micros;  // of what it was sent, at most
  std::uint64_t used_micros;     // of its limit, at least
};
constexpr Bounds kTold{10'000, 950'000};
constexpr Bounds kUntold{50'000, 800'000};

std::vector<std::string> judge(const Chronicle& c, const Bounds& bounds) {
  std::uint64_t sent = 0;
  std::uint64_t refused = 0;
  const std::int64_t from = kBeginMs + kMinuteMs;
  const std::int64_t to = from + static_cast<std::int64_t>(kMinutes - 1) * kMinuteMs;
  for (const CallSeen& call : c.calls) {
    if (call.line != 0 || call.at_ms < from || call.at_ms >= to) continue;
    ++sent;
    refused += call.limited;
  }
  return {share_at_most("refused of those sent to it", refused, sent, bounds.refused_micros),
          share_at_least("let through of its limit", sent - refused, (kMinutes - 1) * kPerMinute,
                         bounds.used_micros)};
}
std::vector<std::string> judge_told(const Figures&, const Chronicle& c) { return judge(c, kTold); }
std::vector<std::string> judge_untold(const Figures&, const Chronicle& c) { return judge(c, kUntold); }

// With another line to go to, nobody need be refused at all.
std::vector<std::string> served(std::vector<std::string> words, const Figures& f) {
  words.push_back(share_at_least("whole answers", f.succeeded, f.requests, 999'000));
  return words;
}
std::vector<std::string> judge_told_beside(const Figures& f, const Chronicle& c) {
  return served(judge(c, kTold), f);
}
std::vector<std::string> judge_untold_beside(const Figures& f, const Chronicle& c) {
  return served(judge(c, kUntold), f);
}

Scenario hard_limit(std::string_view name, std::string_view about, const HardLimit& limit, bool beside) {
  Scenario s;
  s.name = name;
  s.about = about;
  s.config = config_of({.lines = beside ? 2 : 1});
  s.gap_us = kGapUs;
  s.exchanges = kMinutes * 60'000'000 / kGapUs;
  s.climate.limits = {limit};
  s.routes = {"chat"};
  if (beside)
    s.judge = limit.tells ? judge_told_beside : judge_untold_beside;
  else
    s.judge = limit.tells ? judge_told : judge_untold;
  return s;
}

}  // namespace

std::vector<Scenario> limit_scenarios() {
  constexpr HardLimit kWindow{.per_minute = kPerMinute, .window = true, .tells = true};
  constexpr HardLimit kMuteWindow{.per_minute = kPerMinute, .window = true};
  constexpr HardLimit kBucket{.per_minute = kPerMinute, .burst = kPerMinute, .tells = true};
  constexpr HardLimit kMuteBucket{.per_minute = kPerMinute, .burst = kPerMinute};
  constexpr HardLimit kSmall{.per_minute = kPerMinute, .burst = kPerMinute / 10, .tells = true};
  constexpr HardLimit kMuteSmall{.per_minute = kPerMinute, .burst = kPerMinute / 10};
  return {
      hard_limit("limit_window", "500 a minute by windows, told; another line beside it", kWindow, true),
      hard_limit("limit_window_alone", "500 a minute by windows, told; requests wait", kWindow, false),
      hard_limit("limit_window_mute", "500 a minute by windows, not told; another line", kMuteWindow, true),
      hard_limit("limit_window_mute_alone", "500 a minute by windows, not told; requests wait", kMuteWindow,
                 false),
      hard_limit("limit_bucket", "500 a minute by a bucket of 500, told; another line", kBucket, true),
      hard_limit("limit_bucket_alone", "500 a minute by a bucket of 500, told; requests wait", kBucket,
                 false),
      hard_limit("limit_bucket_mute", "500 a minute by a bucket of 500, not told; another line", kMuteBucket,
                 true),
      hard_limit("limit_bucket_mute_alone", "500 a minute by a bucket of 500, not told; requests wait",
                 kMuteBucket, false),
      hard_limit("limit_small", "500 a minute by a bucket of 50, told; another line", kSmall, true),
      hard_limit("limit_small_alone", "500 a minute by a bucket of 50, told; requests wait", kSmall, false),
      hard_limit("limit_small_mute", "500 a minute by a bucket of 50, not told; another line", kMuteSmall,
                 true),
      hard_limit("limit_small_mute_alone", "500 a minute by a bucket of 50, not told; requests wait",
                 kMuteSmall, false),
  };
}

}  // namespace shunt::sim
