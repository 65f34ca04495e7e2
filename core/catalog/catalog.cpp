// Look-ups in the catalog: two indexes, built once. Knows names, nothing of what stands behind them.
#include "catalog/catalog.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace shunt {
namespace {

constexpr std::array<Duration Timeouts::*, 8> kLimits = {
    &Timeouts::connect, &Timeouts::first_byte, &Timeouts::first_token, &Timeouts::idle,
    &Timeouts::attempt, &Timeouts::total,      &Timeouts::plain_total, &Timeouts::client_stall,
};

}  // namespace

bool add(Index& index, const std::string& name, std::uint32_t place) {
  return index.emplace(name, place).second;
}

std::optional<std::uint32_t> find(const Index& index, std::string_view name) {
  const auto at = index.find(name);
  if (at == index.end()) return std::nullopt;
  return at->second;
}

void override_limits(Timeouts& limits, const TimeoutOverrides& by) {
  for (const auto limit : kLimits) {
    if (by.*limit != kInherited) limits.*limit = by.*limit;
  }
}

Timeouts overridden(const Timeouts& base, const TimeoutOverrides& by) {
  Timeouts limits = base;
  override_limits(limits, by);
  return limits;
}

std::string_view asked_model(const Route& route, std::string_view requested) {
  if (!is_pattern(route.name)) return requested;
  const std::string_view prefix = std::string_view(route.name).substr(0, route.name.size() - 1);
  return requested.starts_with(prefix) ? requested.substr(prefix.size()) : requested;
}

void Catalog::finish() {
  for (std::uint32_t i = 0; i < routes.size(); ++i) add(routes_by_name, routes[i].name, i);
  for (std::uint32_t i = 0; i < deployments.size(); ++i) add(deployments_by_id, deployments[i].id, i);
}

std::optional<RouteId> Catalog::find_route(std::string_view model) const {
  if (const auto exact = find(routes_by_name, model); exact && !is_pattern(model)) return RouteId{*exact};
  // A pattern is an id, so only slashes within kIdBytes can be its own: a hostile model name costs a few
  // look-ups.
  std::string_view prefix = model.substr(0, model.empty() ? 0 : std::min(model.size() - 1, kIdBytes - 1));
  while (true) {
    const std::size_t slash = prefix.rfind('/');
    if (slash == std::string_view::npos) return std::nullopt;
    prefix = prefix.substr(0, slash);
    const std::string pattern = std::string(prefix) + "/*";
    if (const auto found = find(routes_by_name, pattern)) return RouteId{*found};
  }
}

std::optional<DeploymentId> Catalog::find_deployment(std::string_view id) const {
  const auto found = find(deployments_by_id, id);
  if (!found) return std::nullopt;
  return DeploymentId{*found};
}

}  // namespace shunt
