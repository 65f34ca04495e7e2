// What scenarios are written with: configurations of plain lines, and promises as words. Knows no scenario.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario.h"

namespace shunt::sim {

inline constexpr std::int64_t kForEver = 1'000'000'000'000;

// Limits short enough for a run to be full of them, and such as a slow start fits into.
inline constexpr std::string_view kDefaults =
    R"("defaults": {"timeouts": {"connect_ms": 1000, "first_byte_ms": 3000,
  "first_token_ms": 5000, "idle_ms": 4000, "attempt_ms": 15000, "total_ms": 40000, "plain_total_ms": 30000,
  "client_stall_ms": 10000}},)";
inline constexpr std::string_view kPatient = R"("defaults": {"timeouts": {"first_byte_ms": 30000,
  "first_token_ms": 40000, "attempt_ms": 60000, "total_ms": 90000, "plain_total_ms": 60000}},)";

// Lines of one kind, each of a provider of its own, all of one rank or one behind the other.
struct PlainLines {
  int lines = 1;
  bool ranked = true;
  std::string_view route_rules = {};  // members of the route, each behind a comma
  std::string_view more = {};         // members of the whole, each before one
  std::string_view defaults = kDefaults;
  int unlisted = 0;  // of the lines, the last are no part of the route
};
std::string config_of(const PlainLines& lines);

std::string number(std::uint64_t n);
// "a ≤ b" with its figures; a promise that does not hold begins with NOT.
std::string promise(bool holds, const std::string& words);
std::string at_most(std::string_view what, std::uint64_t value, std::uint64_t most);
std::string at_least(std::string_view what, std::uint64_t value, std::uint64_t least);
std::string share_at_least(std::string_view what, std::uint64_t part, std::uint64_t whole,
                           std::uint64_t millionths);
std::string share_at_most(std::string_view what, std::uint64_t part, std::uint64_t whole,
                          std::uint64_t millionths);

// Families of scenarios, each in a file of its own.
std::vector<Scenario> limit_scenarios();        // a provider's own limit, which nobody states
std::vector<Scenario> turn_scenarios();         // who goes first
std::vector<Scenario> second_call_scenarios();  // hedges and shadows
std::vector<Scenario> quota_scenarios();        // of all isolates together

}  // namespace shunt::sim
