// Lines, slots and scopes: who is blamed, what a line shows, and that nothing taken is ever lost.
#include "health/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace shunt::health {
namespace {

constexpr Instant at(std::int64_t s) { return {s * 1000}; }

Outcome success() {
  Outcome o;
  o.kind = OutcomeKind::success;
  o.total = seconds(1);
  return o;
}

Outcome failure(Penalty penalty, Scope scope = Scope::deployment,
                std::optional<Duration> wait = std::nullopt) {
  Outcome o;
  o.kind = OutcomeKind::failure;
  o.penalty = penalty;
  o.scope = scope;
  o.error_class = ErrorClass::temporary;
  o.wait = wait;
  return o;
}

LineSpec spec(std::string id, std::uint32_t slots, std::uint32_t key, std::uint32_t model,
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

constexpr std::uint32_t a = 0, b = 1, c = 2, d = 3;

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

TEST(HealthTable, B8_AHalfOpenLineGivesOnePermitAndTakesItBack) {
  Table t;
  t.fail_times(d, 3, failure(Penalty::normal, Scope::provider));
  t.now = t.now + seconds(60);
  EXPECT_EQ(t.availability(d), Availability::probe);
  const Ticket probe = t.begin(d);
  EXPECT_TRUE(probe.is_probe());
  EXPECT_TRUE(t.out(d));
  EXPECT_EQ(t.read(d).until, t.now + seconds(30));
  t.settle(probe, Outcome{});
  EXPECT_EQ(t.availability(d), Availability::probe);
  t.settle(t.begin(d), failure(Penalty::none, Scope::request));
  EXPECT_EQ(t.availability(d), Availability::probe) << "the client's own mistake says nothing";
  t.settle(t.begin(d), success());
  EXPECT_EQ(t.availability(d), Availability::ready);
  EXPECT_EQ(t.read(d).failure_count, 0U);
}

TEST(HealthTable, AProbesFailureReturnsThePermitsOfScopesItDoesNotBlame) {
  Table t;
  t.fail_times(d, 3, failure(Penalty::normal, Scope::provider));
  t.now = t.now + seconds(60);
  t.call(d, failure(Penalty::normal, Scope::deployment));
  EXPECT_TRUE(t.out(d));
  EXPECT_EQ(t.read(d).until, t.now + seconds(60));
  t.now = t.now + seconds(60);
  EXPECT_EQ(t.availability(d), Availability::probe) << "the provider's permit came back";
}

TEST(HealthTable, B15_AllLinesProtectedOneLeasedProbePerLine) {
  Table t;
  t.fail_times(d, 1, failure(Penalty::cooldown, Scope::key, seconds(300)));
  t.fail_times(a, 1, failure(Penalty::long_, Scope::provider));
  const std::uint32_t lines[] = {a, b, c, d};
  EXPECT_EQ(t.health.earliest_end(lines, t.now), t.now + seconds(300))
      << "Retry-After is the true remaining time";

  auto probe = t.health.begin_probe(d, 0, t.now, t.now + seconds(10));
  ASSERT_TRUE(probe.has_value());
  EXPECT_EQ(probe->kind, Ticket::Kind::early_probe);
  EXPECT_FALSE(t.health.begin_probe(d, 0, t.now, t.now + seconds(10)).has_value());
  t.health.renew(*probe, t.now + seconds(20));
  t.now = t.now + seconds(15);
  EXPECT_FALSE(t.health.begin_probe(d, 0, t.now, t.now + seconds(10)).has_value());
  t.now = t.now + seconds(5);
  const auto second = t.health.begin_probe(d, 0, t.now, t.now + seconds(10));
  ASSERT_TRUE(second.has_value()) << "a lost lease is reclaimed";
  t.settle(*probe, success());
  EXPECT_TRUE(t.out(d)) << "whose lease was reclaimed has no say";
  t.settle(*second, success());
  EXPECT_EQ(t.availability(d), Availability::ready);
}

TEST(HealthTable, ASettledEarlyProbeReturnsItsLease) {
  Table t;
  t.call(d, failure(Penalty::cooldown, Scope::key, seconds(300)));
  for (const Outcome& outcome :
       {Outcome{}, failure(Penalty::none, Scope::request), failure(Penalty::normal)}) {
    const auto probe = t.health.begin_probe(d, 0, t.now, t.now + seconds(10));
    ASSERT_TRUE(probe.has_value());
    t.settle(*probe, outcome);
  }
  EXPECT_EQ(t.read(d).until, t.now + seconds(300)) << "nothing ended it early, nothing made it longer";
}

TEST(HealthTable, EarlyProbesThatFailAreAtMostTenInTheTimeThatIsLeftAndOneASecond) {
  for (const std::int64_t wait_s : {5, 60, 300, 3600}) {
    Table t;
    t.call(d, failure(Penalty::cooldown, Scope::key, seconds(wait_s)));
    int probes = 0;
    Instant next = t.now;
    for (const Instant end = t.now + seconds(wait_s); t.now < end; t.now = t.now + milliseconds(100)) {
      const auto probe = t.health.begin_probe(d, 0, t.now, t.now + seconds(10));
      EXPECT_EQ(probe.has_value(), t.now >= next);
      if (!probe) continue;
      ++probes;
      t.settle(*probe, failure(Penalty::weak));
      next = t.now + std::max(seconds(1), Duration{(t.read(d).until - t.now).ms / 10});
    }
    EXPECT_GT(probes, 1);
    EXPECT_LT(probes, 60) << wait_s;
  }
}

TEST(HealthTable, ThePaceOfEarlyProbesEndsWithAResetAndWithASuccess) {
  for (const bool by_reset : {true, false}) {
    Table t;
    const Ticket under_way = t.begin(d);
    const auto is_out_and_asked = [&t] {
      t.call(d, failure(Penalty::cooldown, Scope::key, seconds(3600)));
      const auto probe = t.health.begin_probe(d, 0, t.now, t.now + seconds(10));
      ASSERT_TRUE(probe.has_value());
      t.settle(*probe, failure(Penalty::weak));
    };
    is_out_and_asked();
    EXPECT_FALSE(t.health.begin_probe(d, 0, t.now, t.now + seconds(10)).has_value());
    if (by_reset) {
      t.health.act(d, Act::reset, t.now, {});
      is_out_and_asked();
    } else {
      t.settle(under_way, success());
      EXPECT_TRUE(t.out(d)) << "an ordinary success ends nothing early";
      EXPECT_TRUE(t.health.begin_probe(d, 0, t.now, t.now + seconds(10)).has_value());
    }
  }
}

// The open time may end while an early probe is under way: one probe a line all the same.
TEST(HealthTable, AnEarlyProbeThatOutlastsTheOpenTimeStaysTheOnlyOne) {
  Table t;
  t.fail_times(d, 3, failure(Penalty::normal));
  t.now = at(1059);
  const auto early = t.health.begin_probe(d, 0, t.now, at(1070));
  ASSERT_TRUE(early.has_value());
  t.now = at(1061);
  EXPECT_FALSE(t.health.begin(d, 0, t.now, at(1080)).has_value());
  t.now = at(1070);  // its lease is over: nobody heard of it again
  EXPECT_TRUE(t.health.begin(d, 0, t.now, at(1080)).has_value());
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

TEST(HealthTable, AnEarlyProbesSuccessEndsWhatSharedScopesHold) {
  Table t;
  t.call(a, failure(Penalty::long_, Scope::provider));
  const auto probe = t.health.begin_probe(b, 0, t.now, t.now + seconds(10));
  ASSERT_TRUE(probe.has_value());
  t.settle(*probe, success());
  EXPECT_FALSE(t.out(a));
  EXPECT_FALSE(t.out(c));
}

TEST(HealthTable, AnEarlyProbeCannotPassPermitsOrLatches) {
  Table t;
  t.fail_times(d, 3, failure(Penalty::normal));
  t.now = t.now + seconds(60);
  t.begin(d);
  EXPECT_FALSE(t.health.begin_probe(d, 0, t.now, t.now + seconds(10)).has_value());
  t.health.act(c, Act::force_open, t.now, {});
  EXPECT_FALSE(t.health.begin_probe(c, 0, t.now, t.now + seconds(10)).has_value());
  EXPECT_EQ(t.read(c).until, kNever);
  EXPECT_EQ(t.read(c).cause, Cause::operator_);
}

TEST(HealthTable, AnOrdinarySuccessUnderWayEndsNoCooldown) {
  Table t;
  const Ticket under_way = t.begin(d);
  t.call(d, failure(Penalty::cooldown, Scope::key, seconds(60)));
  t.settle(under_way, success());
  EXPECT_TRUE(t.out(d));
  EXPECT_EQ(t.read(d).failure_count, 1U);
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

LineSpec sibling(std::uint32_t group, Duration span = seconds(60)) {
  LineSpec s = spec("s", 1, kNoScope, kNoScope, kNoScope);
  s.sibling_group = group;
  s.policy.consecutive.failures = 0;
  s.policy.window = failure_rate_above(1'000'000, span, 10);
  s.policy.window.outlier = kOutlier;
  return s;
}

void calls(HealthTable& health, std::uint32_t line, int good, int bad, Instant now) {
  for (int i = 0; i < good + bad; ++i) {
    if (const auto ticket = health.begin(line, 0, now, now))
      health.settle(*ticket, i < good ? success() : failure(Penalty::normal), now, 1);
  }
}

TEST(HealthTable, ALineWorseThanItsSiblingsGoesOut) {
  HealthTable health({sibling(1), sibling(2), sibling(1), sibling(1), sibling(2)}, {});
  calls(health, 0, 20, 0, at(0));
  calls(health, 2, 20, 0, at(0));
  calls(health, 3, 18, 1, at(0));
  EXPECT_EQ(health.read(3, at(0)).availability, Availability::ready) << "18 of 19 are above 90.5 %";
  calls(health, 3, 0, 1, at(0));
  EXPECT_EQ(health.read(3, at(0)).availability, Availability::out) << "18 of 20 are below";
  EXPECT_EQ(health.read(3, at(0)).trip, Trip::outlier);
  calls(health, 1, 20, 0, at(0));
  calls(health, 4, 10, 10, at(0));
  EXPECT_EQ(health.read(4, at(0)).availability, Availability::ready) << "two lines are not compared";
}

TEST(HealthTable, AnOutlierIsFoundBeforeItsNextCallWhenTheOthersGetBetter) {
  HealthTable health({sibling(1), sibling(1), sibling(1)}, {});
  for (const std::uint32_t line : {0U, 1U, 2U}) calls(health, line, 8, 2, at(0));
  for (const std::uint32_t line : {0U, 1U}) calls(health, line, 100, 0, at(1));
  EXPECT_FALSE(health.begin(2, 0, at(1), at(9)).has_value());
}

TEST(HealthTable, NoMoreThanAllButOneOfTheSiblingsGoOut) {
  HealthTable health({sibling(1), sibling(1), sibling(1)}, {});
  for (const std::uint32_t line : {0U, 1U}) {
    calls(health, line, 20, 0, at(0));
    health.act(line, Act::force_open, at(0), {});
  }
  calls(health, 2, 0, 20, at(0));
  EXPECT_EQ(health.read(2, at(0)).availability, Availability::ready);
}

TEST(HealthTable, SpeedIsTheLinesOwn) {
  LineSpec slow = spec("slow", 1, 0, 0, 0);
  slow.policy = preset_policy(Preset::three_layer);
  LineSpec other = spec("other", 1, 0, 1, 0);
  HealthTable health({slow, other}, {});
  Outcome o = success();
  o.total = seconds(20);
  for (int i = 0; i < 20; ++i) health.settle(*health.begin(0, 0, at(0), at(1)), o, at(0), 1);
  EXPECT_EQ(health.read(0, at(0)).trip, Trip::p99);
  EXPECT_EQ(health.read(0, at(0)).availability, Availability::out);
  EXPECT_EQ(health.read(1, at(0)).availability, Availability::ready) << "same key and provider";
}

TEST(HealthTable, ASlowFailureSaysNothingOfTheProvidersSpeed) {
  std::vector<LineSpec> specs = {spec("a", 1, 0, 0, 0), spec("b", 1, 1, 1, 0)};
  for (LineSpec& line : specs) line.policy = preset_policy(Preset::three_layer);
  HealthTable health(specs, {});
  for (int i = 0; i < 19; ++i) health.settle(*health.begin(0, 0, at(0), at(1)), success(), at(0), 1);
  Outcome slow = failure(Penalty::normal, Scope::provider);
  slow.total = seconds(20);
  health.settle(*health.begin(1, 0, at(0), at(1)), slow, at(0), 1);
  EXPECT_EQ(health.read(0, at(0)).availability, Availability::ready);
}

TEST(HealthTable, TheP99IsOfTheFirstTokenOfStreams) {
  LineSpec line = spec("x", 1, 0, 0, 0);
  line.policy = preset_policy(Preset::three_layer);
  HealthTable health({line}, {});
  Outcome o = success();
  o.first_token = seconds(8);
  o.total = seconds(120);
  for (int i = 0; i < 50; ++i) health.settle(*health.begin(0, 0, at(0), at(1)), o, at(0), 1);
  EXPECT_EQ(health.read(0, at(0)).availability, Availability::ready);
}

TEST(HealthTable, OfASupersededCallOnlyItsWaitIsLearnt) {
  Table t;
  Outcome o;
  o.kind = OutcomeKind::neutral;
  o.first_byte = milliseconds(100);
  o.first_token = o.total = milliseconds(900);
  o.task = 5;
  t.call(a, o);  // another neutral end: nothing is
  const auto count = [&](Latency what) {
    Spread spread;
    t.health.collect(a, what, 5, t.now, spread);
    return spread.count();
  };
  EXPECT_EQ(count(Latency::first_token), 0U);
  o.superseded = true;
  t.call(a, o);
  EXPECT_EQ(count(Latency::first_token), 1U);
  EXPECT_EQ(count(Latency::first_byte), 0U);
  EXPECT_EQ(count(Latency::total), 0U);
  EXPECT_EQ(t.health.read(a, t.now).success_rate_micros, 1'000'000U);
  EXPECT_FALSE(t.health.read(a, t.now).last_success.has_value());
}

TEST(HealthTable, LatenciesOfSeveralLinesAreReadAsOne) {
  Table t;
  Outcome o = success();
  o.first_token = milliseconds(400);
  o.task = 5;
  t.call(a, o);
  o.first_token = milliseconds(900);
  t.call(b, o);
  t.call(b, failure(Penalty::normal));
  Spread spread;
  for (const std::uint32_t line : {a, b, c}) t.health.collect(line, Latency::first_token, 5, t.now, spread);
  EXPECT_EQ(spread.count(), 2U);
  EXPECT_NEAR(spread.quantile(500), 400'000, 12'000);
  EXPECT_NEAR(spread.quantile(950), 900'000, 27'000);
  Spread total;
  t.health.collect(a, Latency::total, 5, t.now, total);
  EXPECT_NEAR(total.quantile(500), 1'000'000, 30'000);
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
