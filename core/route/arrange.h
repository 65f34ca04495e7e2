// The lines that may be called, group by group: roles, then priorities, then the strategy; and which of a
// group stand in first for the line that comes first. Knows no strategy but by its table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "route/plan.h"

namespace shunt::route {

// Reorders `order`, which holds indexes into `views` in configuration order.
//
// A role that is wanted more comes first whatever the priorities, then the lower priority number (with
// `policy.across` all priorities are one group). Inside a group the strategy decides, but
// - a region that the policy wants is preferred: its lines are ordered before the others of the group;
// - what follows the first line of the plan is fallback, ordered by tier and else as the strategy left it:
//   the wanted region (else that of the plan's first line), a task score from `policy.min_score` on, the
//   rest, local lines. A local line is in the last tier whatever else is true of it.
void arrange(std::span<const LineView> views, const PlanPolicy& policy, std::uint64_t seed,
             std::vector<std::uint16_t>& order);

}  // namespace shunt::route
