// openai_responses: frames of a stream, or a whole Response -> events.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dialect/dialect.h"

namespace shunt::dialect {

std::unique_ptr<StreamDecoder> make_openai_responses_decoder(Quirks quirks);
void decode_openai_responses_answer(std::string_view body, Quirks quirks, EventList& out,
                                    std::string& scratch);

}  // namespace shunt::dialect
