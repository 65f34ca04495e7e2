// The strategies by name: each a pure function that orders one group of lines. They know no health and no
// other group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "catalog/catalog.h"
#include "route/line_view.h"
#include "route/plan.h"

namespace shunt::route {

// Lines among which nothing but the strategy chooses, and where they stand.
struct Group {
  std::span<const LineView> views;
  const PlanPolicy& policy;
  std::uint64_t seed;
  std::span<std::uint16_t> lines;  // indexes into `views`, in configuration order; to be reordered
  std::size_t place;               // of the group's first line in the plan: draws are made by place
};

// Puts the group's lines in the order in which they are tried.
using Order = void (*)(const Group& group);

// The strategy's function; null for one that is not built, and configuration refuses it then.
Order order_of(Strategy strategy);
// As configuration and records call it.
std::string_view name_of(Strategy strategy);
// Does it look over all priorities at once where the route does not say?
bool across_by_default(Strategy strategy);

// Draws weigh at most this much, so that the weights of limits::kPlanLines lines add up below 2^32.
inline constexpr std::int32_t kMaxWeight = 1000000;

}  // namespace shunt::route
