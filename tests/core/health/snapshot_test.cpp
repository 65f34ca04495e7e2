// Health survives as bytes: another clock, another configuration, and never from garbage.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "base/rng.h"
#include "health/table.h"

namespace shunt::health {
namespace {

constexpr Instant at(std::int64_t s) { return {s * 1000}; }
constexpr WallTime wall(std::int64_t s) { return {1'700'000'000'000 + s * 1000}; }

Outcome failure(Penalty penalty, Scope scope, std::optional<Duration> wait = std::nullopt) {
  Outcome o;
  o.kind = OutcomeKind::failure;
  o.penalty = penalty;
  o.scope = scope;
  o.wait = wait;
  return o;
}

LineSpec spec(std::string id, std::uint32_t provider) {
  LineSpec s;
  s.id = std::move(id);
  s.slots = 2;
  s.first_key_scope = 2 * provider;
  s.model_scope = provider;
  s.provider_scope = provider;
  s.policy = preset_policy(Preset::stepped);
  return s;
}

HealthTable table() { return HealthTable({spec("x@one", 0), spec("y@two", 1), spec("z@three", 2)}, {}); }

void fail(HealthTable& t, std::uint32_t line, const Outcome& outcome, int times = 1) {
  for (int i = 0; i < times; ++i) t.settle(t.begin_kept(line, 0, at(100)), outcome, at(100), 1);
}

// x: open at 7 failures; y: key 0 limited for 50 s; z: provider out for a stated week.
HealthTable troubled() {
  HealthTable t = table();
  fail(t, 0, failure(Penalty::normal, Scope::model), 7);
  fail(t, 1, failure(Penalty::cooldown, Scope::key, seconds(50)));
  fail(t, 2, failure(Penalty::long_, Scope::provider, seconds(7 * 24 * 3600)));
  return t;
}

std::string saved(const HealthTable& t) {
  std::string bytes;
  t.snapshot(bytes, at(100), wall(0));
  return bytes;
}

TEST(Snapshot, SurvivesARestartWithAnotherClock) {
  HealthTable back = table();
  ASSERT_EQ(back.load(saved(troubled()), at(5), wall(20)), LoadResult::loaded);
  const LineState x = back.read(0, at(5));
  EXPECT_EQ(x.availability, Availability::out);
  EXPECT_EQ(x.until, at(5 + 60 - 20));
  EXPECT_EQ(x.cause, Cause::breaker);
  EXPECT_EQ(x.failure_count, 7U);
  EXPECT_EQ(back.read(1, at(5)).slot, 1U);
  EXPECT_FALSE(back.begin(1, 0, at(34), at(60)).has_value());
  EXPECT_TRUE(back.begin(1, 0, at(35), at(60)).has_value());
  EXPECT_EQ(back.read(2, at(5)).until, at(5 + 7 * 24 * 3600 - 20));
  EXPECT_EQ(back.read(2, at(5)).cause, Cause::long_penalty);
}

TEST(Snapshot, AnEndThatPassedMeanwhileIsHalfOpen) {
  HealthTable back = table();
  ASSERT_EQ(back.load(saved(troubled()), at(0), wall(60)), LoadResult::loaded);
  EXPECT_EQ(back.read(0, at(0)).availability, Availability::probe);
}

TEST(Snapshot, AWallClockSetBackGivesNoTimeBack) {
  HealthTable back = table();
  ASSERT_EQ(back.load(saved(troubled()), at(0), wall(-5000)), LoadResult::loaded);
  EXPECT_EQ(back.read(0, at(0)).until, at(60));
}

TEST(Snapshot, IsTheSameBytesAfterARoundTrip) {
  HealthTable back = table();
  const std::string bytes = saved(troubled());
  ASSERT_EQ(back.load(bytes, at(100), wall(0)), LoadResult::loaded);
  EXPECT_EQ(saved(back), bytes);
}

TEST(Snapshot, LinesThatAreWellTakeNoSpace) {
  HealthTable t = table();
  const std::size_t empty = saved(t).size();
  const Ticket ticket = *t.begin(0, 0, at(100), at(200));
  Outcome ok;
  ok.kind = OutcomeKind::success;
  t.settle(ticket, ok, at(100), 1);
  EXPECT_EQ(saved(t).size(), empty);
  EXPECT_EQ(empty, 4U + 8 + 4 + 8);
}

TEST(Snapshot, AppendsToWhatStandsThere) {
  std::string out = "head";
  troubled().snapshot(out, at(100), wall(0));
  EXPECT_EQ(out, "head" + saved(troubled()));
}

TEST(Snapshot, UnknownIdsAreSkippedAndHealthFollowsTheId) {
  HealthTable back({spec("new", 0), spec("z@three", 1), spec("x@one", 2)}, {});
  ASSERT_EQ(back.load(saved(troubled()), at(100), wall(0)), LoadResult::loaded);
  EXPECT_EQ(back.read(0, at(100)).availability, Availability::ready);
  EXPECT_EQ(back.read(1, at(100)).cause, Cause::long_penalty);
  EXPECT_EQ(back.read(2, at(100)).failure_count, 7U);
}

TEST(Snapshot, CallsBegunBeforeALoadAreLate) {
  HealthTable t = table();
  const Ticket before = *t.begin(1, 0, at(100), at(200));
  ASSERT_EQ(t.load(saved(troubled()), at(100), wall(0)), LoadResult::loaded);
  Outcome ok;
  ok.kind = OutcomeKind::success;
  t.settle(before, ok, at(101), 1);
  EXPECT_EQ(t.read(1, at(101)).slot, 1U) << "key 0 is still limited";
}

TEST(Snapshot, LatchesAndOperatorsStatesTravel) {
  HealthTable t = table();
  t.act(0, Act::force_open, at(100), wall(0));
  HealthTable back = table();
  ASSERT_EQ(back.load(saved(t), at(0), wall(0)), LoadResult::loaded);
  EXPECT_EQ(back.read(0, at(0)).until, kNever);
}

TEST(Snapshot, WhatWasEndedStaysEndedAfterARestart) {
  HealthTable t = troubled();
  std::string stale;
  t.export_records(stale, at(100), wall(0));
  t.act(0, Act::reset, at(100), wall(0));
  HealthTable back = table();
  ASSERT_EQ(back.load(saved(t), at(0), wall(10)), LoadResult::loaded);
  back.merge_records(stale, at(0), wall(10));
  EXPECT_EQ(back.read(0, at(0)).availability, Availability::ready) << "a store that lags brings nothing back";
}

// In a buffer of its own size, so that a sanitizer sees a read past the end.
LoadResult load_exact(HealthTable& t, const std::string& bytes) {
  const auto exact = std::make_unique<char[]>(bytes.size());
  if (!bytes.empty()) std::memcpy(exact.get(), bytes.data(), bytes.size());
  return t.load(std::string_view(exact.get(), bytes.size()), at(0), wall(0));
}

TEST(Snapshot, RefusesEveryTruncationAndEveryChangedByte) {
  const std::string bytes = saved(troubled());
  HealthTable t = table();
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_EQ(load_exact(t, bytes.substr(0, n)), LoadResult::refused);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {1, 0x80, 0xFF}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      EXPECT_EQ(load_exact(t, changed), LoadResult::refused) << i;
    }
  }
  EXPECT_EQ(load_exact(t, bytes + "x"), LoadResult::refused);
  EXPECT_EQ(saved(t), saved(table())) << "a refused load changes nothing";
}

std::uint64_t check_of(std::string_view bytes) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return mix64(hash);
}

// A liar who computes the check: whatever is accepted must leave lines that come back by time or by an
// operator.
TEST(Snapshot, WithAForgedCheckNothingBreaksAndNothingIsOutForMoreThanAMonth) {
  const std::string bytes = saved(troubled());
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    std::string forged = bytes.substr(0, bytes.size() - 8);
    for (std::uint64_t i = 0; i <= seed % 4; ++i) {
      const std::uint64_t r = mix64(seed * 8 + i);
      forged[(r >> 16U) % forged.size()] = static_cast<char>(r);
    }
    if (seed % 5 == 0) forged.resize(mix64(seed) % forged.size());
    const std::uint64_t check = check_of(forged);
    for (unsigned i = 0; i < 8; ++i) forged.push_back(static_cast<char>(check >> (8 * i)));
    HealthTable t = table();
    if (load_exact(t, forged) == LoadResult::refused) continue;
    for (std::uint32_t line = 0; line < 3; ++line) {
      const LineState s = t.read(line, at(0));
      EXPECT_TRUE(s.until == kNever || s.until <= at(32 * 24 * 3600)) << seed;
      fail(t, line, failure(Penalty::long_, Scope::model));
      t.act(line, Act::reset, at(200), wall(0));
      EXPECT_EQ(t.read(line, at(200)).availability, Availability::ready) << seed;
    }
  }
}

}  // namespace
}  // namespace shunt::health
