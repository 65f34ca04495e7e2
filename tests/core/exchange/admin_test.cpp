// What an operator sees and orders.
#include "exchange/admin.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "core/exchange/shared_store.h"

namespace shunt::exchange {
namespace {

std::string config(std::string_view preset = "stepped", std::string_view store = "memory") {
  std::string text = R"({
  "providers": {"p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1"},
                "q": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:2/v1"}},
  "defaults": {"breaker": {"preset": ")";
  text.append(preset).append(R"("}},
  "deployments": [{"id": "a/x@p", "provider": "p", "model": "1", "weight": 40}, {"id": "b@p", "provider": "p", "model": "2"},
                  {"id": "c@q", "provider": "q", "model": "3"}],
  "routes": {"r": {"deployments": ["a/x@p", "b@p", "c@q"]}},
  "state": {"store": ")");
  text.append(store).append(R"("}, "admin": {"token": "T"}})");
  return text;
}

Seen ask(World& world, const std::string& method, const std::string& target, const std::string& body = "") {
  World::Play play(world, 9, Kind::admin);
  play.tell(RequestArrived{method, target, "", "", world.wall(), body.size()});
  if (method == "POST") {
    if (!body.empty()) play.feed(body);
    play.tell(RequestEnded{});
  }
  EXPECT_TRUE(play.exchange.finished()) << target;
  EXPECT_TRUE(play.seen.ended && play.seen.clean) << target;
  EXPECT_TRUE(play.seen.records.empty()) << target;
  EXPECT_TRUE(json::valid(play.seen.body)) << play.seen.body;
  return play.seen;
}
bool has(const Seen& seen, std::string_view part) { return seen.body.find(part) != std::string::npos; }

std::string chat(std::string_view model) {
  std::string text = R"({"model":")";
  text.append(model).append(R"(","messages":[{"role":"user","content":"x"}]})");
  return text;
}
health::LineState state(World& world, std::uint32_t line) {
  return world.engine->health().read(line, world.now);
}

TEST(Admin, ShowsALineThatIsWellAsItIs) {
  World world(config());
  const Seen seen = ask(world, "GET", "/admin/providers");
  EXPECT_EQ(seen.status, 200);
  EXPECT_EQ(
      seen.body.substr(0, seen.body.find(R"({"name":"b@p")")),
      R"({"isolate_only":true,"providers":[{"name":"a/x@p","provider":"p","model":"1","status":"normal",)"
      R"("label":{"zh":"正常","en":"normal"},"mode":"in_service","trip":"none","success_rate":1,"failure_count":0,)"
      R"("last_failure":null,"last_success":null,"cooldown_s":0,"breaker_s":0,"next_probe_s":0,"lease_s":0,)"
      R"("recent_error":null,"priority":1,"weight":40},)");
  EXPECT_TRUE(has(ask(world, "GET", "/api/admin/providers/?x=1"), R"("name":"c@q")"));
  World shared(config("stepped", "kv"));
  EXPECT_TRUE(has(ask(shared, "GET", "/admin/providers"), R"("isolate_only":false)"));
}

TEST(Admin, ShowsWhyALineIsOutAndForHowLong) {
  World world(config());
  world.on("b@p", says(500, R"({"error":{"message":"the cluster is on fire"}})"));
  for (int i = 0; i < 3; ++i) world.run("/v1/chat/completions", chat("b@p"));
  const std::int64_t failed = world.wall().ms;
  world.on("c@q", says(429, R"({"error":{"message":"slow down"}})", "retry-after: 20\n"));
  world.run("/v1/chat/completions", chat("c@q"));
  world.now = world.now + milliseconds(9500);
  const Seen seen = ask(world, "GET", "/admin/providers");
  const std::size_t at = seen.body.find(R"({"name":"b@p")");
  const std::string b = seen.body.substr(at, seen.body.find(R"({"name":"c@q")") - at);
  const std::string c = seen.body.substr(seen.body.find(R"({"name":"c@q")"));
  EXPECT_NE(
      b.find(
          R"("status":"open","label":{"zh":"已熔断","en":"open"},"mode":"in_service","trip":"consecutive")"),
      std::string::npos)
      << b;
  EXPECT_NE(b.find(R"("breaker_s":51,"next_probe_s":51)"), std::string::npos) << b;
  EXPECT_NE(b.find(R"("recent_error":{"class":"TEMPORARY","message":"the cluster is on fire","time":)" +
                   std::to_string(failed)),
            std::string::npos)
      << b;
  EXPECT_NE(b.find(R"("last_failure":)" + std::to_string(failed)), std::string::npos) << b;
  EXPECT_NE(c.find(R"("status":"limited","label":{"zh":"已限流","en":"limited"})"), std::string::npos) << c;
  EXPECT_NE(c.find(R"("cooldown_s":11,"breaker_s":0,"next_probe_s":11)"), std::string::npos) << c;
  world.now = world.now + seconds(60);
  EXPECT_TRUE(has(ask(world, "GET", "/admin/providers"), R"("status":"half_open")"));
}

TEST(Admin, ALatchedLineHasNoNextProbe) {
  World world(config("latched"));
  world.on("b@p", says(500, "{}"));
  for (int i = 0; i < 3; ++i) world.run("/v1/chat/completions", chat("b@p"));
  const Seen seen = ask(world, "GET", "/admin/providers");
  EXPECT_TRUE(has(seen, R"("status":"latched")")) << seen.body;
  EXPECT_TRUE(has(seen, R"("next_probe_s":null)")) << seen.body;
}

TEST(Admin, OrdersReachOneLineOrAllOfAProvider) {
  World world(config());
  EXPECT_TRUE(has(ask(world, "POST", "/admin/providers/a%2Fx%40p/disable"),
                  R"("status":"disabled","label":{"zh":"已停用")"));
  EXPECT_EQ(state(world, 0).availability, health::Availability::out);
  EXPECT_EQ(state(world, 1).availability, health::Availability::ready);
  EXPECT_EQ(ask(world, "POST", "/admin/providers/a%2fx@p/enable").status, 200);
  EXPECT_EQ(state(world, 0).availability, health::Availability::ready);

  const Seen opened = ask(world, "POST", "/api/admin/providers/p/open");
  EXPECT_TRUE(has(opened, R"("name":"a/x@p")") && has(opened, R"("name":"b@p")"));
  EXPECT_FALSE(has(opened, R"("name":"c@q")")) << "the answer holds the lines acted on";
  EXPECT_TRUE(has(opened, R"("status":"forced_open")"));
  EXPECT_EQ(state(world, 1).cause, health::Cause::operator_);
  ask(world, "POST", "/admin/providers/p/reset");
  EXPECT_EQ(state(world, 1).availability, health::Availability::ready);
}

TEST(Admin, PriorityAndWeightAreSetAndTakenBack) {
  World world(config());
  EXPECT_TRUE(has(ask(world, "POST", "/admin/providers/b@p/priority", R"({"value": 9})"),
                  R"("priority":9,"weight":1)"));
  EXPECT_TRUE(
      has(ask(world, "POST", "/admin/providers/b@p/weight", R"({"value":0})"), R"("priority":9,"weight":0)"));
  EXPECT_TRUE(
      has(ask(world, "POST", "/admin/providers/b@p/priority", R"({"value":null})"), R"("priority":1)"));
}

TEST(Admin, WhatIsNoOrderIsRefusedInWords) {
  World world(config());
  struct Row {
    const char* method;
    const char* target;
    const char* body;
    int status;
    const char* says;
  };
  const Row rows[] = {
      {"POST", "/admin/providers/nobody/reset", "", 404, "no deployment or provider 'nobody'"},
      {"POST", "/admin/providers//reset", "", 404, "no deployment or provider"},
      {"POST", "/admin/providers/b@p/explode", "", 404, "reset, disable"},
      {"POST", "/admin/providers/reset", "", 404, "reset, disable"},
      {"POST", "/admin/providersb@p/reset", "", 404, "reset, disable"},
      {"POST", "/admin/nothing", "", 404, "/admin/providers"},
      {"GET", "/admin/providers/b@p/reset", "", 405, "POST"},
      {"DELETE", "/admin/providers", "", 405, "GET"},
      {"POST", "/admin/providers", "", 405, "GET"},
      {"POST", "/admin/providers/b@p/priority", "", 400, "from 1 to 1000"},
      {"POST", "/admin/providers/b@p/priority", R"({"value":0})", 400, "from 1 to 1000"},
      {"POST", "/admin/providers/b@p/weight", R"({"value":1000001})", 400, "from 0 to 1000000"},
      {"POST", "/admin/providers/b@p/weight", R"({"value":1.5})", 400, "whole number"},
      {"POST", "/admin/providers/b@p/weight", R"({"value":"1"})", 400, "whole number"},
      {"POST", "/admin/providers/b@p/weight", R"({"weight":1})", 400, "whole number"},
      {"POST", "/admin/providers/b@p/weight", R"({"value":1}x)", 400, "whole number"},
      {"POST", "/admin/providers/b@p/weight", R"({"value":1)", 400, "whole number"},
  };
  for (const Row& row : rows) {
    const Seen seen = ask(world, row.method, row.target, row.body);
    EXPECT_EQ(seen.status, row.status) << row.target << ' ' << row.body;
    EXPECT_TRUE(has(seen, row.says)) << row.target << ": " << seen.body;
  }
  EXPECT_EQ(world.engine->health().revision(), 0u) << "none of it changed anything";
  World::Play large(world, 1, Kind::admin);
  large.begin("/admin/providers/b@p/weight", "", 9000);
  large.feed(std::string(9000, ' '));
  EXPECT_EQ(large.seen.status, 413);
  EXPECT_EQ(world.run("/admin/providers/b@p/reset", "").status, 404) << "a request of anybody";
}

TEST(Admin, OneResetReachesAnotherEngineThroughTheDocument) {
  World one(config("latched", "kv"));
  World two(config("latched", "kv"));
  SharedStore store;
  for (World* world : {&one, &two}) {
    world->on("b@p", says(500, "{}"));
    for (int i = 0; i < 3; ++i) world->run("/v1/chat/completions", chat("b@p"));
    keep_up(*world, store);
  }
  one.now = two.now = one.now + seconds(7 * 24 * 3600);
  ASSERT_EQ(state(two, 1).cause, health::Cause::latch) << "a week is no cure";
  ask(one, "POST", "/admin/providers/b@p/reset");
  EXPECT_TRUE(one.engine->sharing().wanted(one.now));
  keep_up(one, store);
  two.now = two.now + seconds(31);
  keep_up(two, store);
  EXPECT_EQ(state(two, 1).availability, health::Availability::ready);
  two.now = one.now = two.now + seconds(70);
  keep_up(two, store);
  keep_up(one, store);
  EXPECT_EQ(state(one, 1).availability, health::Availability::ready) << "the latch does not come back";
}

}  // namespace
}  // namespace shunt::exchange
