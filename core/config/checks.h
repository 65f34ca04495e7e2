// Checks that need more than one key to see: what is named must exist, inner limits end before outer ones,
// nothing goes in circles.
#pragma once

#include "config/drafts.h"

namespace shunt::config {

// Reports a name that is not in `known`, with the nearest that is.
void report_unknown(Report& report, const Name& name, const char* what, const Index& known);
// What both levels set, the inner one's word last.
TimeoutOverrides merged(const TimeoutOverrides& outer, const TimeoutOverrides& inner);
// `set` is all that configuration says at one level, whose "timeouts" stand at `at`. An inner limit that it
// sets must end before the outer one; a built-in inner limit may lie beyond: the outer one simply comes
// first.
void check_limits(Report& report, const TimeoutOverrides& set, std::uint64_t at);
// The lines, routes, roles and prompts that a route's steps name. `lines` are the rows of `deployments`.
void check_steps(Report& report, const Draft& draft, const std::vector<Deployment>& lines,
                 const Index& deployments, const Index& routes);
// Limits of a task type that no route names: perhaps a typo, perhaps one that only clients name.
void check_tasks(Report& report, const Draft& draft, const std::vector<Route>& routes);
// Limits that the chosen store cannot count for all isolates together.
void check_sharing(Report& report, const Draft& draft);
// Fallbacks from route to route must end.
void check_fallback_cycles(Report& report, const Draft& draft, const Index& routes);

}  // namespace shunt::config
