// anthropic_messages: frames of a stream, or a whole answer -> events.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dialect/dialect.h"

namespace shunt::dialect {

// What no other event says travels as Extra of choice 0, and the encoder of this dialect writes it again:
//   content_block        a block of another kind, or a text block right after a text block, as its start had
//   it content_block_delta  a delta of such a block citation             of a text block stop.<key> of
//   message_delta's delta beside stop_reason: stop_sequence, stop_details, container
// "message.<key>" and "message_delta.<key>" carry what else stands in these events.
std::unique_ptr<StreamDecoder> make_anthropic_decoder(Quirks quirks);
void decode_anthropic_answer(std::string_view body, Quirks quirks, EventList& out, std::string& scratch);

}  // namespace shunt::dialect
