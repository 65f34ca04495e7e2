// A route's own notion of an empty answer, asked of a plain answer as its client would get it.
#pragma once

#include <string_view>

#include "catalog/catalog.h"

namespace shunt::exchange {

// `body` is the answer's JSON, `text` what the model said. An answer that cannot be read is not empty.
bool counts_as_empty(const EmptyWhen& rule, std::string_view body, std::string_view text);

}  // namespace shunt::exchange
