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

#include "canonical/failure.h"
#include "catalog/catalog.h"
#include "classify/rule_book.h"
#include "config/config.h"
#include "exchange/clock.h"
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
  std::size_t size() const { return sorted_.size(); }

 private:
  std::vector<std::pair<std::string, std::uint32_t>> sorted_;
};

// What of a request decides which lines can serve it; a default one asks nothing.
struct Needs {
  bool vision = false;
  bool tools = false;
  bool json_schema = false;
  const Intake* intake = nullptr;     // its excluded lines
  std::optional<std::uint64_t> seed;  // draws whether a recovering line may be probed; none = it may
};

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
  // One route entry as routing sees it now.
  route::LineView view(const RouteEntry& entry, const Needs& needs, Instant now) const;
  std::vector<route::LineView> views(std::span<const RouteEntry> entries, const Needs& needs,
                                     Instant now) const;

  // Null = nothing yet.
  const RecentError* recent_error(std::uint32_t line) const { return errors_[line].get(); }
  void note_error(std::uint32_t line, const Verdict& verdict, Instant now);

  std::size_t memory() const;

 private:
  config::Loaded loaded_;
  Clock clock_;
  health::HealthTable health_;
  Loans loans_;
  Sharing sharing_;
  Checks checks_;
  classify::RuleBook rules_;
  std::vector<route::Budgets> budgets_;               // by route index; the last is for direct calls
  std::vector<std::uint32_t> regions_;                // by deployment: number of its region's name, 0 = none
  std::vector<std::unique_ptr<RecentError>> errors_;  // by deployment
  Numbers tasks_;
  std::size_t most_tasks_ = 0;
};

}  // namespace shunt::exchange
