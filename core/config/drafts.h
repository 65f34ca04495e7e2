// A configuration as it was written: every section's values with the places of what refers to something else.
// The readers fill it in document order; build.cpp makes the catalog of it once all names are known.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog.h"
#include "config/reader.h"
#include "exchange/policy.h"
#include "health/policy.h"

namespace shunt::config {

// A text and the offset it stands at; faults point there.
struct Name {
  std::string value;
  std::uint64_t at = 0;
};

using Headers = std::vector<std::pair<std::string, std::string>>;

struct TimeoutsDraft {
  TimeoutOverrides set;
  std::uint64_t at = 0;  // of the object
};

// Rules of one level; one without any leaves them to the level outside it.
using BreakerDraft = std::optional<health::BreakerPolicy>;

struct RetryDraft {
  std::optional<int> attempts;
  std::optional<std::int64_t> ratio, min_per_s, failover;  // millionths
};

struct DefaultsDraft {
  TimeoutsDraft timeouts;
  BreakerDraft breaker;
  RetryDraft retry;
};

struct ProviderDraft {
  Provider row;  // what is empty here and in the next three comes from the preset or the dialect
  std::optional<DialectId> dialect;
  std::optional<AuthKind> auth;
  std::optional<Quirks> quirks;
  std::uint64_t at = 0;
  std::uint64_t preset_at = 0;
  std::uint64_t dialect_at = 0;
  // Said also when what was written was refused, so that it is not missed a second time.
  bool source_given = false;
  bool base_url_given = false;
  bool keys_given = false;
  TimeoutsDraft timeouts;
  BreakerDraft breaker;
};

struct DeploymentDraft {
  Deployment row;
  std::uint64_t at = 0;
  std::uint64_t limits_at = 0;
  Name provider;
  TimeoutsDraft timeouts;
  BreakerDraft breaker;
};

struct EntryDraft {
  Name id;
  std::optional<int> priority, weight;
  Name role;
};

// What a route's steps name: deployments, routes, roles of its lines, prompts of its own.
struct Reference {
  enum class To : std::uint8_t { line, route, role, prompt };
  To to = To::line;
  Name name;
};

// A key that only one strategy heeds.
struct OfStrategy {
  const char* key;
  Strategy strategy;
  std::uint64_t at;
};

struct RouteDraft {
  Route row;
  Strategy strategy = Strategy::priority_weighted;  // as written; the row's is one that is in force
  std::list<OfStrategy> of_strategies;
  std::uint64_t at = 0;
  std::list<EntryDraft> entries;
  std::list<Reference> references;
  std::list<Name> prompts;  // their names; the texts are in the row
  Gate gate;                // of a shadow that has none of its own
  std::uint64_t gate_at = 0;
  TimeoutsDraft timeouts;
  RetryDraft retry;
};

struct RuleDraft {
  std::string id;
  Name provider;
  bool narrowed = false;  // it names a status, a code or a text
  std::uint16_t status = 0;
  std::string words, says, sub;
  ErrorClass error_class = ErrorClass::unknown;
  std::optional<Scope> scope;
  std::optional<bool> retry_same, switch_provider;
  std::optional<Penalty> penalty;
};

// Lists, because what is in them is large and moves only once: into the catalog.
struct Draft {
  DefaultsDraft defaults;
  std::list<ProviderDraft> providers;
  std::list<DeploymentDraft> deployments;
  std::list<RouteDraft> routes;
  std::list<RuleDraft> rules;
  exchange::EnginePolicy engine;
  std::vector<std::uint64_t> tasks_at;     // of the names of engine.tasks
  std::optional<std::uint64_t> limits_at;  // of the first limits that all isolates should share

  void note_limits(const Quota& limits, std::uint64_t at) {
    if (!limits.empty() && !limits_at) limits_at = at;
  }
};

// One reader per section, each in the file of its name.
void read_defaults(Reader& in, Draft& into);
void read_providers(Reader& in, Draft& into);
void read_deployments(Reader& in, Draft& into);
void read_routes(Reader& in, Draft& into);
void read_clients(Reader& in, Draft& into);
void read_limits(Reader& in, Draft& into);
void read_tasks(Reader& in, Draft& into);
void read_cors(Reader& in, Draft& into);
void read_rules(Reader& in, Draft& into);
void read_state(Reader& in, Draft& into);
void read_active_checks(Reader& in, Draft& into);
void read_admin(Reader& in, Draft& into);

// Rows as classify's book takes them.
std::string packed_rules(const std::list<RuleDraft>& rules);

// Values that stand in several sections.
void read_timeouts(Reader& in, TimeoutsDraft& into);
void read_breaker(Reader& in, BreakerDraft& into);
void read_retry(Reader& in, RetryDraft& into);

}  // namespace shunt::config
