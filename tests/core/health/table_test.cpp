// Lines, slots and scopes: who is blamed, what a line shows, and that nothing taken is ever lost.
#include "health/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "core/health/table_rig.h"

namespace shunt::health {
namespace {

TEST(HealthTable, AFreshLineIsReadyAtItsFirstSlot) {
  Table t;
  const LineState s = t.read(a);
  EXPECT_EQ(s.availability, Availability::ready);
  EXPECT_EQ(s.slot, 0U);
  EXPECT_EQ(s.until, t.now);
  EXPECT_EQ(s.cause, Cause::none);
  EXPECT_EQ(s.success_rate_micros, 1'000'000U);
  EXPECT_FALSE(s.last_error.has_value());
}

TEST(HealthTable, ScopeDecidesWhoIsOut) {
  struct Row {
    Scope scope;
    bool a_slot_0, a_slot_1, b_slot_0, c_slot_0, d_slot_0;  // out?
  };
  const Row rows[] = {
      {Scope::request, false, false, false, false, false},
      {Scope::own_host, false, false, false, false, false},
      {Scope::deployment, true, false, false, false, false},
      {Scope::key, true, false, true, true, false},
      {Scope::model, true, true, true, false, false},
      {Scope::provider, true, true, true, true, false},
      {Scope::region, true, false, false, false, false},  // a has no region: its own
  };
  for (const Penalty penalty : {Penalty::long_, Penalty::cooldown}) {
    for (const Row& row : rows) {
      Table t;
      t.call(a, failure(penalty, row.scope));
      const auto is_out = [&](std::uint32_t line, std::uint32_t slot) {
        return !t.health.begin(line, slot, t.now, t.now).has_value();
      };
      SCOPED_TRACE(name_of(row.scope));
      EXPECT_EQ(is_out(a, 0), row.a_slot_0);
      EXPECT_EQ(is_out(a, 1), row.a_slot_1);
      EXPECT_EQ(is_out(b, 0), row.b_slot_0);
      EXPECT_EQ(is_out(c, 0), row.c_slot_0);
      EXPECT_EQ(is_out(d, 0), row.d_slot_0);
    }
  }
}

TEST(HealthTable, ARegionTakesItsLinesOut) {
  Table t;
  t.call(b, failure(Penalty::long_, Scope::region));
  EXPECT_FALSE(t.out(a));
  EXPECT_TRUE(t.out(b));
  EXPECT_TRUE(t.out(c));
}

TEST(HealthTable, PenaltyNoneAndNeutralEndsLeaveNoTrace) {
  Table t;
  for (int i = 0; i < 10; ++i) {
    t.call(a, failure(Penalty::none));
    t.call(a, Outcome{});
  }
  EXPECT_EQ(t.read(a).failure_count, 0U);
  EXPECT_EQ(t.read(a).success_rate_micros, 1'000'000U);
  EXPECT_FALSE(t.read(a).last_failure.has_value());
}

TEST(HealthTable, ALineMovesToItsNextSlotAndIsOutWhenAllAre) {
  Table t;
  t.call(a, failure(Penalty::cooldown, Scope::key, seconds(50)), 0);
  EXPECT_EQ(t.read(a).slot, 1U);
  EXPECT_EQ(t.availability(a), Availability::ready);
  t.call(a, failure(Penalty::cooldown, Scope::key, seconds(20)), 1);
  const LineState s = t.read(a);
  EXPECT_EQ(s.availability, Availability::out);
  EXPECT_EQ(s.slot, 1U) << "the nearest end";
  EXPECT_EQ(s.until, t.now + seconds(20));
  EXPECT_EQ(s.cause, Cause::cooldown);
}

TEST(HealthTable, SiblingsSuccessesDoNotHideABadLine) {
  Table t;
  for (int i = 0; i < 3; ++i) {
    t.call(a, failure(Penalty::normal, Scope::provider));
    t.call(c, success());
  }
  EXPECT_EQ(t.health.begin(a, 0, t.now, t.now), std::nullopt);
  EXPECT_FALSE(t.out(b));
  EXPECT_FALSE(t.out(c));
}

TEST(HealthTable, AProviderThatFailsEverywhereIsOutEverywhere) {
  Table t;
  t.call(a, failure(Penalty::normal, Scope::provider));
  t.call(b, failure(Penalty::normal, Scope::provider));
  t.call(c, failure(Penalty::normal, Scope::provider));
  EXPECT_TRUE(t.out(a));
  EXPECT_TRUE(t.out(b));
  EXPECT_TRUE(t.out(c));
  EXPECT_FALSE(t.out(d));
  t.now = t.now + seconds(60);
  t.call(c, success());
  EXPECT_FALSE(t.out(a)) << "one probe brings the provider back for all";
}

TEST(HealthTable, TheClientsOwnKeyIsNobodysFault) {
  LineSpec byok = spec("byok", 1, kNoScope, 0, 0);
  HealthTable health({byok}, {});
  for (const Penalty penalty : {Penalty::long_, Penalty::cooldown}) {
    const Ticket ticket = *health.begin(0, 0, at(0), at(30));
    health.settle(ticket, failure(penalty, Scope::key), at(0), 1);
  }
  EXPECT_EQ(health.read(0, at(0)).availability, Availability::ready);
}

TEST(HealthTable, RateLimitsCoolDownAndCountInStepped) {
  Table t;
  t.fail_times(d, 3, failure(Penalty::cooldown, Scope::key, seconds(5)));
  EXPECT_EQ(t.read(d).until, t.now + seconds(60));
  EXPECT_EQ(t.read(d).cause, Cause::cooldown) << "the strongest cause in force";
  t.now = t.now + seconds(5);
  EXPECT_EQ(t.read(d).cause, Cause::breaker);
}

TEST(HealthTable, OnlyTheBreakersOwnRulesMayBeKept) {
  Table t;
  EXPECT_FALSE(t.health.keepable(d, t.now).has_value()) << "it is not out";
  t.fail_times(d, 3, failure(Penalty::normal));
  ASSERT_TRUE(t.health.keepable(d, t.now).has_value());
  EXPECT_EQ(t.health.keepable(d, t.now)->until, t.now + seconds(60));
  const Ticket kept = t.health.begin_kept(d, 0, t.now);
  EXPECT_EQ(kept.kind, Ticket::Kind::kept);
  t.settle(kept, success());
  EXPECT_TRUE(t.out(d)) << "a kept success ends nothing early";
  t.settle(t.health.begin_kept(d, 0, t.now), failure(Penalty::cooldown, Scope::deployment, seconds(5)));
  EXPECT_FALSE(t.health.keepable(d, t.now).has_value()) << "a stated wait is honoured";
}

TEST(HealthTable, KeepChoosesAmongSlotsThatOnlyTheBreakerHolds) {
  Table t;
  t.fail_times(a, 3, failure(Penalty::normal), 0);
  t.call(a, failure(Penalty::cooldown, Scope::key, seconds(5)), 1);
  EXPECT_EQ(t.read(a).slot, 1U);
  ASSERT_TRUE(t.health.keepable(a, t.now).has_value());
  EXPECT_EQ(t.health.keepable(a, t.now)->slot, 0U);
}

TEST(HealthTable, ALineIsOutUntilTheLastOfItsScopesIsBack) {
  for (const bool key_longer : {false, true}) {
    Table t;
    const Ticket under_way = t.begin(d);
    t.call(d, failure(Penalty::cooldown, Scope::key, seconds(key_longer ? 90 : 30)));
    t.settle(under_way, failure(Penalty::cooldown, Scope::model, seconds(60)));
    EXPECT_EQ(t.read(d).until, t.now + seconds(key_longer ? 90 : 60));
  }
}

TEST(HealthTable, AResetBringsALineBackWhateverScopeHeldIt) {
  Table t;
  t.call(a, failure(Penalty::long_, Scope::provider));
  t.call(d, failure(Penalty::cooldown, Scope::key, seconds(60)));
  t.health.act(b, Act::reset, t.now, {});
  t.health.act(d, Act::reset, t.now, {});
  for (const std::uint32_t line : {a, b, c, d}) EXPECT_EQ(t.availability(line), Availability::ready);
}

TEST(HealthTable, DirtyFollowsChangesOfStateOnly) {
  Table t;
  t.call(a, success());
  t.call(a, failure(Penalty::normal));
  EXPECT_FALSE(t.health.dirty());
  t.call(a, failure(Penalty::cooldown, Scope::deployment, seconds(1)));
  EXPECT_TRUE(t.health.dirty());
  t.health.clear_dirty();
  t.fail_times(d, 3, failure(Penalty::normal));
  EXPECT_TRUE(t.health.dirty());
}

TEST(HealthTable, ShowsRecentSuccessAndError) {
  Table t;
  t.call(a, success());
  t.now = t.now + seconds(5);
  t.call(a, failure(Penalty::normal));
  const LineState s = t.read(a);
  EXPECT_EQ(s.success_rate_micros, 500'000U);
  EXPECT_EQ(s.last_success, at(1000));
  EXPECT_EQ(s.last_failure, at(1005));
  EXPECT_EQ(s.last_error, ErrorClass::temporary);
  EXPECT_EQ(s.failure_count, 1U);
}

// Calls begin, end, and are lost in any order; when all leases are over and all ends have passed, every
// line is back.
TEST(HealthTable, NothingTakenIsEverLost) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Table t;
    std::vector<Ticket> under_way;
    for (std::uint64_t i = 0; i < 300; ++i) {
      const std::uint64_t r = mix64(seed * 100'000 + i);
      const auto line = static_cast<std::uint32_t>(r % 4);
      const std::uint32_t slot = line == d ? 0 : static_cast<std::uint32_t>(r >> 8U) % 2;
      t.now = t.now + milliseconds(static_cast<std::int64_t>((r >> 20U) % 8 == 0 ? (r >> 24U) % 90'000 : 0));
      const auto kind = (r >> 16U) % 6;
      if (kind < 3) {
        const Instant lease_end = t.now + seconds(20);
        const auto ticket = kind == 0   ? t.health.begin_probe(line, slot, t.now, lease_end)
                            : kind == 1 ? std::optional<Ticket>(t.health.begin_kept(line, slot, t.now))
                                        : t.health.begin(line, slot, t.now, lease_end);
        if (ticket) under_way.push_back(*ticket);
      } else if (!under_way.empty()) {
        const std::size_t pick = (r >> 40U) % under_way.size();
        const auto scope = static_cast<Scope>((r >> 32U) % 7);
        const auto penalty = static_cast<Penalty>((r >> 36U) % 5);
        if (kind == 3) t.settle(under_way[pick], (r >> 50U) % 2 == 0 ? success() : Outcome{});
        if (kind == 4) t.settle(under_way[pick], failure(penalty, scope));
        under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(pick));
      }
    }
    t.now = t.now + seconds(7 * 3600);
    for (const std::uint32_t line : {a, b, c, d}) {
      const std::uint32_t slots = line == d ? 1 : 2;
      for (std::uint32_t slot = 0; slot < slots; ++slot) {
        const auto ticket = t.health.begin(line, slot, t.now, t.now + seconds(20));
        ASSERT_TRUE(ticket.has_value()) << "seed " << seed << " line " << line << " slot " << slot;
        t.settle(*ticket, success());
        const auto again = t.health.begin(line, slot, t.now, t.now + seconds(20));
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ(again->kind, Ticket::Kind::ordinary);
      }
    }
  }
}

TEST(HealthTable, StaysWithinItsMemory) {
  std::vector<LineSpec> lines;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const std::uint32_t provider = i / 10;
    LineSpec s = spec("line-" + std::to_string(i), 1, provider, i, provider, provider);
    s.policy = preset_policy(Preset::three_layer);
    lines.push_back(s);
  }
  HealthTable health(std::move(lines), {});
  EXPECT_LE(health.memory(), 1000 * 1024U) << "idle";
  for (std::uint32_t i = 0; i < 1000; ++i) {
    health.settle(*health.begin(i, 0, at(0), at(1)), success(), at(0), 1);
  }
  EXPECT_LE(health.memory(), 1000 * 8192U) << "active";
}

// DESIGN §5: `keep` and `protect` are the plan's; there is no panic mode that forgets health at 50 %.
TEST(HealthTable, O5_HoweverManyLinesAreOutTheyStayOut) {
  Table t;
  for (const std::uint32_t line : {a, b, c}) t.fail_times(line, 3, failure(Penalty::normal));
  EXPECT_FALSE(t.health.begin(a, 0, t.now, t.now).has_value());
  EXPECT_FALSE(t.health.begin(b, 0, t.now, t.now).has_value());
  EXPECT_FALSE(t.health.begin(c, 0, t.now, t.now).has_value());
  EXPECT_FALSE(t.out(d));
}

// Success is no news of a scope that nothing was known of; only the line's own last calls are kept.
TEST(HealthTable, WhatIsWellTakesNoMemory) {
  Table t;
  const std::size_t idle = t.health.memory();
  t.call(a, success());
  const std::size_t called = t.health.memory();
  t.fail_times(a, 1, failure(Penalty::normal));
  const std::size_t failed = t.health.memory();
  EXPECT_GT(called, idle);
  EXPECT_GE(failed - called, 100U) << "its own cell, from the first failure on";
  EXPECT_LT(failed - called, 400U) << "and no other";
}

// DESIGN §12: a deployment idle ≤ 1 KB, active ≤ 8 KB.
TEST(HealthTable, WeighsAKilobyteALineIdleAndEightActive) {
  constexpr std::uint32_t kLines = 100;
  std::vector<LineSpec> specs;
  for (std::uint32_t i = 0; i < kLines; ++i) {
    LineSpec s = spec("deployment-" + std::to_string(i), 1, i / 10, i, i / 10);
    s.policy = preset_policy(Preset::three_layer);
    specs.push_back(s);
  }
  HealthTable health(specs, {});
  EXPECT_LE(health.memory() / kLines, 512U) << "a line of an engine weighs more than its health";
  for (std::uint32_t line = 0; line < kLines; ++line) {
    for (std::uint64_t i = 0; i < 400; ++i) {
      const std::uint64_t r = mix64(line * 1000 + i);
      Outcome o = success();
      o.first_byte = milliseconds(static_cast<std::int64_t>(10 + r % 1000));
      o.first_token = milliseconds(static_cast<std::int64_t>(20 << (r >> 16U) % 9));
      o.total = milliseconds(static_cast<std::int64_t>(100 << (r >> 24U) % 12));
      o.inter_token_micros = static_cast<std::int64_t>(100 << (r >> 32U) % 12);
      o.task = static_cast<std::uint32_t>(r >> 40U) % 6;
      const Instant now = at(static_cast<std::int64_t>(i / 10));
      health.settle(health.begin_kept(line, 0, now), o, now, 1);
    }
  }
  EXPECT_LE(health.memory() / kLines, 8U * 1024);
  EXPECT_GT(health.memory() / kLines, 2U * 1024) << "it is really active";
}

// Best of several rounds, so that a busy machine does not decide.
std::int64_t nanoseconds_of_1000_calls(std::uint32_t lines) {
  std::vector<LineSpec> specs;
  for (std::uint32_t i = 0; i < lines; ++i) {
    specs.push_back(spec(std::to_string(i), 1, i, i, i / 10));
    specs.back().policy = preset_policy(Preset::three_layer);
  }
  HealthTable health(specs, {});
  std::int64_t best = INT64_MAX;
  for (int round = 0; round < 20; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (std::uint32_t i = 0; i < 1000; ++i) {
      const std::uint32_t line = i % 10;
      if (const auto ticket = health.begin(line, 0, at(i), at(i + 5)))
        health.settle(*ticket, i % 7 == 0 ? failure(Penalty::normal) : success(), at(i), 1);
    }
    const auto took = std::chrono::steady_clock::now() - start;
    best = std::min<std::int64_t>(best, std::chrono::nanoseconds(took).count());
  }
  return best;
}

TEST(HealthTable, ACallCostsTheSameHoweverManyLinesThereAre) {
  const std::int64_t few = nanoseconds_of_1000_calls(10);
  const std::int64_t many = nanoseconds_of_1000_calls(10'000);
  EXPECT_LE(many, few * 4) << few << " against " << many;
}

}  // namespace
}  // namespace shunt::health
