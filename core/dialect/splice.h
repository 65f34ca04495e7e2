// A request for a provider of the client's own dialect: the client's bytes, with the few members changed that
// must be. Knows top-level keys only, by their place in the outline.
#pragma once

#include "base/outline.h"
#include "canonical/request.h"
#include "catalog/dialect_id.h"

namespace shunt::dialect {

// What changes; all else stays byte for byte:
// - `model` becomes the target's.
// - openai_chat: streams ask for usage; with Quirk::no_stream_options stream_options is taken out instead.
// With
//   Quirk::max_completion_tokens max_tokens is renamed; of both names the first stays.
// - anthropic_messages: max_tokens is added when there is none.
// - gemini_generate: the model stands in the path and is taken out of the body.
// - The target's `system` stands before the client's own system prompt, in the same string or list; where
// there is none
//   it becomes one. Its `params` take the place of the client's members of those names, or come last; what is
//   in `drop` is taken out and stands in `dropped`.
// `facts` was read from the same outline. Of a body that is still arriving: the pieces of what has come, a
// prefix of what later runs give.
bool splice_request(const json::Outline& body, const Request& facts, const RequestTarget& target,
                    DialectId dialect, BodyPieces& out, RequestProblem& problem);

}  // namespace shunt::dialect
