// Server-sent events to bytes. Framing only; the caller owns the payload's format.
#pragma once

#include <string>
#include <string_view>

namespace shunt::wire {

// One event: an `event:` line unless `event` is empty, one `data:` line per line of `data`, the blank line.
// Every CRLF, CR or LF in `data` reads back as LF; a line end in `event` and what follows it are left out.
void append_sse(std::string& out, std::string_view event, std::string_view data);

}  // namespace shunt::wire
