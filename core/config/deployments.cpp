// "deployments": provider + model, what it costs and can, and how much of the traffic it takes.
#include <algorithm>

#include "base/limits.h"
#include "base/strings.h"
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

// Without them there is no request, or not the one that the answer's reader waits for.
constexpr std::string_view kNeeded = "model messages input contents stream";
// The system prompt, where it is a member: "system_prefix" has its place.
constexpr std::string_view kSystem = "system instructions systemInstruction system_instruction system_prompt";

bool one_of(std::string_view words, std::string_view member) {
  while (!words.empty()) {
    if (cut(words, ' ') == member) return true;
  }
  return false;
}
constexpr const char* kNotNeeded = "members other than model, messages, input, contents and stream";

constexpr std::size_t kAdapted = 64;

bool may_adapt(Reader& in, const std::string& member, std::uint64_t at, std::size_t so_far) {
  if (!check_id(in, member, at)) return false;
  if (one_of(kNeeded, member)) {
    in.report().fault_about(at, "the member %", member, kNotNeeded);
  } else if (so_far == kAdapted) {
    in.report().fault(at, "one member too many", "at most 64 members");
  } else {
    return true;
  }
  return false;
}

void read_params(Reader& in, Adaptation& into) {
  for (Members members(in); members.next();) {
    const std::string& name = members.name();
    if (one_of(kSystem, name)) {
      in.report().fault_about(members.at(), "the member %", name,
                              "\"system_prefix\", and the member in \"drop\" to leave out the client's");
      in.skip();
    } else if (may_adapt(in, name, members.at(), into.params.size())) {
      into.params.emplace_back(members.name(), std::string());
      in.value(into.params.back().second);
    } else {
      in.skip();
    }
  }
}

void read_drop(Reader& in, Adaptation& into) {
  if (!in.enter_array()) return;
  while (in.next_element()) {
    const std::uint64_t at = in.at();
    std::string member;
    if (in.text(member) && may_adapt(in, member, at, into.drop.size()))
      into.drop.push_back(std::move(member));
  }
}

constexpr auto kOverride = table<Adaptation>({
    {"system_prefix", text<&Adaptation::system_prefix>()},
    {"params", own<read_params>()},
    {"drop", own<read_drop>()},
});

void read_override(Reader& in, D& into) {
  const std::uint64_t at = in.at();
  Adaptation& adaptation = into.row.adaptation;
  read_object(in, adaptation, kOverride);
  for (const auto& [name, value] : adaptation.params) {
    const std::vector<std::string>& drop = adaptation.drop;
    if (std::find(drop.begin(), drop.end(), name) != drop.end())
      in.report().fault_about(at, "the member % both set and dropped", name, "the one or the other");
  }
}

void read_scores(Reader& in, D& into) {
  for (Members members(in); members.next();) {
    const bool named = check_id(in, members.name(), members.at());
    const auto score = in.integer(0, 100);
    if (named && score) into.row.task_scores.emplace_back(members.name(), static_cast<int>(*score));
  }
}

void read_line_limits(Reader& in, D& into) {
  into.limits_at = in.at();
  read_object(in, into.row.limits, kQuota);
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
    {"cost_per_mtok_usd", object<&D::row, &Deployment::cost>(kCost)},
    {"region", own<read_id_text, &D::row, &Deployment::region>()},
    {"roles", own<read_roles, &D::row, &Deployment::roles>()},
    {"capabilities", texts<&D::row, &Deployment::capabilities>()},
    {"context_tokens", integer<&D::row, &Deployment::context_tokens>(range<1, kTokens>)},
    {"task_scores", own<read_scores>()},
    {"limits", own<read_line_limits>()},
    {"override", own<read_override>()},
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
    if (read_object(in, deployment, kDeployment) == kNoObject) {
      into.deployments.pop_back();
      continue;
    }
    into.note_limits(deployment.row.limits, deployment.limits_at);
  }
}

}  // namespace shunt::config
