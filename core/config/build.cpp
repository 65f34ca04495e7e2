// From names to tables. Providers first, then deployments, then routes: each refers only to what stands
// before it.
#include "config/build.h"

#include <algorithm>

#include "base/limits.h"
#include "base/strings.h"
#include "catalog/envelopes.h"
#include "catalog/providers.h"
#include "config/addresses.h"
#include "config/checks.h"

namespace shunt::config {
namespace {

// Whatever model was asked for, at one provider: "*@openai".
constexpr std::string_view kPassthrough = "*@";

void apply(const RetryDraft& draft, RetryPolicy& to) {
  if (draft.attempts) to.attempts = *draft.attempts;
  if (draft.ratio) to.budget_ratio_micros = *draft.ratio;
  if (draft.min_per_s) to.budget_min_per_s_micros = *draft.min_per_s;
  if (draft.failover) to.failover_ratio_micros = *draft.failover;
}

bool has_header(const Provider& provider, std::string_view name) {
  return std::any_of(provider.headers.begin(), provider.headers.end(),
                     [name](const auto& header) { return header.first == name; });
}

// The name of what comes next in its list.
void add_name(Index& names, const std::string& name) {
  add(names, name, static_cast<std::uint32_t>(names.size()));
}

const char* heeded_by(Strategy strategy) {
  if (strategy == Strategy::score) return "\"strategy\": \"score\"";
  if (strategy == Strategy::affinity) return "\"strategy\": \"affinity\"";
  return "\"strategy\": \"success_degrade\"";
}

class Builder {
 public:
  Builder(Draft& draft, Report& report, Loaded& out) : draft_(draft), report_(report), out_(out) {}

  void run();

 private:
  // What is known of a row of the catalog's deployments while routes are built.
  struct Line {
    TimeoutOverrides set;                     // all that configuration sets for it
    bool broken = false;                      // reported itself
    std::size_t listed_by = ~std::size_t{0};  // the last route that lists it
  };

  void add_provider(ProviderDraft& draft);
  DialectId dialect_of(const ProviderDraft& draft, const Preset* preset);
  void add_address(const ProviderDraft& draft, const Preset* preset, Provider& row);
  void add_auth(const ProviderDraft& draft, const Preset* preset, Provider& row);
  void add_deployment(DeploymentDraft& draft);
  void add_line(Deployment&& row, ProviderId provider, const TimeoutsDraft& timeouts,
                const BreakerDraft& breaker);
  void add_route(RouteDraft& draft);
  void add_entry(RouteDraft& draft, const EntryDraft& entry);
  std::optional<std::uint32_t> line_of(const RouteDraft& route, const Name& id);
  std::optional<std::uint32_t> passthrough_line(const RouteDraft& route, const Name& id);
  std::optional<ProviderId> provider_named(std::string_view name, std::uint64_t at);

  Draft& draft_;
  Report& report_;
  Loaded& out_;
  Index providers_;
  Index& routes_ = out_.catalog.routes_by_name;
  Index& deployments_ = out_.catalog.deployments_by_id;  // the declared ones, until all routes are built
  Index passthrough_;
  std::vector<const ProviderDraft*> levels_;  // by ProviderId
  std::vector<Line> lines_;                   // by DeploymentId
};

void Builder::run() {
  check_limits(report_, draft_.defaults.timeouts.set, draft_.defaults.timeouts.at);
  for (ProviderDraft& provider : draft_.providers) add_provider(provider);
  for (DeploymentDraft& deployment : draft_.deployments) add_deployment(deployment);
  for (const RouteDraft& route : draft_.routes) add_name(routes_, route.row.name);
  for (RouteDraft& route : draft_.routes) add_route(route);
  for (const RuleDraft& rule : draft_.rules) {
    if (!rule.provider.value.empty()) provider_named(rule.provider.value, rule.provider.at);
  }
  out_.rules = packed_rules(draft_.rules);
  check_steps(report_, draft_, out_.catalog.deployments, deployments_, routes_);
  check_fallback_cycles(report_, draft_, routes_);
  check_tasks(report_, draft_, out_.catalog.routes);
  check_sharing(report_, draft_);
  if (out_.catalog.deployments.size() > limits::kDeployments) {
    report_.fault(0, "too many deployments, patterns counted in", "at most 10000 deployments");
  }
  if (out_.catalog.deployments.empty() && !report_.failed()) {
    report_.fault(0, "a configuration that can call nothing",
                  "one or more deployments, or a route with a pattern line");
  }
  for (const auto& [name, place] : passthrough_) add(deployments_, name, place);
  out_.engine = std::move(draft_.engine);
}

DialectId Builder::dialect_of(const ProviderDraft& draft, const Preset* preset) {
  if (preset != nullptr) {
    if (draft.dialect && draft.dialect != preset->dialect) {
      report_.fault(draft.dialect_at,
                    joined({"a dialect beside a preset of another: ", name_of(preset->dialect)}),
                    "the one or the other; a preset knows its dialect");
    }
    return preset->dialect;
  }
  if (!draft.source_given)
    report_.fault(draft.at, "neither \"preset\" nor \"dialect\"", "one of them is required");
  return draft.dialect.value_or(DialectId::openai_chat);
}

void Builder::add_address(const ProviderDraft& draft, const Preset* preset, Provider& row) {
  if (draft.base_url_given) return;
  if (preset == nullptr) {
    // A provider without a source has been told so.
    if (draft.dialect)
      report_.fault(draft.at, "no \"base_url\"", "the key is required where no preset gives the address");
  } else if (is_template(preset->base_url)) {
    report_.fault(draft.at, "no \"base_url\"",
                  joined({"the key is required: this preset's address holds a name of your own, as in ",
                          preset->base_url}),
                  {});
  } else {
    row.base_url = std::string_view(preset->base_url);
  }
}

void Builder::add_auth(const ProviderDraft& draft, const Preset* preset, Provider& row) {
  const DialectShape& shape = shape_of(row.dialect, row.quirks);
  AuthKind usual = shape.auth;
  std::string_view name = shape.auth_name;
  if (preset != nullptr && !preset->key_header().empty()) {
    usual = AuthKind::header;
    name = preset->key_header();
  }
  row.auth = draft.auth.value_or(usual);
  const bool named = row.auth == AuthKind::header || row.auth == AuthKind::query;
  if (row.auth_name.empty()) {
    if (named && draft.auth && usual != row.auth)
      report_.fault(draft.at, "no \"auth_name\"", "the header or query parameter that takes the key");
    row.auth_name = name;
  }
  if (!draft.keys_given) {
    if (row.auth != AuthKind::none && preset != nullptr && !preset->keyless && !draft.base_url_given)
      report_.fault(draft.at, "no \"keys\"", "the key is required: names of secrets, or \"client\"");
    row.auth = AuthKind::none;
  } else if (row.base_url.starts_with("http://") && !is_loopback(row.base_url)) {
    report_.warn(draft.at, "keys sent over http://", "anyone on the way can read them");
  }
}

void Builder::add_provider(ProviderDraft& draft) {
  Provider& row = draft.row;
  add_name(providers_, row.name);
  levels_.push_back(&draft);
  const Preset* const preset = row.preset.empty() ? nullptr : find_preset(row.preset);
  row.dialect = dialect_of(draft, preset);
  if (preset != nullptr) row.preset = std::string_view(preset->name);
  row.quirks = draft.quirks.value_or(preset != nullptr ? preset->quirks : Quirks{0});
  if (envelope_of(row.quirks) != nullptr && row.dialect != DialectId::anthropic_messages)
    report_.fault(
        draft.at, joined({"what wraps anthropic_messages around ", name_of(row.dialect)}),
        "\"bedrock_invoke\" or \"vertex_predict\" in \"quirks\" of a provider of that dialect alone");
  const DialectShape& shape = shape_of(row.dialect, row.quirks);
  row.framing = shape.framing;
  // An own path is for streams too, unless they have one of their own.
  if (row.path.empty()) {
    row.path = shape.path;
    if (row.stream_path.empty()) row.stream_path = shape.stream_path;
  }
  add_address(draft, preset, row);
  add_auth(draft, preset, row);
  if (const std::string_view header = shape.header; !header.empty() && !has_header(row, header))
    row.headers.emplace(row.headers.begin(), header, shape.header_value);
  const bool limited = !draft.timeouts.set.empty();
  draft.timeouts.set = merged(draft_.defaults.timeouts.set, draft.timeouts.set);
  if (limited) check_limits(report_, draft.timeouts.set, draft.timeouts.at);
  row.timeouts = overridden(Timeouts{}, draft.timeouts.set);
  out_.catalog.providers.push_back(std::move(row));
}

std::optional<ProviderId> Builder::provider_named(std::string_view name, std::uint64_t at) {
  if (const auto provider = find(providers_, name)) return ProviderId{*provider};
  report_unknown(report_, {std::string(name), at}, "provider", providers_);
  return std::nullopt;
}

void Builder::add_line(Deployment&& row, ProviderId provider, const TimeoutsDraft& timeouts,
                       const BreakerDraft& breaker) {
  const ProviderDraft& from = *levels_[index_of(provider)];
  Line line{from.timeouts.set};
  if (!timeouts.set.empty()) {
    override_limits(line.set, timeouts.set);
    check_limits(report_, line.set, timeouts.at);
  }
  row.provider = provider;
  row.timeouts = overridden(Timeouts{}, line.set);
  const Provider& at = out_.catalog.providers[index_of(provider)];
  if (row.region.empty()) row.region = at.region;
  row.local = is_private(at.base_url);
  const BreakerDraft& rules = breaker ? breaker : from.breaker ? from.breaker : draft_.defaults.breaker;
  out_.breakers.push_back(rules ? *rules : health::preset_policy(health::Preset::stepped));
  const health::BreakerPolicy& policy = out_.breakers.back();
  if (policy.first_byte.ms > 0 && line.set.first_byte == kInherited)
    row.timeouts.first_byte = policy.first_byte;
  if (row.limits.concurrency == 0) row.limits.concurrency = policy.concurrency;
  lines_.push_back(line);
  out_.catalog.deployments.push_back(std::move(row));
}

void Builder::add_deployment(DeploymentDraft& draft) {
  if (draft.row.id.empty()) return;  // reported when it was read, like all that is empty here
  if (!add(deployments_, draft.row.id, static_cast<std::uint32_t>(lines_.size())))
    return report_.fault_about(draft.at, "the deployment % a second time", draft.row.id, "each id once");
  std::optional<ProviderId> provider;
  if (!draft.provider.value.empty()) provider = provider_named(draft.provider.value, draft.provider.at);
  if (provider) return add_line(std::move(draft.row), *provider, draft.timeouts, draft.breaker);
  Line line;
  line.broken = true;
  lines_.push_back(line);
  out_.catalog.deployments.push_back(std::move(draft.row));
}

std::optional<std::uint32_t> Builder::passthrough_line(const RouteDraft& route, const Name& id) {
  std::string_view provider_name = id.value;
  if (provider_name.starts_with(kPassthrough)) provider_name.remove_prefix(kPassthrough.size());
  if (provider_name.find('*') != std::string_view::npos || !is_pattern(route.row.name)) {
    report_.fault_about(id.at, "%", id.value,
                        "\"*@provider\" in a route whose name ends in \"/*\"; ids hold no \"*\"");
    return std::nullopt;
  }
  if (const auto known = find(passthrough_, id.value)) return known;
  const auto provider = provider_named(provider_name, id.at);
  if (!provider) return std::nullopt;
  const auto place = static_cast<std::uint32_t>(lines_.size());
  add(passthrough_, id.value, place);
  Deployment row;
  row.id = id.value;
  add_line(std::move(row), *provider, {}, {});
  return place;
}

std::optional<std::uint32_t> Builder::line_of(const RouteDraft& route, const Name& id) {
  if (id.value.find('*') != std::string::npos) return passthrough_line(route, id);
  const auto line = find(deployments_, id.value);
  if (!line) {
    report_unknown(report_, id, "deployment", deployments_);
  } else if (!lines_[*line].broken) {
    return line;
  }
  return std::nullopt;
}

void Builder::add_entry(RouteDraft& draft, const EntryDraft& entry) {
  const auto place = line_of(draft, entry.id);
  if (!place) return;
  Line& line = lines_[*place];
  const std::size_t route = out_.catalog.routes.size();
  if (line.listed_by == route)
    return report_.fault_about(entry.id.at, "% a second time", entry.id.value, "each line once in a route");
  line.listed_by = route;
  const DeploymentId id{*place};
  const Deployment& deployment = out_.catalog.deployment(id);
  draft.row.entries.push_back({id, entry.priority.value_or(deployment.priority),
                               entry.weight.value_or(deployment.weight), entry.role.value});
  if (!draft.timeouts.set.empty())
    check_limits(report_, merged(line.set, draft.timeouts.set), draft.timeouts.at);
}

void Builder::add_route(RouteDraft& draft) {
  apply(draft_.defaults.retry, draft.row.retry);
  apply(draft.retry, draft.row.retry);
  draft.row.timeouts = draft.timeouts.set;
  if (find(deployments_, draft.row.name))
    report_.warn(draft.at, "a route with the id of a deployment", "the name calls the route");
  for (const EntryDraft& entry : draft.entries) add_entry(draft, entry);
  Shadow& shadow = draft.row.shadow;
  if (shadow.deployment.empty() && draft.gate.asked())
    report_.warn(draft.gate_at, "a gate without a shadow",
                 "\"shadow\" beside it: a gate is what its line must pass");
  if (!shadow.gate.asked()) shadow.gate = draft.gate;
  for (const OfStrategy& key : draft.of_strategies) {
    if (key.strategy != draft.strategy)
      report_.warn(key.at, joined({"\"", key.key, "\" beside a strategy that does not heed it"}),
                   heeded_by(key.strategy));
  }
  Affinity& affinity = draft.row.affinity;
  if (draft.strategy == Strategy::affinity && affinity.by == Affinity::By::none)
    affinity.by = Affinity::By::prefix;
  out_.catalog.routes.push_back(std::move(draft.row));
}

}  // namespace

void build(Draft& draft, Report& report, Loaded& out) { Builder(draft, report, out).run(); }

}  // namespace shunt::config
