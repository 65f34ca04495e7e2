// What can be called: providers, deployments, routes, as tables of values that config fills. Knows no JSON
// and no health.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "canonical/quota.h"
#include "catalog/dialect_id.h"
#include "catalog/ids.h"
#include "catalog/quirks.h"
#include "catalog/route.h"
#include "catalog/timeouts.h"

namespace shunt {

// How a key is put on a request; the host does it, the core only names it.
enum class AuthKind : std::uint8_t { none, bearer, header, query, aws_sigv4, oauth2, google_service_account };

struct Provider {
  std::string name;    // as configured
  std::string preset;  // preset row it came from, empty = none
  DialectId dialect = DialectId::openai_chat;
  Framing framing = Framing::sse;
  std::string base_url;  // no trailing slash
  // Template of the path after base_url; "{model}" is replaced, percent-encoded ("{+model}": but its
  // slashes).
  std::string path;
  std::string stream_path;  // the same for streams where it differs; empty = path
  AuthKind auth = AuthKind::bearer;
  std::string auth_name;                                     // header or query parameter that takes the key
  std::vector<std::pair<std::string, std::string>> headers;  // fixed header set, lower-case names
  std::vector<std::string> keys;                             // names of the host's secrets, never values
  bool client_key = false;  // "keys": "client": the caller's own key is passed on by the host
  Quirks quirks = 0;
  std::string region;
  Timeouts timeouts;
};

struct Cost {  // micro-dollars per million tokens; unset = unknown
  std::optional<std::int64_t> input, output, cached_input;
};

// What a line changes in every request before it is sent there, in the words of its provider's API.
struct Adaptation {
  std::string system_prefix;  // stands before the client's own system prompt
  // Members of the body's top level: name, then JSON. They replace what the client sent.
  std::vector<std::pair<std::string, std::string>> params;
  std::vector<std::string> drop;  // top-level members that are left out
  bool empty() const { return system_prefix.empty() && params.empty() && drop.empty(); }
};

struct Deployment {
  std::string id;
  ProviderId provider{};
  std::string model;  // empty = passthrough: the model asked for (see asked_model)
  int priority = 1;   // 1 is best
  int weight = 1;
  std::string region;  // its own, else its provider's
  std::vector<std::string> roles;
  std::vector<std::string> capabilities;   // empty = not declared: assumed able
  std::int64_t context_tokens = 0;         // 0 = unknown
  std::optional<std::int64_t> max_tokens;  // put in where the dialect demands one and the client gave none
  Cost cost;
  std::vector<std::pair<std::string, int>> task_scores;  // by task type, 0 to 100
  Quota limits;
  Adaptation adaptation;
  bool local = false;  // at a loopback or private address: what fallback asks last
  Timeouts timeouts;   // provider's, overridden
};

// Ids travel in headers: ASCII [A-Za-z0-9._@/:-]{1,64}.
inline constexpr std::size_t kIdBytes = 64;

using Index = std::map<std::string, std::uint32_t, std::less<>>;       // names of a list -> their places
bool add(Index& index, const std::string& name, std::uint32_t place);  // false when it has the name
std::optional<std::uint32_t> find(const Index& index, std::string_view name);

// Filled by config, then never changed: a reload builds another beside it.
struct Catalog {
  std::vector<Provider> providers;
  std::vector<Deployment> deployments;
  std::vector<Route> routes;

  const Provider& provider_of(DeploymentId id) const {
    return providers[index_of(deployments[index_of(id)].provider)];
  }
  const Deployment& deployment(DeploymentId id) const { return deployments[index_of(id)]; }
  const Route& route(RouteId id) const { return routes[index_of(id)]; }
  // The limits of an attempt on `line` for `route`: built-in, then defaults, provider, deployment, and the
  // route last.
  Timeouts timeouts_of(RouteId route_id, DeploymentId line) const {
    return overridden(deployment(line).timeouts, route(route_id).timeouts);
  }
  // The exact name, else the longest matching "prefix/*" with something after the slash.
  std::optional<RouteId> find_route(std::string_view model) const;
  std::optional<DeploymentId> find_deployment(std::string_view id) const;

  Index routes_by_name;
  Index deployments_by_id;
  void finish();  // fills the indexes from the tables; of equal names the first counts
};

}  // namespace shunt
