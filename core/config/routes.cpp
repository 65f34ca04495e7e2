// "routes": the public model names, their lines, and the policy of each. Steps a route may take beyond its
// lines (fallback, assess, shadow, output) are in steps.cpp.
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
    {"role", own<read_name, &EntryDraft::role>(), Stand::later},
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

// A strategy is in force when route has its function.
void read_strategy(Reader& in, R& into) {
  const std::uint64_t at = in.at();
  const Names names(kStrategyNames.begin(), kStrategyNames.end());
  const auto place = read_word_of(in, names);
  if (!place) return;
  const auto strategy = static_cast<Strategy>(*place);
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

void read_route_role(Reader& in, R& into) { read_reference(in, into, Reference::To::role); }
constexpr auto kStream = table<R>({{"role", own<read_route_role>(), Stand::required}});

constexpr auto kHedge = table<void>({
    {"after", word("p90_ttft p95_ttft p99_ttft"), Stand::required},
    {"budget", micros(range<0, kOne>)},
});

constexpr auto kAffinity = table<void>({
    {"by", word("session prefix"), Stand::required},
    {"prefix_bytes", integer(range<1, 65536>)},
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
    {"task", text<&R::row, &Route::task>(), Stand::later},
    {"objective", micros(range<0, kOne>), Stand::later},
    {"across", flag(), Stand::later},
    {"quota", flag(), Stand::later},
    {"min_score", integer(range<0, 100>), Stand::later},
    {"degrade_threshold", micros(range<0, kOne>), Stand::later},
    {"stream", object(kStream), Stand::later},
    {"roles", texts(), Stand::later},
    {"hedge", object(kHedge), Stand::later},
    {"affinity", object(kAffinity), Stand::later},
    {"fallback", own<read_fallback>()},
    {"empty_when", own<read_empty_when>()},
    {"assess", own<read_assess>(), Stand::later},
    {"prompts", own<read_prompts>(), Stand::later},
    {"gate", own<read_gate>(), Stand::later},
    {"shadow", own<read_shadow>(), Stand::later},
    {"output", own<read_output>(), Stand::later},
    {"text", own<read_text_care>(), Stand::later},
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
