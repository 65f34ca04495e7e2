// An isolate with four lines that tells others of its health, under a clock that the test moves.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/health/outcomes.h"
#include "health/codec.h"
#include "health/table.h"

namespace shunt::health {

inline constexpr std::int64_t kToday = 1'800'000'000'000;
inline constexpr Duration kDay = seconds(24 * 3600);

inline std::vector<LineSpec> lines() {
  std::vector<LineSpec> all;
  for (const char* id : {"a", "b", "c", "d"}) {
    LineSpec s;
    s.id = id;
    s.slots = 2;
    s.first_key_scope = 0;
    s.model_scope = static_cast<std::uint32_t>(all.size() / 2);
    s.provider_scope = 0;
    s.policy = preset_policy(all.size() == 3 ? Preset::latched : Preset::stepped);
    all.push_back(s);
  }
  return all;
}
inline constexpr std::uint32_t a = 0, b = 1, c = 2, d = 3;

// One isolate: a table under a clock of its own origin.
class Node {
 public:
  explicit Node(std::int64_t origin_ms = 0) : origin_(origin_ms) { health.observe_wall(now(), wall()); }

  HealthTable health{lines(), {}};

  void wait(Duration span) { elapsed_ = elapsed_ + span; }
  Instant now() const { return {origin_ + elapsed_.ms}; }
  WallTime wall() const { return {kToday + elapsed_.ms}; }
  std::int64_t second() const { return wall().ms / 1000; }

  std::string told() {
    std::string out;
    health.export_records(out, now(), wall());
    return out;
  }
  Merge hear(std::string_view bytes) { return health.merge_records(bytes, now(), wall()); }
  std::vector<Entry> records() {
    kept_ = told();
    std::vector<Entry> all;
    EXPECT_TRUE(decode(kept_, all));
    return all;
  }
  void fail_times(std::uint32_t line, int times, const Outcome& outcome) {
    for (int i = 0; i < times; ++i) {
      const auto ticket = health.begin(line, 0, now(), now() + seconds(30));
      if (ticket) health.settle(*ticket, outcome, now(), 1);
    }
  }
  void probe(std::uint32_t line) {
    const auto ticket = health.begin_probe(line, 0, now(), now() + seconds(30));
    if (ticket) health.settle(*ticket, success(), now(), 1);
  }
  void act(std::uint32_t line, Act act) { health.act(line, act, now(), wall()); }
  LineState read(std::uint32_t line) const { return health.read(line, now()); }
  // Whether slot 0 is out; a line is out when all its slots are.
  bool out(std::uint32_t line) {
    HealthTable& t = health;
    const auto ticket = t.begin(line, 0, now(), now());
    if (ticket) t.settle(*ticket, Outcome{}, now(), 1);
    return !ticket.has_value();
  }

 private:
  std::int64_t origin_;
  Duration elapsed_;
  std::string kept_;
};

}  // namespace shunt::health
