// "deployments": provider + model, what it costs and can, and how much of the traffic it takes.
#include "base/limits.h"
#include "config/drafts.h"
#include "config/names.h"
#include "config/quota.h"
#include "route/strategies.h"

namespace shunt::config {
namespace {

using D = DeploymentDraft;
constexpr std::int64_t kTokens = 100'000'000;
constexpr std::int64_t kDollarsPerMtok = 1'000'000LL * 1'000'000;  // a million dollars, in millionths

constexpr auto kCost = table<Cost>({
    {"input", micros<&Cost::input>(range<0, kDollarsPerMtok>)},
    {"output", micros<&Cost::output>(range<0, kDollarsPerMtok>)},
    {"cached_input", micros<&Cost::cached_input>(range<0, kDollarsPerMtok>)},
});

constexpr auto kOverride = table<void>({
    {"system_prefix", text()},
    {"params", any_object()},
    {"drop", texts()},
});

void expect_scores(Reader& in) {
  for (Members members(in); members.next();) in.integer(0, 100);
}

void read_deployment_id(Reader& in, D& into) {
  Name id;
  if (!read_id(in, id)) return;
  into.row.id = std::move(id.value);
  into.at = id.at;
}

void read_model(Reader& in, D& into) {
  Name name;
  if (read_name(in, name)) into.row.model = std::move(name.value);
}

constexpr auto kDeployment = table<D>({
    {"id", own<read_deployment_id>(), Stand::required},
    {"provider", own<read_name, &D::provider>(), Stand::required},
    {"model", own<read_model>(), Stand::required},
    {"priority", integer<&D::row, &Deployment::priority>(range<1, 1000>)},
    {"weight", integer<&D::row, &Deployment::weight>(range<0, route::kMaxWeight>)},
    {"max_tokens", integer<&D::row, &Deployment::max_tokens>(range<1, kTokens>)},
    {"timeouts", own<read_timeouts, &D::timeouts>()},
    {"breaker", own<read_breaker, &D::breaker>()},
    {"name", text()},  // for people; may be anything
    {"cost_per_mtok_usd", object<&D::row, &Deployment::cost>(kCost), Stand::later},
    {"region", text<&D::row, &Deployment::region>(), Stand::later},
    {"roles", texts<&D::row, &Deployment::roles>(), Stand::later},
    {"capabilities", texts<&D::row, &Deployment::capabilities>()},
    {"context_tokens", integer<&D::row, &Deployment::context_tokens>(range<1, kTokens>)},
    {"task_scores", own<expect_scores>(), Stand::later},
    {"limits", object(kQuota), Stand::later},
    {"override", object(kOverride), Stand::later},
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
    D& deployment = into.deployments.emplace_back();
    deployment.at = in.at();
    if (read_object(in, deployment, kDeployment) == kNoObject) into.deployments.pop_back();
  }
}

}  // namespace shunt::config
