// Isolates and machines telling each other: what travels, what is refused, and that all come to agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/health/share_rig.h"

namespace shunt::health {
namespace {

TEST(Share, LinesInTheirDefaultStateTakeNoSpace) {
  Node node;
  node.fail_times(a, 2, failure(Penalty::normal));
  EXPECT_EQ(node.told(), encode({}));
  EXPECT_EQ(node.health.revision(), 0U);
}

TEST(Share, AnOpenLineAWaitAndALongPenaltyReachAnotherIsolate) {
  Node here(1000), there(99'000'000);
  here.fail_times(a, 3, failure(Penalty::normal));
  here.fail_times(b, 1, failure(Penalty::cooldown, Scope::model, seconds(30)));
  here.fail_times(c, 1, failure(Penalty::long_));
  const Merge merge = there.hear(here.told());
  EXPECT_EQ(merge.result, LoadResult::loaded);
  EXPECT_EQ(merge.changed, 3U);
  EXPECT_FALSE(merge.lacks_ours);
  EXPECT_TRUE(there.health.dirty());
  for (const std::uint32_t line : {a, b, c}) EXPECT_TRUE(there.out(line));
  there.wait(seconds(30));
  EXPECT_TRUE(there.out(a));
  EXPECT_FALSE(there.out(b));
  there.wait(seconds(30));
  EXPECT_FALSE(there.out(a)) << "at its end, not later";
  EXPECT_TRUE(there.out(c));
}

TEST(Share, WhatWasHeardIsToldOnInTheSameBytes) {
  Node here(1000), there(-5'000'000);
  here.fail_times(a, 3, failure(Penalty::normal));
  here.fail_times(d, 3, failure(Penalty::normal));
  here.act(b, Act::disable);
  const std::string bytes = here.told();
  there.hear(bytes);
  EXPECT_EQ(there.told(), bytes);
  EXPECT_EQ(there.hear(bytes).changed, 0U);
}

TEST(Share, AWallClockThatTremblesMovesNoEnd) {
  Node here, there;
  here.fail_times(a, 3, failure(Penalty::normal));
  const std::string bytes = here.told();
  there.hear(bytes);
  for (const std::int64_t off : {400, -400, 900, -900}) {
    std::string out;
    there.health.export_records(out, there.now(), {there.wall().ms + off});
    EXPECT_EQ(out, bytes);
  }
}

TEST(Share, EndsAreMaximaWhateverComesFirst) {
  Node first, second;
  first.fail_times(a, 1, failure(Penalty::cooldown, Scope::deployment, seconds(30)));
  second.fail_times(a, 1, failure(Penalty::cooldown, Scope::deployment, seconds(50)));
  const std::string one = first.told(), two = second.told();
  first.hear(two);
  EXPECT_TRUE(second.hear(one).lacks_ours) << "50 seconds did not stand there";
  EXPECT_EQ(first.told(), second.told());
  EXPECT_EQ(first.told(), two);
}

TEST(Share, ALeasedProbeEndsAnOpenBreakerForAll) {
  Node here, there;
  here.fail_times(a, 3, failure(Penalty::normal));
  const std::string open = here.told();
  there.hear(open);
  there.wait(seconds(10));
  there.probe(a);
  EXPECT_FALSE(there.out(a));
  const std::vector<Entry> back = there.records();
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(back[0].record, (Record{there.second(), 0, 0, 0, kToday + 60'000, 0}));
  here.wait(seconds(12));
  here.hear(there.told());
  EXPECT_FALSE(here.out(a));
  here.hear(open);
  EXPECT_FALSE(here.out(a)) << "an old record does not bring back what was ended";
  here.wait(seconds(48));
  EXPECT_EQ(here.told(), encode({})) << "everything it ended has run out";
}

TEST(Share, AnOpenBreakerThatRunsOutRaisesNoEpoch) {
  Node here;
  here.fail_times(a, 3, failure(Penalty::normal));
  here.wait(seconds(60));
  here.fail_times(a, 1, success());
  EXPECT_EQ(here.read(a).availability, Availability::ready);
  EXPECT_EQ(here.told(), encode({}));
}

TEST(Share, TheEpochIsTheLastPlusOneOrTheWallSecond) {
  Node here;
  for (const std::int64_t want : {0, 1, 2}) {
    here.fail_times(a, 3, failure(Penalty::normal));
    here.probe(a);
    ASSERT_EQ(here.records().size(), 1U);
    EXPECT_EQ(here.records()[0].record[OfCell::epoch], here.second() + want) << "three acts in one second";
  }
  here.wait(seconds(30));
  here.fail_times(a, 3, failure(Penalty::normal));
  here.probe(a);
  EXPECT_EQ(here.records()[0].record[OfCell::epoch], here.second());
}

TEST(Share, ALatchReachesAllAndOneResetEndsItForAll) {
  Node here, there;
  here.fail_times(d, 3, failure(Penalty::normal));
  EXPECT_EQ(here.health.take_news(), News::urgent);
  const std::string latch = here.told();
  there.hear(latch);
  EXPECT_EQ(there.read(d).slot, 1U) << "slot 0 is latched";
  there.wait(kDay * 10);
  there.act(d, Act::reset);
  EXPECT_EQ(there.read(d).slot, 0U);
  here.wait(kDay * 10);
  here.hear(there.told());
  EXPECT_FALSE(here.out(d));
  here.wait(kDay * 29);
  here.hear(latch);
  EXPECT_FALSE(here.out(d)) << "its tombstone stands for 30 days";
  EXPECT_NE(here.told(), encode({}));
  here.wait(kDay * 2);
  EXPECT_EQ(here.told(), encode({}));
}

TEST(Share, AResetReachesIsolatesWhoseTroubleIsUnknownHere) {
  Node here, there;
  there.fail_times(a, 1, failure(Penalty::long_, Scope::provider));
  here.act(a, Act::reset);
  there.hear(here.told());
  for (const std::uint32_t line : {a, b, c}) EXPECT_FALSE(there.out(line));
}

// An operator's act on a provider is one on each of its lines.
TEST(Share, AResetOfManyLinesKeepsTheEpochsWithinTheSkewOthersAllow) {
  Node here, there;
  for (int times = 0; times < 3; ++times) {
    for (const std::uint32_t line : {a, b, c, d}) here.act(line, Act::reset);
  }
  for (const Entry& entry : here.records()) {
    if (entry.kind != Kind::orders) {
      EXPECT_EQ(entry.record[OfCell::epoch], here.second());
    }
  }
  EXPECT_EQ(there.hear(here.told()).refused, 0U);
  here.fail_times(a, 3, failure(Penalty::normal));
  there.hear(here.told());
  here.act(a, Act::reset);
  there.hear(here.told());
  EXPECT_FALSE(there.out(a)) << "what came after the first reset is ended by the next, in the same second";
}

TEST(Share, WhatHappensAfterAnEpochIsTold) {
  Node here, there;
  here.act(a, Act::reset);
  there.hear(here.told());
  there.fail_times(a, 3, failure(Penalty::normal));
  here.hear(there.told());
  EXPECT_TRUE(here.out(a));
  EXPECT_EQ(here.told(), there.told());
}

TEST(Share, AnOperatorsOrdersTravelAndTheNewestWins) {
  Node here, there;
  here.act(a, Act::force_open);
  here.health.set_weight(a, 70, here.now(), here.wall());
  there.health.set_priority(a, 0, there.now(), there.wall());
  const std::string one = here.told(), two = there.told();
  here.hear(two);
  there.hear(one);
  EXPECT_EQ(here.told(), there.told());
  for (const Node* node : {&here, &there}) {
    EXPECT_EQ(node->read(a).cause, Cause::operator_);
    EXPECT_EQ(node->health.weight(a), 70U);
    EXPECT_EQ(node->health.priority(a), 0U) << "0 is a priority, not its absence";
  }
  there.wait(seconds(1));
  here.wait(seconds(1));
  there.act(a, Act::enable);
  there.health.set_weight(a, std::nullopt, there.now(), there.wall());
  here.hear(there.told());
  EXPECT_FALSE(here.out(a));
  EXPECT_EQ(here.health.weight(a), std::nullopt);
  here.hear(one);
  EXPECT_FALSE(here.out(a)) << "the older order";
  here.wait(kDay * 31);
  EXPECT_EQ(here.health.priority(a), 0U) << "an order in force has no end";
  EXPECT_EQ(here.records().size(), 1U);
}

TEST(Share, ALatchUnderAnOrderIsNotLost) {
  Node here, there;
  there.act(d, Act::disable);
  here.fail_times(d, 3, failure(Penalty::normal));
  there.hear(here.told());
  here.hear(there.told());
  EXPECT_EQ(here.told(), there.told());
  EXPECT_FALSE(here.hear(there.told()).lacks_ours);
}

// Whatever the order of the entries in a document.
TEST(Share, AnEnableDoesNotUndoWhatItsDocumentTellsOfTheBreaker) {
  Node here, there;
  here.act(a, Act::disable);
  there.hear(here.told());
  there.wait(seconds(1));
  there.act(a, Act::enable);
  there.fail_times(a, 3, failure(Penalty::normal));
  here.wait(seconds(1));
  here.hear(there.told());
  EXPECT_TRUE(here.out(a));
  EXPECT_EQ(here.told(), there.told());
}

Entry open_until(std::int64_t end_ms) { return {"a", Kind::own, 0, {0, end_ms, 0, 0, 0, 0}}; }

// Policy: stepped holds for at most 2 hours, a long penalty 31 days, a wait 1 hour; clocks differ by 5 s.
TEST(Share, EndsEpochsAndStampsBeyondPolicyAreRefused) {
  constexpr std::int64_t kSkew = 5000;
  constexpr std::int64_t kHour = 3'600'000;
  const std::int64_t month = (kDay * 31).ms;
  struct Row {
    Kind kind;
    const char* line;
    std::size_t field;
    std::int64_t most;
  };
  for (const Row& row : {Row{Kind::own, "a", OfCell::rule_end, kToday + 2 * kHour + kSkew},
                         {Kind::own, "a", OfCell::long_end, kToday + month + kSkew},
                         {Kind::model, "a", OfCell::cooldown_end, kToday + kHour + kSkew},
                         {Kind::key, "a", OfCell::tombstone, kToday + month + kSkew},
                         {Kind::own, "a", OfCell::epoch, (kToday + kSkew) / 1000},
                         {Kind::own, "a", OfCell::latched, 0},
                         {Kind::own, "d", OfCell::latched, 1},
                         {Kind::orders, "a", OfOrders::mode, kToday + kSkew},
                         {Kind::orders, "a", OfOrders::mode + 1, kModes - 1},
                         {Kind::orders, "a", OfOrders::weight, kToday + kSkew},
                         {Kind::orders, "a", OfOrders::weight + 1, 0xFFFFFFFF}}) {
    for (const std::int64_t beyond : {0, 1, 1'000'000}) {
      Node node;
      Entry entry{row.line, row.kind, 0, {}};
      entry.record[row.field] = row.most + beyond;
      const Merge merge = node.hear(encode({entry, {"b", Kind::own, 0, {0, kToday + 1000, 0, 0, 0, 0}}}));
      EXPECT_EQ(merge.refused, beyond == 0 ? 0U : 1U) << static_cast<int>(row.kind) << "." << row.field;
      EXPECT_TRUE(node.out(b)) << "the others in the document are heard";
    }
  }
}

TEST(Share, ALiarIsOverwritten) {
  Node node;
  node.fail_times(a, 3, failure(Penalty::normal));
  EXPECT_TRUE(node.hear(encode({open_until(kToday + 365 * kDay.ms)})).lacks_ours);
  EXPECT_EQ(node.read(a).slot, 1U);
  node.wait(seconds(60));
  EXPECT_FALSE(node.out(a));
}

TEST(Share, UnknownLinesSlotsAndExpiredRecordsSayNothing) {
  Node node;
  const Merge merge = node.hear(encode({{"nobody", Kind::own, 0, {0, kToday + 1000, 0, 0, 0, 0}},
                                        {"a", Kind::own, 2, {0, kToday + 1000, 0, 0, 0, 0}},
                                        {"a", Kind::region, 0, {0, kToday + 1000, 0, 0, 0, 0}},
                                        open_until(kToday)}));
  EXPECT_EQ(merge.result, LoadResult::loaded);
  EXPECT_EQ(merge.changed, 0U);
  EXPECT_EQ(node.told(), encode({}));
}

TEST(Share, GarbageChangesNothing) {
  Node node;
  node.fail_times(a, 3, failure(Penalty::normal));
  const std::string before = node.told();
  for (const std::string_view bytes : {"", "SHR1", "{}", "SHR2xxxxxxxx"})
    EXPECT_EQ(node.hear(bytes).result, LoadResult::refused);
  EXPECT_EQ(node.told(), before);
}

TEST(Share, NewsIsUrgentWhereALineGoesOutAndForOrdersAndSoonForTheRest) {
  Node node;
  const auto news = [&](auto act) {
    act();
    return node.health.take_news();
  };
  EXPECT_EQ(news([&] { node.fail_times(a, 2, failure(Penalty::normal)); }), News::none);
  EXPECT_EQ(news([&] { node.fail_times(a, 1, failure(Penalty::normal)); }), News::urgent);
  EXPECT_EQ(news([&] { node.probe(a); }), News::soon);
  EXPECT_EQ(news([&] { node.fail_times(b, 1, failure(Penalty::cooldown, Scope::model)); }), News::urgent);
  EXPECT_EQ(news([&] { node.fail_times(c, 1, failure(Penalty::long_)); }), News::urgent);
  EXPECT_EQ(news([&] { node.act(d, Act::metrics_only); }), News::urgent);
  Node other;
  other.hear(node.told());
  EXPECT_EQ(other.health.take_news(), News::none) << "who heard it need not tell it";
}

TEST(Share, TheRevisionMovesWithTheDocument) {
  Node node;
  std::uint64_t last = node.health.revision();
  std::string document = node.told();
  for (int i = 0; i < 40; ++i) {
    if (i % 5 == 0) node.probe(a);
    if (i % 7 == 0) node.act(b, Act::reset);
    node.fail_times(i % 3 == 0 ? a : c, 1, failure(i % 2 == 0 ? Penalty::normal : Penalty::cooldown));
    if (node.told() != document) {
      EXPECT_NE(node.health.revision(), last) << i;
    }
    last = node.health.revision();
    document = node.told();
  }
}

// Numbers near what policy allows, far beyond it, and anything between.
std::int64_t hostile(std::uint64_t r) {
  const std::int64_t near[] = {0, 1, kToday, kToday / 1000, kToday + kDay.ms * 31, INT64_MAX};
  return std::max<std::int64_t>(
      near[r % 6] - static_cast<std::int64_t>((r >> 8U) % 20'000) + 10'000 * (r % 6 != 5), 0);
}

TEST(Share, WhateverIsHeardALineComesBackByTimeOrByAnOperator) {
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Node node(static_cast<std::int64_t>(mix64(seed) % 1'000'000'000));
    std::vector<Entry> lies;
    for (std::uint64_t i = 0; i < 6; ++i) {
      const std::uint64_t r = mix64(seed * 64 + i);
      static constexpr std::string_view kIds[] = {"a", "b", "d", "?"};
      Entry lie{kIds[r % 4], static_cast<Kind>((r >> 8U) % 6), static_cast<std::uint8_t>((r >> 16U) % 3), {}};
      for (std::size_t field = 0; field < 6; ++field) lie.record[field] = hostile(mix64(r + field));
      if ((r >> 24U) % 2 == 0) lie.record[5] %= 2;
      if ((r >> 24U) % 3 == 0) lie.record[0] = (r >> 32U) % 3 == 0 ? 0 : kToday / 1000;
      lies.push_back(lie);
    }
    if (seed % 2 == 0) node.fail_times(a, 3, failure(Penalty::normal));
    node.hear(encode(lies));
    node.told();
    for (const std::uint32_t line : {a, b, c, d}) {
      const Instant until = node.read(line).until;
      ASSERT_TRUE(until == kNever || until <= node.now() + kDay * 31 + seconds(5)) << seed;
    }
    for (const std::uint32_t line : {a, b, c, d}) node.act(line, Act::reset);
    for (const std::uint32_t line : {a, b, c, d}) ASSERT_FALSE(node.out(line)) << seed;
    node.hear(encode(lies));
    std::string honest = node.told();
    Node other;
    other.hear(honest);
    ASSERT_EQ(other.told(), honest) << seed;
  }
}

// Three isolates of different clocks, a store whose documents arrive late, twice and in any order.
TEST(Share, TablesThatExchangeRecordsLateTwiceAndReorderedConverge) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    std::vector<Node> nodes;
    for (const std::int64_t origin : std::initializer_list<std::int64_t>{0, -77'000'000, 5'000'000'123})
      nodes.emplace_back(origin);
    std::vector<std::string> store;
    for (std::uint64_t i = 0; i < 120; ++i) {
      const std::uint64_t r = mix64(seed * 1000 + i);
      Node& node = nodes[r % 3];
      const auto line = static_cast<std::uint32_t>((r >> 8U) % 4);
      switch ((r >> 16U) % 8) {
        case 0: node.fail_times(line, 3, failure(Penalty::normal)); break;
        case 1:
          node.fail_times(line, 1, failure(Penalty::cooldown, static_cast<Scope>((r >> 24U) % 7)));
          break;
        case 2: node.fail_times(line, 1, failure(Penalty::long_, static_cast<Scope>((r >> 24U) % 7))); break;
        case 3: node.probe(line); break;
        case 4:
          if ((r >> 24U) % 3 == 0) node.act(line, static_cast<Act>((r >> 32U) % 6));
          break;
        case 5: store.push_back(node.told()); break;
        case 6:
          if (!store.empty()) node.hear(store[(r >> 32U) % store.size()]);
          break;
        default:
          for (Node& each : nodes) each.wait(milliseconds(static_cast<std::int64_t>((r >> 32U) % 4000)));
      }
    }
    for (Node& node : nodes) store.push_back(node.told());
    for (int round = 0; round < 2; ++round) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (std::size_t j = 0; j < store.size(); ++j) nodes[i].hear(store[(j * (i + 1) + i) % store.size()]);
        for (const std::string& document : store) nodes[i].hear(document);
      }
    }
    ASSERT_EQ(nodes[0].told(), nodes[1].told()) << seed;
    ASSERT_EQ(nodes[0].told(), nodes[2].told()) << seed;
    for (const std::uint32_t line : {a, b, c, d}) {
      ASSERT_EQ(nodes[0].read(line).cause, nodes[1].read(line).cause) << seed;
      ASSERT_EQ(nodes[0].health.report(line, nodes[0].now()).mode,
                nodes[2].health.report(line, nodes[2].now()).mode);
    }
    ASSERT_FALSE(nodes[0].hear(nodes[1].told()).lacks_ours);
  }
}

}  // namespace
}  // namespace shunt::health
