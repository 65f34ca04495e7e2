// What the five published designs say of health, row by row, against the table as a caller sees it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "health/table.h"

namespace shunt::health {
namespace {

struct World {
  explicit World(Preset preset, std::uint32_t lines = 1)
      : health(specs(preset, lines), [] {
          CooldownPolicy p;
          p.jitter_permille = 0;
          return p;
        }()) {}

  static std::vector<LineSpec> specs(Preset preset, std::uint32_t lines) {
    std::vector<LineSpec> all(lines);
    for (std::uint32_t i = 0; i < lines; ++i) {
      all[i].id = std::to_string(i);
      all[i].policy = preset_policy(preset);
    }
    return all;
  }
  World& fails(int times, Penalty penalty = Penalty::normal, std::optional<Duration> wait = std::nullopt) {
    Outcome o;
    o.kind = OutcomeKind::failure;
    o.penalty = penalty;
    o.wait = wait;
    return settles(times, o);
  }
  World& answers(int times, Duration total = seconds(1)) {
    Outcome o;
    o.kind = OutcomeKind::success;
    o.total = total;
    return settles(times, o);
  }
  World& waits(std::int64_t s) {
    now = now + seconds(s);
    return *this;
  }
  World& acts(Act act) {
    health.act(0, act, now, {1'800'000'000'000 + now.ms});
    return *this;
  }
  // Calls begun together, so that each of them is heard.
  World& settles(int times, const Outcome& outcome) {
    std::vector<Ticket> tickets;
    for (int i = 0; i < times; ++i) {
      if (const auto ticket = health.begin(0, 0, now, now + seconds(10))) tickets.push_back(*ticket);
    }
    for (const Ticket& ticket : tickets) health.settle(ticket, outcome, now, 1);
    return *this;
  }
  std::string state() const {
    const LineState s = health.read(0, now);
    if (s.availability == Availability::ready) return "ready";
    if (s.availability == Availability::probe) return "probe";
    return "out " + (s.until == kNever ? "until reset" : std::to_string((s.until - now).ms / 1000));
  }

  HealthTable health;
  Instant now{0};
};

struct Row {
  const char* says;
  std::string found;
  std::string want;
};

using P = Preset;

void expect_all(const std::vector<Row>& rows) {
  for (const Row& row : rows) EXPECT_EQ(row.found, row.want) << row.says;
}

TEST(Origins, A_SteppedProtection) {
  expect_all({
      {"protection starts at 3", World(P::stepped).fails(2).state(), "ready"},
      {"base seconds below 10", World(P::stepped).fails(3).state(), "out 60"},
      {"… to 9", World(P::stepped).fails(9).state(), "out 60"},
      {"×10 below 20", World(P::stepped).fails(10).state(), "out 600"},
      {"… to 19", World(P::stepped).fails(19).state(), "out 600"},
      {"×60 below 50", World(P::stepped).fails(20).state(), "out 3600"},
      {"… to 49", World(P::stepped).fails(49).state(), "out 3600"},
      {"×120 from there", World(P::stepped).fails(50).state(), "out 7200"},
      {"content policy never counts", World(P::stepped).fails(50, Penalty::none).state(), "ready"},
      {"a rate limit enters a cooldown: Retry-After",
       World(P::stepped).fails(1, Penalty::cooldown, seconds(7)).state(), "out 7"},
      {"… else adaptive", World(P::stepped).fails(1, Penalty::cooldown).state(), "out 1"},
      {"… and counts as a failure as well", World(P::stepped).fails(3, Penalty::cooldown, seconds(7)).state(),
       "out 60"},
      {"long protection", World(P::stepped).fails(1, Penalty::long_).state(), "out 600"},
      {"half-open probes", World(P::stepped).fails(3).waits(60).state(), "probe"},
      {"a success clears the failures", World(P::stepped).fails(2).answers(1).fails(2).state(), "ready"},
      {"… and the protection", World(P::stepped).fails(3).waits(60).answers(1).fails(2).state(), "ready"},
      {"a failed probe climbs on", World(P::stepped).fails(9).waits(60).fails(1).state(), "out 600"},
  });
}

TEST(Origins, A_NothingLeftOneVendorAtATimeUnderAProbeLease) {
  World world(P::stepped);
  world.fails(3).waits(60);
  const auto first = world.health.begin(0, 0, world.now, world.now + seconds(10));
  ASSERT_TRUE(first && first->is_probe());
  EXPECT_EQ(world.state(), "out 10") << "the lease is taken";
  EXPECT_EQ(world.waits(10).state(), "probe") << "and expires";
}

TEST(Origins, A_SuccessRateOfTheLastTwentyCallsWithinTenMinutes) {
  World world(P::hystrix);
  const auto rate = [&] { return world.health.read(0, world.now).success_rate_micros; };
  EXPECT_EQ(rate(), 1'000'000U) << "no data = 1.0";
  world.fails(5).answers(5);
  EXPECT_EQ(rate(), 500'000U);
  world.answers(15);
  EXPECT_EQ(rate(), 1'000'000U) << "the five failures are more than twenty calls ago";
  world.fails(5).waits(600);
  EXPECT_EQ(rate(), 1'000'000U) << "more than ten minutes ago";
}

TEST(Origins, B_ThreeLayersAnyOneMarksAVendor) {
  expect_all({
      {"5 failures in a row", World(P::three_layer).fails(5).state(), "out 60"},
      {"… not 4", World(P::three_layer).fails(4).state(), "ready"},
      {"error rate above 10 %", World(P::three_layer).answers(9).fails(1).state(), "ready"},
      {"… 2 of 19", World(P::three_layer).answers(17).fails(2).state(), "out 60"},
      {"… in a 60 s window", World(P::three_layer).fails(2).waits(60).answers(17).state(), "ready"},
      {"p99 above 8 s", World(P::three_layer).answers(20, milliseconds(8001)).state(), "out 60"},
      {"… not at 8 s", World(P::three_layer).answers(20, seconds(8)).state(), "ready"},
      {"rate limits do not count",
       World(P::three_layer).fails(5, Penalty::cooldown, seconds(1)).waits(1).state(), "ready"},
      {"recovers", World(P::three_layer).fails(5).waits(60).answers(1).state(), "ready"},
  });
}

TEST(Origins, C_AboveHalfInAMinute) {
  expect_all({
      {"above 50 % opens", World(P::window_50).answers(5).fails(6).state(), "out 30"},
      {"50 % does not", World(P::window_50).answers(5).fails(5).state(), "ready"},
      {"in 1 min", World(P::window_50).fails(9).waits(60).fails(1).state(), "ready"},
      {"a probe every 30 s", World(P::window_50).fails(10).waits(30).state(), "probe"},
      {"… and again", World(P::window_50).fails(10).waits(30).fails(1).state(), "out 30"},
      {"429 is not a failure", World(P::window_50).fails(20, Penalty::cooldown, seconds(1)).waits(1).state(),
       "ready"},
  });
}

TEST(Origins, D_ThreeInARowUntilAnOperatorResets) {
  expect_all({
      {"3 failures in a row disable", World(P::latched).fails(3).state(), "out until reset"},
      {"… 2 do not", World(P::latched).fails(2).answers(1).fails(2).state(), "ready"},
      {"no time brings it back", World(P::latched).fails(3).waits(40 * 24 * 3600).state(), "out until reset"},
      {"reset", World(P::latched).fails(3).acts(Act::reset).state(), "ready"},
      {"manual disable", World(P::latched).acts(Act::disable).waits(1'000'000).state(), "out until reset"},
      {"… and enable", World(P::latched).acts(Act::disable).acts(Act::enable).state(), "ready"},
  });
}

TEST(Origins, D_StateSurvivesARestartAndATripIsToldAtOnce) {
  World world(P::latched);
  world.fails(3);
  EXPECT_EQ(world.health.take_news(), News::urgent);
  EXPECT_TRUE(world.health.dirty());
  std::string bytes;
  world.health.snapshot(bytes, world.now, {5000});
  World restarted(P::latched);
  ASSERT_EQ(restarted.health.load(bytes, restarted.now, {99'000}), LoadResult::loaded);
  EXPECT_EQ(restarted.state(), "out until reset");
}

TEST(Origins, D_PriorityIsAnOperators) {
  World world(P::latched);
  world.health.set_priority(0, 2, world.now, {5000});
  EXPECT_EQ(world.health.priority(0), 2U);
}

TEST(Origins, E_ErrorRateOverFiveMinutes) {
  expect_all({
      {"above 30 %", World(P::hystrix).answers(14).fails(7).state(), "out 30"},
      {"not at 30 %", World(P::hystrix).answers(14).fails(6).state(), "ready"},
      {"over 5 min", World(P::hystrix).fails(7).waits(299).answers(14).state(), "out 30"},
      {"… not longer", World(P::hystrix).fails(7).waits(300).answers(14).state(), "ready"},
      {"429 backs off", World(P::hystrix).fails(1, Penalty::cooldown).state(), "out 1"},
      {"… exponentially",
       World(P::hystrix).fails(1, Penalty::cooldown).waits(1).fails(1, Penalty::cooldown).state(), "out 2"},
      {"recovers", World(P::hystrix).answers(14).fails(7).waits(30).answers(1).state(), "ready"},
  });
}

TEST(Origins, E_ErrorRatesPerVendor) {
  for (const std::int64_t percent : {25, 40}) {
    std::vector<LineSpec> specs = World::specs(P::hystrix, 1);
    specs[0].policy.window.failure_rate_micros = above(percent * 10'000);
    World world(P::hystrix);
    world.health = HealthTable(specs, {});
    world.answers(static_cast<int>(100 - percent)).fails(static_cast<int>(percent));
    EXPECT_EQ(world.state(), "ready");
    EXPECT_EQ(world.fails(1).state(), "out 30");
  }
}

TEST(Origins, E_PercentilesOfTheTaskType) {
  World world(P::hystrix);
  for (int i = 1; i <= 100; ++i) {
    Outcome o;
    o.kind = OutcomeKind::success;
    o.total = milliseconds(i * 10);
    o.task = 2;
    world.settles(1, o);
  }
  Spread spread;
  world.health.collect(0, Latency::total, 2, world.now, spread);
  const std::int64_t want[] = {500, 900, 990};
  int i = 0;
  for (const std::uint32_t permille : {500U, 900U, 990U}) {
    const std::int64_t ms = want[i++];
    EXPECT_LE(std::abs(std::int64_t{spread.quantile(permille)} - ms * 1000), ms * 30);
  }
}

}  // namespace
}  // namespace shunt::health
