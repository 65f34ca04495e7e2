// What clients, tasks and the engine may use, and who waits for whom.
#include "exchange/admittance.h"

#include <gtest/gtest.h>

#include <deque>

#include "core/dice.h"
#include "core/exchange/crowd.h"

namespace shunt::exchange {
namespace {

// One client of 600 requests a minute, over all isolates.
std::string shared_quota() {
  return config_of("", "",
                   R"(, "state": {"store": "durable_object"}, "clients": [{"id": "web", )" +
                       std::string(kKey) + R"(, "limits": {"rpm": 600}}])");
}

TEST(Admittance, OverAClientsRequestsAMinuteTheAnswerIs429WithTheTrueWait) {
  World world(config_of(
      "", "", R"(, "clients": [{"id": "web", )" + std::string(kKey) + R"(, "limits": {"rpm": 60}}])"));
  world.on("a@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  for (int i = 0; i < 6; ++i) {  // a burst of a tenth of a minute's
    auto& play = crowd.arrive("web", "r");
    crowd.end(play);
    EXPECT_EQ(play.seen.status, 200);
  }
  auto& refused = crowd.arrive("web", "r");
  EXPECT_EQ(refused.seen.status, 429);
  EXPECT_EQ(refused.seen.header("retry-after"), "1");
  EXPECT_NE(refused.seen.body.find("this client"), std::string::npos) << refused.seen.body;
  EXPECT_NE(refused.seen.body.find("requests a minute"), std::string::npos) << refused.seen.body;
  EXPECT_EQ(world.calls.size(), 6u);
  world.now = world.now + seconds(1);
  auto& later = crowd.arrive("web", "r");
  crowd.end(later);
  EXPECT_EQ(later.seen.status, 200);
}

TEST(Admittance, TokensOfTheAnswerAreSettledWhenTheProviderHasCounted) {
  // 10 are expected of each, 5 are used: the burst of 20 is 15, 10, 5 after the first three.
  World world(config_of(
      "", "", R"(, "clients": [{"id": "web", )" + std::string(kKey) + R"(, "limits": {"tpm": 200}}])"));
  world.on("a@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  int served = 0;
  for (int i = 0; i < 4; ++i) {
    auto& play = crowd.arrive("web", "r");
    if (play.seen.status == 429) break;
    crowd.end(play);
    ++served;
  }
  EXPECT_EQ(served, 3);
}

TEST(Admittance, ARequestThatNobodyWasAskedForCostsNothing) {
  World world(config_of(
      "", "", R"(, "clients": [{"id": "web", )" + std::string(kKey) + R"(, "limits": {"rpm": 10}}])"));
  world.on("a@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  EXPECT_EQ(crowd.arrive("web", "r", "x-shunt-exclude: a@p, b@p\n").seen.status, 400);
  auto& play = crowd.arrive("web", "r");
  crowd.end(play);
  EXPECT_EQ(play.seen.status, 200) << "the one token was given back";
}

TEST(Admittance, ADayThatIsSpentEndsAtMidnight) {
  World world(config_of(
      R"(, "cost_per_mtok_usd": {"input": 1000000, "output": 1000000})", "",
      R"(, "clients": [{"id": "web", )" + std::string(kKey) + R"(, "limits": {"budget_usd_day": 14}}])"));
  world.on("a@p", says(200, openai_answer("hi")));  // 5 tokens at a dollar each; 10 are expected
  Crowd crowd(world);
  auto& first = crowd.arrive("web", "r");
  crowd.end(first);
  EXPECT_EQ(first.seen.status, 200);
  auto& refused = crowd.arrive("web", "r");
  EXPECT_EQ(refused.seen.status, 429);
  EXPECT_NE(refused.seen.body.find("dollars a day"), std::string::npos);
  const std::int64_t to_midnight = 86'400'000 - world.wall().ms % 86'400'000;
  EXPECT_EQ(refused.seen.header("retry-after"), std::to_string((to_midnight + 999) / 1000));
  world.now = world.now + Duration{to_midnight};
  auto& next_day = crowd.arrive("web", "r");
  crowd.end(next_day);
  EXPECT_EQ(next_day.seen.status, 200);
}

TEST(Admittance, OneAtATimeTheSecondStartsWhenTheFirstEnds) {
  World world(config_of("", "", R"(, "limits": {"concurrency": 1})"));
  world.on("a@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  auto& first = crowd.arrive("", "r");
  auto& second = crowd.arrive("", "r");
  EXPECT_EQ(world.calls.size(), 1u);
  EXPECT_EQ(second.wake.reason, TimerReason::queue);
  crowd.end(first);
  EXPECT_EQ(world.calls.size(), 2u) << "woken by the end of the first";
  crowd.end(second);
  EXPECT_EQ(second.seen.status, 200);
}

TEST(Admittance, NoLowPriorityRequestStartsWhileAHighOneWaits) {
  World world(config_of("", "",
                        R"(, "limits": {"concurrency": 1}, "clients": [{"id": "hi", )" + std::string(kKey) +
                            R"(, "priority": "high"}, {"id": "lo", )" + kOther + R"(, "priority": "low"}])"));
  world.on("a@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  auto& first = crowd.arrive("lo", "r");
  auto& low = crowd.arrive("lo", "r");
  auto& high = crowd.arrive("hi", "r");
  auto& lowered = crowd.arrive("hi", "r", "x-shunt-priority: low\n");
  crowd.end(first);
  EXPECT_EQ(low.wake.reason, TimerReason::queue);
  EXPECT_NE(high.wake.reason, TimerReason::queue) << "the slot that fell free is its";
  crowd.end(high);
  EXPECT_NE(low.wake.reason, TimerReason::queue);
  crowd.end(low);
  crowd.end(lowered);
  EXPECT_EQ(lowered.seen.status, 200);
}

// Those at the head of one queue may wait for those at the head of another: whoever is told to look again
// must not send all of them round in a circle.
TEST(Admittance, WakesComeToAnEnd) {
  Dice dice(41);
  for (int round = 0; round < 30; ++round) {
    World world(config_of("", "",
                          R"(, "limits": {"concurrency": 4}, "tasks": {"r": {"limits": {"concurrency": 2}}},
                             "clients": [{"id": "web", "priority": "high", "limits": {"concurrency": 3}, )" +
                              std::string(kKey) +
                              R"(}, {"id": "app", "priority": "high", "limits": {"concurrency": 2}, )" +
                              std::string(kOther) + "}]"));
    world.on("a@p", says(200, openai_answer("hi")));
    std::list<World::Play> plays;
    std::deque<std::uint32_t> told;
    const auto play = [&](std::size_t name) -> World::Play& {
      return *std::next(plays.begin(), static_cast<std::ptrdiff_t>(name));
    };
    const auto listen = [&](World::Play& from) {
      for (const std::uint32_t name : std::exchange(from.woken, {})) told.push_back(name);
    };
    for (int i = 0; i < 300; ++i) {
      if (plays.empty() || dice.below(3) == 0) {
        World::Play& one = plays.emplace_back(world, 100 + plays.size(), Kind::request,
                                              static_cast<std::uint32_t>(plays.size()));
        constexpr const char* kClasses[] = {"high", "normal", "low"};
        one.client = dice.below(2) == 0 ? "web" : "app";
        one.send(kChat, ask(dice.below(2) == 0 ? "r" : "only"),
                 std::string("x-shunt-priority: ") + kClasses[dice.below(3)] + "\n");
        listen(one);
      } else {
        World::Play& some = play(dice.below(plays.size()));
        if (some.wake.reason == TimerReason::queue && dice.below(30) > 0) continue;  // its time comes seldom
        some.step();
        listen(some);
      }
      if (dice.below(3) > 0) continue;  // several may be told at once
      int looks = 0;
      for (; !told.empty() && looks < 2000; ++looks) {
        World::Play& woken = play(told.front());
        told.pop_front();
        woken.tell(Woken{});
        listen(woken);
      }
      ASSERT_LT(looks, 2000) << "round " << round << " after " << plays.size() << " requests";
    }
  }
}

TEST(Admittance, AFullQueueAnswers429AtOnce) {
  World world(
      config_of("", "", R"(, "limits": {"concurrency": 1, "queue": {"size": 1, "max_wait_ms": 5000}})"));
  world.on("a@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  auto& first = crowd.arrive("", "r");
  auto& waits = crowd.arrive("", "r");
  auto& refused = crowd.arrive("", "r");
  EXPECT_EQ(refused.seen.status, 429);
  EXPECT_NE(refused.seen.header("retry-after"), "");
  EXPECT_FALSE(waits.exchange.finished());
  crowd.end(first);
  crowd.end(waits);
  EXPECT_EQ(waits.seen.status, 200);
}

TEST(Admittance, WhoHasWaitedAsLongAsAllowedIsTold) {
  World world(
      config_of("", "", R"(, "limits": {"concurrency": 1, "queue": {"size": 9, "max_wait_ms": 3000}})"));
  world.on("a@p", hangs());
  Crowd crowd(world);
  crowd.arrive("", "r");
  auto& waits = crowd.arrive("", "r");
  const Instant began = world.now;
  for (int i = 0; i < 100 && !waits.exchange.finished(); ++i) {
    world.now = std::max(world.now, waits.wake.at);
    waits.tell(TimerFired{});
  }
  EXPECT_EQ(waits.seen.status, 429);
  EXPECT_EQ((world.now - began).ms, 3000);
}

TEST(Admittance, AWaiterWhoseClientLeavesMakesRoom) {
  World world(config_of("", "", R"(, "limits": {"concurrency": 1})"));
  world.on("a@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  auto& first = crowd.arrive("", "r");
  auto& gone = crowd.arrive("", "r");
  auto& third = crowd.arrive("", "r");
  gone.tell(ClientGone{});
  crowd.end(first);
  EXPECT_NE(third.wake.reason, TimerReason::queue);
  crowd.end(third);
  EXPECT_EQ(third.seen.status, 200);
}

TEST(Admittance, AQuotaOfAllIsolatesIsTakenFromTheStore) {
  World world(shared_quota());
  world.on("a@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  auto& first = crowd.arrive("web", "r");
  ASSERT_EQ(first.asked.size(), 1u);
  EXPECT_EQ(first.asked[0].what, "take");
  EXPECT_EQ(first.asked[0].key, "shunt/quota/default/web/rpm");
  EXPECT_LE(std::stoi(first.asked[0].bytes), 6) << "at most one in a hundred of the limit";
  EXPECT_TRUE(world.calls.empty());
  first.tell(StoreAnswered{first.asked[0].request, StoreResult::ok, "2 0"});
  EXPECT_EQ(world.calls.size(), 1u);
  auto& second = crowd.arrive("web", "r");
  EXPECT_TRUE(second.asked.empty()) << "the block holds one more";
  auto& third = crowd.arrive("web", "r");
  ASSERT_EQ(third.asked.size(), 1u);
  third.tell(StoreAnswered{third.asked[0].request, StoreResult::ok, "0 80"});
  EXPECT_EQ(third.seen.status, 429);
  EXPECT_EQ(third.seen.header("retry-after"), "1");
}

TEST(Admittance, AStoreThatIsSilentLeavesEachIsolateTheLimit) {
  World world(shared_quota());
  world.on("a@p", says(200, openai_answer("hi")));
  Crowd crowd(world);
  auto& first = crowd.arrive("web", "r");
  const Instant began = world.now;
  world.now = first.wake.at;
  first.tell(TimerFired{});
  EXPECT_EQ((world.now - began).ms, 50);
  EXPECT_EQ(world.calls.size(), 1u);
}

TEST(Admittance, ALateAnswerOfTheStoreCountsForOthersAndIsWaitedForBeyondTheEnd) {
  const std::string config = shared_quota();
  for (const bool ever : {true, false}) {
    World world(config);
    world.on("a@p", says(200, openai_answer("hi")));
    Crowd crowd(world);
    auto& first = crowd.arrive("web", "r");
    world.now = first.wake.at;
    first.tell(TimerFired{});
    while (!first.seen.ended && first.step()) {
    }
    EXPECT_EQ(first.seen.status, 200);
    EXPECT_EQ(first.seen.records.size(), 1u);
    ASSERT_FALSE(first.exchange.finished()) << "its tokens are on their way";
    EXPECT_EQ(first.wake.reason, TimerReason::store);
    EXPECT_EQ((first.wake.at - world.now).ms, 1000);
    if (ever) {
      world.now = world.now + milliseconds(100);
      first.tell(StoreAnswered{first.asked[0].request, StoreResult::ok, "6 0"});
      EXPECT_TRUE(first.exchange.finished());
      for (int i = 0; i < 5; ++i)
        EXPECT_TRUE(crowd.arrive("web", "r").asked.empty()) << "six came, one was owed";
      EXPECT_EQ(crowd.arrive("web", "r").asked.size(), 1u);
    } else {
      world.now = first.wake.at;
      first.tell(TimerFired{});
      EXPECT_TRUE(first.exchange.finished());
    }
  }
}

TEST(Admittance, AStoreThatLiesHasAnswered) {
  World world(shared_quota());
  world.on("a@p", says(200, openai_answer("hi")));
  for (const char* lie : {"", " ", "6", "6 ", " 6", "-1 0", "0 -1", "NaN 0", "undefined NaN", "1.5 0",
                          "6 0 0", "99999999999999999999 0", "0 1e3"}) {
    Crowd crowd(world);
    auto& play = crowd.arrive("web", "r");
    ASSERT_EQ(play.asked.size(), 1u) << lie;
    play.tell(StoreAnswered{play.asked[0].request, StoreResult::ok, lie});
    crowd.end(play);
    EXPECT_EQ(play.seen.status, 200) << lie << ": the isolate keeps to the limit alone";
    EXPECT_TRUE(play.exchange.finished()) << lie << ": nothing more will come";
    world.now = world.now + seconds(2);
  }
}

}  // namespace
}  // namespace shunt::exchange
