// Planning: who may be called, in the order of arrange.h; and what is left to do when nobody may.
#include "route/plan.h"

#include <string>

#include "base/check.h"
#include "base/limits.h"
#include "base/strings.h"
#include "route/arrange.h"
#include "route/strategies.h"

namespace shunt::route {
namespace {

// The first view with the earliest end among those that `wanted` accepts.
template <typename Wanted>
std::optional<std::uint16_t> nearest_end(std::span<const LineView> views, Wanted wanted) {
  std::optional<std::uint16_t> best;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (!wanted(views[i])) continue;
    if (!best || views[i].until < views[*best].until) best = static_cast<std::uint16_t>(i);
  }
  return best;
}

}  // namespace

void append_policy(json::Writer& out, const PlanPolicy& policy) {
  std::string affinity;
  append_hex(affinity, policy.affinity, 16);
  out.begin_object();
  out.field("strategy", name_of(policy.strategy));
  out.field("last_line", name_of(policy.last_line));
  out.flag("across", policy.across).flag("quota", policy.quota);
  out.field("min_score", std::int64_t{policy.min_score});
  out.key("degrade").micros(policy.degrade_micros);
  out.field("region", std::int64_t{policy.region});
  out.field("affinity", affinity);
  out.end_object();
}

Plan plan(std::span<LineView> views, const PlanPolicy& policy, std::uint64_t seed) {
  CORE_CHECK(views.size() <= limits::kPlanLines);
  Plan result;
  result.seed = seed;
  result.order.reserve(views.size());
  bool candidates = false;
  for (std::size_t i = 0; i < views.size(); ++i) {
    views[i].kept = false;
    const bool out = views[i].availability == Availability::out;
    if (!out) result.order.push_back(static_cast<std::uint16_t>(i));
    candidates = candidates || !out || is_candidate(views[i].cause);
  }
  if (!result.order.empty()) {
    arrange(views, policy, seed, result.order);
    result.verdict = PlanVerdict::available;
    return result;
  }
  if (!candidates) return result;
  if (policy.last_line == LastLine::keep) {
    result.kept = nearest_end(views, [](const LineView& view) { return view.cause == OutCause::breaker; });
  }
  if (result.kept) {
    views[*result.kept].kept = true;
    result.order.push_back(*result.kept);
    result.verdict = PlanVerdict::available;
    return result;
  }
  result.verdict = PlanVerdict::all_protected;
  result.nearest = nearest_end(
      views, [](const LineView& view) { return is_candidate(view.cause) && view.until != kNever; });
  if (result.nearest) result.retry_at = views[*result.nearest].until;
  return result;
}

}  // namespace shunt::route
