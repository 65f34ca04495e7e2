// An error inside an answer, in any form a provider gives it: found, and put into one event. Judges nothing.
#pragma once

#include <string_view>

#include "canonical/events.h"
#include "dialect/scratch.h"
#include "wire/frame.h"

namespace shunt::dialect {

enum class ErrorForm : std::uint8_t {
  marked,  // it says so: an `error` member with something in it, object or type "error", a failing base_resp
  any,     // … or it has only what errors have: a message or detail. For bodies in which nothing of an answer
           // was found
};

// Reads `json`, a whole frame or body. False = no error there; texts are views of it or of `scratch`.
bool read_error(std::string_view json, ErrorForm form, Scratch& scratch, event::Error& out);

// For what is known to be an error (event: error, an error line) whatever it holds, plain text included.
event::Error error_from(std::string_view text, Scratch& scratch);

// A frame of the transport's own, kind exception or broken; `said`: error_from of its data. What is no JSON
// and what the end cut off are bad frames, as everywhere; anything else is an error under the transport's
// word.
void add_transport_error(EventList& out, const wire::Frame& frame, event::Error said);

}  // namespace shunt::dialect
