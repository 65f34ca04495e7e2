// Events or a folded answer -> anthropic_messages: events of a stream, or one message.
#pragma once

#include <memory>
#include <string>

#include "dialect/dialect.h"

namespace shunt::dialect {

// Holds whatever comes in: message_start once and before any block; blocks 0, 1, … one open at a time; a
// thinking block's signature before its end; tool_use starts with input {}; message_delta with stop_reason
// and usage, then message_stop. Blocks cannot interleave: while a call is open, what belongs elsewhere waits
// until that call ends. Choices other than 0 have no place here.
std::unique_ptr<StreamEncoder> make_anthropic_encoder(const EncodeOptions& options);
// Arguments that are no JSON object come out as {"raw_arguments": "<text>"}, none at all as {}.
void encode_anthropic_answer(const Folded& answer, const EncodeOptions& options, std::string& out);

}  // namespace shunt::dialect
