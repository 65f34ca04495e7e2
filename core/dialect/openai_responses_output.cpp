// The output of one openai_responses answer as it grows. See openai_responses_output.h.
#include "dialect/openai_responses_output.h"

#include "base/strings.h"
#include "dialect/call_id.h"
#include "dialect/fill.h"
#include "dialect/logprobs.h"
#include "dialect/members.h"
#include "dialect/usage.h"

namespace shunt::dialect {
namespace {

// How each kind of part is told of.
struct PartShape {
  const char* part;    // its events: added, done
  const char* text;    // its text's: delta, done
  const char* number;  // the member that counts it
  const char* done;    // the member that holds the whole text
  const char* begin;   // the part itself, up to its text
};
constexpr PartShape kParts[] = {
    {"response.content_part", "response.output_text", ",\"content_index\":", ",\"text\":\"$\"",
     R"({"type":"output_text","text":"$")"},
    {"response.content_part", "response.refusal", ",\"content_index\":", ",\"refusal\":\"$\"",
     R"({"type":"refusal","refusal":"$")"},
    {"response.reasoning_summary_part", "response.reasoning_summary_text",
     ",\"summary_index\":", ",\"text\":\"$\"", R"({"type":"summary_text","text":"$")"},
};

// How each kind of item is.
struct ItemShape {
  const char* prefix;     // of ids made here
  const char* begin;      // up to its status
  const char* pieces;     // calls: their events
  const char* arguments;  // calls: the member that holds them
};
constexpr ItemShape kItems[] = {
    {"msg_", R"({"id":"$","type":"message")", "", ""},
    {"rs_", R"({"id":"$","type":"reasoning")", "", ""},
    {"fc_", R"({"id":"$","type":"function_call")", "response.function_call_arguments",
     ",\"arguments\":\"$\""},
    {"ctc_", R"({"id":"$","type":"custom_tool_call")", "response.custom_tool_call_input", ",\"input\":\"$\""},
};
enum ErrorSlot : std::uint8_t { kError, kCode, kMessage, kErrorSlots };
constexpr Member kErrorMembers[] = {{"error", kError}, {"code", kCode}, {"message", kMessage}};

constexpr char kTokens[] = ",\"logprobs\":[$]";

// What clients read of a Response though nothing is known of it.
constexpr std::string_view kDefaults =
    R"(,"instructions":null,"metadata":{},"parallel_tool_calls":true,"temperature":null,)"
    R"("tool_choice":"auto","tools":[],"top_p":null)";

void add_element(std::string& list, std::string_view json) {
  if (!list.empty()) list += ',';
  list += json;
}

}  // namespace

ResponsesOutput::ResponsesOutput(const EncodeOptions& options)
    : id_(options.id), model_(options.model), created_(options.created) {}

void ResponsesOutput::name(const event::Start& said) {
  if (begun_) return;
  if (!said.id.empty()) id_ = said.id;
  if (!said.model.empty()) model_ = said.model;
  if (said.created != 0) created_ = said.created;
}

void ResponsesOutput::open(const char* type, const char* step) {
  *out_ += "event: ";
  *out_ += type;
  *out_ += step;
  *out_ += "\ndata: {\"type\":\"";
  *out_ += type;
  *out_ += step;
  *out_ += "\",\"sequence_number\":";
  append_int(*out_, sequence_++);
}

void ResponsesOutput::place(const Item& item, int number) {
  fill(*out_, ",\"item_id\":\"$\",\"output_index\":", item.id);
  append_int(*out_, number);
}

void ResponsesOutput::begin() {
  if (begun_) return;
  begun_ = true;
  make_response("in_progress", {}, {});
  for (const char* step : {"created", "in_progress"}) {
    tell_response(step);
  }
}

void ResponsesOutput::tell_response(const char* step) {
  open("response.", step);
  *out_ += ",\"response\":";
  *out_ += response_;
  close();
}

void ResponsesOutput::make_response(const char* status, std::string_view reason, std::string_view error) {
  std::string& out = response_;
  out.clear();
  fill(out, R"({"id":"$","object":"response","created_at":)", id_);
  fill(out, R"($,"status":")", created_);
  out += status;
  out += "\",\"error\":";
  out += error.empty() ? std::string_view("null") : error;
  fill(out, reason.empty() ? R"(,"incomplete_details":null)" : R"(,"incomplete_details":{"reason":"$"})",
       reason);
  fill(out, R"(,"model":"$","output":[)", model_);
  std::string_view comma;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].json.empty()) continue;
    out += comma;
    out += items_[i].json;
    comma = ",";
  }
  out += ']';
  out += echo_.empty() ? kDefaults : std::string_view(echo_);
  out += ",\"usage\":";
  if (usage == Usage{}) {
    out += "null";
  } else {
    write_responses_usage(usage, out);
  }
  out += '}';
}

int ResponsesOutput::add_item(Kind kind) {
  begin();
  close_open("completed");
  // Two items of one id at a time would be one to a client.
  for (std::size_t i = 0; i < items_.size() && !next_id_.empty(); ++i) {
    if (!items_[i].done && items_[i].id == next_id_) next_id_.clear();
  }
  Item& item = items_.add();
  const int number = static_cast<int>(items_.size()) - 1;
  held_ += sizeof(Item);
  item.kind = kind;
  item.id.swap(next_id_);
  item.more.swap(next_more_);
  if (kind == Kind::foreign) return number;
  if (item.id.empty()) {
    item.id = made_call_id(kItems[static_cast<std::size_t>(kind)].prefix, id_, 1, number);
  }
  return number;
}

void ResponsesOutput::tell_item(const char* step, int number, std::string_view json) {
  open("response.output_item", step);
  *out_ += ",\"output_index\":";
  append_int(*out_, number);
  *out_ += ",\"item\":";
  *out_ += json;
  close();
}

// The open item if it is of that kind, else a new one.
ResponsesOutput::Item& ResponsesOutput::opened(Kind kind) {
  if (open_ >= 0 && at(open_).kind == kind) {
    return at(open_);
  }
  const int number = add_item(kind);
  Item& item = at(number);
  open_ = number;
  tell_item(".added", number, item_json(item, "in_progress"));
  return item;
}

std::string ResponsesOutput::item_json(const Item& item, const char* status) const {
  const ItemShape& shape = kItems[static_cast<std::size_t>(item.kind)];
  std::string json;
  fill(json, shape.begin, item.id);
  if (item.kind == Kind::reasoning) {
    json += ",\"summary\":[";
    json += item.parts;
    json += ']';
    if (!item.sealed.empty()) fill(json, R"(,"encrypted_content":"$")", item.sealed);
  } else {
    json += ",\"status\":\"";
    json += status;
    json += '"';
    if (item.kind == Kind::message) {
      json += ",\"role\":\"assistant\",\"content\":[";
      json += item.parts;
      json += ']';
    } else {
      fill(json, R"(,"call_id":"$")", item.call_id);
      fill(json, R"(,"name":"$")", item.name);
      fill(json, shape.arguments, item.text);
    }
  }
  json += item.more;
  json += '}';
  return json;
}

std::string ResponsesOutput::part_json(const Item& item) const {
  std::string json;
  fill(json, kParts[static_cast<std::size_t>(item.part)].begin, item.text);
  if (item.part == Part::text) {
    json += ",\"annotations\":[";
    json += item.annotations;
    json += ']';
    fill_raw(json, kTokens, item.logprobs);
  }
  json += '}';
  return json;
}

// An event of the open part, up to its own members.
void ResponsesOutput::open_of_part(const Item& item, bool text, const char* step) {
  const PartShape& shape = kParts[static_cast<std::size_t>(item.part)];
  open(text ? shape.text : shape.part, step);
  place(item, open_);
  *out_ += shape.number;
  append_int(*out_, item.part_count);
}

void ResponsesOutput::piece(Part part, std::string_view text) {
  if (text.empty()) return;
  Item& item = opened(part == Part::summary ? Kind::reasoning : Kind::message);
  if (item.part != part) {
    close_part(item);
    item.part = part;
    open_of_part(item, false, ".added");
    *out_ += ",\"part\":";
    *out_ += part_json(item);
    close();
  }
  open_of_part(item, true, ".delta");
  fill(*out_, ",\"delta\":\"$\"", text);
  if (part == Part::text) {
    fill_raw(*out_, kTokens, next_logprobs_);
    join_tokens(item.logprobs, next_logprobs_);
    next_logprobs_.clear();
  }
  close();
  item.text += text;
  held_ += text.size();
}

void ResponsesOutput::logprobs(std::string_view tokens) {
  join_tokens(next_logprobs_, tokens);
  held_ += tokens.size();
}

void ResponsesOutput::close_part(Item& item) {
  if (item.part == Part::none) return;
  if (item.part == Part::text) {
    join_tokens(item.logprobs, next_logprobs_);
    next_logprobs_.clear();
  }
  open_of_part(item, true, ".done");
  fill(*out_, kParts[static_cast<std::size_t>(item.part)].done, item.text);
  if (item.part == Part::text) fill_raw(*out_, kTokens, item.logprobs);
  close();
  const std::string json = part_json(item);
  open_of_part(item, false, ".done");
  *out_ += ",\"part\":";
  *out_ += json;
  close();
  add_element(item.parts, json);
  item.text.clear();
  item.annotations.clear();
  item.logprobs.clear();
  item.annotation_count = 0;
  item.part = Part::none;
  ++item.part_count;
}

void ResponsesOutput::annotation(std::string_view raw) {
  if (open_ < 0) return;
  Item& item = at(open_);
  if (item.part != Part::text) return;
  open_of_part(item, true, ".annotation.added");
  fill(*out_, ",\"annotation_index\":$", item.annotation_count++);
  fill_raw(*out_, ",\"annotation\":$", raw);
  close();
  std::string line;
  append_one_line(line, raw);
  add_element(item.annotations, line);
  held_ += raw.size();
}

void ResponsesOutput::seal(std::string_view content) {
  opened(Kind::reasoning).sealed = content;
  held_ += content.size();
  close_open("completed");
}

void ResponsesOutput::close_open(const char* status) {
  if (open_ < 0) return;
  const int number = open_;
  close_part(at(number));
  open_ = -1;
  end_item(number, status);
}

int ResponsesOutput::begin_call(std::string_view call_id, std::string_view name, bool custom) {
  const int number = add_item(custom ? Kind::custom_tool_call : Kind::function_call);
  Item& item = at(number);
  item.call_id = call_id;
  item.name = name;
  tell_item(".added", number, item_json(item, "in_progress"));
  return number;
}

void ResponsesOutput::arguments(int number, std::string_view json) {
  Item& item = at(number);
  if (item.done || json.empty()) return;
  open(kItems[static_cast<std::size_t>(item.kind)].pieces, ".delta");
  place(item, number);
  fill(*out_, ",\"delta\":\"$\"", json);
  close();
  item.text += json;
  held_ += json.size();
}

void ResponsesOutput::end_item(int number, const char* status) {
  Item& item = at(number);
  if (item.done) return;
  item.done = true;
  if (item.kind != Kind::foreign) {
    const ItemShape& shape = kItems[static_cast<std::size_t>(item.kind)];
    if (*shape.pieces != '\0') {
      open(shape.pieces, ".done");
      place(item, number);
      fill(*out_, shape.arguments, item.text);
      if (item.kind == Kind::function_call) fill(*out_, ",\"name\":\"$\"", item.name);
      close();
    }
    item.json = item_json(item, status);
  }
  tell_item(".done", number, item.json);
  for (std::string* told : {&item.text, &item.parts, &item.sealed}) *told = {};
}

void ResponsesOutput::finish(int item) { end_item(item, "completed"); }

void ResponsesOutput::complete(FinishReason reason) {
  begin();
  const bool cut = reason == FinishReason::length || reason == FinishReason::content_filter;
  const char* status = cut ? "incomplete" : "completed";
  close_open(status);
  for (std::size_t i = 0; i < items_.size(); ++i) end_item(static_cast<int>(i), status);
  std::string_view why;
  if (cut) why = reason == FinishReason::length ? "max_output_tokens" : "content_filter";
  make_response(status, why, {});
  tell_response(status);
  over_ = true;
}

// The error is written as it is documented, its members beside `type`, and as the API sends it, which is what
// makes the SDKs throw.
void ResponsesOutput::fail(std::string_view body) {
  Value in[kErrorSlots];
  json::Cursor outer(body);
  take_object(outer, kErrorMembers, in);
  json::Cursor inner(in[kError].raw);
  take_object(inner, kErrorMembers, in);
  std::string facts;
  fill_raw(facts, "\"code\":$", in[kCode].raw.empty() ? "\"server_error\"" : json_of(in[kCode]));
  fill_raw(facts, ",\"message\":$", in[kMessage].raw.empty() ? "\"\"" : json_of(in[kMessage]));
  open("error", "");
  *out_ += ',';
  *out_ += facts;
  fill_raw(*out_, ",\"param\":null,\"error\":$", in[kError].raw);
  close();
  make_response("failed", {}, "{" + facts + "}");
  tell_response("failed");
  over_ = true;
}

}  // namespace shunt::dialect
