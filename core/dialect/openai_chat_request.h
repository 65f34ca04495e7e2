// Requests of the OpenAI Chat Completions API, read and written. Knows this API's words and the canonical
// request only.
//
// How request translation works, for every dialect here.
//
// Reading refuses only what nobody could serve: not JSON, no messages, a message that is none. What just this
// dialect can say is noted: Request.unknown is dropped with a warning by other dialects' writers,
// Request.untranslatable makes them refuse. Same-dialect relays never write, they splice (splice.h), so a
// provider judges its own extensions.
//
// Contents are ranges of the client's body. Only structure words and ids are copied, and the JSON of tool
// calls: a string here and an object elsewhere, so it must be escaped or unescaped (limits::kOutlineKeep
// each, else 413).
//
// Sending while the body arrives: when the outline stands in a long string, read and write give the pieces up
// to and with that string's range, and they are a prefix of what later runs give. No pieces, or false, means
// wait. Writers put the messages first, so only strings in messages stream. A client's order of keys can make
// a translated body wait for its end: `role` after `content`; a part's `type`, or a base64 source's
// `media_type`, after its data; from anthropic, `system` after `messages` (it becomes the first message).
// `model` may stand anywhere.
#pragma once

#include "base/outline.h"
#include "canonical/request.h"

namespace shunt::dialect {

// The outline must have been made with request_outline_options(DialectId::openai_chat).
bool read_openai_chat(const json::Outline& body, Request& out, RequestProblem& problem);
// From a request that was read from another dialect.
bool write_openai_chat(const Request& request, const RequestTarget& target, BodyPieces& out,
                       RequestProblem& problem);

}  // namespace shunt::dialect
