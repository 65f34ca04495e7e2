// What the status alone says, when the body was silent or said nothing that is known. The last row
// matches everything.
#include "classify/rule_pack.h"
#include "classify/rules.h"

namespace shunt::classify {
namespace {

using enum ErrorClass;

// clang-format off: one row, one or a few lines
constexpr Rule kRules[] = {
    {"status/407", Family::any, kAll,
     "=407", "",
     {external_network, "proxy", Scope::own_host, std::nullopt, std::nullopt, Penalty::none}},
    {"status/511", Family::any, kAll,
     "=511", "",
     {external_network, "captive_portal", Scope::own_host, std::nullopt, std::nullopt, Penalty::none}},
    // Somebody hung up on the provider, most often we.
    {"status/499", Family::any, kAll, "=499", "",
     {temporary, "cancelled", std::nullopt, std::nullopt, std::nullopt, Penalty::none}},
    {"status/424", Family::any, kAll, "=424|=425", "", {temporary, "dependency"}},
    {"status/method", Family::any, kAll,
     "=405|=406|=411|=414|=415|=431", "", {invalid_request, "malformed"}},
    {"status/nginx_400", Family::any, k400, "", "400 bad request", {invalid_request, "malformed"}},
    {"status/529", Family::any, kAll, "=529", "", {temporary, "overloaded"}},
    {"status/451", Family::any, kAll, "=451", "", {content_policy, "content_input"}},
    {"status/400_said", Family::any, k400, "form:json|form:sse", "", {invalid_request, "invalid_parameter"}},
    {"status/401_bare", Family::any, k401, "form:empty", "", {auth_failure, "empty_body"}},
    {"status/401", Family::any, k401, "", "", {auth_failure, "invalid_key"}},
    {"status/402_bare", Family::any, k402, "form:empty", "", {quota_insufficient, "empty_body"}},
    {"status/402", Family::any, k402, "", "", {quota_insufficient, "balance"}},
    {"status/403_page", Family::any, k403, "", "forbidden", {auth_failure, "blocked_network"}},
    {"status/403", Family::any, k403, "", "", {auth_failure, "permission"}},
    {"status/404_page", Family::any, k404, "",
     "page could not be found|route not found|no route matched|route table|"
     "deployment could not be found|404 not found|404 page not found|resource not found|requested path|"
     "endpoint",
     {provider_unavailable, "wrong_endpoint"}},
    {"status/410", Family::any, kAll, "=410", "", {provider_unavailable, "api_retired"}},
    {"status/404_request", Family::any, k404,
     "invalid_request_error", "", {invalid_request, "stale_reference"}},
    {"status/404_upstream", Family::relay, k404, "", "", {provider_unavailable, "upstream_404"}},
    {"status/404", Family::any, k404, "", "", {unknown, "generic_404"}},
    {"status/408", Family::any, k408, "", "", {temporary, "upstream_timeout"}},
    {"status/413", Family::any, k413, "", "", {invalid_request, "payload_too_large"}},
    {"status/422", Family::any, k422, "", "", {invalid_request, "invalid_parameter"}},
    {"status/429", Family::any, k429, "", "", {rate_limited, "generic"}},
    {"status/upstream", Family::any, k500 | k502,
     "do_request_failed|upstream_error", "", {temporary, "upstream"}},
    {"status/502", Family::any, k502, "", "", {temporary, "bad_gateway", Scope::provider}},
    {"status/503", Family::any, k503, "", "", {temporary, "unavailable", Scope::provider}},
    {"status/500_bare", Family::any, k500, "form:empty", "", {temporary, "empty_body"}},
    {"status/500", Family::any, k500, "", "", {temporary, "server_error"}},
    {"status/unknown", Family::any, kAll, "", "", {unknown, ""}},
};
// clang-format on
constexpr auto kPacked = packed<kRules>();

}  // namespace

Rules status_rules() { return Rules(kPacked); }

}  // namespace shunt::classify
