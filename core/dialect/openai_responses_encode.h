// Events or a folded answer -> openai_responses: events of a stream, or one Response.
#pragma once

#include <memory>
#include <string>

#include "dialect/dialect.h"

namespace shunt::dialect {

// Holds whatever comes in: sequence_number 0, 1, …; created and in_progress first; items count from 0, each
// added once and done once, with one id; one part open at a time, its text told again when it is done; the
// last event holds the whole Response. An answer over 8 MB ends in an error, because the last event could not
// hold it. Choices other than 0 have no place here. Extras of this dialect come out again with numbers of
// their new place.
std::unique_ptr<StreamEncoder> make_openai_responses_encoder(const EncodeOptions& options);
void encode_openai_responses_answer(const Folded& answer, const EncodeOptions& options, std::string& out);

}  // namespace shunt::dialect
