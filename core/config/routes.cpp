// "routes": the public model names, their lines, and the policy of each. Steps a route may take beyond its
// lines (fallback, assess, shadow, output) are in steps.cpp.
#include "base/strings.h"
#include "config/drafts.h"
#include "config/keys.h"
#include "config/names.h"
#include "config/steps.h"
#include "route/strategies.h"

namespace shunt::config {
namespace {

using R = RouteDraft;
constexpr std::int64_t kOne = 1'000'000;

constexpr auto kEntry = std::to_array<Key<EntryDraft>>({
    {"id", [](Reader& in, EntryDraft& into) { into.id = read_name(in).value_or(Name{}); }, Stand::required},
    {"priority", integer<&EntryDraft::priority, 1, 1000>},
    {"weight", integer<&EntryDraft::weight, 0, route::kMaxWeight>},
    {"role", [](Reader& in, EntryDraft& into) { into.role = read_name(in).value_or(Name{}); }, Stand::later},
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
    EntryDraft entry;
    if (in.is_string()) {
      entry.id = read_name(in).value_or(Name{});
    } else if (in.is_object()) {
      read_object(in, entry, std::span<const Key<EntryDraft>>(kEntry));
    } else {
      in.wrong("a deployment's id, or an object with \"id\", \"priority\", \"weight\" and \"role\"");
    }
    if (!entry.id.value.empty()) into.entries.push_back(std::move(entry));
  }
  if (count == 0) in.report().fault(at, "a route without lines", "one or more deployments");
}

constexpr std::array<std::string_view, 11> kStrategyNames = {
    "priority_weighted", "weighted", "weight_order",    "primary_backup", "order",    "cost_aware",
    "performance_first", "score",    "success_degrade", "least_busy",     "affinity",
};

// A strategy is in force when route has its function.
void read_strategy(Reader& in, R& into) {
  std::array<Word<Strategy>, kStrategyNames.size()> words{};
  const std::uint64_t at = in.at();
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = {kStrategyNames[i], static_cast<Strategy>(i), true};
  const auto strategy = read_word(in, std::span<const Word<Strategy>>(words));
  if (!strategy) return;
  if (route::order_of(*strategy) != nullptr) {
    into.row.strategy = *strategy;
  } else {
    const std::string_view name = kStrategyNames[static_cast<std::size_t>(*strategy)];
    in.report().not_in_force(name.data(), at, name);
  }
}

constexpr auto kLastLine =
    std::to_array<Word<LastLine>>({{"keep", LastLine::keep}, {"protect", LastLine::protect}});
constexpr auto kStreamBreak = std::to_array<Word<OnStreamBreak>>(
    {{"error", OnStreamBreak::error}, {"continue", OnStreamBreak::continue_, false}});

constexpr auto kOnFailure = std::to_array<Word<bool>>({{"by_scope", false}, {"stop", true}});
constexpr auto kContentPolicy = std::to_array<Word<bool>>({{"stop", false}, {"switch", true}});
constexpr auto kRateLimit = std::to_array<Word<bool>>({{"switch", true}});

constexpr auto kWaitSame = std::to_array<Key<R>>(
    {{"max_wait_ms", [](Reader& in, R& into) { duration<&Route::wait_same, 1, 600'000>(in, into.row); },
      Stand::required}});
constexpr auto kRateLimitObject = std::to_array<Key<R>>({{"wait_same", expect_object<kWaitSame>}});

void read_rate_limit(Reader& in, R& into) {
  if (in.is_object()) {
    read_object(in, into, std::span<const Key<R>>(kRateLimitObject));
  } else if (in.is_string()) {
    read_word(in, std::span<const Word<bool>>(kRateLimit));
  } else {
    in.wrong("\"switch\", or an object with \"wait_same\"");
  }
}

void refuse_breaker(Reader& in, R&) {
  in.report().fault(in.key_at(), "a breaker under a route",
                    "\"breaker\" on the deployment, its provider or in \"defaults\": a line has one health "
                    "wherever it is used");
  in.skip();
}

void read_route_role(Reader& in, R& into) {
  if (auto role = read_name(in)) into.roles_named.push_back(std::move(*role));
}
constexpr auto kStream = std::to_array<Key<R>>({{"role", read_route_role, Stand::required}});

enum class Percentile : std::uint8_t { p90, p95, p99 };
constexpr auto kHedgeAfter = std::to_array<Word<Percentile>>(
    {{"p90_ttft", Percentile::p90}, {"p95_ttft", Percentile::p95}, {"p99_ttft", Percentile::p99}});
constexpr auto kHedge = std::to_array<Key<R>>({
    {"after", expect_word<kHedgeAfter>, Stand::required},
    {"budget", expect_micros<0, kOne>},
});

enum class Affinity : std::uint8_t { session, prefix };
constexpr auto kAffinityBy =
    std::to_array<Word<Affinity>>({{"session", Affinity::session}, {"prefix", Affinity::prefix}});
constexpr auto kAffinity = std::to_array<Key<R>>({
    {"by", expect_word<kAffinityBy>, Stand::required},
    {"prefix_bytes", expect_integer<1, 65536>},
});

template <auto M, const auto& Words>
void row_word(Reader& in, R& into) {
  word<M, Words>(in, into.row);
}

constexpr auto kRoute = std::to_array<Key<R>>({
    {"deployments", read_entries, Stand::required},
    {"strategy", read_strategy},
    {"last_line", row_word<&Route::last_line, kLastLine>},
    {"retry", [](Reader& in, R& into) { read_retry(in, into.retry); }},
    {"timeouts", [](Reader& in, R& into) { read_timeouts(in, into.timeouts); }},
    {"keepalive_ms", [](Reader& in, R& into) { duration<&Route::keepalive, 0, 600'000>(in, into.row); }},
    {"on_stream_break", row_word<&Route::on_stream_break, kStreamBreak>},
    {"on_content_policy", row_word<&Route::content_policy_switch, kContentPolicy>},
    {"on_rate_limit", read_rate_limit},
    {"on_quota", row_word<&Route::stop_on_quota, kOnFailure>},
    {"on_auth", row_word<&Route::stop_on_auth, kOnFailure>},
    {"on_unavailable", row_word<&Route::stop_on_unavailable, kOnFailure>},
    {"breaker", refuse_breaker},
    {"name", expect_text},  // for people; may be anything
    {"task", [](Reader& in, R& into) { text<&Route::task>(in, into.row); }, Stand::later},
    {"objective", expect_micros<0, kOne>, Stand::later},
    {"across", expect_flag, Stand::later},
    {"quota", expect_flag, Stand::later},
    {"min_score", expect_integer<0, 100>, Stand::later},
    {"degrade_threshold", expect_micros<0, kOne>, Stand::later},
    {"stream", expect_object<kStream>, Stand::later},
    {"roles", expect_texts, Stand::later},
    {"hedge", expect_object<kHedge>, Stand::later},
    {"affinity", expect_object<kAffinity>, Stand::later},
    {"fallback", read_fallback, Stand::later},
    {"empty_when", read_empty_when},
    {"assess", read_assess, Stand::later},
    {"prompts", read_prompts, Stand::later},
    {"gate", read_gate, Stand::later},
    {"shadow", read_shadow, Stand::later},
    {"output", read_output, Stand::later},
    {"text", read_text_care, Stand::later},
    {"supervise", read_supervise, Stand::later},
    {"cache", read_cache, Stand::later},
    {"coalesce", expect_flag, Stand::later},
});
static_assert(kRoute.size() <= 64);

// A model's name, or "prefix/*" for all that begin so.
bool check_route_name(Reader& in, std::string_view name, std::uint64_t at) {
  if (name.find('*') == std::string_view::npos) return check_id(in, name, at);
  const bool fine = is_pattern(name) && name.size() <= kIdBytes && valid_id(name.substr(0, name.size() - 2));
  if (!fine)
    in.report().fault(at, joined({"the pattern \"", name.substr(0, kIdBytes), "\""}),
                      "one \"*\" only, at the end, after a prefix and a slash: \"openai/*\"");
  return fine;
}

}  // namespace

void read_routes(Reader& in, Draft& into) {
  in.each_member([&](std::string_view name, std::uint64_t at) {
    R route;
    route.row.name = name;
    route.at = at;
    const bool named = check_route_name(in, name, at);
    const bool read = read_object(in, route, std::span<const Key<R>>(kRoute)).has_value();
    if (into.routes.size() == limits::kRoutes) {
      in.report().fault(at, "one route too many", "at most 10000 routes");
    } else if (named && read) {
      into.routes.push_back(std::move(route));
    }
  });
}

}  // namespace shunt::config
