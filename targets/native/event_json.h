// One canonical event as a JSON object: {"event": its name, then what it holds}.
#pragma once

#include <string>

#include "canonical/events.h"

namespace shunt::native {

std::string event_json(const Event& event);

}  // namespace shunt::native
