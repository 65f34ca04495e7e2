// One canonical event as a JSON object. See event_json.h.
#include "native/event_json.h"

#include <string_view>

#include "base/json.h"
#include "base/json_writer.h"
#include "dialect/fill.h"

namespace shunt::native {
namespace {

class EventWriter {
 public:
  explicit EventWriter(std::string& out) : out_(out) {}

  void operator()(const event::Start& e) {
    begin("start");
    out_.field("id", e.id).field("model", e.model).field("created", e.created);
  }
  void operator()(const event::TextDelta& e) { begin("text", e.choice).field("text", e.text); }
  void operator()(const event::ReasoningDelta& e) {
    begin("reasoning", e.choice).field("text", e.text);
    said("signature", e.signature);
    said("redacted", e.redacted);
  }
  void operator()(const event::RefusalDelta& e) { begin("refusal", e.choice).field("text", e.text); }
  void operator()(const event::ToolCallStart& e) {
    begin("tool_call_start", e.choice, e.call).field("id", e.id).field("name", e.name);
  }
  void operator()(const event::ToolCallName& e) {
    begin("tool_call_name", e.choice, e.call).field("id", e.id).field("name", e.name);
  }
  void operator()(const event::ToolCallArguments& e) {
    begin("tool_call_arguments", e.choice, e.call).field("json", e.json);
  }
  void operator()(const event::ToolCallEnd& e) { begin("tool_call_end", e.choice, e.call); }
  void operator()(const event::UsageUpdate& e) {
    begin("usage");
    for (const UsageField& field : kUsageFields) {
      const std::optional<std::int64_t>& count = e.usage.*field.count;
      if (count) out_.field(field.name, *count);
    }
    raw(e.raw);
  }
  void operator()(const event::Finish& e) {
    begin("finish", e.choice).field("reason", name_of(e.reason)).field("finish_raw", e.raw);
  }
  void operator()(const event::Error& e) {
    begin("error");
    said("type", e.type);
    said("code", e.code);
    said("message", e.message);
    if (e.status != 0) out_.field("status", std::int64_t{e.status});
    raw(e.raw);
  }
  void operator()(const event::Ping&) { begin("ping"); }
  void operator()(const event::Extra& e) {
    begin("extra");
    if (e.choice >= 0) out_.field("choice", std::int64_t{e.choice});
    out_.field("key", e.key);
    raw(e.raw);
  }
  void operator()(const event::BadFrame& e) { begin("bad_frame").field("data", e.data); }
  void operator()(const event::Done&) { begin("done"); }

 private:
  json::Writer& begin(const char* name) { return out_.field("event", name); }
  json::Writer& begin(const char* name, int choice) {
    return begin(name).field("choice", std::int64_t{choice});
  }
  json::Writer& begin(const char* name, int choice, int call) {
    return begin(name, choice).field("call", std::int64_t{call});
  }
  void said(const char* name, std::string_view text) {
    if (!text.empty()) out_.field(name, text);
  }
  // The provider's own JSON, on one line; what is no JSON is a string.
  void raw(std::string_view value) {
    if (value.empty()) return;
    out_.key("raw");
    if (!json::valid(value)) {
      out_.string(value);
      return;
    }
    std::string line;
    dialect::append_one_line(line, value);
    out_.raw(line);
  }

  json::Writer out_;
};

}  // namespace

std::string event_json(const Event& event) {
  std::string line;
  json::Writer braces(line);
  line += '{';
  std::visit(EventWriter(line), event);
  line += '}';
  return line;
}

}  // namespace shunt::native
