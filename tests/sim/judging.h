// What a run of a scenario comes to, as promises. Knows worlds; draws nothing.
#pragma once

#include <string>
#include <vector>

#include "sim/world.h"

namespace shunt::sim {

// Of a run that broke no rule. What a scenario compares itself with is played too.
std::vector<std::string> judged(const Settings& settings, const Report& report);

inline bool makes_promises(const Scenario& scenario) {
  return scenario.judge != nullptr || scenario.compare != nullptr;
}

}  // namespace shunt::sim
