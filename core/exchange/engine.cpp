// What all exchanges share.
#include "exchange/engine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/order.h"
#include "base/strings.h"
#include "exchange/intake.h"
#include "route/gate.h"
#include "route/strategies.h"

namespace shunt::exchange {
namespace {

// Task types that clients name and no route does.
constexpr std::size_t kClientTasks = 64;
constexpr std::int64_t kWhole = 1'000'000;
// Of a prompt; no overflow in millionths of it.
constexpr std::int64_t kMostTokens = 1'000'000'000'000;
template <typename Rows, typename Of>
std::vector<Quota> quotas(const Rows& rows, Of of) {
  std::vector<Quota> all;
  all.reserve(rows.size());
  for (const auto& row : rows) all.push_back(row.*of);
  return all;
}

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

// Dense numbers for deployments, in order of first appearance: one for those of a provider that have the
// same `what`.
std::vector<std::uint32_t> numbered(const std::vector<Deployment>& rows, std::string Deployment::* what) {
  std::vector<std::uint32_t> order(rows.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (rows[a].provider != rows[b].provider) return rows[a].provider < rows[b].provider;
    return rows[a].*what < rows[b].*what;
  };
  stable_order(order, before);
  std::vector<std::uint32_t> first(rows.size());  // by deployment: the first like it
  for (std::size_t i = 0; i < order.size(); ++i)
    first[order[i]] = i > 0 && !before(order[i - 1], order[i]) ? first[order[i - 1]] : order[i];
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < first.size(); ++i) first[i] = first[i] == i ? count++ : first[first[i]];
  return first;
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
  const std::vector<std::uint32_t> models = numbered(catalog.deployments, &Deployment::model);
  const std::vector<std::uint32_t> regions = numbered(catalog.deployments, &Deployment::region);
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
    spec.model_scope = models[i];
    if (!deployment.region.empty()) spec.region_scope = regions[i];
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

// A deployment that declares no capabilities is taken to have them all. A prompt is surely too long only when
// it would be at six bytes a token, which is more than texts have.
bool able(const Deployment& deployment, const Needs& needs) {
  if (deployment.context_tokens > 0 && needs.input_tokens / 3 * 2 > deployment.context_tokens) return false;
  const auto& has = deployment.capabilities;
  if (has.empty() || !needs.abilities.any()) return true;
  for (std::size_t i = 0; i < std::size(kAbilities); ++i) {
    const bool needed = needs.abilities.has(static_cast<Ability>(i));
    if (needed && std::find(has.begin(), has.end(), kAbilities[i]) == has.end()) return false;
  }
  return true;
}

// The place of the line's role among those wanted; one that has none of them comes last.
std::uint8_t role_of(const RouteEntry& entry, const Deployment& deployment,
                     const std::vector<std::string_view>& wanted) {
  std::uint8_t place = 0;
  while (place < wanted.size() && !has_role(entry, deployment, wanted[place])) ++place;
  return place;
}

std::int16_t score_of(const Deployment& deployment, std::string_view task) {
  for (const auto& [name, score] : deployment.task_scores) {
    if (name == task) return static_cast<std::int16_t>(score);
  }
  return -1;
}

}  // namespace

bool has_role(const RouteEntry& entry, const Deployment& deployment, std::string_view role) {
  if (!entry.role.empty()) return entry.role == role;
  const auto& roles = deployment.roles;
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

std::optional<std::uint32_t> Numbers::find(std::string_view name) const {
  const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), name,
                                   [](const auto& entry, std::string_view key) { return entry.first < key; });
  if (at == sorted_.end() || at->first != name) return std::nullopt;
  return at->second;
}

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
      admission_(loaded_.engine.limits, quotas(loaded_.engine.clients, &Client::limits),
                 quotas(loaded_.engine.tasks, &TaskLimits::limits)),
      line_limits_(quotas(loaded_.catalog.deployments, &Deployment::limits)),
      learner_(0),
      queue_(loaded_.engine.queue.size),
      rules_(loaded_.rules),
      rows_(loaded_.catalog.deployments.size()) {
  budgets_.reserve(loaded_.catalog.routes.size() + 1);
  const auto add = [&](const RetryPolicy& policy, const Hedge& hedge) {
    budgets_.push_back({route::RetryBudget({policy.budget_ratio_micros, policy.budget_min_per_s_micros}),
                        route::RetryBudget({policy.failover_ratio_micros, policy.budget_min_per_s_micros}),
                        route::RetryBudget({hedge.budget_micros, 0})});
  };
  for (const Route& route : loaded_.catalog.routes) add(route.retry, route.hedge);
  add(RetryPolicy{}, Hedge{});
  for (const Client& client : loaded_.engine.clients) client_places_.of(client.id);
  admission_.set_shared(loaded_.engine.state.store == Store::durable_object ||
                        loaded_.engine.state.store == Store::redis);
  number_limits();
  region_names_.of({});  // 0 = none
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i].region = region_names_.of(loaded_.catalog.deployments[i].region);
    rows_[i].name_hash = route::name_hash(loaded_.catalog.deployments[i].id);
  }
  tasks_.of({});  // 0 = all others
  for (const Route& route : loaded_.catalog.routes) {
    if (route.affinity.by == Affinity::By::prefix)
      most_prefix_ = std::max<std::size_t>(most_prefix_, route.affinity.prefix_bytes);
  }
  for (const Route& route : loaded_.catalog.routes) tasks_.of(route.task.empty() ? route.name : route.task);
  most_tasks_ = tasks_.size() + kClientTasks;
  loaded_.breakers = {};  // health has its own
}

std::uint32_t Engine::task(std::string_view name) { return tasks_.of(name.substr(0, kIdBytes), most_tasks_); }

void Engine::note_error(std::uint32_t line, const Verdict& verdict, Instant now) {
  if (verdict.scope == Scope::request || verdict.scope == Scope::own_host) return;  // nothing of the line
  rows_[line].error = std::make_unique<RecentError>(RecentError{verdict.error_class, verdict.message, now});
}

// Lines of one provider that name the same model meet the same limits, key by key.
void Engine::number_limits() {
  const std::vector<std::uint32_t> models = numbered(loaded_.catalog.deployments, &Deployment::model);
  std::vector<std::uint32_t> first;
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Provider& provider = loaded_.catalog.provider_of(static_cast<DeploymentId>(i));
    const std::uint32_t model = models[i];
    if (model == first.size()) {
      first.push_back(count);
      count += std::max<std::uint32_t>(1, static_cast<std::uint32_t>(provider.keys.size()));
    }
    rows_[i].limits = first[model];
  }
  learner_ = admit::LimitLearner(count);
}

void Engine::note_usage(std::uint32_t line, const Usage& usage) {
  const std::int64_t prompt = usage.prompt.value_or(0);
  if (prompt <= 0 || prompt > kMostTokens) return;
  const std::int64_t cached = std::clamp<std::int64_t>(usage.cached.value_or(0), 0, prompt);
  std::int32_t& known = rows_[line].cached_micros;
  known += static_cast<std::int32_t>((cached * kWhole / prompt - known) / 8);
}

void Engine::note_trial(std::uint32_t line, bool good) {
  constexpr std::uint32_t kMostCalls = 1'000'000;
  Trial& trial = rows_[line].trial;
  if (trial.calls >= kMostCalls) trial = {trial.calls / 2, trial.good / 2};
  ++trial.calls;
  trial.good += good ? 1 : 0;
}

// A line that the route also sends shadows is not ranked before it has shown what its gate asks.
bool Engine::gated(std::uint32_t line, const Needs& needs, Instant now) const {
  if (needs.route->shadow.deployment != loaded_.catalog.deployments[line].id) return false;
  const Trial& trial = rows_[line].trial;
  route::Shown shown;
  shown.calls = trial.calls;
  shown.success_micros = trial.calls > 0 ? kWhole * trial.good / trial.calls : 0;
  shown.p90_ms = (health_.p90_total(line, needs.task, now) + 999) / 1000;
  return !route::gate_holds(needs.route->shadow.gate, shown);
}

// What the line's cache has read of late is taken off the prompt.
std::int64_t Engine::expected_cost(const Deployment& line, const Row& row, const Needs& needs) {
  const std::int64_t input = std::min(needs.input_tokens, kMostTokens);
  return cost_nanos(line.cost, input, input * row.cached_micros / kWhole,
                    output_tokens(needs.output_tokens, line));
}

route::PlanPolicy Engine::plan_policy(const Route* route) {
  route::PlanPolicy policy;
  if (route == nullptr) return policy;
  policy.strategy = route->strategy;
  policy.last_line = route->last_line;
  policy.across = route->across.value_or(route::across_by_default(route->strategy));
  policy.quota = route->quota;
  policy.min_score = route->min_score;
  policy.degrade_micros = route->degrade_micros;
  return policy;
}

route::Budgets& Engine::budgets(const Route* route) {
  if (route == nullptr) return budgets_.back();
  return budgets_[static_cast<std::size_t>(route - loaded_.catalog.routes.data())];
}

admit::Use Engine::expected_use(std::uint32_t line, const Needs& needs) const {
  const Deployment& deployment = loaded_.catalog.deployments[line];
  return {needs.input_tokens + output_tokens(needs.output_tokens, deployment),
          (std::max<std::int64_t>(expected_cost(line, needs), 0) + 999) / 1000};
}

admit::Ask Engine::asker(std::string_view client, std::string_view task) const {
  admit::Ask ask;
  const auto& tasks = loaded_.engine.tasks;
  for (std::uint32_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].task == task) ask.task = i;
  }
  if (const auto place = client_places_.find(client)) ask.client = *place;
  return ask;
}

PriorityClass Engine::priority_of(std::string_view client) const {
  const auto place = client_places_.find(client);
  return place ? loaded_.engine.clients[*place].priority : PriorityClass::normal;
}

std::string Engine::quota_key(const admit::Need& need) const {
  return joined({"shunt/quota/", loaded_.engine.state.shard, "/", loaded_.engine.clients[need.client].id,
                 need.rate == 0 ? "/rpm" : "/tpm"});
}

void Engine::forget_limits(std::uint32_t line, Instant now) {
  const std::size_t keys = loaded_.catalog.provider_of(DeploymentId{line}).keys.size();
  for (std::uint32_t slot = 0; slot < std::max<std::size_t>(keys, 1); ++slot)
    learner_.forget(limit_index(line, slot), now);
}

void Engine::observe_wall(Instant now, WallTime wall) {
  health_.observe_wall(now, wall);
  wall_offset_ms_ = wall.ms - now.ms;
}

// The line's own limits, the provider's as far as they are known, and those who wait for it already.
void Engine::apply_limits(route::LineView& view, const Needs& needs, std::int64_t output, Instant now) {
  const admit::Use use{needs.input_tokens + output,
                       (std::max<std::int64_t>(view.cost_nanos, 0) + 999) / 1000};
  const admit::Look own = line_limits_.look(view.deployment, use, {now, wall(now)});
  view.in_flight = own.in_flight;
  // What nothing but a breaker holds may be kept all the same; beyond its limits it may not.
  const bool held = view.availability == route::Availability::out;
  const bool keeps = needs.route == nullptr || needs.route->last_line == LastLine::keep;
  if (held && (view.cause != route::OutCause::breaker || !keeps)) return;
  const admit::LimitLearner::Look provider =
      learner_.look(limit_index(view.deployment, view.slot), {needs.input_tokens, output}, now);
  if (!held) view.quota_micros = std::min(own.share_left_micros, provider.share_left_micros);
  const admit::Resource turn{kLineTurn, view.deployment};
  const bool mine = needs.ticket != 0 && needs.waits_for == turn;
  // Where nobody waits, everybody may go, but who has been dropped from the queue.
  const bool turn_is_mine = held || needs.under_way ||
                            (mine ? queue_.is_turn(needs.ticket, now)
                                  : queue_.empty() || queue_.may_barge(turn, needs.priority, now));
  if (own.until <= now && provider.until <= now && turn_is_mine) return;
  // Nobody knows when a slot falls free: it is looked for again at once.
  const Instant own_until = own.sure || own.until == kNever ? own.until : now;
  view.until = std::max({now, own_until, provider.until});
  view.availability = route::Availability::out;
  view.cause = route::OutCause::limit;
}

void Engine::fill(route::LineView& view, const RouteEntry& entry, const Needs& needs, Instant now) {
  const std::uint32_t index = index_of(entry.deployment);
  const Deployment& deployment = loaded_.catalog.deployment(entry.deployment);
  const Row& row = rows_[index];
  const health::Reach state = health_.reach(index, now);
  view.deployment = index;
  view.slot = static_cast<std::uint16_t>(state.slot);
  view.availability = availability_of(state.availability);
  view.cause = cause_of(state.cause);
  if (state.availability == health::Availability::out) view.until = state.until;
  view.priority = entry.priority;
  view.weight = entry.weight;
  if (state.ordered) {
    view.priority = ordered(health_.priority(index), entry.priority);
    view.weight = ordered(health_.weight(index), entry.weight);
  }
  view.success_micros = state.success_rate_micros;
  view.region = row.region;
  view.name_hash = row.name_hash;
  view.local = deployment.local;
  view.role = role_of(entry, deployment, needs.roles);
  if (!deployment.task_scores.empty()) view.task_score = score_of(deployment, needs.task_name);
  view.cost_nanos = expected_cost(deployment, row, needs);
  const Strategy strategy = needs.route != nullptr ? needs.route->strategy : Strategy::priority_weighted;
  if (strategy == Strategy::score) view.p90_ms = (health_.p90_total(index, needs.task, now) + 999) / 1000;
  if (strategy == Strategy::performance_first) view.ttft_micros = health_.peak_first_token(index, now);
  if (view.availability == route::Availability::probe && needs.seed && !may_probe(index, *needs.seed, now)) {
    view.availability = route::Availability::out;
    view.cause = route::OutCause::breaker;
    view.until = now;
  }
  apply_limits(view, needs, output_tokens(needs.output_tokens, deployment), now);
  if (state.ordered && health_.mode(index) == health::Mode::disabled) view.cause = route::OutCause::disabled;
  if (!able(deployment, needs)) {
    view.availability = route::Availability::out;
    view.cause = route::OutCause::incapable;
  } else if (needs.route != nullptr && !needs.route->shadow.deployment.empty() && gated(index, needs, now)) {
    view.availability = route::Availability::out;
    view.cause = route::OutCause::gated;
  } else if (needs.intake != nullptr && needs.intake->excluded(deployment.id)) {
    view.availability = route::Availability::out;
    view.cause = route::OutCause::excluded;
  }
}

route::LineView Engine::view(const RouteEntry& entry, const Needs& needs, Instant now) {
  route::LineView view;
  fill(view, entry, needs, now);
  return view;
}

std::vector<route::LineView> Engine::views(std::span<const RouteEntry> entries, const Needs& needs,
                                           Instant now) {
  constexpr route::LineView kBlank;  // copied in few moves; made anew, each is zeroed by a slow instruction
  std::vector<route::LineView> all(entries.size(), kBlank);
  route::LineView* view = all.data();
  for (const RouteEntry& entry : entries) fill(*view++, entry, needs, now);
  return all;
}

std::size_t Engine::memory() const {
  return health_.memory() + rules_.memory() + line_limits_.memory() + learner_.memory() + sizeof *this;
}

std::string Engine::lease_key(std::uint32_t line) const {
  return joined({"shunt/probe/", loaded_.engine.state.shard, "/", catalog().deployments[line].id});
}

}  // namespace shunt::exchange
