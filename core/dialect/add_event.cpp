// Events appended to a list. See add_event.h.
#include "dialect/add_event.h"

namespace shunt::dialect {

void add_text(EventList& out, int choice, std::string_view text) {
  out.push_back(event::TextDelta{choice, text});
}

void add_refusal(EventList& out, int choice, std::string_view text) {
  out.push_back(event::RefusalDelta{choice, text});
}

void add_reasoning(EventList& out, const event::ReasoningDelta& delta) { out.push_back(delta); }

void add_call(EventList& out, int choice, int call, std::string_view id, std::string_view name, bool custom) {
  out.push_back(event::ToolCallStart{choice, call, id, name, custom});
}

void add_arguments(EventList& out, int choice, int call, std::string_view json) {
  out.push_back(event::ToolCallArguments{choice, call, json});
}

void add_usage(EventList& out, const Usage& usage, std::string_view raw) {
  out.push_back(event::UsageUpdate{usage, raw});
}

void add_finish(EventList& out, int choice, FinishReason reason, std::string_view raw) {
  out.push_back(event::Finish{choice, reason, raw});
}

void add_extra(EventList& out, int choice, std::string_view key, std::string_view raw) {
  out.push_back(event::Extra{choice, key, raw});
}

void add_error(EventList& out, const event::Error& error) { out.push_back(error); }

void add_bad_frame(EventList& out, std::string_view data) { out.push_back(event::BadFrame{data}); }
void add_ping(EventList& out) { out.push_back(event::Ping{}); }
void add_done(EventList& out) { out.push_back(event::Done{}); }

void put_first(EventList& out, std::size_t size) {
  const Event last = out.back();
  for (std::size_t at = out.size() - 1; at > size; --at) out[at] = out[at - 1];
  out[size] = last;
}

void cut_back(EventList& out, std::size_t size) {
  while (out.size() > size) out.pop_back();
}

}  // namespace shunt::dialect
