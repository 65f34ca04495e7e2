// What protects lines, as a client sees it: small routes, keys, latches, and faults that are nobody's.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/exchange/shared_store.h"

namespace shunt::exchange {
namespace {

// Lines l0 … with a provider each, so that nothing is shared.
std::string lines(int count, const std::string& last_line, const std::string& preset = "stepped") {
  std::string providers;
  std::string deployments;
  std::string entries;
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    const std::string comma = i == 0 ? "" : ",";
    providers += comma + "\"p" + n + R"(": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1"})";
    deployments += comma + R"({"id": "l)" + n + R"(", "provider": "p)" + n + R"(", "model": "m"})";
    entries += comma + "\"l" + n + "\"";
  }
  return R"({"providers": {)" + providers + R"(}, "defaults": {"breaker": {"preset": ")" + preset +
         R"("}}, "deployments": [)" + deployments + R"(], "routes": {"r": {"deployments": [)" + entries +
         R"(], "last_line": ")" + last_line + R"(", "retry": {"attempts": 1}}}})";
}
std::string line(int i) { return "l" + std::to_string(i); }
std::string chat(const std::string& model) {
  return R"({"model":")" + model + R"(","messages":[{"role":"user","content":"x"}]})";
}
Script slow_down(int seconds) {
  return says(429, R"({"error":{"message":"slow down","type":"rate_limit_error"}})",
              "retry-after: " + std::to_string(seconds) + "\n");
}

// Every line fails until its breaker is open; l1 first, so that its end is the nearest, then the others in
// order, a second apart.
int open_all(World& world, int count) {
  const int nearest = std::min(1, count - 1);
  for (int i = 0; i < count; ++i) {
    const int n = i == 0 ? nearest : i <= nearest ? i - 1 : i;
    world.on(line(n), says(500, "{}"));
    while (world.engine->health().read(static_cast<std::uint32_t>(n), world.now).availability ==
           health::Availability::ready) {
      world.run("/v1/chat/completions", chat(line(n)));
    }
    world.now = world.now + seconds(1);
  }
  world.calls.clear();
  return nearest;
}
Instant end_of(World& world, int n) {
  return world.engine->health().read(static_cast<std::uint32_t>(n), world.now).until;
}
std::string seconds_until(World& world, Instant end) {
  return std::to_string(((end - world.now).ms + 999) / 1000);
}

TEST(Protection, OfOneToSixLinesTheOneNearestToItsEndIsProbedOnceAndNobodyElseIsCalled) {
  for (int count = 1; count <= 6; ++count) {
    SCOPED_TRACE(count);
    World world(lines(count, "protect"));
    const int nearest = open_all(world, count);
    const Instant end = end_of(world, nearest);
    world.on(line(nearest), hangs());
    World::Play probing(world, 1000);
    probing.send("/v1/chat/completions", chat("r"));
    EXPECT_EQ(world.called(), std::vector<std::string>{line(nearest)});
    for (int i = 0; i < 20; ++i) {
      world.now = world.now + milliseconds(777);
      const Seen seen = world.chat(chat("r"));
      EXPECT_EQ(seen.status, 503);
      EXPECT_EQ(seen.header("retry-after"), seconds_until(world, end)) << "the true remaining seconds";
    }
    EXPECT_EQ(world.calls.size(), 1u) << "while the probe is under way";
  }
}

TEST(Protection, OfOneToSixLinesTheOneNearestToItsEndIsKeptForEveryRequest) {
  for (int count = 1; count <= 6; ++count) {
    SCOPED_TRACE(count);
    World world(lines(count, "keep"));
    const int nearest = open_all(world, count);
    for (int i = 0; i < 3; ++i) {
      world.on(line(nearest), says(200, openai_answer("hi")));
      const Seen seen = world.chat(chat("r"));
      EXPECT_NE(seen.records.at(0).find("\"kept\":true"), std::string::npos);
      EXPECT_EQ(world.called().back(), line(nearest));
    }
    EXPECT_EQ(world.engine->health().read(static_cast<std::uint32_t>(nearest), world.now).availability,
              health::Availability::out)
        << "a kept line's success ends nothing early";
  }
}

TEST(Protection, OfOneToSixLinesAStatedWaitIsKeptToItsEndAndTold) {
  for (int count = 1; count <= 6; ++count) {
    for (const char* last_line : {"keep", "protect"}) {
      SCOPED_TRACE(std::to_string(count) + last_line);
      World world(lines(count, last_line));
      for (int i = 0; i < count; ++i) {
        world.on(line(i), slow_down(40 - i));
        world.run("/v1/chat/completions", chat(line(i)));
      }
      world.calls.clear();
      for (int passed = 0; passed < 40 - (count - 1); ++passed) {
        const Seen seen = world.chat(chat("r"));
        EXPECT_EQ(seen.status, 503);
        EXPECT_EQ(seen.header("retry-after"), std::to_string(40 - (count - 1) - passed));
        world.now = world.now + seconds(1);
      }
      EXPECT_TRUE(world.calls.empty());
      world.chat(chat("r"));
      EXPECT_EQ(world.called(), std::vector<std::string>{line(count - 1)}) << "the moment its wait is over";
    }
  }
}

TEST(Protection, TheSameHistoryGivesTheSameRecords) {
  const auto history = [] {
    World world(lines(4, "protect"));
    open_all(world, 4);
    std::string all;
    for (int i = 0; i < 40; ++i) {
      world.now = world.now + seconds(2);
      all += world.chat(chat("r")).records.at(0);
    }
    return all;
  };
  EXPECT_EQ(history(), history());
}

TEST(Protection, ALatchedLineStaysOutWhateverTimePasses) {
  for (const char* last_line : {"keep", "protect"}) {
    World world(lines(2, last_line, "latched"));
    open_all(world, 2);
    for (int day = 0; day < 40; ++day) {
      world.now = world.now + seconds(24 * 3600);
      const Seen seen = world.chat(chat("r"));
      EXPECT_EQ(seen.status, 503);
      EXPECT_EQ(seen.header("retry-after"), "") << "nobody knows when";
    }
    EXPECT_TRUE(world.calls.empty());
    world.engine->health().act(1, health::Act::reset, world.now, world.wall());
    world.on("l1", says(200, openai_answer("hi")));
    world.chat(chat("r"));
    EXPECT_EQ(world.called(), std::vector<std::string>{"l1"});
  }
}

TEST(Protection, FaultsOfOurOwnHostBlameNobody) {
  for (const TransportFault fault : {TransportFault::own_limit, TransportFault::own_abort}) {
    for (const char* preset : {"stepped", "three_layer", "window_50", "latched", "hystrix"}) {
      World world(lines(1, "protect", preset));
      world.on("l0", breaks(fault));
      for (int i = 0; i < 60; ++i) world.chat(chat("r"));
      const health::LineState state = world.engine->health().read(0, world.now);
      EXPECT_EQ(state.availability, health::Availability::ready) << preset << ' ' << name_of(fault);
      EXPECT_EQ(state.failure_count, 0u);
      EXPECT_FALSE(state.last_error);
      EXPECT_EQ(world.engine->recent_error(0), nullptr);
    }
  }
}

TEST(Protection, WhenAllLinesAreSwitchedOffTheAnswerSaysSo) {
  World world(lines(2, "keep"));
  for (std::uint32_t i = 0; i < 2; ++i)
    world.engine->health().act(i, health::Act::disable, world.now, world.wall());
  const Seen seen = world.chat(chat("r"));
  EXPECT_EQ(seen.status, 503);
  EXPECT_NE(seen.body.find("switched off"), std::string::npos) << seen.body;
}

// ---- keys ----

// Two lines on the same two keys, and one elsewhere.
constexpr char kKeys[] = R"({
  "providers": {"p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": ["K_ONE", "K_TWO"]},
                "q": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:2/v1", "keys": ["K_THREE"]}},
  "deployments": [{"id": "a@p", "provider": "p", "model": "m-a"}, {"id": "b@p", "provider": "p", "model": "m-b"},
                  {"id": "c@q", "provider": "q", "model": "m-c"}],
  "routes": {"r": {"deployments": ["a@p", {"id": "b@p", "priority": 2}, {"id": "c@q", "priority": 3}]}}
})";
Script quota() {
  return says(
      429,
      R"({"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}})");
}
Script bad_key() {
  return says(
      401,
      R"({"error":{"message":"Incorrect API key","type":"invalid_request_error","code":"invalid_api_key"}})");
}
std::vector<std::string> called_with_slots(const World& world) {
  std::vector<std::string> all;
  for (const Call& call : world.calls) all.push_back(call.deployment + "#" + std::to_string(call.slot));
  return all;
}

TEST(Protection, QuotaAuthAndRateLimitsRotateTheKeyAndAnOverloadDoesNot) {
  struct Row {
    const char* name;
    Script script;
    const char* next;
  };
  const Row rows[] = {
      {"quota", quota(), "a@p#1"},
      {"auth", bad_key(), "a@p#1"},
      {"rate", slow_down(20), "a@p#1"},
      {"overload", says(529, R"({"error":{"type":"overloaded_error","message":"Overloaded"}})"), "b@p#0"},
      {"saturation sent as 429",
       says(429, R"({"error":{"message":"The model is overloaded with other requests"}})"), "b@p#0"},
      {"server error", says(500, "{}"), "b@p#0"},
      {"reset", breaks(TransportFault::reset), "b@p#0"}};
  for (const Row& row : rows) {
    World world(kKeys);
    world.on("a@p", row.script);
    world.on("a@p", says(200, openai_answer("a")));
    world.on("b@p", says(200, openai_answer("b")));
    EXPECT_EQ(world.chat(chat("r")).status, 200) << row.name;
    EXPECT_EQ(called_with_slots(world), (std::vector<std::string>{"a@p#0", row.next})) << row.name;
  }
}

TEST(Protection, AClientsOwnKeyBlamesNobodyElse) {
  const char kOwn[] = R"({
    "providers": {"own": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": "client"}},
    "deployments": [{"id": "a@own", "provider": "own", "model": "m"}],
    "routes": {"r": {"deployments": ["a@own"]}}})";
  for (const auto& [script, status] : {std::pair{bad_key(), 401}, {quota(), 429}, {slow_down(20), 429}}) {
    World world(kOwn);
    world.on("a@own", script);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(world.chat(chat("r")).status, status);
    world.on("a@own", says(200, openai_answer("a")));
    world.chat(chat("r"));
    EXPECT_EQ(world.chat(chat("r")).status, 200) << "another client, whose key is good";
  }
}

TEST(Protection, R5ASpentQuotaToldAs429IsNoRateLimit) {
  World world(kKeys);
  world.on("a@p", quota());
  world.on("a@p", says(200, openai_answer("a")));
  world.chat(chat("r"));
  ASSERT_EQ(world.calls.size(), 2u);
  const auto error = world.engine->recent_error(0);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->error_class, ErrorClass::quota_insufficient);
  world.now = world.now + seconds(120);  // a rate limit would be over
  EXPECT_EQ(world.engine->view(world.engine->catalog().routes[0].entries[0], {}, world.now).slot, 1u)
      << "the first key stays out: its penalty is a long one";
}

TEST(Protection, AKeysFailureProtectsEveryLineOnThatKey) {
  for (const Script& script : {quota(), bad_key()}) {
    World world(kKeys);
    world.on("a@p", script);
    world.on("a@p", says(200, openai_answer("a")));
    world.on("b@p", says(200, openai_answer("b")));
    world.on("c@q", says(200, openai_answer("c")));
    world.chat(chat("r"));
    world.calls.clear();
    world.chat(chat("b@p"));
    EXPECT_EQ(called_with_slots(world), std::vector<std::string>{"b@p#1"})
        << "its first key is known to be bad";

    World both(kKeys);
    both.on("a@p", script);
    both.on("b@p", says(200, openai_answer("b")));
    both.on("c@q", says(200, openai_answer("c")));
    EXPECT_EQ(both.chat(chat("r")).status, 200);
    EXPECT_EQ(called_with_slots(both), (std::vector<std::string>{"a@p#0", "a@p#1", "c@q#0"}))
        << "the other line has no other key";
    const Seen asked = both.chat(chat("b@p"));
    EXPECT_NE(asked.records.at(0).find("\"purpose\":\"probe\""), std::string::npos)
        << "all its keys are out: one leased probe asks";
  }
}

}  // namespace
}  // namespace shunt::exchange
