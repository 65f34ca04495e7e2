// The strategies by name: each a pure function from lines and a seed to an order. They know no
// health and no policy beyond it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "catalog/catalog.h"
#include "route/line_view.h"

namespace shunt::route {

// Reorders `order`, which holds indexes into `views` of all lines that may be called, in
// configuration order.
using Order = void (*)(std::span<const LineView> views, std::uint64_t seed,
                       std::vector<std::uint16_t>& order);

// The strategy's function; null while it is not built, and configuration refuses it then.
Order order_of(Strategy strategy);

// Draws weigh at most this much, so that the weights of limits::kPlanLines lines add up below 2^32.
inline constexpr std::int32_t kMaxWeight = 1000000;

}  // namespace shunt::route
