// gemini_generate: events -> a client's stream, a folded answer -> one GenerateContentResponse.
#pragma once

#include <memory>
#include <string>

#include "dialect/dialect.h"

namespace shunt::dialect {

// One GenerateContentResponse for each delta, with alt=sse; a function call when its arguments are complete;
// finishReason and usageMetadata in the last ones. Signatures are written where they came from this dialect:
// the provider refuses any other's.
std::unique_ptr<StreamEncoder> make_gemini_encoder(const EncodeOptions& options);
void encode_gemini_answer(const Folded& answer, const EncodeOptions& options, std::string& out);

// The arguments of a call as the object this dialect wants.
void append_gemini_args(std::string& out, std::string_view arguments);

}  // namespace shunt::dialect
