// "routes": the public model names, their lines, and the policy of each. Steps a route may take beyond its
// lines (fallback, assess, shadow, output) are in steps.cpp.
#include <algorithm>

#include "base/limits.h"
#include "config/drafts.h"
#include "config/names.h"
#include "config/steps.h"
#include "config/values.h"
#include "route/strategies.h"

namespace shunt::config {
namespace {

using R = RouteDraft;
constexpr std::int64_t kOne = 1'000'000;

constexpr auto kEntry = table<EntryDraft>({
    {"id", own<read_name, &EntryDraft::id>(), Stand::required},
    {"priority", integer<&EntryDraft::priority>(range<1, 1000>)},
    {"weight", integer<&EntryDraft::weight>(range<0, route::kMaxWeight>)},
    {"role", own<read_name, &EntryDraft::role>()},
});

void read_entries(Reader& in, R& into) {
  const std::uint64_t at = in.at();
  if (!in.enter_array()) return;
  std::size_t count = 0;
  while (in.next_element()) {
    if (++count > limits::kPlanLines) {
      if (count == limits::kPlanLines + 1)
        in.report().fault(in.at(), "one line too many", "at most 500 lines");
      in.skip();
      continue;
    }
    EntryDraft& entry = into.entries.emplace_back();
    if (in.is_string()) {
      read_name(in, entry.id);
    } else if (in.is_object()) {
      read_object(in, entry, kEntry);
    } else {
      in.wrong("a deployment's id, or an object with \"id\", \"priority\", \"weight\" and \"role\"");
    }
    if (entry.id.value.empty()) into.entries.pop_back();
  }
  if (count == 0) in.report().fault(at, "a route without lines", "one or more deployments");
}

constexpr auto kStrategyNames = std::to_array<std::string_view>({
    "priority_weighted",
    "weighted",
    "weight_order",
    "primary_backup",
    "order",
    "cost_aware",
    "performance_first",
    "score",
    "success_degrade",
    "least_busy",
    "affinity",
});

static_assert(kStrategyNames.size() == static_cast<std::size_t>(Strategy::affinity) + 1);

// A strategy is in force when route has its function.
void read_strategy(Reader& in, R& into) {
  const std::uint64_t at = in.at();
  const Names names(kStrategyNames.begin(), kStrategyNames.end());
  const auto place = read_word_of(in, names);
  if (!place) return;
  const auto strategy = static_cast<Strategy>(*place);
  into.strategy = strategy;
  if (route::order_of(strategy) != nullptr) {
    into.row.strategy = strategy;
  } else {
    const std::string_view name = names[static_cast<std::size_t>(*place)];
    in.report().not_in_force(name.data(), at, name);
  }
}

constexpr const char* kOnFailure = "by_scope stop";

constexpr auto kWaitSame = table<R>({
    {"max_wait_ms", integer<&R::row, &Route::wait_same>(range<1, 600'000>), Stand::required},
});
constexpr auto kRateLimit = table<R>({{"wait_same", object(kWaitSame)}});

void read_rate_limit(Reader& in, R& into) {
  if (in.is_object()) {
    read_object(in, into, kRateLimit);
  } else if (in.is_string()) {
    read_word(in, "switch");
  } else {
    in.wrong("\"switch\", or an object with \"wait_same\"");
  }
}

void refuse_breaker(Reader& in) {
  in.report().fault(in.key_at(), "a breaker under a route",
                    "\"breaker\" on the deployment, its provider or in \"defaults\": a line has one health "
                    "wherever it is used");
  in.skip();
}

void read_route_role(Reader& in, R& into) {
  const std::size_t before = into.references.size();
  read_reference(in, into, Reference::To::role);
  if (into.references.size() > before) into.row.stream_role = into.references.back().name.value;
}
constexpr auto kStream = table<R>({{"role", own<read_route_role>(), Stand::required}});

// Roles that a line of the route must have.
void read_wanted_roles(Reader& in, R& into) {
  std::vector<std::string>& roles = into.row.roles;
  if (!in.enter_array()) return;
  while (in.next_element()) {
    const std::size_t before = into.references.size();
    read_reference(in, into, Reference::To::role);
    if (into.references.size() == before) continue;
    const Name& role = into.references.back().name;
    if (std::find(roles.begin(), roles.end(), role.value) != roles.end()) {
      in.report().fault_about(role.at, "the role % a second time", role.value, "each role once");
    } else if (roles.size() == kRoles) {
      in.report().fault(role.at, "one role too many", "at most 32 roles");
    } else {
      roles.push_back(role.value);
    }
  }
}

constexpr std::int64_t kUsualHedges = 50'000;  // of requests, in millionths

void read_after(Reader& in, Hedge& into) {
  constexpr int kPermille[] = {900, 950, 990};
  if (const auto place = read_word(in, "p90_ttft p95_ttft p99_ttft"))
    into.permille = kPermille[static_cast<std::size_t>(*place)];
}
constexpr auto kHedge = table<Hedge>({
    {"after", own<read_after>(), Stand::required},
    {"budget", micros<&Hedge::budget_micros>(range<0, kOne>)},
});

void read_quota(Reader& in, R& into) {
  const std::uint64_t at = in.at();
  into.row.quota = in.flag().value_or(false);
  if (into.row.quota) into.of_strategies.push_back({"quota", Strategy::score, at});
}
void read_degrade_threshold(Reader& in, R& into) {
  into.of_strategies.push_back({"degrade_threshold", Strategy::success_degrade, in.at()});
  if (const auto micros = in.micros(0, kOne)) into.row.degrade_micros = *micros;
}

void read_hedge(Reader& in, Hedge& into) {
  into.budget_micros = kUsualHedges;
  read_object(in, into, kHedge);
}

void read_by(Reader& in, Affinity& into) {
  if (const auto place = read_word(in, "session prefix"))
    into.by = *place == 0 ? Affinity::By::session : Affinity::By::prefix;
}
constexpr auto kAffinity = table<Affinity>({
    {"by", own<read_by>(), Stand::required},
    {"prefix_bytes", integer<&Affinity::prefix_bytes>(range<1, 65536>)},
});
void read_affinity(Reader& in, R& into) {
  into.of_strategies.push_back({"affinity", Strategy::affinity, in.at()});
  read_object(in, into.row.affinity, kAffinity);
}

constexpr auto kText = table<R>({
    {"math", flag<&R::row, &Route::text, &TextCare::math>()},
    {"think", word<&R::row, &Route::text, &TextCare::think>("off tagged opened")},
});

constexpr auto kRoute = table<R>({
    {"deployments", own<read_entries>(), Stand::required},
    {"strategy", own<read_strategy>()},
    {"last_line", word<&R::row, &Route::last_line>("keep protect")},
    {"retry", own<read_retry, &R::retry>()},
    {"timeouts", own<read_timeouts, &R::timeouts>()},
    {"keepalive_ms", integer<&R::row, &Route::keepalive>(range<0, 600'000>)},
    {"on_stream_break", word<&R::row, &Route::on_stream_break>("error ~continue")},
    {"on_content_policy", word<&R::row, &Route::content_policy_switch>("stop switch")},
    {"on_rate_limit", own<read_rate_limit>()},
    {"on_quota", word<&R::row, &Route::stop_on_quota>(kOnFailure)},
    {"on_auth", word<&R::row, &Route::stop_on_auth>(kOnFailure)},
    {"on_unavailable", word<&R::row, &Route::stop_on_unavailable>(kOnFailure)},
    {"breaker", own<refuse_breaker>()},
    {"name", text()},  // for people; may be anything
    {"task", own<read_id_text, &R::row, &Route::task>()},
    {"objective", micros<&R::row, &Route::objective_micros>(range<0, kOne>)},
    {"across", flag<&R::row, &Route::across>()},
    {"quota", own<read_quota>()},
    {"min_score", integer<&R::row, &Route::min_score>(range<0, 100>)},
    {"degrade_threshold", own<read_degrade_threshold>()},
    {"stream", object(kStream)},
    {"roles", own<read_wanted_roles>()},
    {"hedge", own<read_hedge, &R::row, &Route::hedge>()},
    {"affinity", own<read_affinity>()},
    {"fallback", own<read_fallback>()},
    {"empty_when", own<read_empty_when>()},
    {"assess", own<read_assess>(), Stand::later},
    {"prompts", own<read_prompts>()},
    {"gate", own<read_gate>()},
    {"shadow", own<read_shadow>()},
    {"output", own<read_output>(), Stand::later},
    {"text", object(kText)},
    {"supervise", word("always until_content"), Stand::later},
    {"cache", own<read_cache>(), Stand::later},
    {"coalesce", flag(), Stand::later},
});

// A model's name, or "prefix/*" for all that begin so.
bool check_route_name(Reader& in, const std::string& name, std::uint64_t at) {
  if (name.find('*') == std::string_view::npos) return check_id(in, name, at);
  const bool fine = is_pattern(name) && name.size() <= kIdBytes && valid_id(name.substr(0, name.size() - 2));
  if (!fine)
    in.report().fault_about(at, "the pattern %", name.substr(0, kIdBytes),
                            "one \"*\" only, at the end, after a prefix and a slash: \"openai/*\"");
  return fine;
}

}  // namespace

void read_routes(Reader& in, Draft& into) {
  for (Members members(in); members.next();) {
    R& route = into.routes.emplace_back();
    route.row.name = members.name();
    route.at = members.at();
    const bool named = check_route_name(in, members.name(), members.at());
    const bool read = read_object(in, route, kRoute) != kNoObject;
    const bool fits = into.routes.size() <= limits::kRoutes;
    if (!fits) in.report().fault(members.at(), "one route too many", "at most 10000 routes");
    if (!named || !read || !fits) into.routes.pop_back();
  }
}

}  // namespace shunt::config
