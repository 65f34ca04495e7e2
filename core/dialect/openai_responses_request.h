// Requests of the OpenAI Responses API, read and written. Knows this API's words and the canonical request
// only. How request translation works stands in openai_chat_request.h.
//
// A response that only its provider remembers (previous_response_id, conversation, prompt) cannot be said
// anywhere else. Items become messages: calls and reasoning go with the assistant's message before them. A
// translated request asks the provider to store nothing, as the APIs it comes from do.
#pragma once

#include "base/outline.h"
#include "canonical/request.h"

namespace shunt::dialect {

// The outline must have been made with request_outline_options(DialectId::openai_responses).
bool read_openai_responses(const json::Outline& body, Request& out, RequestProblem& problem);
// From a request that was read from another dialect. Calls, and results that did not come as
// a string, are written when all of them has come.
bool write_openai_responses(const Request& request, const RequestTarget& target, BodyPieces& out,
                            RequestProblem& problem);

}  // namespace shunt::dialect
