// The outer layer against three slow quotas: all or nothing, whose limit it was, exact waits, budgets kept.
#include "admit/admission.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/admit/slow_quota.h"
#include "core/dice.h"

namespace shunt::admit {
namespace {

constexpr std::int64_t kNoon = 20'000 * kDayMs + kDayMs / 2;
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr WallTime wall_at(std::int64_t now) { return {kNoon + now}; }

Quota any_quota(Dice& dice) {
  constexpr std::int64_t kCounts[] = {0, 0, 0, 5, 60, 600, 5'000};
  constexpr std::int64_t kSlots[] = {0, 0, 1, 3, 8};
  constexpr std::int64_t kDays[] = {0, 0, 0, 3'000, 50'000};
  return {dice.of(kCounts), dice.of(kCounts) * 100, dice.of(kSlots), dice.of(kDays), dice.of(kDays)};
}

struct Held {
  Permit permit;
  SlowQuota::Taken taken[3];
};

// An admission of some clients and tasks, and the same with slow quotas.
class Pair {
 public:
  Pair(Dice& dice, std::int64_t now) : dice_(dice), now_(now) {
    const Quota engine = any_quota(dice);
    std::vector<Quota> clients;
    std::vector<Quota> tasks;
    for (int i = 0; i < 3; ++i) clients.push_back(any_quota(dice));
    for (int i = 0; i < 2; ++i) tasks.push_back(any_quota(dice));
    admission_ = std::make_unique<Admission>(engine, clients, tasks);
    for (const auto& quotas : {std::vector<Quota>{engine}, clients, tasks}) {
      auto& into = slow_.emplace_back();
      for (const Quota& quota : quotas) into.emplace_back(quota, now);
    }
  }

  void step() {
    now_ += static_cast<std::int64_t>(dice_.below(4) == 0 ? dice_.below(30'000) : dice_.below(40));
    if (dice_.below(300) == 0) now_ += kDayMs / 3;
    if (held_.empty() || dice_.below(2) == 0) return ask();
    const std::size_t which = dice_.below(held_.size());
    Held& held = held_[which];
    if (dice_.below(3) == 0) return renew(held);
    const bool sent = dice_.below(3) != 0;
    const Use used = sent ? Use{number(90), number(70)} : Use{};
    for (int i = 0; i < 3; ++i) {
      if (SlowQuota* slow = slow_of(i, held.permit.ask)) slow->settle(held.taken[i], used, now_, sent);
    }
    for (int twice = 0; twice < 2; ++twice) {  // once is all it does
      if (sent)
        admission_->settle(held.permit, used, {{now_}, wall_at(now_)});
      else
        admission_->cancel(held.permit, {{now_}, wall_at(now_)});
    }
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));
  }

 private:
  std::int64_t number(std::size_t below) { return static_cast<std::int64_t>(dice_.below(below)); }

  SlowQuota* slow_of(int layer, const Ask& ask) {
    const std::size_t place = layer == 0 ? 0 : layer == 1 ? ask.client : ask.task;
    auto& quotas = slow_[static_cast<std::size_t>(layer)];
    return place < quotas.size() && quotas[place].limited() ? &quotas[place] : nullptr;
  }

  // Every tenth time by a clock that went back a little.
  void ask() {
    const std::int64_t now = now_ - (dice_.below(10) == 0 ? number(300) : 0);
    const Ask ask{static_cast<std::uint32_t>(dice_.below(4)), static_cast<std::uint32_t>(dice_.below(3)),
                  number(dice_.below(20) == 0 ? 4'000 : 60), number(50)};
    std::string short_of[3];
    bool short_of_any = false;
    for (int i = 0; i < 3; ++i) {
      if (SlowQuota* slow = slow_of(i, ask))
        short_of[i] = slow->lacks({ask.tokens, ask.cost_micros}, now, kNoon + now);
      short_of_any = short_of_any || !short_of[i].empty();
    }
    const Instant end{now + 1 + number(20'000)};
    Admission before = *admission_;
    Result<Permit, Refusal> answer = admission_->admit(ask, {{now}, wall_at(now)}, end);
    ASSERT_EQ(static_cast<bool>(answer), !short_of_any) << short_of[0] << short_of[1] << short_of[2];
    if (!answer) return check_refusal(before, ask, now, answer.error(), short_of);
    Held held{answer.value(), {}};
    for (int i = 0; i < 3; ++i) {
      if (SlowQuota* slow = slow_of(i, ask))
        held.taken[i] = slow->take({ask.tokens, ask.cost_micros}, now, kNoon + now, end.ms);
    }
    held_.push_back(held);
  }

  // It names a limit that is short; its wait is exact.
  void check_refusal(const Admission& before, const Ask& ask, std::int64_t now, const Refusal& refusal,
                     const std::string (&short_of)[3]) {
    const std::string name(name_of(refusal.what));
    EXPECT_NE(short_of[static_cast<int>(refusal.whose)].find(name + " "), std::string::npos) << name;
    const std::string all = short_of[0] + short_of[1] + short_of[2];
    EXPECT_TRUE(refusal.wait || all.find("concurrency") != std::string::npos ||
                all.find("day") != std::string::npos);
    EXPECT_TRUE(refusal.what != What::concurrency || !refusal.wait);
    if (!refusal.wait) return;
    EXPECT_EQ(all.find("concurrency"), std::string::npos);
    ASSERT_GT(refusal.wait->ms, 0);
    const std::int64_t then = now + refusal.wait->ms;
    Admission early = before;
    ASSERT_FALSE(early.admit(ask, {{then - 1}, wall_at(then - 1)}, {then}));
    Admission punctual = before;
    ASSERT_TRUE(punctual.admit(ask, {{then}, wall_at(then)}, {then}));
  }

  void renew(Held& held) {
    const std::int64_t end = now_ + 1 + number(20'000);
    bool all = true;
    for (int i = 0; i < 3; ++i) {
      SlowQuota* slow = slow_of(i, held.permit.ask);
      if (slow != nullptr && !slow->renew(held.taken[i], end)) all = false;
    }
    EXPECT_EQ(admission_->renew(held.permit, {end}), all);
  }

  Dice& dice_;
  std::int64_t now_;
  std::unique_ptr<Admission> admission_;
  std::vector<std::vector<SlowQuota>> slow_;
  std::vector<Held> held_;
};

TEST(Admission, AgreesWithThreeSlowQuotas) {
  Dice dice(13);
  for (int round = 0; round < 250; ++round) {
    Pair pair(dice, static_cast<std::int64_t>(dice.below(2'000)) - 1'000);
    for (int i = 0; i < 500 && !HasFailure(); ++i) pair.step();
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST(Admission, ARefusalTakesNothingFromAnybody) {
  Admission admission({.rpm = 600}, {{.rpm = 600}}, {{.rpm = 10}});
  const Ask ask{0, 0};
  ASSERT_TRUE(admission.admit(ask, {{0}, {kNoon}}, kNever));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(admission.admit(ask, {{0}, {kNoon}}, kNever).error(),
              (Refusal{Whose::task, What::rpm, Duration{6'000}}));
  }
  for (int i = 0; i < 59; ++i) ASSERT_TRUE(admission.admit({0, kNone}, {{0}, {kNoon}}, kNever)) << i;
  EXPECT_EQ(admission.admit({0, kNone}, {{0}, {kNoon}}, kNever).error().whose, Whose::engine);
  EXPECT_EQ(admission.in_flight(Whose::client, 0, {0}), 60U);
}

TEST(Admission, SixHundredAMinuteIsSixHundredInEachMinuteAfterTheFirst) {
  Admission admission({}, {{.rpm = 600}}, {});
  for (int minute = 0; minute < 5; ++minute) {
    int admitted = 0;
    for (int ms = 0; ms < 60'000; ms += 50) {
      const std::int64_t now = minute * 60'000LL + ms;
      admitted += admission.admit({0, kNone}, {{now}, {kNoon}}, {now + 1}) ? 1 : 0;
    }
    EXPECT_NEAR(admitted, minute == 0 ? 660 : 600, 1) << "minute " << minute;
  }
}

TEST(Admission, LostRequestsFreeTheirSlotsAndKeepTheirEstimates) {
  Admission admission({.concurrency = 2}, {}, {{.usd_micros_day = 100}});
  const Ask ask{kNone, 0, 0, 40};
  ASSERT_TRUE(admission.admit(ask, {{0}, {kNoon}}, {1'000}));
  ASSERT_TRUE(admission.admit(ask, {{0}, {kNoon}}, {1'000}));
  EXPECT_EQ(admission.admit({}, {{999}, {kNoon}}, {2'000}).error(),
            (Refusal{Whose::engine, What::concurrency, {}}));
  EXPECT_TRUE(admission.admit({}, {{1'000}, {kNoon}}, {2'000}));
  EXPECT_EQ(admission.admit(ask, {{1'000}, {kNoon}}, {2'000}).error(),
            (Refusal{Whose::task, What::usd_day, Duration{kDayMs / 2}}));
}

TEST(Admission, ALatePermitStillBooksItsUsageButFreesNobodyElsesSlot) {
  Admission admission({.concurrency = 1, .usd_micros_day = 100}, {}, {});
  Permit late = admission.admit({kNone, kNone, 0, 10}, {{0}, {kNoon}}, {100}).value();
  Permit next = admission.admit({kNone, kNone, 0, 10}, {{100}, {kNoon}}, {500}).value();
  EXPECT_FALSE(admission.renew(late, {900}));
  admission.settle(late, {0, 85}, {{200}, {kNoon}});
  EXPECT_EQ(admission.in_flight(Whose::engine, 0, {200}), 1U);
  admission.cancel(next, {{200}, {kNoon}});
  EXPECT_EQ(admission.in_flight(Whose::engine, 0, {200}), 0U);
  EXPECT_TRUE(admission.admit({kNone, kNone, 0, 15}, {{200}, {kNoon}}, {500}));
  EXPECT_FALSE(admission.admit({kNone, kNone, 0, 1}, {{500}, {kNoon}}, {600}));
}

TEST(Admission, WhoHasNoLimitsIsLetThroughAndCountedNowhere) {
  Admission admission({}, {{}, {}}, {{}});
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    ASSERT_TRUE(admission.admit({i % 4, i % 3, kMax, kMax}, {{0}, {0}}, kNever));
  }
  EXPECT_EQ(admission.in_flight(Whose::client, 0, {0}), 0U);
}

TEST(Admission, TheExtremesAreAnswered) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  const Quota huge{kMax, kMax, kMax, kMax, kMax};
  const Quota tiny{1, 1, 1, 1, 1};
  for (const Quota& quota : {huge, tiny, Quota{kMin, kMin, kMin, kMin, kMin}}) {
    Admission admission(quota, {quota}, {quota});
    for (const std::int64_t n : {kMin, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, kMax}) {
      for (const std::int64_t t : {kMin, std::int64_t{0}, kMax}) {
        auto answer = admission.admit({0, 0, n, n}, {{t}, {t}}, {t});
        if (answer) {
          admission.settle(answer.value(), {n, n}, {{t}, {t}});
        } else if (answer.error().wait) {
          EXPECT_GT(answer.error().wait->ms, 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace shunt::admit
