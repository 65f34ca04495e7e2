// What a run is made of: a configuration, a load, what goes wrong, and what its figures must come to. Values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/faults.h"
#include "sim/figures.h"
#include "sim/store.h"
#include "sim/weather.h"

namespace shunt::sim {

// How the clocks of a scenario's hosts go.
enum class Clocks : std::uint8_t { honest, moody, standing, set_back };

// Who asks.
struct Caller {
  std::string_view client;   // as the host authenticated it
  std::string_view headers;  // lines
  std::uint64_t permille = 1000;
};

// Its class of priority as a number, as its headers say: 0 low, 1 normal, 2 high.
inline std::size_t rank_of(const Caller& caller) {
  if (caller.headers.find(": high") != std::string_view::npos) return 2;
  return caller.headers.find(": low") != std::string_view::npos ? 0 : 1;
}

struct Scenario {
  std::string_view name;
  std::string_view about;
  std::string config;
  // Instead, a configuration for each isolate.
  std::string (*draw)(std::uint64_t seed, std::uint32_t isolate, Faults faults) = nullptr;
  std::string twin;  // what the same run is compared with
  std::uint32_t isolates = 1;
  std::uint64_t crowded_permille = 0;  // of requests come to the first isolate
  std::int64_t gap_us = 10'000;        // between requests, all isolates together
  std::uint64_t day = 0;             // so many requests, then silence until all is quiet; 0 = one day for all
  std::uint64_t exchanges = 10'000;  // when none are asked for
  std::uint64_t seeds = 1;           // that its test plays
  Faults faults{};
  Climate climate;
  StoreNature store;
  Clocks clocks = Clocks::honest;
  std::uint64_t stream_permille = 700;
  std::uint64_t operators_permille = 0;  // of requests come with an operator's order
  bool keeps_chronicle = true;
  std::vector<std::string_view> routes;  // drawn from evenly
  std::vector<Caller> callers{{"", "", 1000}};
  // Of the slots that all requests of an isolate wait for in turn; 0 = they wait for different things.
  std::uint32_t slots = 0;
  // The figures that must hold, in words; what does not hold begins with "NOT ".
  std::vector<std::string> (*judge)(const Figures&, const Chronicle&) = nullptr;
  std::vector<std::string> (*compare)(const Chronicle&, const Chronicle& twin) = nullptr;
};

const std::vector<Scenario>& scenarios();
const Scenario* find_scenario(std::string_view name);

}  // namespace shunt::sim
