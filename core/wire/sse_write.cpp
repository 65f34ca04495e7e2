// Server-sent events to bytes: no text, whatever it holds, can open a field or an event of its own.
#include "wire/sse_write.h"

#include "wire/line_scan.h"

namespace shunt::wire {

namespace {

// The lines of `text`, at least one, each behind `prefix`.
void append_lines(std::string& out, std::string_view prefix, std::string_view text) {
  while (true) {
    const std::size_t end = scan_line(text).end;
    out.append(prefix).append(text.substr(0, end)).push_back('\n');
    if (end == text.size()) return;
    text.remove_prefix(text.substr(end, 2) == "\r\n" ? end + 2 : end + 1);
  }
}

}  // namespace

void append_sse(std::string& out, std::string_view event, std::string_view data) {
  if (!event.empty()) {
    out.append("event: ").append(event.substr(0, scan_line(event).end)).push_back('\n');
  }
  append_lines(out, "data: ", data);
  out.push_back('\n');
}

}  // namespace shunt::wire
