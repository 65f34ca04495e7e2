// Events appended to a list, one function for each kind: decoders add them in many places, and an event is
// large to build. Knows events only.
#pragma once

#include <cstddef>
#include <string_view>

#include "canonical/events.h"

namespace shunt::dialect {

void add_text(EventList& out, int choice, std::string_view text);
void add_refusal(EventList& out, int choice, std::string_view text);
void add_reasoning(EventList& out, const event::ReasoningDelta& delta);
void add_call(EventList& out, int choice, int call, std::string_view id, std::string_view name,
              bool custom = false);
void add_arguments(EventList& out, int choice, int call, std::string_view json);
void add_usage(EventList& out, const Usage& usage, std::string_view raw);
void add_finish(EventList& out, int choice, FinishReason reason, std::string_view raw);
void add_extra(EventList& out, int choice, std::string_view key, std::string_view raw);
void add_error(EventList& out, const event::Error& error);
void add_bad_frame(EventList& out, std::string_view data);
void add_ping(EventList& out);
void add_done(EventList& out);

// The last event becomes the first of those added since the list had that size.
void put_first(EventList& out, std::size_t size);

// Takes back what was added since the list had that size.
void cut_back(EventList& out, std::size_t size);

}  // namespace shunt::dialect
