// Quotas that several engines share through a store: nobody is let in without a grant, no limit is passed,
// and a store that is down, slow or lying costs no request.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "admit/admission.h"
#include "core/dice.h"

namespace shunt::admit {
namespace {

constexpr Ask kAsk{0, kNone, 0, 0};

bool admitted(Admission& engine, const Ask& ask, std::int64_t now) {
  auto answer = engine.admit(ask, {{now}, {now}}, {now + 1'000});
  return static_cast<bool>(answer);
}

// What a store does: a bucket that hands out as many whole tokens of the asked as there are.
class Store {
 public:
  explicit Store(std::int64_t per_minute) : bucket_(per_minute) {}

  void answer(Admission& engine, const Need& need, std::int64_t now) {
    std::int64_t tokens = 0;
    while (tokens < need.amount && bucket_.take(1, {now})) ++tokens;
    engine.granted(need, tokens, bucket_.wait_for(1, {now}), {now});
    asked_ += 1;
    largest_ = std::max(largest_, need.amount);
  }
  // As a gateway does it: refused for a client's rate, it asks once and tries again.
  bool admit(Admission& engine, const Ask& ask, std::int64_t now) {
    if (admitted(engine, ask, now)) return true;
    const std::optional<Need> need = engine.lacks(ask, {now});
    if (!need || need->under_way) return false;
    engine.asked(*need, {now + 50});
    answer(engine, *need, now);
    return admitted(engine, ask, now);
  }
  int asked() const { return asked_; }
  std::int64_t largest() const { return largest_; }

 private:
  Bucket bucket_;
  int asked_ = 0;
  std::int64_t largest_ = 0;
};

TEST(Shared, WithoutAGrantNobodyIsAdmitted) {
  Admission engine({}, {{.rpm = 600}, {}}, {{.rpm = 600}});
  engine.set_shared(true);
  EXPECT_FALSE(admitted(engine, kAsk, 0));
  EXPECT_FALSE(admitted(engine, kAsk, 600'000));
  EXPECT_TRUE(admitted(engine, {1, 0, 9, 0}, 0));  // no limits; a task's are its engine's own
  EXPECT_FALSE(engine.lacks({1, 0, 9, 0}, {0}));
  const Need need = engine.lacks(kAsk, {0}).value();
  EXPECT_EQ(need.suffix, "client/0/rpm");
  EXPECT_EQ(need.amount, 6);
  EXPECT_EQ(need.per_minute, 600);
  EXPECT_EQ(need.burst, 60);
  EXPECT_FALSE(need.under_way);
  engine.granted(need, 1, {}, {0});
  EXPECT_TRUE(admitted(engine, kAsk, 0));
  EXPECT_FALSE(admitted(engine, kAsk, 1));
}

TEST(Shared, TwoEnginesUnderTwiceTheLoadAdmitTheLimitInEachMinuteAfterTheFirst) {
  Admission engines[2] = {Admission({}, {{.rpm = 600}}, {}), Admission({}, {{.rpm = 600}}, {})};
  Store store(600);
  for (Admission& engine : engines) engine.set_shared(true);
  for (int minute = 0; minute < 6; ++minute) {
    int count = 0;
    for (int ms = 0; ms < 60'000; ms += 50) {  // 20 a second
      count += store.admit(engines[ms / 50 % 2], kAsk, minute * 60'000LL + ms) ? 1 : 0;
    }
    EXPECT_NEAR(count, minute == 0 ? 660 : 600, 12) << "minute " << minute;
  }
  EXPECT_EQ(store.largest(), 6);  // 1 % of the limit
}

TEST(Shared, NoMoreIsAdmittedThanWasGranted) {
  Dice dice(23);
  for (int round = 0; round < 60; ++round) {
    Admission engine({}, {{.tpm = 6'000}}, {});
    engine.set_shared(true);
    std::int64_t granted = 0;
    std::int64_t used = 0;
    std::int64_t now = 0;
    std::vector<Permit> held;
    for (int i = 0; i < 2'000; ++i) {
      now += static_cast<std::int64_t>(dice.below(dice.below(50) == 0 ? 15'000 : 100));
      if (!held.empty() && dice.below(3) == 0) {
        Permit& permit = held.back();
        const auto real = static_cast<std::int64_t>(dice.below(80));
        used += real - permit.ask.tokens;
        engine.settle(permit, {real, 0}, {{now}, {now}});
        held.pop_back();
        continue;
      }
      const Ask ask{0, kNone, static_cast<std::int64_t>(dice.below(dice.below(30) == 0 ? 900 : 60)), 0};
      auto answer = engine.admit(ask, {{now}, {now}}, {now + 5'000});
      if (answer) {
        held.push_back(answer.value());
        used += ask.tokens;
        // A request larger than a burst of 600 goes when a burst is there, and owes the rest; so does what
        // was used beyond its estimate. Each is paid before the next is admitted.
        ASSERT_LE(used, granted + 900 + 80 * static_cast<std::int64_t>(held.size() + 10))
            << round << ' ' << i;
        continue;
      }
      ASSERT_EQ(answer.error().what, What::tpm);
      const std::optional<Need> need = engine.lacks(ask, {now});
      if (!need) continue;
      const auto tokens = static_cast<std::int64_t>(dice.below(100));
      engine.granted(*need, tokens, Duration{20}, {now});
      granted += std::min(tokens, need->amount);
    }
  }
}

TEST(Shared, AnAskAsksForAtLeastWhatItNeeds) {
  Admission engine({}, {{.tpm = 10'000}}, {});
  engine.set_shared(true);
  EXPECT_EQ(engine.lacks({0, kNone, 10, 0}, {0})->amount, 100);
  EXPECT_EQ(engine.lacks({0, kNone, 700, 0}, {0})->amount, 700);
  EXPECT_EQ(engine.lacks({0, kNone, 70'000, 0}, {0})->amount, 1'000);  // a burst lets anything through
  engine.granted(*engine.lacks({0, kNone, 70'000, 0}, {0}), 1'000, {}, {0});
  EXPECT_TRUE(admitted(engine, {0, kNone, 70'000, 0}, 0));
  EXPECT_EQ(engine.lacks({0, kNone, 10, 0}, {0})->amount, 69'010);  // and what it owes is asked for too
}

TEST(Shared, UnusedTokensAreLostAfterTenSeconds) {
  Admission engine({}, {{.rpm = 600}}, {});
  engine.set_shared(true);
  engine.granted(*engine.lacks(kAsk, {0}), 6, {}, {0});
  EXPECT_TRUE(admitted(engine, kAsk, 9'999));
  EXPECT_FALSE(admitted(engine, kAsk, 10'000));
  EXPECT_EQ(engine.lacks(kAsk, {10'000})->amount, 6);
}

// Twice the load over fifty engines, each of which has a request every 2.5 s and could not use up a block
// while it lives: where tokens are scarce, so are those that are lost.
TEST(Shared, ManyEnginesWithLittleToDoWasteLittle) {
  std::vector<Admission> engines(50, Admission({}, {{.rpm = 600}}, {}));
  for (Admission& engine : engines) engine.set_shared(true);
  Store store(600);
  int count = 0;
  for (int i = 0; i < 6 * 1'200; ++i) {
    const bool in = store.admit(engines[static_cast<std::size_t>(i) % 50], kAsk, i * 50LL);
    if (i >= 1'200) count += in ? 1 : 0;
  }
  EXPECT_NEAR(count, 3'000, 60);
}

TEST(Shared, OneQuestionIsUnderWayAtATimeAndALostOneIsForgotten) {
  Admission engine({}, {{.rpm = 600}}, {});
  engine.set_shared(true);
  const Need need = *engine.lacks(kAsk, {0});
  engine.asked(need, {50});
  EXPECT_TRUE(engine.lacks(kAsk, {49})->under_way);
  EXPECT_FALSE(engine.lacks(kAsk, {50})->under_way);
  engine.asked(need, {100});
  engine.granted(need, 0, Duration{30}, {60});
  EXPECT_FALSE(engine.lacks(kAsk, {89}));  // the store has none before
  EXPECT_EQ(engine.admit(kAsk, {{60}, {0}}, {0}).error(), (Refusal{Whose::client, What::rpm, Duration{30}}));
  EXPECT_FALSE(engine.lacks(kAsk, {90})->under_way);
}

TEST(Shared, AStoreThatDoesNotAnswerLeavesTheLimitToTheEngineForASecond) {
  Admission engine({}, {{.rpm = 600}}, {});
  engine.set_shared(true);
  const Need need = *engine.lacks(kAsk, {0});
  engine.unanswered(need, {0});
  EXPECT_FALSE(engine.lacks(kAsk, {0}));
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(admitted(engine, kAsk, 0)) << i;
  EXPECT_EQ(engine.admit(kAsk, {{0}, {0}}, {0}).error(), (Refusal{Whose::client, What::rpm, Duration{100}}));
  EXPECT_TRUE(admitted(engine, kAsk, 100));
  EXPECT_FALSE(admitted(engine, kAsk, 1'000 + 99));  // a second later it asks again
  EXPECT_TRUE(engine.lacks(kAsk, {1'000}));
}

// What was admitted by grants counts when the engine is left alone: over the store's whole share comes only
// what the limit lets through in the time alone, and no burst each time.
TEST(Shared, AStoreThatComesAndGoesBringsNoBurstEachTime) {
  Admission engine({}, {{.rpm = 600}}, {});
  engine.set_shared(true);
  Store store(600);
  std::int64_t count = 0;
  std::int64_t alone_ms = 0;
  std::int64_t alone_until = 0;
  for (std::int64_t now = 0; now < 600'000; now += 10) {
    const std::optional<Need> need = engine.lacks(kAsk, {now});
    const bool down = now / 2'000 % 2 == 1;
    if (need && down) {
      engine.unanswered(*need, {now});
      alone_until = now + 1'000;
    }
    if (need && !down) store.answer(engine, *need, now);
    if (now < alone_until) alone_ms += 10;
    while (admitted(engine, kAsk, now)) ++count;
  }
  EXPECT_GE(count, 6'000);
  EXPECT_LE(count, 60 + 6'000 + alone_ms / 100 + 60);
}

// Twice the load over two engines and a store that always answers after the wait for it is over: the limit
// is theirs together all the same, within a burst each while they find out.
TEST(Shared, AStoreThatIsSlowKeepsTheLimitAllTheSame) {
  for (const std::int64_t latency : {60, 150, 400, 900}) {
    struct Asker {
      Admission engine{{}, {{.rpm = 600}}, {}};
      std::optional<Need> need;
      std::int64_t since = 0;
    };
    std::vector<Asker> askers(2);
    for (Asker& asker : askers) asker.engine.set_shared(true);
    Store store(600);
    std::vector<int> minutes(10);
    for (std::int64_t now = 0; now < 600'000; now += 10) {
      int& count = minutes[static_cast<std::size_t>(now / 60'000)];
      for (Asker& asker : askers) {
        if (asker.need && now == asker.since + 50) {
          asker.engine.unanswered(*asker.need, {now});
          count += admitted(asker.engine, kAsk, now) ? 1 : 0;
        }
        if (asker.need && now == asker.since + latency) {
          store.answer(asker.engine, *asker.need, now);
          asker.need.reset();
        }
        if (now % 100 != 0) continue;
        if (admitted(asker.engine, kAsk, now)) {
          ++count;
        } else if (const auto need = asker.engine.lacks(kAsk, {now}); need && !asker.need) {
          asker.engine.asked(*need, {now + 50});
          asker.need = need;
          asker.since = now;
        }
      }
    }
    EXPECT_LE(minutes[0], 600 + 3 * 60 + 12) << latency;
    for (std::size_t i = 1; i < minutes.size(); ++i) EXPECT_NEAR(minutes[i], 600, 12) << latency << ' ' << i;
  }
}

TEST(Shared, ALateAnswerEndsTheTimeAloneAndPaysWhatWasLetIn) {
  Admission engine({}, {{.rpm = 600}}, {});
  engine.set_shared(true);
  const Need need = *engine.lacks(kAsk, {0});
  engine.unanswered(need, {50});
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(admitted(engine, kAsk, 60));
  engine.granted(need, 6, {}, {100});
  EXPECT_TRUE(admitted(engine, kAsk, 100));
  EXPECT_TRUE(admitted(engine, kAsk, 100)) << "six came, four were owed";
  EXPECT_FALSE(admitted(engine, kAsk, 100));
  EXPECT_TRUE(engine.lacks(kAsk, {100})) << "it is asked again at once";
}

TEST(Shared, WhatIsOwedIsABurstAtMostAndAStoreThatIsGoneIsNotWaitedFor) {
  Admission engine({}, {{.rpm = 600}}, {});
  engine.set_shared(true);
  Need need = *engine.lacks(kAsk, {0});
  engine.granted(need, 0, Duration{1}, {0});  // heard of, and then never again
  std::int64_t count = 0;
  std::int64_t last = 0;
  for (std::int64_t now = 10; now < 60'000; now += 10) {
    if (engine.lacks(kAsk, {now})) engine.unanswered(need, {now});
    if (!admitted(engine, kAsk, now)) continue;
    ++count;
    EXPECT_LE(now - last, 5'000);
    last = now;
  }
  EXPECT_NEAR(static_cast<double>(count), 660, 10)
      << "a burst and the refill, as if the store were not there";
  need = *engine.lacks(kAsk, {70'000});
  EXPECT_EQ(need.amount, 61) << "a burst is owed, not the minute";
  engine.granted(need, 61, {}, {70'000});
  EXPECT_TRUE(admitted(engine, kAsk, 70'000));
}

TEST(Shared, WhatIsOwedIsSettledAsWhatWasGranted) {
  Admission engine({}, {{.tpm = 10'000}}, {});
  engine.set_shared(true);
  const Ask ask{0, kNone, 900, 0};
  const Need need = *engine.lacks(ask, {0});
  engine.unanswered(need, {0});
  Permit permit = engine.admit(ask, {{0}, {0}}, {900}).value();
  engine.settle(permit, {100, 0}, {{10}, {0}});
  engine.granted(need, 900, {}, {20});
  EXPECT_FALSE(engine.lacks({0, kNone, 800, 0}, {20})) << "800 are left of 900";
  EXPECT_TRUE(engine.lacks({0, kNone, 801, 0}, {20}));
}

TEST(Shared, SettlingReturnsGrantedTokensUpToABurst) {
  Admission engine({}, {{.tpm = 10'000}}, {});
  engine.set_shared(true);
  const Ask ask{0, kNone, 900, 0};
  engine.granted(*engine.lacks(ask, {0}), 900, {}, {0});
  Permit permit = engine.admit(ask, {{0}, {0}}, {900}).value();
  engine.settle(permit, {100, 0}, {{500}, {0}});
  EXPECT_FALSE(engine.lacks({0, kNone, 800, 0}, {500}));
  EXPECT_EQ(engine.lacks({0, kNone, 801, 0}, {500})->amount, 100);
  Permit greedy = engine.admit({0, kNone, 800, 0}, {{500}, {0}}, {900}).value();
  engine.settle(greedy, {1'000, 0}, {{600}, {0}});
  EXPECT_EQ(engine.lacks({0, kNone, 800, 0}, {600})->amount, 1'000);
  Permit cancelled = permit;
  engine.cancel(cancelled, {{600}, {0}});
  EXPECT_EQ(engine.lacks({0, kNone, 800, 0}, {600})->amount, 1'000);
}

TEST(Shared, LiesOfAStoreAreBounded) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  Admission engine({}, {{.rpm = 600}}, {});
  engine.set_shared(true);
  const Need need = *engine.lacks(kAsk, {0});
  engine.granted(need, kMax, Duration{kMax}, {0});  // no more than was asked for
  int count = 0;
  while (admitted(engine, kAsk, 0)) ++count;
  EXPECT_EQ(count, 6);
  engine.granted(need, -5, Duration{kMax}, {0});
  EXPECT_FALSE(engine.lacks(kAsk, {99}));
  EXPECT_TRUE(engine.lacks(kAsk, {100}));  // a token refills in a tenth of a second, whatever it says
  engine.granted(need, 0, Duration{-5}, {60'000});
  EXPECT_FALSE(engine.lacks(kAsk, {60'000}));
  EXPECT_TRUE(engine.lacks(kAsk, {60'001}));
  Need wrong = need;
  wrong.client = 77;
  engine.granted(wrong, 1, {}, {0});
  wrong = need;
  wrong.rate = 9;
  engine.unanswered(wrong, {0});
  engine.asked(wrong, {0});
}

TEST(Shared, AStoreThatGrantsWhateverIsAskedDoesNotLiftTheLimit) {
  Admission engine({}, {{.rpm = 600}}, {});
  engine.set_shared(true);
  int count = 0;
  for (std::int64_t now = 0; now < 120'000; now += 10) {
    if (!admitted(engine, kAsk, now)) {
      if (const auto need = engine.lacks(kAsk, {now})) engine.granted(*need, 1'000'000, {}, {now});
      if (!admitted(engine, kAsk, now)) continue;
    }
    count += now >= 60'000 ? 1 : 0;
  }
  EXPECT_NEAR(count, 600, 6);
}

TEST(Shared, SwitchingItOffLeavesOrdinaryBuckets) {
  Admission engine({}, {{.rpm = 600}}, {});
  engine.set_shared(true);
  engine.granted(*engine.lacks(kAsk, {0}), 6, {}, {0});
  Permit permit = engine.admit(kAsk, {{0}, {0}}, {900}).value();
  engine.set_shared(false);
  engine.cancel(permit, {{0}, {0}});
  EXPECT_FALSE(engine.lacks(kAsk, {0}));
  int count = 0;
  while (admitted(engine, kAsk, 0)) ++count;
  EXPECT_EQ(count, 59);  // the one that was granted had been counted here too
}

}  // namespace
}  // namespace shunt::admit
