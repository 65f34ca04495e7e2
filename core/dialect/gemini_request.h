// Requests of the Gemini API's generateContent, read and written. Knows this API's words and the canonical
// request only.
//
// Keys are read in both forms Google takes, camelCase and snake_case, and one object where a list of one
// could stand. The model and whether to stream stand in the path (exchange/endpoints.h). Calls have no ids in
// most histories: they are made from their places, and responses find them by name and order, so the same
// history always gets the same ones.
#pragma once

#include "base/outline.h"
#include "canonical/request.h"

namespace shunt::dialect {

// The outline must have been made with request_outline_options(DialectId::gemini_generate).
bool read_gemini(const json::Outline& body, Request& out, RequestProblem& problem);
// From a request that was read from another dialect.
bool write_gemini(const Request& request, const RequestTarget& target, BodyPieces& out,
                  RequestProblem& problem);

// A key of this API in either of its forms: `camel` is "topP", and "topP" and "top_p" are the same.
bool same_name(std::string_view key, std::string_view camel);

// A Schema of this API as JSON Schema: types in lower case, counts as numbers. False = it is not JSON.
bool json_schema_of(std::string_view schema, std::string& out);

}  // namespace shunt::dialect
