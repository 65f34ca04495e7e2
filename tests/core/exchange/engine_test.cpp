// What exchanges share: lines as routing sees them.
#include "exchange/engine.h"

#include <gtest/gtest.h>

#include "core/exchange/world.h"

namespace shunt::exchange {
namespace {

const char kConfig[] = R"({
  "providers": {"p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": ["K1", "K2"]}},
  "deployments": [
    {"id": "sees@p", "provider": "p", "model": "m1", "capabilities": ["chat", "vision"]},
    {"id": "blind@p", "provider": "p", "model": "m2", "capabilities": ["chat", "tools"]},
    {"id": "any@p", "provider": "p", "model": "m3"}
  ],
  "routes": {"r": {"deployments": ["sees@p", "blind@p", "any@p"]}}
})";

TEST(Engine, LinesThatLackWhatTheRequestNeedsAreOut) {
  World world(kConfig);
  const auto& entries = world.engine->catalog().routes[0].entries;
  Needs needs;
  needs.abilities.add(Ability::vision);
  const auto views = world.engine->views(entries, needs, world.now);
  EXPECT_EQ(views[0].availability, route::Availability::ready);
  EXPECT_EQ(views[1].cause, route::OutCause::incapable);
  EXPECT_EQ(views[2].availability, route::Availability::ready)
      << "undeclared capabilities are taken as given";
}

TEST(Engine, EveryAbilityIsAskedForByItsName) {
  World world(R"({
    "providers": {"p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": ["K1"]}},
    "deployments": [
      {"id": "all@p", "provider": "p", "model": "m1", "capabilities": ["vision", "tools", "json_schema", "audio",
        "audio_output", "image_output", "documents", "video"]},
      {"id": "chats@p", "provider": "p", "model": "m2", "capabilities": ["chat"]}
    ],
    "routes": {"r": {"deployments": ["all@p", "chats@p"]}}
  })");
  const auto& entries = world.engine->catalog().routes[0].entries;
  for (std::size_t i = 0; i < std::size(kAbilities); ++i) {
    Needs needs;
    needs.abilities.add(static_cast<Ability>(i));
    const auto views = world.engine->views(entries, needs, world.now);
    EXPECT_EQ(views[0].availability, route::Availability::ready) << kAbilities[i];
    EXPECT_EQ(views[1].cause, route::OutCause::incapable) << kAbilities[i];
  }
}

TEST(Engine, AKeysFailureMovesEveryLineOfTheProviderToTheNextKey) {
  World world(kConfig);
  auto& health = world.engine->health();
  const auto ticket = health.begin(0, 0, world.now, world.now + seconds(60));
  ASSERT_TRUE(ticket);
  Outcome outcome;
  outcome.kind = OutcomeKind::failure;
  outcome.began = world.now;
  outcome.error_class = ErrorClass::auth_failure;
  outcome.scope = Scope::key;
  outcome.penalty = Penalty::long_;
  health.settle(*ticket, outcome, world.now, 1);
  for (const auto& view : world.engine->views(world.engine->catalog().routes[0].entries, {}, world.now)) {
    EXPECT_EQ(view.availability, route::Availability::ready);
    EXPECT_EQ(view.slot, 1u);
  }
}

TEST(Engine, AnOperatorsPriorityAndWeightStandOverTheConfiguredOnes) {
  World world(kConfig);
  auto& health = world.engine->health();
  health.set_priority(0, 7, world.now, world.wall());
  health.set_weight(1, 0, world.now, world.wall());
  health.set_weight(2, 4'000'000'000, world.now, world.wall());
  const auto views = world.engine->views(world.engine->catalog().routes[0].entries, {}, world.now);
  EXPECT_EQ(views[0].priority, 7);
  EXPECT_EQ(views[0].weight, 1);
  EXPECT_EQ(views[1].priority, 1);
  EXPECT_EQ(views[1].weight, 0);
  EXPECT_GT(views[2].weight, 0) << "whatever stands in a shared record";
}

TEST(Engine, ALineThatIsSwitchedOffIsNoCandidate) {
  World world(kConfig);
  world.engine->health().act(1, health::Act::disable, world.now, world.wall());
  world.engine->health().act(2, health::Act::force_open, world.now, world.wall());
  const auto views = world.engine->views(world.engine->catalog().routes[0].entries, {}, world.now);
  EXPECT_EQ(views[1].cause, route::OutCause::disabled);
  EXPECT_EQ(views[2].cause, route::OutCause::operator_);
}

TEST(Engine, TaskTypesHaveDenseNumbersAndClientsCannotAddThemWithoutEnd) {
  World world(kConfig);
  Engine& engine = *world.engine;
  EXPECT_EQ(engine.task("r"), engine.task("r"));
  EXPECT_NE(engine.task("r"), 0u);
  EXPECT_NE(engine.task("summary"), engine.task("r"));
  std::uint32_t most = 0;
  for (int i = 0; i < 1000; ++i) most = std::max(most, engine.task("t" + std::to_string(i)));
  EXPECT_LT(most, 100u);
  EXPECT_EQ(engine.task("one more"), 0u);
  EXPECT_NE(engine.task("r"), 0u) << "those of routes stay";
}

TEST(Engine, SettlingTellsHealthOfSpeedByTaskType) {
  World world(kConfig);
  world.on("sees@p", openai_stream("hi"));
  const auto total = [&](std::string_view task) {
    health::Spread spread;
    world.engine->health().collect(0, health::Latency::first_token, world.engine->task(task), world.now,
                                   spread);
    return spread.count();
  };
  World::Play play(world, 1);
  play.send("/v1/chat/completions",
            R"({"model":"sees@p","stream":true,"messages":[{"role":"user","content":"x"}]})",
            "x-shunt-task: summary\n");
  world.now = world.now + milliseconds(40);
  play.to_end();
  EXPECT_EQ(total("summary"), 1u);
  EXPECT_EQ(total("r"), 0u);
  world.on("sees@p", says(200, openai_answer("hi")));
  world.chat(R"({"model":"sees@p","messages":[{"role":"user","content":"x"}]})");
  EXPECT_EQ(total("sees@p"), 0u) << "a plain answer has no first token";
}

TEST(Engine, LinesOfOneRouteAreSiblingsByItsLongestRoute) {
  World world(R"({
    "providers": {"p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1"}},
    "deployments": [
      {"id": "a", "provider": "p", "model": "1", "breaker": {"outlier": true, "consecutive_failures": 0}},
      {"id": "b", "provider": "p", "model": "2", "breaker": {"outlier": true, "consecutive_failures": 0}},
      {"id": "c", "provider": "p", "model": "3", "breaker": {"outlier": true, "consecutive_failures": 0}}],
    "routes": {"short": {"deployments": ["a"]}, "long": {"deployments": ["a", "b", "c"]}}})");
  auto& health = world.engine->health();
  for (int i = 0; i < 12; ++i) {
    for (std::uint32_t line = 0; line < 3; ++line) {
      const auto ticket = health.begin(line, 0, world.now, world.now + seconds(9));
      if (!ticket) continue;
      Outcome outcome;
      outcome.kind = line == 0 ? OutcomeKind::failure : OutcomeKind::success;
      outcome.penalty = Penalty::normal;
      outcome.total = milliseconds(5);
      health.settle(*ticket, outcome, world.now, 1);
    }
  }
  EXPECT_EQ(health.read(0, world.now).availability, health::Availability::out);
  EXPECT_EQ(health.read(0, world.now).trip, health::Trip::outlier);
  EXPECT_EQ(health.read(1, world.now).availability, health::Availability::ready);
}

}  // namespace
}  // namespace shunt::exchange
