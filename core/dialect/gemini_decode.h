// gemini_generate: frames of a stream, or a whole answer -> events.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dialect/dialect.h"

namespace shunt::dialect {

// What no other event says travels as Extra, and the encoder of this dialect writes it again:
//   part            a part of another kind (inlineData, executableCode, toolCall, …), or an empty text that
//                   carries a signature
//   part.<key>      a member of the part whose events follow: thoughtSignature above all
//   candidate.<key> finishMessage, groundingMetadata, citationMetadata, safetyRatings, logprobsResult, …
//   response.<key>  of the answer: createTime, promptFeedback, modelStatus, …
std::unique_ptr<StreamDecoder> make_gemini_decoder(Quirks quirks);
// A GenerateContentResponse, or a JSON array of them, which is one answer in pieces.
void decode_gemini_answer(std::string_view body, Quirks quirks, EventList& out, std::string& scratch);

}  // namespace shunt::dialect
