// The strategies that have a file of their own, for the table alone.
#pragma once

#include "route/strategies.h"

namespace shunt::route {

void performance_first(const Group& group);
void score(const Group& group);
void affinity(const Group& group);

}  // namespace shunt::route
