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

#include "base/time.h"
#include "canonical/quota.h"
#include "catalog/dialect_id.h"
#include "catalog/quirks.h"

namespace shunt {

// Indexes into Catalog's vectors; the same numbers travel over the boundary.
enum class ProviderId : std::uint32_t {};
enum class DeploymentId : std::uint32_t {};
enum class RouteId : std::uint32_t {};
constexpr std::uint32_t index_of(ProviderId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index_of(DeploymentId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index_of(RouteId id) { return static_cast<std::uint32_t>(id); }

// How a key is put on a request; the host does it, the core only names it.
enum class AuthKind : std::uint8_t { none, bearer, header, query, aws_sigv4, oauth2, google_service_account };

// Limits of one attempt and one exchange; 0 = no limit of this kind.
struct Timeouts {
  Duration connect{5000};
  Duration first_byte{60000};     // streams: to the first byte of the head
  Duration first_token{120000};   // streams: to the first content (reasoning models think that long)
  Duration idle{60000};           // streams: between chunks, only while we want bytes
  Duration attempt{0};            // one attempt, streams
  Duration total{0};              // the whole exchange, streams
  Duration plain_total{600000};   // plain answers: in all, and no first-byte limit
  Duration client_stall{300000};  // the client does not read
  friend bool operator==(const Timeouts&, const Timeouts&) = default;
};

// Limits that one level of the configuration sets; what it leaves unset comes from the level outside it.
inline constexpr Duration kInherited{-1};
struct TimeoutOverrides : Timeouts {
  constexpr TimeoutOverrides()
      : Timeouts{kInherited, kInherited, kInherited, kInherited,
                 kInherited, kInherited, kInherited, kInherited} {}
  bool empty() const { return *this == TimeoutOverrides{}; }
  friend bool operator==(const TimeoutOverrides&, const TimeoutOverrides&) = default;
};
// What `by` sets, over what `limits` holds.
void override_limits(Timeouts& limits, const TimeoutOverrides& by);
Timeouts overridden(const Timeouts& base, const TimeoutOverrides& by);

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

struct RouteEntry {
  DeploymentId deployment{};
  int priority = 1;
  int weight = 1;
  std::string role;
};

enum class Strategy : std::uint8_t {
  priority_weighted,
  weighted,
  weight_order,
  primary_backup,
  order,
  cost_aware,
  performance_first,
  score,
  success_degrade,
  least_busy,
  affinity,
};
enum class LastLine : std::uint8_t { keep, protect };
enum class OnStreamBreak : std::uint8_t { error, continue_ };

struct RetryPolicy {
  int attempts = 3;                           // main attempts of one exchange, all lines together
  std::int64_t budget_ratio_micros = 200000;  // 0.2
  std::int64_t budget_min_per_s_micros = 1000000;
  std::int64_t failover_ratio_micros = 1000000;  // 1.0
};

// A caller's own notion of an empty answer ("answered, but says it cannot"), asked of plain answers: what a
// stream says has been sent by then.
struct EmptyWhen {
  std::string pointer;  // JSON pointer into the answer as the client gets it; empty = not asked
  std::string equals;   // raw JSON the value must equal; empty = it must be absent, null or empty
  std::vector<std::string> phrases;  // any of them in the answer's text
  bool asked() const { return !pointer.empty() || !phrases.empty(); }
};

// A second attempt where the first is slow to begin; permille = 0: never.
struct Hedge {
  int permille = 0;                // of the time to first token: 950 = p95
  std::int64_t budget_micros = 0;  // hedges a request earns; there is no reserve
};

// Which requests should meet the same line, so that a provider's prompt cache is hit.
struct Affinity {
  enum class By : std::uint8_t { none, session, prefix };
  By by = By::none;
  std::uint32_t prefix_bytes = 1024;  // of the prompt, by prefix
};

// What a shadowed line must have shown before it is ranked; 0 = not asked.
struct Gate {
  std::uint32_t min_calls = 0;
  std::int64_t success_micros = 0;
  std::uint32_t p90_ms = 0;
  bool asked() const { return min_calls > 0 || success_micros > 0 || p90_ms > 0; }
};

// A line that is sent copies of requests; nobody sees its answers.
struct Shadow {
  std::string deployment;  // its id; empty = none
  std::int64_t share_micros = 0;
  Gate gate;  // the route's, where it has none of its own
};

// What a route does once every line has failed or is out: asks one more, or says what stands here.
struct FallbackStep {
  std::string deployment;  // its id; empty = the message is the answer
  std::string message;
  int status = 200;  // from 400 on the message is an error's
};

struct Route {
  std::string name;                 // the public model name; may end in "/*"
  std::vector<RouteEntry> entries;  // in configuration order
  Strategy strategy = Strategy::priority_weighted;
  std::string task;                      // empty = the name
  std::optional<bool> across;            // over all priorities at once; none = as the strategy is used to
  bool quota = false;                    // score: times what is left of the line's limits
  int min_score = 80;                    // of a task, from which fallback prefers a line
  std::int64_t degrade_micros = 600000;  // success_degrade: lines below go behind
  std::int64_t objective_micros = 0;     // success rate the operator wants; 0 = none stated
  std::vector<std::string> roles;        // wanted of a line, best first; any other serves all the same
  std::string stream_role;               // wanted for streams, before those
  Hedge hedge;
  Affinity affinity;
  Shadow shadow;
  std::vector<std::pair<std::string, std::string>> prompts;  // role -> system prompt
  LastLine last_line = LastLine::keep;
  OnStreamBreak on_stream_break = OnStreamBreak::error;
  bool content_policy_switch = false;  // on_content_policy: "switch"
  bool stop_on_quota = false;          // on_quota: "stop": no other line after this class
  bool stop_on_auth = false;
  bool stop_on_unavailable = false;
  Duration wait_same{0};  // on_rate_limit.wait_same: the same line after a wait up to this; 0 = switch
  EmptyWhen empty_when;
  RetryPolicy retry;
  TimeoutOverrides timeouts;  // limits the route sets for itself; see timeouts_of
  Duration keepalive{0};      // comments while waiting; 0 = off
  std::vector<FallbackStep> fallback;
};

constexpr bool is_pattern(std::string_view route_name) { return route_name.ends_with("/*"); }
// What a passthrough line of `route` is asked for: the part of `requested` after a pattern's slash, else all
// of it.
std::string_view asked_model(const Route& route, std::string_view requested);

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
