// Requests of the Anthropic Messages API, read and written. Knows this API's words and the canonical request
// only. How translation works in general: openai_chat_request.h.
#pragma once

#include "base/outline.h"
#include "canonical/request.h"

namespace shunt::dialect {

// The outline must have been made with request_outline_options(DialectId::anthropic_messages).
bool read_anthropic(const json::Outline& body, Request& out, RequestProblem& problem);
// From a request that was read from another dialect.
bool write_anthropic(const Request& request, const RequestTarget& target, BodyPieces& out,
                     RequestProblem& problem);

}  // namespace shunt::dialect
