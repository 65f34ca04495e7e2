// A route: the public name that clients ask for, its lines, and the policy of its plan, retries and further
// steps. Values only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "catalog/ids.h"
#include "catalog/timeouts.h"

namespace shunt {

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

// Where thinking stands in a text that is to be told as reasoning.
enum class Thinking : std::uint8_t {
  off,
  tagged,  // between <think> and </think>
  opened,  // the model's template opened the tag: from the beginning to the first closing one, too
};

// What a route changes in the texts of its answers.
struct TextCare {
  bool math = false;  // \( \) and \[ \] become $ and $$
  Thinking think = Thinking::off;
  constexpr bool asked() const { return math || think != Thinking::off; }
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
  constexpr bool asked() const { return min_calls > 0 || success_micros > 0 || p90_ms > 0; }
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
  TextCare text;
  RetryPolicy retry;
  TimeoutOverrides timeouts;  // limits the route sets for itself; see timeouts_of
  Duration keepalive{0};      // comments while waiting; 0 = off
  std::vector<FallbackStep> fallback;
};

constexpr bool is_pattern(std::string_view route_name) { return route_name.ends_with("/*"); }
// What a passthrough line of `route` is asked for: the part of `requested` after a pattern's slash, else all
// of it.
std::string_view asked_model(const Route& route, std::string_view requested);

}  // namespace shunt
