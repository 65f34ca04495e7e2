// The text of the goldens in tests/golden/route: lines and policy read, plans written.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "route/plan.h"

namespace shunt::route {

struct Lines {
  std::vector<std::string> names;
  std::vector<LineView> views;
};

// One row: name, state, cause where it is out, then KEY=NUMBER. False: it is no such row.
bool read_line(const std::string& row, Lines& lines);
// What stands after "lines" in a fence: "protect", or KEY=WORD. False: it is no such policy.
bool read_policy(const std::string& words, PlanPolicy& policy);
// The verdict, the names of the first `most` lines, and what else is set.
std::string say(const Plan& plan, const Lines& lines, std::size_t most);

}  // namespace shunt::route
