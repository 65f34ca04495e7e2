// What all exchanges share.
#include "exchange/engine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/strings.h"
#include "exchange/intake.h"

namespace shunt::exchange {
namespace {

// Task types that clients name and no route does.
constexpr std::size_t kClientTasks = 64;
// The greatest priority or weight: they travel in the shared record, where anything may stand.
constexpr std::uint32_t kMostOrdered = 0x7FFFFFFF;

// Lines are compared with those of one route: the longest that lists them, of equals the first.
std::vector<std::uint32_t> sibling_groups(const Catalog& catalog) {
  std::vector<std::uint32_t> groups(catalog.deployments.size(), health::kNoScope);
  for (std::uint32_t route = 0; route < catalog.routes.size(); ++route) {
    const std::vector<RouteEntry>& entries = catalog.routes[route].entries;
    for (const RouteEntry& entry : entries) {
      std::uint32_t& group = groups[index_of(entry.deployment)];
      if (group == health::kNoScope || catalog.routes[group].entries.size() < entries.size()) group = route;
    }
  }
  return groups;
}

std::vector<health::LineSpec> line_specs(const config::Loaded& loaded) {
  const Catalog& catalog = loaded.catalog;
  std::vector<std::uint32_t> first_key(catalog.providers.size());
  std::uint32_t keys = 0;
  for (std::size_t i = 0; i < catalog.providers.size(); ++i) {
    first_key[i] = keys;
    keys += std::max<std::uint32_t>(1, static_cast<std::uint32_t>(catalog.providers[i].keys.size()));
  }
  const std::vector<std::uint32_t> groups = sibling_groups(catalog);
  Numbers models;
  Numbers regions;
  std::vector<health::LineSpec> specs;
  specs.reserve(catalog.deployments.size());
  for (std::size_t i = 0; i < catalog.deployments.size(); ++i) {
    const Deployment& deployment = catalog.deployments[i];
    const std::uint32_t provider = index_of(deployment.provider);
    const Provider& row = catalog.providers[provider];
    health::LineSpec spec;
    spec.id = deployment.id;
    spec.slots = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(row.keys.size()));
    if (!row.keys.empty()) spec.first_key_scope = first_key[provider];
    spec.model_scope = models.of(row.name + '\n' + deployment.model);
    if (!deployment.region.empty()) spec.region_scope = regions.of(row.name + '\n' + deployment.region);
    spec.provider_scope = provider;
    spec.sibling_group = groups[i];
    spec.policy = loaded.breakers[i];
    specs.push_back(std::move(spec));
  }
  return specs;
}

route::Availability availability_of(health::Availability a) {
  switch (a) {
    case health::Availability::ready: return route::Availability::ready;
    case health::Availability::probe: return route::Availability::probe;
    case health::Availability::out: return route::Availability::out;
  }
  return route::Availability::out;
}

route::OutCause cause_of(health::Cause cause) {
  switch (cause) {
    case health::Cause::none: return route::OutCause::none;
    case health::Cause::breaker: return route::OutCause::breaker;
    case health::Cause::cooldown: return route::OutCause::cooldown;
    case health::Cause::long_penalty: return route::OutCause::long_penalty;
    case health::Cause::latch: return route::OutCause::latch;
    case health::Cause::operator_: return route::OutCause::operator_;
  }
  return route::OutCause::none;
}

// An operator's word, else the configured one.
std::int32_t ordered(std::optional<std::uint32_t> order, int configured) {
  return order ? static_cast<std::int32_t>(std::min<std::uint32_t>(*order, kMostOrdered)) : configured;
}

// A deployment that declares no capabilities is taken to have them all.
bool able(const Deployment& deployment, const Needs& needs) {
  const auto& has = deployment.capabilities;
  const auto lacks = [&](bool needed, std::string_view name) {
    return needed && std::find(has.begin(), has.end(), name) == has.end();
  };
  return has.empty() || !(lacks(needs.vision, "vision") || lacks(needs.tools, "tools") ||
                          lacks(needs.json_schema, "json_schema"));
}

}  // namespace

std::uint32_t Numbers::of(std::string_view name, std::size_t most) {
  const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), name,
                                   [](const auto& entry, std::string_view key) { return entry.first < key; });
  if (at != sorted_.end() && at->first == name) return at->second;
  if (sorted_.size() >= most) return 0;
  const auto number = static_cast<std::uint32_t>(sorted_.size());
  sorted_.insert(at, {std::string(name), number});
  return number;
}

Engine::Engine(config::Loaded loaded)
    : loaded_(std::move(loaded)),
      health_(line_specs(loaded_), health::CooldownPolicy{}),
      sharing_(loaded_.engine.state),
      checks_(loaded_.engine.checks),
      rules_(loaded_.rules),
      errors_(loaded_.catalog.deployments.size()) {
  budgets_.reserve(loaded_.catalog.routes.size() + 1);
  const auto add = [&](const RetryPolicy& policy) {
    budgets_.push_back({route::RetryBudget({policy.budget_ratio_micros, policy.budget_min_per_s_micros}),
                        route::RetryBudget({policy.failover_ratio_micros, policy.budget_min_per_s_micros})});
  };
  for (const Route& route : loaded_.catalog.routes) add(route.retry);
  add(RetryPolicy{});
  Numbers regions;
  regions.of({});  // 0 = none
  for (const Deployment& deployment : loaded_.catalog.deployments)
    regions_.push_back(regions.of(deployment.region));
  tasks_.of({});  // 0 = all others
  for (const Route& route : loaded_.catalog.routes) tasks_.of(route.task.empty() ? route.name : route.task);
  most_tasks_ = tasks_.size() + kClientTasks;
}

std::uint32_t Engine::task(std::string_view name) { return tasks_.of(name.substr(0, kIdBytes), most_tasks_); }

void Engine::note_error(std::uint32_t line, const Verdict& verdict, Instant now) {
  if (verdict.scope == Scope::request || verdict.scope == Scope::own_host) return;  // nothing of the line
  errors_[line] = std::make_unique<RecentError>(RecentError{verdict.error_class, verdict.message, now});
}

route::Budgets& Engine::budgets(const Route* route) {
  if (route == nullptr) return budgets_.back();
  return budgets_[static_cast<std::size_t>(route - loaded_.catalog.routes.data())];
}

route::LineView Engine::view(const RouteEntry& entry, const Needs& needs, Instant now) const {
  const std::uint32_t index = index_of(entry.deployment);
  const Deployment& deployment = loaded_.catalog.deployment(entry.deployment);
  const health::LineState state = health_.read(index, now);
  route::LineView view;
  view.deployment = index;
  view.slot = static_cast<std::uint16_t>(state.slot);
  view.availability = availability_of(state.availability);
  view.cause = cause_of(state.cause);
  view.until = state.availability == health::Availability::out ? state.until : kNever;
  view.priority = ordered(health_.priority(index), entry.priority);
  view.weight = ordered(health_.weight(index), entry.weight);
  view.success_micros = state.success_rate_micros;
  view.region = regions_[index];
  if (view.availability == route::Availability::probe && needs.seed && !may_probe(index, *needs.seed, now)) {
    view.availability = route::Availability::out;
    view.cause = route::OutCause::breaker;
    view.until = now;
  }
  if (health_.mode(index) == health::Mode::disabled) view.cause = route::OutCause::disabled;
  if (!able(deployment, needs)) {
    view.availability = route::Availability::out;
    view.cause = route::OutCause::incapable;
  } else if (needs.intake != nullptr && needs.intake->excluded(deployment.id)) {
    view.availability = route::Availability::out;
    view.cause = route::OutCause::excluded;
  }
  return view;
}

std::vector<route::LineView> Engine::views(std::span<const RouteEntry> entries, const Needs& needs,
                                           Instant now) const {
  std::vector<route::LineView> all;
  all.reserve(entries.size());
  for (const RouteEntry& entry : entries) all.push_back(view(entry, needs, now));
  return all;
}

std::size_t Engine::memory() const { return health_.memory() + rules_.memory() + sizeof *this; }

std::string Engine::lease_key(std::uint32_t line) const {
  return joined({"shunt/probe/", loaded_.engine.state.shard, "/", catalog().deployments[line].id});
}

}  // namespace shunt::exchange
