// What a client may call: paths and methods to endpoints, as rows. Knows no providers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "catalog/dialect_id.h"

namespace shunt::exchange {

// passthrough: any other path under /v1/, for a line that the request names; the provider's own API.
enum class Endpoint : std::uint8_t {
  completion,
  models,
  health,
  preflight,
  passthrough,
  not_found,
  wrong_method
};

// What the path says that other dialects say in the body: Gemini's "/models/{model}:streamGenerateContent".
struct PathFacts {
  std::string_view model;  // percent-encoded, of the target; empty = the path names none, so it says nothing
  bool stream = false;
  bool sse = false;  // alt=sse: else this API streams one JSON array
};

struct EndpointMatch {
  Endpoint endpoint = Endpoint::not_found;
  DialectId dialect = DialectId::openai_chat;  // what the client speaks there, errors included
  PathFacts path = {};
};

// Calls that are passed through: their paths begin with this, which stands for the provider's base URL.
inline constexpr std::string_view kPassedUnder = "/v1/";
// By these methods, in the order of their numbers at the boundary.
inline constexpr std::array<std::string_view, 5> kPassedMethods = {"POST", "GET", "PUT", "DELETE", "PATCH"};

// `target` may carry a query; a trailing slash is ignored.
EndpointMatch match_endpoint(std::string_view method, std::string_view target);

}  // namespace shunt::exchange
