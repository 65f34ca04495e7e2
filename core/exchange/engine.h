// What all exchanges of one isolate share: configuration, clock, health, budgets, loans. One per isolate or
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admit/admission.h"
#include "admit/learner.h"
#include "admit/line_limits.h"
#include "admit/queue.h"
#include "canonical/failure.h"
#include "canonical/usage.h"
#include "catalog/catalog.h"
#include "classify/rule_book.h"
#include "config/config.h"
#include "exchange/clock.h"
#include "exchange/cost.h"
#include "exchange/loans.h"
#include "exchange/probe.h"
#include "exchange/sharing.h"
#include "health/table.h"
#include "route/budget.h"
#include "route/line_view.h"
#include "route/plan.h"

namespace shunt::exchange {

class Intake;

// Dense numbers for names, in order of first appearance.
class Numbers {
 public:
  std::uint32_t of(std::string_view name,
                   std::size_t most = ~std::size_t{0});  // 0 = it would be one too many
  std::optional<std::uint32_t> find(std::string_view name) const;
  std::size_t size() const { return sorted_.size(); }

 private:
  std::vector<std::pair<std::string, std::uint32_t>> sorted_;
};

// What of a request decides which lines can serve it, and how well; a default one asks nothing.
struct Needs {
  Abilities abilities;
  const Intake* intake = nullptr;             // its excluded lines
  std::optional<std::uint64_t> seed;          // draws whether a recovering line may be probed; none = it may
  std::uint32_t task = 0;                     // number of the task type
  std::string_view task_name;                 // by which lines state their scores
  std::int64_t input_tokens = 0;              // estimates
  std::optional<std::int64_t> output_tokens;  // none = the client sets no limit
  std::vector<std::string_view> roles;        // wanted, best first
  const Route* route = nullptr;  // whose strategy may want percentiles, and whose shadow is gated
  PriorityClass priority = PriorityClass::normal;
  admit::Queue::Ticket ticket = 0;  // of who waits already
  admit::Resource waits_for;
  bool under_way = false;  // it has been let in: where it goes next it need not queue
};

// Whether a line serves in that role in this route: as the entry says, else as the line itself.
bool has_role(const RouteEntry& entry, const Deployment& deployment, std::string_view role);

// What last went wrong on a line, for people.
struct RecentError {
  ErrorClass error_class = ErrorClass::unknown;
  std::string message;  // redacted
  Instant at;
};

class Engine {
 public:
  explicit Engine(config::Loaded loaded);

  const config::Loaded& loaded() const { return loaded_; }
  const Catalog& catalog() const { return loaded_.catalog; }
  Clock& clock() { return clock_; }
  health::HealthTable& health() { return health_; }
  const health::HealthTable& health() const { return health_; }
  Loans& loans() { return loans_; }
  Sharing& sharing() { return sharing_; }
  admit::Admission& admission() { return admission_; }
  admit::LineLimits& line_limits() { return line_limits_; }
  admit::LimitLearner& learner() { return learner_; }
  admit::Queue& queue() { return queue_; }
  static constexpr std::uint32_t kLineTurn = 3;  // kind of what is waited for: a line's turn
  Checks& checks() { return checks_; }
  const classify::RuleBook& rules() const { return rules_; }

  // Whether the exchange with this seed may probe a line.
  bool may_probe(std::uint32_t line, std::uint64_t seed, Instant now) const {
    return sharing_.may_probe(line, health_.policy(line), seed, now);
  }
  // Under which the store grants a line's probe lease.
  std::string lease_key(std::uint32_t line) const;
  // The retry budgets of a route; null = of calls that name their line directly.
  route::Budgets& budgets(const Route* route);
  // The number of a task type. Names that only clients know are told apart up to a bound; beyond it they
  // share 0.
  std::uint32_t task(std::string_view name);
  // The number of a region's name; 0 = no line is there.
  std::uint32_t region(std::string_view name) const { return region_names_.find(name).value_or(0); }
  // Bytes of a prompt that routes draw a line with; 0 = none does.
  std::size_t most_prefix() const { return most_prefix_; }
  // What the policy of a route's plan is, but for what each request asks.
  static route::PlanPolicy plan_policy(const Route* route);
  // One route entry as routing sees it now.
  route::LineView view(const RouteEntry& entry, const Needs& needs, Instant now);
  std::vector<route::LineView> views(std::span<const RouteEntry> entries, const Needs& needs, Instant now);
  // In nano-dollars; -1 = the line states no price.
  std::int64_t expected_cost(std::uint32_t line, const Needs& needs) const {
    return expected_cost(loaded_.catalog.deployments[line], rows_[line], needs);
  }
  admit::Use expected_use(std::uint32_t line, const Needs& needs) const;
  admit::CallTokens expected_tokens(std::uint32_t line, const Needs& needs) const {
    return {needs.input_tokens, output_tokens(needs.output_tokens, loaded_.catalog.deployments[line])};
  }

  // Who asks, by their limits; and the place of a client in the configuration.
  admit::Ask asker(std::string_view client, std::string_view task) const;
  PriorityClass priority_of(std::string_view client) const;
  // Under which the store shares a quota out.
  std::string quota_key(const admit::Need& need) const;
  // By which the learner knows a line's key slot and model.
  std::uint32_t limit_index(std::uint32_t line, std::uint32_t slot) const {
    return rows_[line].limits + slot;
  }
  // What was learnt of the provider's limits for the line's keys and model is wrong.
  void forget_limits(std::uint32_t line, Instant now);
  void observe_wall(Instant now, WallTime wall);
  WallTime wall(Instant now) const { return {now.ms + wall_offset_ms_}; }

  // Null = nothing yet.
  const RecentError* recent_error(std::uint32_t line) const { return rows_[line].error.get(); }
  void note_error(std::uint32_t line, const Verdict& verdict, Instant now);
  // Learns from an answer how much of a prompt a line finds in its cache.
  void note_usage(std::uint32_t line, const Usage& usage);
  // Counts what a line has shown, for the gates of lines that are being tried out.
  void note_trial(std::uint32_t line, bool good);

  std::size_t memory() const;

 private:
  struct Trial {
    std::uint32_t calls = 0;
    std::uint32_t good = 0;
  };
  struct Row {
    std::uint64_t name_hash = 0;
    std::uint32_t region = 0;  // number of its name, 0 = none
    std::uint32_t limits = 0;  // the learner's number of its first slot
    Trial trial;
    std::int32_t cached_micros = 0;      // share of prompts read from its cache
    std::unique_ptr<RecentError> error;  // null = none yet
  };
  void fill(route::LineView& view, const RouteEntry& entry, const Needs& needs, Instant now);
  static std::int64_t expected_cost(const Deployment& line, const Row& row, const Needs& needs);
  bool gated(std::uint32_t line, const Needs& needs, Instant now) const;
  void number_limits();
  void apply_limits(route::LineView& view, const Needs& needs, std::int64_t output, Instant now);

  config::Loaded loaded_;
  Clock clock_;
  health::HealthTable health_;
  Loans loans_;
  Sharing sharing_;
  Checks checks_;
  admit::Admission admission_;
  admit::LineLimits line_limits_;
  admit::LimitLearner learner_;
  admit::Queue queue_;
  std::int64_t wall_offset_ms_ = 0;
  Numbers client_places_;
  classify::RuleBook rules_;
  std::vector<route::Budgets> budgets_;  // by route index; the last is for direct calls
  Numbers region_names_;
  std::vector<Row> rows_;  // by deployment
  Numbers tasks_;
  std::size_t most_tasks_ = 0;
  std::size_t most_prefix_ = 0;
};

}  // namespace shunt::exchange
