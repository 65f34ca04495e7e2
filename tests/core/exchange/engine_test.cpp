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
  needs.vision = true;
  const auto views = world.engine->views(entries, needs, world.now);
  EXPECT_EQ(views[0].availability, route::Availability::ready);
  EXPECT_EQ(views[1].cause, route::OutCause::incapable);
  EXPECT_EQ(views[2].availability, route::Availability::ready)
      << "undeclared capabilities are taken as given";
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

}  // namespace
}  // namespace shunt::exchange
