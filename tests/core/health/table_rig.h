// A table of four lines, two of which share their model, under a clock that the test moves.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/health/outcomes.h"
#include "health/table.h"

namespace shunt::health {

inline constexpr Instant at(std::int64_t s) { return {s * 1000}; }

inline LineSpec spec(std::string id, std::uint32_t slots, std::uint32_t key, std::uint32_t model,
                     std::uint32_t provider, std::uint32_t region = kNoScope) {
  LineSpec s;
  s.id = std::move(id);
  s.slots = slots;
  s.first_key_scope = key;
  s.model_scope = model;
  s.region_scope = region;
  s.provider_scope = provider;
  s.policy = preset_policy(Preset::stepped);
  return s;
}

// Provider 0 with two keys: a and b share model 0, c has model 1; provider 1: d with one key. b and c
// stand in region 0.
class Table {
 public:
  HealthTable health{
      {spec("a", 2, 0, 0, 0), spec("b", 2, 0, 0, 0, 0), spec("c", 2, 0, 1, 0, 0), spec("d", 1, 2, 2, 1)}, [] {
        CooldownPolicy p;
        p.jitter_permille = 0;
        return p;
      }()};
  Instant now = at(1000);

  LineState read(std::uint32_t line) const { return health.read(line, now); }
  Availability availability(std::uint32_t line) const { return read(line).availability; }
  bool out(std::uint32_t line) const { return availability(line) == Availability::out; }
  Ticket begin(std::uint32_t line, std::uint32_t slot = 0) {
    const auto ticket = health.begin(line, slot, now, now + seconds(30));
    EXPECT_TRUE(ticket.has_value());
    return ticket.value_or(Ticket{});
  }
  void settle(const Ticket& ticket, const Outcome& outcome) { health.settle(ticket, outcome, now, 1); }
  void call(std::uint32_t line, const Outcome& outcome, std::uint32_t slot = 0) {
    settle(begin(line, slot), outcome);
  }
  void fail_times(std::uint32_t line, int times, const Outcome& outcome, std::uint32_t slot = 0) {
    std::vector<Ticket> tickets;
    for (int i = 0; i < times; ++i) tickets.push_back(begin(line, slot));
    for (const Ticket& ticket : tickets) settle(ticket, outcome);
  }
};

inline constexpr std::uint32_t a = 0, b = 1, c = 2, d = 3;

}  // namespace shunt::health
