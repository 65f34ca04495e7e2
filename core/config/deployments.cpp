// "deployments": provider + model, what it costs and can, and how much of the traffic it takes.
#include "config/drafts.h"
#include "config/keys.h"
#include "config/names.h"
#include "route/strategies.h"

namespace shunt::config {
namespace {

using D = DeploymentDraft;
constexpr std::int64_t kMany = 1'000'000'000'000;
constexpr std::int64_t kTokens = 100'000'000;
constexpr std::int64_t kDollarsPerMtok = 1'000'000LL * 1'000'000;  // a million dollars, in millionths

template <auto M, std::int64_t Least, std::int64_t Most>
void row_integer(Reader& in, D& into) {
  integer<M, Least, Most>(in, into.row);
}

constexpr auto kCost = std::to_array<Key<Cost>>({
    {"input", micros<&Cost::input, 0, kDollarsPerMtok>},
    {"output", micros<&Cost::output, 0, kDollarsPerMtok>},
    {"cached_input", micros<&Cost::cached_input, 0, kDollarsPerMtok>},
});

constexpr auto kLimits = std::to_array<Key<D>>({
    {"rpm", expect_integer<1, kMany>},
    {"tpm", expect_integer<1, kMany>},
    {"concurrency", expect_integer<1, kMany>},
    {"budget_usd_day", expect_micros<0, kMany>},
});

constexpr auto kOverride = std::to_array<Key<D>>({
    {"system_prefix", expect_text},
    {"params", expect_any_object},
    {"drop", expect_texts},
});

void expect_scores(Reader& in, D&) {
  in.each_member([&](std::string_view, std::uint64_t) { in.integer(0, 100); });
}

void read_deployment_id(Reader& in, D& into) {
  const auto id = read_id(in);
  if (!id) return;
  into.row.id = id->value;
  into.at = id->at;
}

void read_provider_name(Reader& in, D& into) {
  if (auto name = read_name(in)) into.provider = std::move(*name);
}

void read_model(Reader& in, D& into) {
  if (auto name = read_name(in)) into.row.model = std::move(name->value);
}

constexpr auto kDeployment = std::to_array<Key<D>>({
    {"id", read_deployment_id, Stand::required},
    {"provider", read_provider_name, Stand::required},
    {"model", read_model, Stand::required},
    {"priority", row_integer<&Deployment::priority, 1, 1000>},
    {"weight", row_integer<&Deployment::weight, 0, route::kMaxWeight>},
    {"max_tokens", row_integer<&Deployment::max_tokens, 1, kTokens>},
    {"timeouts", [](Reader& in, D& into) { read_timeouts(in, into.timeouts); }},
    {"breaker", [](Reader& in, D& into) { read_breaker(in, into.breaker); }},
    {"name", expect_text},  // for people; may be anything
    {"cost_per_mtok_usd", [](Reader& in, D& into) { object<&Deployment::cost, kCost>(in, into.row); },
     Stand::later},
    {"region", [](Reader& in, D& into) { text<&Deployment::region>(in, into.row); }, Stand::later},
    {"roles", [](Reader& in, D& into) { texts<&Deployment::roles>(in, into.row); }, Stand::later},
    {"capabilities", [](Reader& in, D& into) { texts<&Deployment::capabilities>(in, into.row); }},
    {"context_tokens", row_integer<&Deployment::context_tokens, 1, kTokens>},
    {"task_scores", expect_scores, Stand::later},
    {"limits", expect_object<kLimits>, Stand::later},
    {"override", expect_object<kOverride>, Stand::later},
});

}  // namespace

void read_deployments(Reader& in, Draft& into) {
  if (!in.enter_array()) return;
  std::size_t count = 0;
  while (in.next_element()) {
    if (++count == limits::kDeployments + 1) {
      in.report().fault(in.at(), "one deployment too many", "at most 10000 deployments");
    }
    if (count > limits::kDeployments) {
      in.skip();
      continue;
    }
    D deployment;
    deployment.at = in.at();
    if (read_object(in, deployment, std::span<const Key<D>>(kDeployment))) {
      into.deployments.push_back(std::move(deployment));
    }
  }
}

}  // namespace shunt::config
