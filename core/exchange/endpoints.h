// What a client may call: paths and methods to endpoints, as rows. Knows no providers.
#pragma once

#include <cstdint>
#include <string_view>

#include "catalog/dialect_id.h"

namespace shunt::exchange {

enum class Endpoint : std::uint8_t { completion, models, health, preflight, not_found, wrong_method };

struct EndpointMatch {
  Endpoint endpoint = Endpoint::not_found;
  DialectId dialect = DialectId::openai_chat;  // what the client speaks there, errors included
};

// `target` may carry a query; a trailing slash is ignored.
EndpointMatch match_endpoint(std::string_view method, std::string_view target);

}  // namespace shunt::exchange
