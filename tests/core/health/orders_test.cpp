// An operator's acts on a line, and what a report shows him.
#include <gtest/gtest.h>

#include "health/table.h"

namespace shunt::health {
namespace {

constexpr Instant at(std::int64_t s) { return {s * 1000}; }
constexpr WallTime kWall{1'800'000'000'000};

Outcome failure(Penalty penalty, std::optional<Duration> wait = std::nullopt) {
  Outcome o;
  o.kind = OutcomeKind::failure;
  o.penalty = penalty;
  o.wait = wait;
  return o;
}

class Line {
 public:
  explicit Line(Preset preset = Preset::stepped)
      : health({[preset] {
                 LineSpec s;
                 s.id = "x";
                 s.slots = 2;
                 s.policy = preset_policy(preset);
                 return s;
               }()},
               {}) {}

  HealthTable health;
  Instant now = at(1000);

  void act(Act act) { health.act(0, act, now, kWall); }
  void fail_times(int times, const Outcome& outcome) {
    for (std::uint32_t slot = 0; slot < 2; ++slot) {
      for (int i = 0; i < times; ++i) {
        if (const auto ticket = health.begin(0, slot, now, now + seconds(30)))
          health.settle(*ticket, outcome, now, 1);
      }
    }
  }
  LineReport report() const { return health.report(0, now); }
  Availability availability() const { return report().state.availability; }
};

TEST(Orders, DisableTakesAllSlotsOutUntilEnable) {
  for (const Act act : {Act::disable, Act::force_open}) {
    Line line;
    line.act(act);
    EXPECT_EQ(line.availability(), Availability::out);
    EXPECT_EQ(line.report().state.until, kNever);
    EXPECT_EQ(line.report().state.cause, Cause::operator_);
    EXPECT_EQ(line.report().mode, act == Act::disable ? Mode::disabled : Mode::forced_open);
    line.now = line.now + seconds(400 * 24 * 3600);
    EXPECT_EQ(line.availability(), Availability::out);
    EXPECT_FALSE(line.health.begin_probe(0, 0, line.now, line.now + seconds(1)).has_value());
    EXPECT_FALSE(line.health.keepable(0, line.now).has_value());
    line.act(Act::enable);
    EXPECT_EQ(line.availability(), Availability::ready);
    EXPECT_EQ(line.report().mode, Mode::in_service);
  }
}

TEST(Orders, ResetEndsWhateverHoldsTheLine) {
  struct Row {
    Preset preset;
    Act act;
    Outcome outcome;
  };
  for (const Row& row : {Row{Preset::stepped, Act::enable, failure(Penalty::normal)},
                         {Preset::latched, Act::enable, failure(Penalty::normal)},
                         {Preset::stepped, Act::enable, failure(Penalty::long_)},
                         {Preset::stepped, Act::enable, failure(Penalty::cooldown, seconds(900))},
                         {Preset::stepped, Act::disable, failure(Penalty::normal)},
                         {Preset::stepped, Act::force_open, failure(Penalty::normal)}}) {
    Line line(row.preset);
    line.fail_times(3, row.outcome);
    line.act(row.act);
    EXPECT_EQ(line.availability(), Availability::out);
    line.act(Act::reset);
    EXPECT_EQ(line.availability(), Availability::ready);
    EXPECT_EQ(line.report().state.failure_count, 0U);
    EXPECT_EQ(line.report().mode, Mode::in_service);
  }
}

TEST(Orders, EnableLeavesAnOpenBreakerAsItIs) {
  Line line;
  line.fail_times(3, failure(Penalty::normal));
  line.act(Act::enable);
  EXPECT_EQ(line.report().state.cause, Cause::breaker);
}

TEST(Orders, WhatHeldTheLineBeforeADisableHoldsAgainAfterIt) {
  for (const Act act : {Act::disable, Act::force_open, Act::breaker_off, Act::metrics_only}) {
    for (const Preset preset : {Preset::stepped, Preset::latched}) {
      Line line(preset);
      line.fail_times(3, failure(Penalty::normal));
      const LineState before = line.report().state;
      line.act(act);
      line.act(Act::disable);
      line.now = line.now + seconds(10);
      line.act(Act::enable);
      EXPECT_EQ(line.report().state.cause, before.cause);
      EXPECT_EQ(line.report().state.until, before.until);
      EXPECT_EQ(line.report().state.trip, before.trip);
    }
  }
}

TEST(Orders, WhatRanOutUnderADisableIsOver) {
  Line line;
  line.fail_times(3, failure(Penalty::normal));
  line.act(Act::disable);
  line.now = line.now + seconds(60);
  line.act(Act::enable);
  EXPECT_EQ(line.availability(), Availability::ready);
  EXPECT_EQ(line.report().state.failure_count, 0U);
}

TEST(Orders, BreakerOffAndMetricsOnlyLetEverythingPass) {
  for (const Act act : {Act::breaker_off, Act::metrics_only}) {
    Line line;
    line.act(act);
    line.fail_times(10, failure(Penalty::normal));
    EXPECT_EQ(line.availability(), Availability::ready);
    EXPECT_EQ(line.report().state.failure_count, act == Act::metrics_only ? 10U : 0U);
  }
}

TEST(Orders, TheLastActHoldsWhateverCameBefore) {
  constexpr Act kActs[] = {Act::reset,      Act::enable,      Act::disable,
                           Act::force_open, Act::breaker_off, Act::metrics_only};
  for (const Act before : kActs) {
    for (const Act last : kActs) {
      Line line;
      line.act(before);
      line.act(last);
      const bool out = last == Act::disable || last == Act::force_open;
      EXPECT_EQ(line.availability(), out ? Availability::out : Availability::ready);
      line.fail_times(3, failure(Penalty::normal));
      const bool opens = last == Act::reset || last == Act::enable;
      EXPECT_EQ(line.availability(), out || opens ? Availability::out : Availability::ready);
    }
  }
}

TEST(Orders, PriorityAndWeightStandUntilTakenBack) {
  Line line;
  EXPECT_EQ(line.report().priority, std::nullopt);
  line.health.set_priority(0, 3, line.now, kWall);
  line.health.set_weight(0, 0, line.now, kWall);
  EXPECT_EQ(line.health.priority(0), 3U);
  EXPECT_EQ(line.health.weight(0), 0U);
  line.act(Act::reset);
  EXPECT_EQ(line.report().priority, 3U) << "a reset is of health";
  line.health.set_priority(0, std::nullopt, line.now, kWall);
  EXPECT_EQ(line.report().priority, std::nullopt);
  EXPECT_EQ(line.report().weight, 0U);
}

TEST(Orders, TwoActsOfOneMillisecondAreInOrder) {
  Line line;
  line.act(Act::disable);
  line.act(Act::enable);
  std::string out;
  line.health.export_records(out, line.now, kWall);
  Line other;
  other.act(Act::disable);
  other.health.merge_records(out, other.now, kWall);
  EXPECT_EQ(other.report().mode, Mode::in_service);
}

// Origins A: rate-limit seconds left, circuit seconds left, next probe in, probe lease left.
TEST(Orders, AReportTellsTheBreakersTheCooldownsAndTheLeasesEnd) {
  Line line;
  EXPECT_EQ(line.report().open_until, kPast);
  EXPECT_EQ(line.report().limited_until, kPast);
  EXPECT_EQ(line.report().lease_until, kPast);
  line.fail_times(3, failure(Penalty::cooldown, seconds(20)));
  EXPECT_EQ(line.report().limited_until, line.now + seconds(20));
  EXPECT_EQ(line.report().open_until, kPast) << "out after the first: the calls after it were not begun";
  line.now = line.now + seconds(20);
  line.fail_times(3, failure(Penalty::normal));
  EXPECT_EQ(line.report().open_until, line.now + seconds(60));
  EXPECT_EQ(line.report().state.until, line.now + seconds(60)) << "next probe";
  const auto early = line.health.begin_probe(0, 0, line.now, line.now + seconds(9));
  EXPECT_EQ(line.report().lease_until, line.now + seconds(9));
  line.health.settle(*early, Outcome{}, line.now, 1);
  line.now = line.now + seconds(60);
  EXPECT_EQ(line.report().open_until, kPast);
  line.health.begin(0, 0, line.now, line.now + seconds(7));
  EXPECT_EQ(line.report().state.slot, 1U);
  EXPECT_EQ(line.report().lease_until, kPast) << "of the slot that would be used";
}

TEST(Orders, OrdersSurviveASnapshot) {
  Line line(Preset::latched);
  line.fail_times(3, failure(Penalty::normal));
  line.act(Act::disable);
  line.health.set_weight(0, 7, line.now, kWall);
  std::string bytes, told, again;
  line.health.snapshot(bytes, line.now, kWall);
  Line back(Preset::latched);
  ASSERT_EQ(back.health.load(bytes, back.now, kWall), LoadResult::loaded);
  EXPECT_EQ(back.report().mode, Mode::disabled);
  EXPECT_EQ(back.report().weight, 7U);
  EXPECT_EQ(back.health.take_news(), News::soon) << "the store may lack what was saved";
  line.health.export_records(told, line.now, kWall);
  back.health.export_records(again, back.now, kWall);
  EXPECT_EQ(told, again);
}

}  // namespace
}  // namespace shunt::health
