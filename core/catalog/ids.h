// Numbers of what can be called. Knows nothing else.
#pragma once

#include <cstdint>

namespace shunt {

// Indexes into Catalog's vectors; the same numbers travel over the boundary.
enum class ProviderId : std::uint32_t {};
enum class DeploymentId : std::uint32_t {};
enum class RouteId : std::uint32_t {};
constexpr std::uint32_t index_of(ProviderId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index_of(DeploymentId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index_of(RouteId id) { return static_cast<std::uint32_t>(id); }

}  // namespace shunt
