// Retries lent to another gateway, which makes further attempts of its own: taken of the route's budget
// beforehand, so that both together keep to it.
#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"
#include "exchange/upstream.h"
#include "route/budget.h"

namespace shunt::exchange {

// Takes up to `most` tokens for the attempt. Returns the header lines that tell it:
//   x-shunt-attempt: N        which of ours it is
//   x-shunt-retries-left: N   further attempts it may make
std::string lend_retries(Upstream& attempt, route::RetryBudget& budget, std::int64_t most, Instant now);
// Further attempts that it says it made (x-shunt-attempts); one that says nothing has used all it was lent.
std::int64_t used_of_lent(const Upstream& attempt);
// What it did not use comes back.
void take_retries_back(const Upstream& attempt, route::RetryBudget& budget, Instant now);

}  // namespace shunt::exchange
