// What choosing a line costs, as lines of JSON: a plan over 8 lines, and an engine of 10,000. Driven by
// plan.mjs. With arguments (STRATEGY STATE TIMES) it makes that plan so often and prints nothing, for
// profilers.
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "bench/timing.h"
#include "config/config.h"
#include "exchange/engine.h"
#include "route/plan.h"

namespace {

using namespace shunt;
using bench::ns_of;
using exchange::Engine;

constexpr std::uint32_t kLines = 8;

// Idle: nothing configured, nothing learnt. Limited: each line states limits. Learned: each provider has told
// two limits that are in force, windows; flowing: which say when they are full again, and flow back.
enum class State { idle, limited, learned, flowing };
constexpr const char* kStates[] = {"idle", "limited", "learned", "flowing"};
constexpr const char* kStrategies[] = {"priority_weighted", "cost_aware", "score", "affinity"};

config::Loaded loaded(const std::string& json) {
  config::Loaded out;
  std::vector<config::Fault> faults;
  const bool ok = config::load(json, out, faults);
  for (const config::Fault& fault : faults) std::fprintf(stderr, "%s\n", config::fault_json(fault).c_str());
  CORE_CHECK(ok);
  return out;
}

std::string eight_lines(const std::string& strategy, State state) {
  std::string lines, entries;
  for (std::uint32_t i = 0; i < kLines; ++i) {
    const std::string n = std::to_string(i);
    lines += std::string(i > 0 ? "," : "") + R"({"id":"line-)" + n + R"(@p","provider":"p","model":"m)" + n +
             R"(","weight":)" + std::to_string(i + 1) + R"(,"cost_per_mtok_usd":{"input":0.5,"output":1.5})" +
             (state == State::limited ? R"(,"limits":{"rpm":60000,"tpm":90000000,"concurrency":50})" : "") +
             "}";
    entries += std::string(i > 0 ? "," : "") + "\"line-" + n + "@p\"";
  }
  return R"({"providers":{"p":{"dialect":"openai_chat","base_url":"http://127.0.0.1:9/v1","keys":["P_KEY"]}},)"
         R"("deployments":[)" +
         lines + R"(],"routes":{"chat":{"strategy":")" + strategy + R"(","deployments":[)" + entries + "]}}}";
}

// Calls have been made on every line, so that there is something to rate and to time.
void warm(Engine& engine, State state, Instant now) {
  for (std::uint32_t line = 0; line < kLines; ++line) {
    for (int i = 0; i < 20; ++i) {
      const auto ticket = engine.health().begin(line, 0, now, now + seconds(60));
      Outcome outcome;
      outcome.kind = OutcomeKind::success;
      outcome.penalty = Penalty::none;
      outcome.first_byte = milliseconds(100 + line);
      outcome.first_token = milliseconds(150 + line);
      outcome.total = milliseconds(900 + line);
      if (ticket) engine.health().settle(*ticket, outcome, now, 1);
      auto permit = engine.line_limits().take(line, {500, 500}, {now, {}}, now + seconds(60));
      if (permit) engine.line_limits().settle(*permit, {500, 500}, {now, {}});
    }
    if (state != State::learned && state != State::flowing) continue;
    const bool flows = state == State::flowing;
    admit::SaidLimits said;
    *said.at(admit::LimitUnit::requests, 60000) = {admit::LimitUnit::requests, 60000, 500, 400,
                                                   flows ? 12000 : 30000};
    *said.at(admit::LimitUnit::tokens, 60000) = {admit::LimitUnit::tokens, 60000, 900000, 800000,
                                                 flows ? 6667 : 30000};
    const std::uint32_t index = engine.limit_index(line, 0);
    engine.learner().heard(index, engine.learner().sent(index, {500, 500}, now), said, now);
  }
}

struct Planner {
  Engine engine;
  exchange::Needs needs;
  route::PlanPolicy policy;
  Instant now{1'000'000};

  Planner(const std::string& strategy, State state) : engine(loaded(eight_lines(strategy, state))) {
    const Route& route = engine.catalog().routes[0];
    warm(engine, state, now);
    now = now + milliseconds(20);
    needs.route = &route;
    needs.seed = 1;
    needs.input_tokens = 1200;
    needs.task = engine.task(route.name);
    needs.task_name = route.name;
    policy = Engine::plan_policy(&route);
  }
  std::size_t plan(std::size_t seed) {
    policy.affinity = seed + 1;
    std::vector<route::LineView> views = engine.views(engine.catalog().routes[0].entries, needs, now);
    return route::plan(views, policy, seed).order.size();
  }
};

// Pages of the heap that are in use.
std::size_t heap() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

std::string many_lines(std::uint32_t count, std::uint32_t a_provider) {
  const std::uint32_t providers = count / a_provider;
  std::string json = R"({"providers":{)";
  for (std::uint32_t i = 0; i < providers; ++i) {
    json += std::string(i > 0 ? "," : "") + "\"p" + std::to_string(i) +
            R"(":{"dialect":"openai_chat","base_url":"http://127.0.0.1:9/v1","keys":["P_KEY"]})";
  }
  json += R"(},"deployments":[)";
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    json += std::string(i > 0 ? "," : "") + R"({"id":"line-)" + n + R"(","provider":"p)" +
            std::to_string(i / a_provider) + R"(","model":"model-)" + n + "\"}";
  }
  json += R"(],"routes":{)";
  for (std::uint32_t i = 0; i < count / kLines; ++i) {
    json += std::string(i > 0 ? "," : "") + "\"route-" + std::to_string(i) + R"(":{"deployments":[)";
    for (std::uint32_t j = 0; j < kLines; ++j) {
      json += std::string(j > 0 ? "," : "") + "\"line-" + std::to_string(i * kLines + j) + "\"";
    }
    json += "]}";
  }
  return json + "}}";
}

void load(std::uint32_t count, std::uint32_t a_provider) {
  const std::string json = many_lines(count, a_provider);
  double best_load = 1e18;
  double best_make = 1e18;
  std::size_t catalog = 0;
  std::size_t bytes = 0;
  double plan_ns = 1e18;
  for (int round = 0; round < 3; ++round) {
    const std::size_t before = heap();
    config::Loaded config;
    best_load = std::min(best_load, ns_of(1, [&](std::size_t) { config = loaded(json); }));
    catalog =
        heap() - before - config.breakers.capacity() * sizeof(config.breakers[0]);  // let go by the engine
    std::unique_ptr<Engine> engine;
    best_make = std::min(
        best_make, ns_of(1, [&](std::size_t) { engine = std::make_unique<Engine>(std::move(config)); }));
    bytes = heap() - before;
    const auto plan = [&](std::size_t i) {
      auto views = engine->views(engine->catalog().routes[i % (count / kLines)].entries, {}, Instant{1000});
      route::plan(views, {}, i);
    };
    for (int i = 0; i < 50; ++i) plan_ns = std::min(plan_ns, ns_of(count / kLines, plan));
  }
  std::printf(
      "{\"what\":\"load\",\"lines\":%u,\"a_provider\":%u,\"load_ms\":%.1f,\"engine_ms\":%.1f,\"catalog\":%zu,"
      "\"bytes\":%zu,\"plan_ns\":%.0f}\n",
      count, a_provider, best_load / 1e6, best_make / 1e6, catalog / count, bytes / count, plan_ns);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) return load(static_cast<std::uint32_t>(std::atoi(argv[1])), std::atoi(argv[2])), 0;
  if (argc == 4) {
    State state = State::idle;
    for (int i = 0; i < 4; ++i) {
      if (std::strcmp(argv[2], kStates[i]) == 0) state = static_cast<State>(i);
    }
    Planner planner(argv[1], state);
    const auto times = static_cast<std::size_t>(std::atoi(argv[3]));
    std::size_t sum = 0;
    for (std::size_t i = 0; i < times; ++i) sum += planner.plan(i);
    return sum == 0;
  }
  for (int state = 0; state < 4; ++state) {
    for (const char* strategy : kStrategies) {
      Planner planner(strategy, static_cast<State>(state));
      const auto one = [&](std::size_t i) { planner.plan(i); };
      double best = 1e18;
      for (int round = 0; round < 300; ++round)
        best = std::min(best, ns_of(500, one));  // short: between others
      std::printf("{\"what\":\"plan\",\"strategy\":\"%s\",\"state\":\"%s\",\"ns\":%.0f}\n", strategy,
                  kStates[state], best);
    }
  }
  load(80, 80);
  load(10'000, 100);
  load(10'000, 1);
}
