// Several engines, one document: what one learns reaches the others, whatever the store does.
#include "exchange/upkeep.h"

#include <gtest/gtest.h>

#include "core/exchange/shared_store.h"

namespace shunt::exchange {
namespace {

constexpr std::string_view kKey = "shunt/health/default";

std::string config(std::string_view store, std::string_view breaker = "") {
  std::string text = R"({"providers": {"p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1"}},
    "defaults": {"breaker": {)";
  text.append(breaker).append(R"(}},
    "deployments": [{"id": "a@p", "provider": "p", "model": "1"}, {"id": "b@p", "provider": "p", "model": "2"}],
    "routes": {"r": {"deployments": ["a@p", {"id": "b@p", "priority": 2}]}},
    "state": {"store": ")");
  text.append(store).append("\"}}");
  return text;
}

std::string chat(std::string_view model) {
  std::string text = R"({"model":")";
  text.append(model).append(R"(","messages":[{"role":"user","content":"x"}]})");
  return text;
}

// Line "a@p" fails until its breaker opens.
void open_a(World& world) {
  world.on("a@p", says(500, "{}"));
  for (int i = 0; i < 3; ++i) world.run("/v1/chat/completions", chat("a@p"));
}
health::Availability of_a(World& world) { return world.engine->health().read(0, world.now).availability; }

TEST(Upkeep, AnOpeningReachesAnotherEngineAndARequestNeverAsksTheStore) {
  World one(config("kv"));
  World two(config("kv"));
  SharedStore store;
  keep_up(one, store);
  keep_up(two, store);
  EXPECT_EQ(store.puts, 0) << "nothing to tell";
  open_a(one);
  EXPECT_EQ(store.gets, 2);
  EXPECT_TRUE(one.engine->sharing().wanted(one.now)) << "an opening is urgent";
  keep_up(one, store);
  EXPECT_EQ(store.puts, 1);
  EXPECT_EQ(of_a(two), health::Availability::ready);
  two.now = two.now + seconds(30);
  keep_up(two, store);
  EXPECT_EQ(of_a(two), health::Availability::out);
  EXPECT_EQ(store.puts, 1) << "what was heard is not told again";
}

TEST(Upkeep, FinishesWhenNothingIsDueSoonAndOneIsEnough) {
  World world(config("kv"));
  SharedStore store;
  Keeper first(world, store);
  EXPECT_FALSE(world.engine->sharing().wanted(world.now));
  Keeper second(world, store);
  EXPECT_TRUE(second.finished()) << "one is open";
  EXPECT_TRUE(second.play.asked.empty());
  first.run({0});
  EXPECT_TRUE(first.finished());
  EXPECT_FALSE(world.engine->sharing().wanted(world.now));
  World alone(config("memory"));
  Keeper idle(alone, store);
  EXPECT_TRUE(idle.finished());
}

TEST(Upkeep, AShortRefreshKeepsItRunningForAsLongAsEdgesAllow) {
  World world(config("durable_object"));
  SharedStore store;
  Keeper keeper(world, store);
  keeper.run(seconds(10));
  EXPECT_FALSE(keeper.finished());
  EXPECT_EQ(store.gets, 11);
  keeper.run(seconds(20));
  EXPECT_TRUE(keeper.finished());
  EXPECT_TRUE(world.engine->sharing().wanted(world.now)) << "whoever polls next opens another";
}

TEST(Upkeep, ASlowStoreIsWaitedForTwoSecondsAndALateAnswerIsNothing) {
  World world(config("kv"));
  SharedStore store;
  Keeper keeper(world, store);
  ASSERT_EQ(keeper.play.asked.size(), 1u);
  EXPECT_EQ(keeper.play.wake, (Wakeup{world.now + Upkeep::kStoreWait, TimerReason::store}));
  const Ask late = keeper.play.asked.front();
  keeper.play.asked.clear();
  keeper.run(Upkeep::kStoreWait);
  EXPECT_TRUE(keeper.finished());
  keeper.play.tell(StoreAnswered{late.request, StoreResult::ok, "late"});
  EXPECT_FALSE(world.engine->sharing().wanted(world.now)) << "the next read is a refresh away";
}

TEST(Upkeep, AStoreThatIsDownIsToldAgainAndCostsNoRequest) {
  World world(config("kv"));
  SharedStore store;
  store.down = true;
  keep_up(world, store);
  open_a(world);
  world.on("b@p", says(200, openai_answer("hi")));
  EXPECT_EQ(world.chat(chat("r")).status, 200);
  Keeper keeper(world, store);
  keeper.run(seconds(4));
  EXPECT_GE(store.puts, 2);
  store.down = false;
  keeper.run(seconds(3));
  EXPECT_EQ(store.documents.count(std::string(kKey)), 1u);
  EXPECT_TRUE(keeper.finished());
}

TEST(Upkeep, GarbageIsReplacedByWhatIsKnown) {
  World world(config("kv"));
  SharedStore store;
  keep_up(world, store);
  open_a(world);
  keep_up(world, store);
  const std::string good = store.documents[std::string(kKey)];
  store.documents[std::string(kKey)] = std::string("SHR1") + std::string(500, '\xFF');
  world.now = world.now + seconds(30);
  keep_up(world, store);
  EXPECT_EQ(of_a(world), health::Availability::out);
  world.now = world.now + seconds(25);
  Keeper keeper(world, store);
  keeper.run(seconds(25));
  EXPECT_EQ(store.puts, 1) << "a tombstone of a line that may be tried again is no fact in force";
}

TEST(Upkeep, ALatchThatAnotherWroteOverIsToldAgain) {
  const std::string text = config("file", R"("preset": "latched")");
  World one(text);
  SharedStore store;
  keep_up(one, store);
  open_a(one);
  keep_up(one, store);
  ASSERT_EQ(store.puts, 1);
  World other(text);
  std::string empty;
  other.engine->health().export_records(empty, other.now, other.wall());
  store.documents[std::string(kKey)] = empty;
  for (int i = 0; i < 10; ++i) {
    one.now = one.now + seconds(2);
    keep_up(one, store);
  }
  EXPECT_EQ(store.puts, 2);
  other.now = one.now;
  keep_up(other, store);
  EXPECT_EQ(other.engine->health().read(0, other.now).cause, health::Cause::latch);
}

TEST(Upkeep, AWriteFollowsAFreshReadSoThatItGoesOverNobody) {
  World one(config("kv"));
  World two(config("kv"));
  SharedStore store;
  keep_up(one, store);
  keep_up(two, store);
  open_a(one);
  keep_up(one, store);
  two.now = two.now + seconds(5);
  two.on("b@p", says(500, "{}"));
  for (int i = 0; i < 3; ++i) two.run("/v1/chat/completions", chat("b@p"));
  keep_up(two, store);
  World three(config("kv"));
  three.now = two.now;
  keep_up(three, store);
  EXPECT_EQ(of_a(three), health::Availability::out);
  EXPECT_EQ(three.engine->health().read(1, three.now).availability, health::Availability::out);
}

TEST(Upkeep, ALargeDocumentComesInSlices) {
  World one(config("kv"));
  World two(config("kv"));
  SharedStore store;
  keep_up(one, store);
  open_a(one);
  keep_up(one, store);
  const std::string document = store.documents[std::string(kKey)];
  Keeper keeper(two, store);
  const Ask ask = keeper.play.asked.front();
  for (std::size_t at = 0; at < document.size(); at += 7) {
    const bool more = at + 7 < document.size();
    keeper.play.tell(
        StoreAnswered{ask.request, StoreResult::ok, std::string_view(document).substr(at, 7), more});
    EXPECT_EQ(keeper.finished(), !more);
  }
  EXPECT_EQ(of_a(two), health::Availability::out);
}

TEST(Upkeep, LeasesAreFetchedBeforeTheLineMayBeTried) {
  World one(config("durable_object"));
  World two(config("durable_object"));
  SharedStore store;
  keep_up(one, store, 1);
  open_a(one);
  keep_up(one, store, 1);
  two.now = one.now + seconds(2);
  keep_up(two, store, 2);
  EXPECT_EQ(store.leases_asked, 0) << "the line is out for a minute";
  one.now = two.now = one.now + seconds(58);
  keep_up(one, store, 1);
  keep_up(two, store, 2);
  EXPECT_EQ(store.leases_asked, 2);
  EXPECT_EQ(store.leases.count("shunt/probe/default/a@p"), 1u);
  one.now = two.now = one.now + seconds(3);
  ASSERT_EQ(of_a(two), health::Availability::probe);
  // The other engine asks the line that is well; the holder of the lease probes.
  for (World* world : {&one, &two}) {
    world->calls.clear();
    world->on("b@p", says(200, openai_answer("b")));
  }
  for (int i = 0; i < 20; ++i) two.chat(chat("r"));
  EXPECT_EQ(two.called(), std::vector<std::string>(20, "b@p"));
  one.chat(chat("r"));
  EXPECT_EQ(one.called().front(), "a@p");
}

TEST(Upkeep, HearsOnlyWhatItIsFor) {
  World world(config("kv"));
  World::Play play(world, 5, Kind::upkeep);
  play.exchange.handle(world.now, ClientGone{});
  EXPECT_TRUE(play.exchange.finished()) << "its first input is Started";
  EXPECT_FALSE(play.exchange.poll());
}

}  // namespace
}  // namespace shunt::exchange
