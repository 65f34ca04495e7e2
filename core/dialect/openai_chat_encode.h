// Events or a folded answer -> openai_chat: chunks of a stream, or one chat.completion.
#pragma once

#include <memory>
#include <string>

#include "dialect/dialect.h"

namespace shunt::dialect {

// Holds whatever comes in: role once and first; id, created and model constant; a call's id, type and name
// once, with arguments "", indexes contiguous; arguments a string; one finish per choice and nothing after
// it; usage once, if asked for; [DONE] last, once. Reasoning goes out as reasoning_content; signatures have
// no place in this dialect.
std::unique_ptr<StreamEncoder> make_openai_chat_encoder(const EncodeOptions& options);
void encode_openai_chat_answer(const Folded& answer, const EncodeOptions& options, std::string& out);

}  // namespace shunt::dialect
