// What storms are made of.
#include "sim/storm_config.h"

#include <string_view>

#include "sim/dice.h"
#include "sim/promises.h"

namespace shunt::sim {
namespace {

constexpr std::string_view kProviders = R"("providers": {
    "north": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": ["NORTH_1", "NORTH_2"]},
    "south": {"dialect": "anthropic_messages", "base_url": "http://127.0.0.1:2", "keys": ["SOUTH"]},
    "west": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:3/v1", "keys": ["WEST"]}
  },)";

struct Row {
  std::string_view id;
  std::string_view members;
};
constexpr Row kLines[] = {
    {"big@north", R"("provider": "north", "model": "big")"},
    {"small@north", R"("provider": "north", "model": "small", "breaker": {"preset": "window_50"})"},
    {"sonnet@south", R"("provider": "south", "model": "sonnet", "priority": 2)"},
    {"spare@west",
     R"("provider": "west", "model": "spare", "priority": 3, "breaker": {"preset": "three_layer"})"}};
constexpr Row kRoutes[] = {
    {"chat", R"("deployments": ["big@north", "sonnet@south", "spare@west"])"},
    {"even", R"("deployments": [{"id": "big@north", "priority": 1}, {"id": "spare@west", "priority": 1}])"},
    {"small", R"("deployments": ["small@north"], "last_line": "protect")"},
    {"kept", R"("deployments": ["spare@west"])"},
    {"claude", R"("deployments": ["sonnet@south", "small@north"], "keepalive_ms": 700)"}};

constexpr std::string_view kClients[] = {"web", "app", "batch"};

std::string member(std::string_view name, std::string_view value) {
  return value.empty() ? "" : ", \"" + std::string(name) + "\": " + std::string(value);
}

class Draw {
 public:
  Draw(std::uint64_t seed, std::uint32_t isolate, Faults faults)
      : dice_(seed, Luck::settings, {isolate}), faults_(faults) {}

  std::string config(std::string_view state) {
    std::string out = "{" + std::string(kDefaults) + std::string(state) + std::string(kProviders);
    out += R"("deployments": [)";
    const char* comma = "";
    for (const Row& line : kLines) {
      out += comma + (R"({"id": ")" + std::string(line.id)) + R"(", )" + std::string(line.members) +
             limits("2 5 20", "60 240 900", "2000 10000") + "}";
      comma = ", ";
    }
    out += R"(], "routes": {)";
    comma = "";
    for (const Row& route : kRoutes) {
      out += comma + ("\"" + std::string(route.id)) + R"(": {)" + std::string(route.members) + strategy() +
             hedge() + shadow() + "}";
      comma = ", ";
    }
    return out + "}" + whole() + clients() + "}";
  }

 private:
  // One of the words, or none: half of the time.
  std::string_view some(std::string_view words) {
    const bool none = dice_.once_in(2);
    return none ? std::string_view() : one_of(words);
  }
  std::string_view one_of(std::string_view words) {
    std::uint64_t count = 1;
    for (const char c : words) count += c == ' ';
    for (std::uint64_t skip = dice_.below(count); skip > 0; --skip) words.remove_prefix(words.find(' ') + 1);
    return words.substr(0, words.find(' '));
  }

  std::string limits(std::string_view concurrency, std::string_view rpm, std::string_view tpm) {
    std::string all =
        member("concurrency", some(concurrency)) + member("rpm", some(rpm)) + member("tpm", some(tpm));
    if (all.empty() || !faults_.has(Fault::limits) || dice_.once_in(2)) return "";
    return R"(, "limits": {)" + all.substr(2) + "}";
  }
  std::string strategy() {
    const std::string_view name = one_of(
        "priority_weighted weighted weight_order order cost_aware performance_first score success_degrade "
        "least_busy");
    const bool plain = dice_.once_in(2);
    return plain || !faults_.has(Fault::strategies) ? ""
                                                    : member("strategy", "\"" + std::string(name) + "\"");
  }
  std::string hedge() {
    const std::string after = "\"" + std::string(one_of("p90_ttft p95_ttft p99_ttft")) + "\"";
    const std::string budget(one_of("0.05 0.2 0.6"));
    const bool none = dice_.once_in(3);
    if (none || !faults_.has(Fault::hedges)) return "";
    return R"(, "hedge": {"after": )" + after + member("budget", budget) + "}";
  }
  std::string shadow() {
    const std::string line = "\"" + std::string(dice_.of(kLines).id) + "\"";
    const std::string share(one_of("0.05 0.5 1"));
    std::string gate = member("min_calls", some("1 20 200")) + member("success", some("0.5 0.9 0.99")) +
                       member("p90_ms", some("500 2000 10000"));
    if (!gate.empty()) gate = R"(, "gate": {)" + gate.substr(2) + "}";
    const bool none = dice_.once_in(2);
    if (none || !faults_.has(Fault::shadows)) return "";
    return R"(, "shadow": {"deployment": )" + line + member("share", share) + gate + "}";
  }
  std::string whole() {
    const std::string queue = R"({"size": )" + std::string(one_of("0 2 20 100")) +
                              member("max_wait_ms", one_of("0 50 1000 10000")) + "}";
    const std::string all = member("concurrency", some("5 20 40")) + member("rpm", some("600 2400"));
    const bool none = dice_.once_in(4);
    if (none || !faults_.has(Fault::limits)) return "";
    return R"(, "limits": {"queue": )" + queue + all + "}";
  }
  std::string clients() {
    std::string out;
    int number = 0;
    for (const std::string_view client : kClients) {
      out += (out.empty() ? "" : ", ") + (R"({"id": ")" + std::string(client)) + R"(", "key_sha256": ")" +
             std::string(63, '0') + std::to_string(++number) + "\"" +
             member("priority", "\"" + std::string(one_of("low normal high")) + "\"") +
             limits("2 6 20", "60 300 1200", "10000") + "}";
    }
    return R"(, "clients": [)" + out + "]";
  }

  Dice dice_;
  Faults faults_;
};

}  // namespace

std::string storm_alone(std::uint64_t seed, std::uint32_t isolate, Faults faults) {
  return Draw(seed, isolate, faults)
      .config(R"("state": {"store": "kv", "refresh_ms": 5000, "staleness_ms": 20000},)");
}

std::string storm_with_leases(std::uint64_t seed, std::uint32_t isolate, Faults faults) {
  return Draw(seed, isolate, faults).config(R"("state": {"store": "durable_object"},)");
}

std::vector<Caller> storm_callers() {
  return {{"web", "", 300},
          {"app", "x-shunt-priority: normal\n", 300},
          {"batch", "x-shunt-priority: low\n", 400}};
}

}  // namespace shunt::sim
