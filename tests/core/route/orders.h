// Orders of fixed lines under every strategy and many seeds, as text: what one build prints every build must.
// Needs nothing but core/route, so that it can be built for any target.
#pragma once

#include <string>

namespace shunt::route {

// One line an order: "score 12: 3 0 2 1". What it must be stands in tests/golden/route/orders.txt.
std::string orders_text();

}  // namespace shunt::route
