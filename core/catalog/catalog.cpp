// Look-ups in the catalog: two sorted indexes, built once. Knows names, nothing of what stands behind them.
#include "catalog/catalog.h"

#include <algorithm>
#include <cstddef>

#include "base/order.h"

namespace shunt {
namespace {

// Indexes of `rows` in the order of what `name` gives; equal names keep configuration order.
template <typename Row>
std::vector<std::uint32_t> sorted_by(const std::vector<Row>& rows, std::string Row::* name) {
  std::vector<std::uint32_t> index(rows.size());
  for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<std::uint32_t>(i);
  stable_order(index, [&](std::uint32_t a, std::uint32_t b) { return rows[a].*name < rows[b].*name; });
  return index;
}

template <typename Row>
std::optional<std::uint32_t> find_in(const std::vector<Row>& rows, const std::vector<std::uint32_t>& index,
                                     std::string Row::* name, std::string_view wanted) {
  const auto at =
      std::lower_bound(index.begin(), index.end(), wanted,
                       [&](std::uint32_t i, std::string_view text) { return rows[i].*name < text; });
  if (at == index.end() || rows[*at].*name != wanted) return std::nullopt;
  return *at;
}

}  // namespace

Timeouts overridden(const Timeouts& base, const TimeoutOverrides& by) {
  return {.connect = by.connect.value_or(base.connect),
          .first_byte = by.first_byte.value_or(base.first_byte),
          .first_token = by.first_token.value_or(base.first_token),
          .idle = by.idle.value_or(base.idle),
          .attempt = by.attempt.value_or(base.attempt),
          .total = by.total.value_or(base.total),
          .plain_total = by.plain_total.value_or(base.plain_total),
          .client_stall = by.client_stall.value_or(base.client_stall)};
}

std::string_view asked_model(const Route& route, std::string_view requested) {
  if (!is_pattern(route.name)) return requested;
  const std::string_view prefix = std::string_view(route.name).substr(0, route.name.size() - 1);
  return requested.starts_with(prefix) ? requested.substr(prefix.size()) : requested;
}

void Catalog::finish() {
  routes_by_name = sorted_by(routes, &Route::name);
  deployments_by_id = sorted_by(deployments, &Deployment::id);
}

std::optional<RouteId> Catalog::find_route(std::string_view model) const {
  if (const auto exact = find_in(routes, routes_by_name, &Route::name, model); exact && !is_pattern(model)) {
    return RouteId{*exact};
  }
  // A pattern is an id, so only slashes within kIdBytes can be its own: a hostile model name costs a few
  // look-ups.
  std::string_view prefix = model.substr(0, model.empty() ? 0 : std::min(model.size() - 1, kIdBytes - 1));
  while (true) {
    const std::size_t slash = prefix.rfind('/');
    if (slash == std::string_view::npos) return std::nullopt;
    prefix = prefix.substr(0, slash);
    const std::string pattern = std::string(prefix) + "/*";
    if (const auto found = find_in(routes, routes_by_name, &Route::name, pattern)) return RouteId{*found};
  }
}

std::optional<DeploymentId> Catalog::find_deployment(std::string_view id) const {
  const auto found = find_in(deployments, deployments_by_id, &Deployment::id, id);
  if (!found) return std::nullopt;
  return DeploymentId{*found};
}

}  // namespace shunt
