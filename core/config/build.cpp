// From names to tables. Providers first, then deployments, then routes: each refers only to what stands
// before it.
#include "config/build.h"

#include <algorithm>

#include "base/strings.h"
#include "catalog/providers.h"
#include "config/checks.h"
#include "config/names.h"
#include "config/shown.h"
#include "dialect/dialect.h"

namespace shunt::config {
namespace {

// Whatever model was asked for, at one provider: "*@openai".
constexpr std::string_view kPassthrough = "*@";

bool is_loopback(std::string_view base_url) {
  std::string_view host = base_url.substr(base_url.find("//") + 2);
  host = host.substr(0, host.find('/'));
  return host.starts_with("127.") || host.starts_with("localhost") || host.starts_with("[::1]");
}

bool is_spoken(DialectId id) { return dialect::find(id) != nullptr; }

std::string spoken() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kDialectNames.size(); ++i) {
    if (is_spoken(static_cast<DialectId>(i))) names.push_back(kDialectNames[i]);
  }
  return "a provider that speaks " + listed(names);
}

class Builder {
 public:
  Builder(const Draft& draft, Report& report, Loaded& out) : draft_(draft), report_(report), out_(out) {}

  void run() {
    check_limits(report_, draft_.defaults.timeouts.set, draft_.defaults.timeouts.at);
    for (const ProviderDraft& provider : draft_.providers) add_provider(provider);
    for (std::uint32_t i = 0; i < draft_.deployments.size(); ++i) add_deployment(draft_.deployments[i], i);
    for (std::uint32_t i = 0; i < draft_.routes.size(); ++i) routes_.emplace(draft_.routes[i].row.name, i);
    for (const RouteDraft& route : draft_.routes) add_route(route);
    check_steps(report_, draft_, deployments_, routes_);
    check_fallback_cycles(report_, draft_, routes_);
    if (out_.catalog.deployments.size() > limits::kDeployments) {
      report_.fault(0, "too many deployments, patterns counted in", "at most 10000 deployments");
    }
    if (out_.catalog.deployments.empty() && !report_.failed()) {
      report_.fault(0, "a configuration that can call nothing",
                    "one or more deployments, or a route with a pattern line");
    }
    out_.engine = draft_.engine;
    out_.catalog.finish();
  }

 private:
  void add_provider(const ProviderDraft& draft);
  void add_address(const ProviderDraft& draft, const Preset& base, Provider& row);
  void add_auth(const ProviderDraft& draft, const Preset& base, Provider& row);
  void add_deployment(const DeploymentDraft& draft, std::uint32_t place);
  void add_line(Deployment row, const ProviderDraft& provider, const TimeoutsDraft* timeouts,
                const std::optional<BreakerDraft>& breaker);
  void add_route(const RouteDraft& draft);
  std::optional<DeploymentId> line_of(const RouteDraft& route, const Name& id);
  std::optional<DeploymentId> passthrough_line(const RouteDraft& route, const Name& id);

  TimeoutOverrides set_at(const ProviderDraft& provider) const {
    return merged(draft_.defaults.timeouts.set, provider.timeouts.set);
  }

  const Draft& draft_;
  Report& report_;
  Loaded& out_;
  Index providers_;                                         // name -> place in draft and catalog alike
  Index deployments_;                                       // declared id -> place in the draft
  std::map<std::string, DeploymentId, std::less<>> lines_;  // every callable line, passthrough ones included
  std::vector<TimeoutOverrides> set_;  // by DeploymentId: all that configuration sets for the line
  Index routes_;
};

void Builder::add_address(const ProviderDraft& draft, const Preset& base, Provider& row) {
  if (draft.base_url_given) {
    if (draft.base_url) row.base_url = draft.base_url->value;
  } else if (base.base_url.empty()) {
    // A provider without a source has been told so.
    if (draft.dialect)
      report_.fault(draft.at, "no \"base_url\"", "the key is required where no preset gives the address");
  } else if (is_template(base.base_url)) {
    report_.fault(draft.at, "no \"base_url\"",
                  joined({"the key is required: this preset's address holds a name of your own, as in ",
                          base.base_url}));
  } else {
    row.base_url = base.base_url;
  }
  row.path = draft.path.value_or(std::string(base.path));
  // An own path is for streams too, unless they have one of their own.
  row.stream_path = draft.stream_path.value_or(draft.path ? std::string() : std::string(base.stream_path));
}

void Builder::add_auth(const ProviderDraft& draft, const Preset& base, Provider& row) {
  row.keys = draft.keys;
  row.client_key = draft.client_key;
  row.auth = draft.auth.value_or(base.auth);
  row.auth_name = draft.auth_name.value_or(std::string(base.auth_name));
  const bool named = row.auth == AuthKind::header || row.auth == AuthKind::query;
  if (named && draft.auth && !draft.auth_name && base.auth != row.auth) {
    report_.fault(draft.at, "no \"auth_name\"", "the header or query parameter that takes the key");
  }
  const bool has_key = draft.keys_given;
  if (!has_key && row.auth != AuthKind::none && draft.preset && !base.keyless && !draft.base_url_given) {
    report_.fault(draft.at, "no \"keys\"", "the key is required: names of secrets, or \"client\"");
  }
  if (has_key && row.base_url.starts_with("http://") && !is_loopback(row.base_url)) {
    report_.warn(draft.at, "keys sent over http://", "anyone on the way can read them");
  }
  if (!has_key) row.auth = AuthKind::none;
}

void Builder::add_provider(const ProviderDraft& draft) {
  providers_.emplace(draft.name, static_cast<std::uint32_t>(out_.catalog.providers.size()));
  Provider row;
  row.name = draft.name;
  const Preset* base = nullptr;
  if (draft.preset) {
    base = find_preset(draft.preset->value);
    row.preset = base->name;
    if (draft.dialect && draft.dialect->value != base->dialect) {
      report_.fault(draft.dialect->at,
                    joined({"a dialect beside a preset of another: ", name_of(base->dialect)}),
                    "the one or the other; a preset knows its dialect");
    }
  } else if (draft.dialect) {
    base = &dialect_defaults(draft.dialect->value);
  } else {
    if (!draft.source_given)
      report_.fault(draft.at, "neither \"preset\" nor \"dialect\"", "one of them is required");
    base = &dialect_defaults(DialectId::openai_chat);
  }
  row.dialect = base->dialect;
  row.framing = base->framing;
  if (!is_spoken(row.dialect)) {
    const std::uint64_t at = draft.dialect ? draft.dialect->at : draft.preset ? draft.preset->at : draft.at;
    report_.fault(at, joined({"the dialect ", name_of(row.dialect), ", which is known but not spoken yet"}),
                  spoken());
  }
  add_address(draft, *base, row);
  add_auth(draft, *base, row);
  for (const FixedHeader& header : base->headers) {
    const bool own = std::any_of(draft.headers.begin(), draft.headers.end(),
                                 [&](const auto& mine) { return mine.first == header.name; });
    if (!own) row.headers.emplace_back(header.name, header.value);
  }
  row.headers.insert(row.headers.end(), draft.headers.begin(), draft.headers.end());
  row.quirks = draft.quirks.value_or(base->quirks);
  row.region = draft.region;
  row.timeouts = overridden(Timeouts{}, set_at(draft));
  if (!draft.timeouts.set.empty()) check_limits(report_, set_at(draft), draft.timeouts.at);
  out_.catalog.providers.push_back(std::move(row));
}

void Builder::add_line(Deployment row, const ProviderDraft& provider, const TimeoutsDraft* timeouts,
                       const std::optional<BreakerDraft>& breaker) {
  TimeoutOverrides set = set_at(provider);
  if (timeouts != nullptr && !timeouts->set.empty()) {
    set = merged(set, timeouts->set);
    check_limits(report_, set, timeouts->at);
  }
  row.timeouts = overridden(Timeouts{}, set);
  if (row.region.empty()) row.region = provider.region;
  const std::optional<BreakerDraft>& rules = breaker            ? breaker
                                             : provider.breaker ? provider.breaker
                                                                : draft_.defaults.breaker;
  out_.breakers.push_back(policy_of(rules.value_or(BreakerDraft{})));
  set_.push_back(set);
  lines_.emplace(row.id, DeploymentId{static_cast<std::uint32_t>(out_.catalog.deployments.size())});
  out_.catalog.deployments.push_back(std::move(row));
}

void Builder::add_deployment(const DeploymentDraft& draft, std::uint32_t place) {
  if (draft.row.id.empty()) return;  // reported when it was read, like all that is empty here
  if (!deployments_.emplace(draft.row.id, place).second) {
    report_.fault(draft.at, joined({"the deployment \"", draft.row.id, "\" a second time"}), "each id once");
    return;
  }
  if (draft.provider.value.empty()) return;
  const auto provider = providers_.find(draft.provider.value);
  if (provider == providers_.end()) return report_unknown(report_, draft.provider, "provider", providers_);
  Deployment row = draft.row;
  row.provider = ProviderId{provider->second};
  add_line(std::move(row), draft_.providers[provider->second], &draft.timeouts, draft.breaker);
}

std::optional<DeploymentId> Builder::passthrough_line(const RouteDraft& route, const Name& id) {
  const std::string_view text = id.value;
  const std::string_view provider_name = text.substr(std::min(text.size(), kPassthrough.size()));
  if (!text.starts_with(kPassthrough) || provider_name.find('*') != std::string_view::npos ||
      !is_pattern(route.row.name)) {
    report_.fault(id.at, quoted(text),
                  "\"*@provider\" in a route whose name ends in \"/*\"; ids hold no \"*\"");
    return std::nullopt;
  }
  if (const auto known = lines_.find(text); known != lines_.end()) return known->second;
  const auto provider = providers_.find(provider_name);
  if (provider == providers_.end()) {
    report_unknown(report_, {std::string(provider_name), id.at}, "provider", providers_);
    return std::nullopt;
  }
  Deployment row;
  row.id = text;
  row.provider = ProviderId{provider->second};
  add_line(std::move(row), draft_.providers[provider->second], nullptr, std::nullopt);
  return DeploymentId{static_cast<std::uint32_t>(out_.catalog.deployments.size() - 1)};
}

std::optional<DeploymentId> Builder::line_of(const RouteDraft& route, const Name& id) {
  if (id.value.find('*') != std::string::npos) return passthrough_line(route, id);
  const auto line = lines_.find(id.value);
  if (line != lines_.end()) return line->second;
  // One that is declared but could not be built has been reported itself.
  if (!deployments_.contains(id.value)) report_unknown(report_, id, "deployment", deployments_);
  return std::nullopt;
}

void Builder::add_route(const RouteDraft& draft) {
  Route row = draft.row;
  const RetryDraft& defaults = draft_.defaults.retry;
  const RetryDraft& own = draft.retry;
  row.retry.attempts = own.attempts.value_or(defaults.attempts.value_or(row.retry.attempts));
  row.retry.budget_ratio_micros = own.ratio.value_or(defaults.ratio.value_or(row.retry.budget_ratio_micros));
  row.retry.budget_min_per_s_micros =
      own.min_per_s.value_or(defaults.min_per_s.value_or(row.retry.budget_min_per_s_micros));
  row.retry.failover_ratio_micros =
      own.failover.value_or(defaults.failover.value_or(row.retry.failover_ratio_micros));
  row.timeouts = draft.timeouts.set;
  if (deployments_.contains(row.name)) {
    report_.warn(draft.at, "a route with the id of a deployment", "the name calls the route");
  }
  std::set<std::uint32_t> listed_lines;
  for (const EntryDraft& entry : draft.entries) {
    const auto line = line_of(draft, entry.id);
    if (!line) continue;
    if (!listed_lines.insert(index_of(*line)).second) {
      report_.fault(entry.id.at, quoted(entry.id.value) + " a second time", "each line once in a route");
      continue;
    }
    const Deployment& deployment = out_.catalog.deployment(*line);
    row.entries.push_back({*line, entry.priority.value_or(deployment.priority),
                           entry.weight.value_or(deployment.weight), entry.role.value});
    if (!draft.timeouts.set.empty()) {
      check_limits(report_, merged(set_[index_of(*line)], draft.timeouts.set), draft.timeouts.at);
    }
  }
  out_.catalog.routes.push_back(std::move(row));
}

}  // namespace

void build(const Draft& draft, Report& report, Loaded& out) { Builder(draft, report, out).run(); }

}  // namespace shunt::config
