// From a run that breaks a rule to the shortest one that still does: by leaving out exchanges and faults.
#pragma once

#include <string>

#include "sim/world.h"

namespace shunt::sim {

struct Shrunk {
  Settings settings;  // the smallest that still breaks the same rule
  Report report;      // and what it did, with its log
  int runs = 0;
};

// Of a run that did break a rule.
Shrunk shrink(const Settings& settings, const Report& report);

// The broken rule, the shrunk run's log and how to play it again, as lines.
std::string explain_broken(const Settings& settings, const Report& report);

}  // namespace shunt::sim
