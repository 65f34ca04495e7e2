// The limit learner: against providers whose limit no configuration states, and its laws.
#include "admit/learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <queue>
#include <string>
#include <vector>

#include "core/dice.h"

namespace shunt::admit {
namespace {

constexpr std::int64_t kWindow = 60000;

enum class Kind { window, bucket, sliding };
enum class Says { headers, nothing, retry_after };

SaidLimits words(LimitUnit unit, std::int64_t limit, std::int64_t remaining, std::int64_t reset_ms) {
  SaidLimits said;
  SaidLimit* one = said.at(unit, 0);
  one->limit = limit;
  one->remaining = remaining;
  one->reset_ms = reset_ms;
  return said;
}

// A provider that counts exactly, and tells what it counted when the call came.
class Provider {
 public:
  Provider(Kind kind, std::int64_t limit, std::int64_t offset)
      : kind_(kind), limit_(limit), level_(limit * kWindow), began_(-offset) {}

  bool admits(std::int64_t now, std::int64_t amount) {
    advance(now);
    if (left() < amount) return false;
    used_ += amount;
    level_ -= amount * kWindow;
    if (kind_ == Kind::sliding) log_.push_back({now, amount});
    return true;
  }
  std::int64_t left() const { return kind_ == Kind::bucket ? level_ / kWindow : limit_ - used_; }
  std::int64_t reset_ms(std::int64_t now) const {
    switch (kind_) {
      case Kind::window: return began_ + kWindow - now;
      case Kind::bucket: return (limit_ * kWindow - level_ + limit_ - 1) / limit_;    // until it is full
      case Kind::sliding: return log_.empty() ? 0 : log_.front().at + kWindow - now;  // until some comes back
    }
    return 0;
  }
  // When such a call would be let through.
  std::int64_t wait_ms(std::int64_t now, std::int64_t amount) const {
    if (kind_ != Kind::bucket) return reset_ms(now);
    return std::max<std::int64_t>(0, (amount * kWindow - level_ + limit_ - 1) / limit_);
  }

 private:
  struct Entry {
    std::int64_t at, amount;
  };
  void advance(std::int64_t now) {
    if (kind_ == Kind::window) {
      while (now >= began_ + kWindow) {
        began_ += kWindow;
        used_ = 0;
      }
    }
    level_ = std::min(limit_ * kWindow, level_ + limit_ * (now - last_));
    last_ = now;
    while (!log_.empty() && log_.front().at + kWindow <= now) {
      used_ -= log_.front().amount;
      log_.pop_front();
    }
  }
  Kind kind_;
  std::int64_t limit_, level_, began_, used_ = 0, last_ = 0;
  std::deque<Entry> log_;
};

struct Scene {
  Kind kind = Kind::window;
  Says says = Says::headers;
  bool tokens = false;  // the limit counts tokens, 100 times as many
  bool bursty = false;
  bool queued = true;  // refused calls wait, else go elsewhere
  int isolates = 1;
  std::uint64_t seed = 1;
};

struct Figures {
  std::int64_t sent = 0, refused = 0, used = 0, limit = 0;
  double refused_share() const {
    return sent == 0 ? 0 : 100.0 * static_cast<double>(refused) / static_cast<double>(sent);
  }
  double used_share() const { return 100.0 * static_cast<double>(used) / static_cast<double>(limit); }
};

// Ten minutes at twice the limit; the figures are those of the last nine.
class Simulation {
 public:
  explicit Simulation(const Scene& scene)
      : scene_(scene),
        limit_(scene.tokens ? 50000 : 500),
        dice_(scene.seed),
        provider_(scene.kind, limit_, static_cast<std::int64_t>(dice_.below(60000))),
        isolates_(static_cast<std::size_t>(scene.isolates)) {
    for (auto& isolate : isolates_) isolate.next_arrival = static_cast<std::int64_t>(dice_.below(240));
    figures_.limit = limit_ * 9;
  }

  Figures run() {
    for (std::int64_t now = 0; now < 10 * kWindow; now += 5) {
      while (!answers_.empty() && answers_.top().at <= now) {
        hear(answers_.top(), now);
        answers_.pop();
      }
      for (Isolate& isolate : isolates_) {
        arrive(isolate, now);
        drain(isolate, now);
      }
    }
    return figures_;
  }

 private:
  struct Isolate {
    LimitLearner learner{1};
    std::deque<CallTokens> waiting;
    std::int64_t ask_at = 0;
    std::int64_t next_arrival = 0;
  };
  struct Answer {
    std::int64_t at;
    Isolate* isolate;
    SentMark mark;
    CallTokens tokens;
    SaidLimits said;
    bool refused;
    std::int64_t wait_ms;
    bool operator<(const Answer& other) const { return at > other.at; }
  };

  void begin(Isolate& isolate, CallTokens estimate, std::int64_t now) {
    const SentMark mark = isolate.learner.sent(0, estimate, {now});
    // The provider's own count differs from the estimate by up to a tenth.
    const std::int64_t all = estimate.input + estimate.output;
    const std::int64_t amount =
        scene_.tokens ? all * static_cast<std::int64_t>(90 + dice_.below(21)) / 100 : 1;
    const bool admitted = provider_.admits(now, amount);
    const auto latency =
        static_cast<std::int64_t>(admitted ? 200 + dice_.below(2800) : 50 + dice_.below(400));
    if (now >= kWindow) {
      ++figures_.sent;
      figures_.refused += admitted ? 0 : 1;
      figures_.used += admitted ? amount : 0;
    }
    const LimitUnit unit = scene_.tokens ? LimitUnit::tokens : LimitUnit::requests;
    answers_.push({now + latency, &isolate, mark, estimate,
                   words(unit, limit_, std::max<std::int64_t>(provider_.left(), 0), provider_.reset_ms(now)),
                   !admitted, provider_.wait_ms(now, amount)});
  }

  void hear(const Answer& answer, std::int64_t now) {
    Isolate& isolate = *answer.isolate;
    if (scene_.says == Says::headers) isolate.learner.heard(0, answer.mark, answer.said, {now});
    if (answer.refused) {
      const auto stated =
          scene_.says == Says::nothing ? std::nullopt : std::optional(seconds((answer.wait_ms + 999) / 1000));
      isolate.learner.limited(0, answer.mark, answer.tokens, stated, {now});
    } else {
      isolate.learner.succeeded(0, answer.mark, {now});
    }
    isolate.ask_at = now;
  }

  // 1,000 calls a minute over all isolates.
  void arrive(Isolate& isolate, std::int64_t now) {
    while (isolate.next_arrival <= now) {
      const std::size_t many = scene_.bursty ? 1 + dice_.below(39) : 1;
      const auto gap = static_cast<std::size_t>(60 * scene_.isolates) * many;
      isolate.next_arrival += static_cast<std::int64_t>(scene_.bursty ? dice_.below(2 * gap) : gap);
      for (std::size_t i = 0; i < many; ++i) {
        const CallTokens tokens{static_cast<std::int64_t>(20 + dice_.below(121)), 20};
        if (scene_.queued) {
          isolate.waiting.push_back(tokens);
        } else if (isolate.learner.look(0, tokens, {now}).until <= Instant{now}) {
          begin(isolate, tokens, now);
        }
      }
    }
  }

  void drain(Isolate& isolate, std::int64_t now) {
    while (!isolate.waiting.empty() && now >= isolate.ask_at) {
      const auto look = isolate.learner.look(0, isolate.waiting.front(), {now});
      if (look.until > Instant{now}) {
        isolate.ask_at = look.until.ms;
        return;
      }
      begin(isolate, isolate.waiting.front(), now);
      isolate.waiting.pop_front();
    }
  }

  Scene scene_;
  std::int64_t limit_;
  Dice dice_;
  Provider provider_;
  std::vector<Isolate> isolates_;
  std::priority_queue<Answer> answers_;
  Figures figures_;
};

Figures run(const Scene& scene) { return Simulation(scene).run(); }

std::string name_of(const Scene& s) {
  const char* const kinds[] = {"window", "bucket", "sliding"};
  const char* const says[] = {"headers", "nothing", "retry-after"};
  return std::string(kinds[static_cast<int>(s.kind)]) + ", " + says[static_cast<int>(s.says)] +
         (s.tokens ? ", tokens" : ", requests") + (s.bursty ? ", bursty" : ", even") +
         (s.queued ? ", queued" : ", elsewhere") + ", isolates " + std::to_string(s.isolates) + ", seed " +
         std::to_string(s.seed);
}

template <typename Visit>
void each_scene(Says says, int isolates, Visit visit) {
  for (const Kind kind : {Kind::window, Kind::bucket, Kind::sliding})
    for (const bool tokens : {false, true})
      for (const bool bursty : {false, true})
        for (const bool queued : {true, false})
          for (std::uint64_t seed = 1; seed <= 4; ++seed)
            visit(Scene{kind, says, tokens, bursty, queued, isolates, seed});
}

struct Bounds {
  double most_refused, least_used;
};

// `of` tells what a scene must hold.
template <typename Of>
void holds(Says says, int isolates, Of of) {
  each_scene(says, isolates, [&](const Scene& scene) {
    const Figures figures = run(scene);
    const Bounds bounds = of(scene);
    EXPECT_LE(figures.refused_share(), bounds.most_refused) << name_of(scene);
    EXPECT_GE(figures.used_share(), bounds.least_used) << name_of(scene);
  });
}

// A sliding log frees lumps where lumps were sent, and a burst that may not wait finds no room: 92 % there.
TEST(LimitLearner, WithHeadersMeetsHardlyA429AndUsesTheLimit) {
  holds(Says::headers, 1, [](const Scene& scene) {
    const bool lumps = scene.kind == Kind::sliding && scene.bursty && !scene.queued;
    return Bounds{1.0, lumps ? 92.0 : 95.0};
  });
}

TEST(LimitLearner, WithBare429sKeepsThemFew) {
  holds(Says::nothing, 1, [](const Scene&) { return Bounds{5.0, 80.0}; });
}

TEST(LimitLearner, WithRetryAfterAloneKeepsThemFew) {
  holds(Says::retry_after, 1, [](const Scene&) { return Bounds{5.0, 80.0}; });
}

// Four share the limit and see each other only in what remains.
TEST(LimitLearner, FourThatDoNotKnowOfEachOther) {
  holds(Says::headers, 4, [](const Scene& scene) {
    if (scene.kind == Kind::sliding) return Bounds{6.0, scene.queued ? 95.0 : scene.bursty ? 60.0 : 90.0};
    return Bounds{scene.queued ? 2.5 : 1.0, scene.bursty && !scene.queued ? 88.0 : 95.0};
  });
}

TEST(LimitLearner, NothingLearnedLetsEverythingThrough) {
  LimitLearner learner(3);
  EXPECT_EQ(learner.look(2, {1000, 1000}, {5}).until, Instant{5});
  EXPECT_EQ(learner.look(2, {1000, 1000}, {5}).share_left_micros, 1000000);
  const SentMark mark = learner.sent(2, {10, 10}, {5});
  learner.succeeded(2, mark, {9});
  EXPECT_EQ(learner.learned(), 0U);
  EXPECT_EQ(learner.look(7, {}, {5}).until, Instant{5});  // no such index
  learner.heard(7, mark, words(LimitUnit::requests, 5, 0, 60000), {9});
  learner.limited(7, mark, {}, std::nullopt, {9});
  EXPECT_EQ(learner.learned(), 0U);
}

TEST(LimitLearner, WhatRemainsIsCountedDownUntilTheReset) {
  LimitLearner learner(1);
  SentMark mark = learner.sent(0, {}, {1000});
  learner.heard(0, mark, words(LimitUnit::requests, 100, 3, 20000), {1500});
  EXPECT_EQ(learner.look(0, {}, {1500}).share_left_micros, 30000);
  for (int i = 0; i < 3; ++i) {
    ASSERT_LE(learner.look(0, {}, {1600}).until, Instant{1600});
    learner.sent(0, {}, {1600});
  }
  EXPECT_EQ(learner.look(0, {}, {1600}).until, Instant{21500});
  EXPECT_EQ(learner.look(0, {}, {1600}).share_left_micros, 0);
  EXPECT_EQ(learner.look(0, {}, {21499}).until, Instant{21500});
  EXPECT_EQ(learner.look(0, {}, {21500}).until, Instant{21500});
}

TEST(LimitLearner, CallsUnderWayThatTheProviderHadNotCountedAreTaken) {
  LimitLearner learner(1);
  learner.heard(0, learner.sent(0, {}, {0}), words(LimitUnit::requests, 10, 9, 50000), {1});
  const SentMark mark = learner.sent(0, {}, {10});
  for (int i = 0; i < 3; ++i) learner.sent(0, {}, {20});
  learner.heard(0, mark, words(LimitUnit::requests, 10, 3, 49000), {1000});  // the three came later
  EXPECT_GT(learner.look(0, {}, {1000}).until, Instant{1000});
}

TEST(LimitLearner, AnOvertakenAnswerDoesNotRefill) {
  LimitLearner learner(1);
  const SentMark older = learner.sent(0, {}, {0});
  const SentMark newer = learner.sent(0, {}, {10});
  learner.heard(0, newer, words(LimitUnit::requests, 100, 0, 30000), {500});
  learner.heard(0, older, words(LimitUnit::requests, 100, 60, 30000), {900});
  EXPECT_GT(learner.look(0, {}, {900}).until, Instant{900});
}

TEST(LimitLearner, AnAnswerOfTheWindowBeforeSaysNothingOfThisOne) {
  LimitLearner learner(1);
  const SentMark first = learner.sent(0, {}, {0});
  const SentMark late = learner.sent(0, {}, {100});
  learner.heard(0, first, words(LimitUnit::requests, 100, 1, 1000), {300});
  learner.sent(0, {}, {2000});  // in the next window
  learner.heard(0, late, words(LimitUnit::requests, 100, 0, 900), {2500});
  EXPECT_LE(learner.look(0, {}, {2500}).until, Instant{2500});
}

TEST(LimitLearner, TheScarcestOfSeveralLimitsSpeaks) {
  LimitLearner learner(1);
  SaidLimits said = words(LimitUnit::requests, 100, 99, 1000);
  SaidLimit* tokens = said.at(LimitUnit::tokens, 0);
  *tokens = {LimitUnit::tokens, 0, 30000, 0, 360000};
  learner.heard(0, learner.sent(0, {}, {0}), said, {10});
  // tokens are back in 6 min, requests in 1 s: a call would meet a 429 for 6 min
  EXPECT_EQ(learner.look(0, {100, 100}, {10}).until, Instant{360010});
  EXPECT_EQ(learner.look(0, {100, 100}, {10}).share_left_micros, 0);
}

TEST(LimitLearner, UsedBeyondTheEstimateIsTaken) {
  LimitLearner learner(1);
  learner.heard(0, learner.sent(0, {10, 10}, {0}), words(LimitUnit::output_tokens, 1000, 900, 30000), {10});
  EXPECT_LE(learner.look(0, {10, 100}, {20}).until, Instant{20});
  learner.settled(0, {10, 10}, {10, 880});
  EXPECT_GT(learner.look(0, {10, 100}, {20}).until, Instant{20});
}

// As many calls in a minute as make a 429 a sign of a limit.
SentMark busy(LimitLearner& learner, std::uint32_t index) {
  SentMark last;
  for (int i = 0; i < 12; ++i) last = learner.sent(index, {}, {0});
  return last;
}

TEST(LimitLearner, A429AmongFewCallsIsNoLimit) {
  LimitLearner learner(1);
  for (int i = 0; i < 5; ++i) {
    const SentMark mark = learner.sent(0, {}, {i * 1000});
    learner.limited(0, mark, {}, i % 2 == 0 ? std::optional(seconds(7)) : std::nullopt, {i * 1000 + 1});
    EXPECT_EQ(learner.look(0, {}, {i * 1000 + 1}).until, Instant{i * 1000 + 1});
  }
}

TEST(LimitLearner, WhatAnOperatorForgetsHoldsNoMore) {
  LimitLearner learner(2);
  learner.limited(0, busy(learner, 0), {}, seconds(60), {100});
  const SentMark before = learner.sent(1, {}, {0});
  learner.heard(1, before, words(LimitUnit::requests, 1000, 0, 60000), {100});
  for (const std::uint32_t index : {0U, 1U}) {
    EXPECT_GT(learner.look(index, {}, {200}).until, Instant{200});
    learner.forget(index, {200});
    EXPECT_EQ(learner.look(index, {}, {200}).until, Instant{200});
  }
  learner.heard(1, before, words(LimitUnit::requests, 1000, 0, 60000), {300});
  EXPECT_GT(learner.look(1, {}, {300}).until, Instant{300}) << "it learns on";
  learner.forget(7, {300});
}

TEST(LimitLearner, AStatedWaitHoldsAndABareOneDoubles) {
  LimitLearner learner(1);
  SentMark mark = busy(learner, 0);
  learner.limited(0, mark, {}, seconds(7), {100});
  EXPECT_EQ(learner.look(0, {}, {100}).until, Instant{7100});
  LimitLearner bare(1);
  busy(bare, 0);
  std::int64_t now = 0;
  for (const std::int64_t wait : {1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000}) {
    mark = bare.sent(0, {}, {now});
    now += 100;
    bare.limited(0, mark, {}, std::nullopt, {now});
    EXPECT_GE(bare.look(0, {}, {now}).until, Instant{now + wait});
    now = bare.look(0, {}, {now}).until.ms;
  }
}

TEST(LimitLearner, ALessonThatNothingConfirmsIsForgotten) {
  LimitLearner learner(2);
  learner.heard(0, learner.sent(0, {}, {0}), words(LimitUnit::requests, 1000, 0, 86400000), {0});
  EXPECT_EQ(learner.look(0, {}, {0}).until, Instant{600000});
  EXPECT_EQ(learner.look(0, {}, {600000}).until, Instant{600000});
  learner.limited(1, busy(learner, 1), {}, seconds(86400), {0});
  EXPECT_EQ(learner.look(1, {}, {0}).until, Instant{600000});
  EXPECT_EQ(learner.look(1, {}, {600000}).until, Instant{600000});
}

TEST(LimitLearner, MemoryComesWithTheFirstLessonAndIsBounded) {
  LimitLearner learner(20000);
  const std::size_t idle = learner.memory();
  EXPECT_LE(idle, 20000 * 16 + 1024U);
  for (std::uint32_t i = 0; i < 20000; ++i)
    learner.heard(i, learner.sent(i, {}, {i}), words(LimitUnit::requests, 9, 8, 1000), {i});
  EXPECT_EQ(learner.learned(), kLearned);
  EXPECT_LE(learner.memory(), idle + kLearned * 3072);
  // an old lesson gives way
  learner.heard(19999, learner.sent(19999, {}, {900000}), words(LimitUnit::requests, 9, 0, 30000), {900000});
  EXPECT_GT(learner.look(19999, {}, {900000}).until, Instant{900000});
}

// Any calls of anything, at any time: never past the last word, never blocked beyond ten minutes, the same
// twice.
TEST(LimitLearner, AnyHistoryKeepsTheLaws) {
  constexpr std::int64_t kOdd[] = {0, 1, 2, 7, 500, 30000, 1000000, kMostCounted, INT64_MAX, -1, INT64_MIN};
  constexpr std::int64_t kSteps[] = {0,    0,     1,      5,     40,         900,           1000,
                                     7000, 60000, 600000, -3000, 4000000000, -4000000000000};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Dice dice(seed);
    LimitLearner one(3);
    LimitLearner two(3);
    std::vector<SentMark> marks(1);
    std::int64_t now = seed % 7 == 0 ? INT64_MAX - 5 : static_cast<std::int64_t>(seed) * 1000 - 50000;
    std::int64_t last = INT64_MIN;
    for (int step = 0; step < 300; ++step) {
      if (seed % 7 != 0) now += dice.of(kSteps);
      last = std::max(last, now);
      const auto index = static_cast<std::uint32_t>(dice.below(4));
      const CallTokens tokens{dice.of(kOdd), dice.of(kOdd)};
      const SentMark mark = marks[dice.below(marks.size())];
      switch (dice.below(6)) {
        case 0: {
          marks.push_back(one.sent(index, tokens, {now}));
          two.sent(index, tokens, {now});
          break;
        }
        case 1: {
          SaidLimits said;
          for (std::size_t i = dice.below(4); i > 0; --i) {
            SaidLimit* slot = said.at(static_cast<LimitUnit>(dice.below(4)), dice.below(2) == 0 ? 0 : 60000);
            slot->limit = std::clamp<std::int64_t>(dice.of(kOdd), kNotSaid, kMostCounted);
            slot->remaining = std::clamp<std::int64_t>(dice.of(kOdd), kNotSaid, kMostCounted);
            slot->reset_ms = std::clamp<std::int64_t>(dice.of(kOdd), kNotSaid, 86400000);
          }
          one.heard(index, mark, said, {now});
          two.heard(index, mark, said, {now});
          break;
        }
        case 2: {
          const auto wait = dice.below(2) == 0 ? std::nullopt : std::optional(Duration{dice.of(kOdd)});
          one.limited(index, mark, tokens, wait, {now});
          two.limited(index, mark, tokens, wait, {now});
          break;
        }
        case 3:
          one.succeeded(index, mark, {now});
          two.succeeded(index, mark, {now});
          break;
        case 4: one.settled(index, tokens, {dice.of(kOdd), dice.of(kOdd)}); break;
        default: break;
      }
      const auto look = one.look(index, tokens, {now});
      if (last < INT64_MAX / 8) {
        ASSERT_LE(look.until.ms, last + 600000) << seed << " " << step;
      }
      ASSERT_GE(look.share_left_micros, 0);
      ASSERT_LE(look.share_left_micros, 1000000);
    }
  }
}

TEST(LimitLearner, TheSameHistoryTeachesTheSame) {
  const Scene scene{Kind::sliding, Says::headers, true, true, true, 4, 3};
  const Figures one = run(scene);
  const Figures two = run(scene);
  EXPECT_EQ(one.sent, two.sent);
  EXPECT_EQ(one.refused, two.refused);
  EXPECT_EQ(one.used, two.used);
}

// However the answers come, between a word and the reset it names not more begins than it leaves.
TEST(LimitLearner, NeverMoreThanTheLastWordAllows) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Dice dice(seed);
    LimitLearner learner(1);
    const auto remaining = static_cast<std::int64_t>(dice.below(50));
    std::int64_t now = 1000;
    for (std::size_t i = dice.below(20); i > 0; --i) learner.sent(0, {}, {now});
    const SentMark call = learner.sent(0, {}, {now});
    const auto after = static_cast<std::int64_t>(dice.below(20));
    for (std::int64_t i = 0; i < after; ++i) learner.sent(0, {}, {now});
    learner.heard(0, call, words(LimitUnit::requests, 100, remaining, 59000), {now + 500});
    if (dice.below(2) == 0) learner.limited(0, call, {}, std::nullopt, {now + 500});
    std::int64_t begun = 0;
    for (now += 500; now < 60000; now += static_cast<std::int64_t>(dice.below(300))) {
      if (learner.look(0, {}, {now}).until > Instant{now}) continue;
      learner.sent(0, {}, {now});
      ++begun;
    }
    // What was sent before the first lesson is counted too.
    EXPECT_LE(begun, std::max<std::int64_t>(remaining - after, 0)) << seed;
  }
}

}  // namespace
}  // namespace shunt::admit
