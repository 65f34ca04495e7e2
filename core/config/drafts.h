// A configuration as it was written: every section's values with the places of what refers to something else.
// The readers fill it in document order; build.cpp makes the catalog of it once all names are known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "config/reader.h"
#include "exchange/policy.h"
#include "health/policy.h"

namespace shunt::config {

// A value and the offset it stands at; faults point there.
template <typename T>
struct Placed {
  T value{};
  std::uint64_t at = 0;
};
using Name = Placed<std::string>;

struct TimeoutsDraft {
  TimeoutOverrides set;
  std::uint64_t at = 0;  // of the object
};

// The rules of one breaker: a preset and what departs from it.
struct BreakerDraft {
  health::Preset preset = health::Preset::stepped;
  std::optional<std::uint32_t> consecutive_failures;
  std::optional<Duration> window;
  std::optional<std::uint32_t> min_calls;
  std::optional<std::int64_t> failure_rate;  // millionths
  std::optional<Duration> slow_after;
  std::optional<std::int64_t> slow_rate;  // millionths
  std::optional<Duration> open;
  std::optional<std::int64_t> growth;
  std::optional<Duration> open_most;
  std::optional<std::array<health::Rung, 4>> ladder;
  std::optional<bool> manual;
  std::optional<std::uint32_t> permits;
  std::optional<std::uint32_t> probe_thinning;
};

struct RetryDraft {
  std::optional<int> attempts;
  std::optional<std::int64_t> ratio, min_per_s, failover;  // millionths
};

struct DefaultsDraft {
  TimeoutsDraft timeouts;
  std::optional<BreakerDraft> breaker;
  RetryDraft retry;
};

struct ProviderDraft {
  std::string name;
  std::uint64_t at = 0;
  // Each is empty also when what was written was refused; "given" then keeps it from being missed a second
  // time.
  std::optional<Name> preset;
  std::optional<Placed<DialectId>> dialect;
  bool source_given = false;
  std::optional<Name> base_url;
  bool base_url_given = false;
  std::optional<std::string> path, stream_path;
  std::optional<AuthKind> auth;
  std::optional<std::string> auth_name;
  std::vector<std::string> keys;
  bool keys_given = false;
  bool client_key = false;
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<Quirks> quirks;
  std::string region;
  TimeoutsDraft timeouts;
  std::optional<BreakerDraft> breaker;
};

struct DeploymentDraft {
  Deployment row;
  std::uint64_t at = 0;
  Name provider;
  TimeoutsDraft timeouts;
  std::optional<BreakerDraft> breaker;
};

struct EntryDraft {
  Name id;
  std::optional<int> priority, weight;
  Name role;
};

struct RouteDraft {
  Route row;
  std::uint64_t at = 0;
  std::vector<EntryDraft> entries;
  std::vector<Name> lines_named;   // deployments that its fallback, assess, shadow and output name
  std::vector<Name> routes_named;  // routes that its fallback names
  std::vector<Name> roles_named;
  std::vector<Name> prompts_named;
  std::vector<std::string> prompts;
  TimeoutsDraft timeouts;
  RetryDraft retry;
};

struct Draft {
  DefaultsDraft defaults;
  std::vector<ProviderDraft> providers;
  std::vector<DeploymentDraft> deployments;
  std::vector<RouteDraft> routes;
  exchange::EnginePolicy engine;
};

// One reader per section, each in the file of its name.
void read_defaults(Reader& in, Draft& into);
void read_providers(Reader& in, Draft& into);
void read_deployments(Reader& in, Draft& into);
void read_routes(Reader& in, Draft& into);
void read_clients(Reader& in, Draft& into);
void read_limits(Reader& in, Draft& into);
void read_cors(Reader& in, Draft& into);

// Values that stand in several sections.
void read_timeouts(Reader& in, TimeoutsDraft& into);
void read_breaker(Reader& in, std::optional<BreakerDraft>& into);
void read_retry(Reader& in, RetryDraft& into);
health::BreakerPolicy policy_of(const BreakerDraft& draft);

}  // namespace shunt::config
