// Reads Messages request bodies. https://docs.anthropic.com/en/api/messages
#include "dialect/anthropic_request.h"

#include <array>

#include "base/json_writer.h"
#include "dialect/request_common.h"

namespace shunt::dialect {
namespace {

using json::Kind;
using json::kNoNode;
using json::NodeId;

// An image or document: {"type", "source": {"type": base64 | url | text, …}, "title"}.
void read_source(Reader& in, NodeId node, const Place& place, Part& part) {
  const bool image = part.type == "image";
  const NodeId source = in.o.find(node, "source");
  const std::string type = in.word(in.o.find(source, "type"));
  part.name = in.content(in.o.find(node, "title"));
  if (image) in.out.has_images = true;
  if (type == "base64") {
    part.kind = image ? PartKind::image_base64 : PartKind::document_base64;
    part.media_type = in.word(in.o.find(source, "media_type"));
    part.text = in.content(in.o.find(source, "data"));
  } else if (type == "url") {
    part.kind = image ? PartKind::image_url : PartKind::document_url;
    part.text = in.content(in.o.find(source, "url"));
  } else if (type == "text" && !image) {
    part.kind = PartKind::text;
    part.text = in.content(in.o.find(source, "data"));
    in.count(part.text);
  } else {
    in.only_here(place, "has a source of type " + type + ", which only this dialect has");
  }
}

bool read_content(Reader& in, NodeId content, const Place& place, std::vector<Part>& parts);

// The arguments are an object; other dialects want a string that holds it.
void read_tool_use(Reader& in, NodeId node, const Place& place, Part& call) {
  call.kind = PartKind::tool_call;
  call.id = in.id(in.o.find(node, "id"));
  call.name = in.content(in.o.find(node, "name"));
  const NodeId input = in.o.find(node, "input");
  call.input = in.value(input);
  call.arguments = Text::of("{}");
  in.count(call.input);
  if (in.o.open(node)) return;
  if (call.id.empty() || call.name.empty() || !in.is(input, Kind::object)) {
    return in.only_here(place, "needs id, name and input");
  }
  if (!in.o.whole(input)) {
    return in.only_here(Place(place, "input"), "is too long to translate", 413);
  }
  std::string escaped;
  json::append_escaped(escaped, in.o.raw_head(input));
  call.arguments = Text::of(escaped);
}

bool read_tool_result(Reader& in, NodeId node, const Place& place, Part& result) {
  result.kind = PartKind::tool_result;
  result.id = in.id(in.o.find(node, "tool_use_id"));
  result.is_error = in.flag(in.o.find(node, "is_error"));
  if (result.id.empty() && !in.o.open(node)) in.only_here(place, "has no tool_use_id");
  const Place content(place, "content");
  return read_content(in, in.o.find(node, "content"), content, result.content);
}

void read_other(Reader& in, const Place& place, Part& part) {
  part.kind = PartKind::other;
  // The model's own server-side steps can be left out of a history; what the user gave cannot.
  const bool own_step = part.type.ends_with("_tool_use") || part.type.ends_with("_tool_result");
  if (!own_step) in.only_here(place, "is of type " + part.type + ", which only this dialect has");
}

bool read_block(Reader& in, NodeId node, const Place& place, std::vector<Part>& parts) {
  if (!in.is(node, Kind::object)) return in.fail(place, "must be an object");
  Part part;
  part.type = in.word(in.o.find(node, "type"));
  part.cache_control = in.value(in.o.find(node, "cache_control"));
  if (part.type.empty()) return in.fail(place, "has no type");
  if (part.type == "text") {
    part.text = in.content(in.o.find(node, "text"));
    in.count(part.text);
  } else if (part.type == "image" || part.type == "document") {
    read_source(in, node, place, part);
  } else if (part.type == "tool_use") {
    read_tool_use(in, node, place, part);
  } else if (part.type == "tool_result") {
    if (!read_tool_result(in, node, place, part)) return false;
  } else if (part.type == "thinking" || part.type == "redacted_thinking") {
    part.kind = PartKind::thinking;
  } else {
    read_other(in, place, part);
  }
  parts.push_back(std::move(part));
  return true;
}

// A bare string or an array of blocks.
bool read_content(Reader& in, NodeId content, const Place& place, std::vector<Part>& parts) {
  if (content == kNoNode || in.is_null(content)) return true;
  if (!in.is_string(content)) {
    return each_element(in, content, place, [&](Reader&, NodeId block, const Place& at, std::size_t) {
      return read_block(in, block, at, parts);
    });
  }
  Part part;
  part.text = in.content(content);
  in.count(part.text);
  parts.push_back(std::move(part));
  return true;
}

bool read_message(Reader& in, NodeId node, const Place& place, std::size_t index) {
  if (!in.is(node, Kind::object)) return in.fail(place, "must be an object");
  Message message;
  message.position = static_cast<int>(index);
  const std::string role = in.word(in.o.find(node, "role"));
  if (role == "assistant") {
    message.role = Role::assistant;
  } else if (role == "system") {
    message.role = Role::system;
  } else if (role != "user") {
    return in.fail(Place(place, "role"), "must be user or assistant");
  }
  const NodeId content = in.o.find(node, "content");
  message.plain = in.is_string(content);
  if (!read_content(in, content, Place(place, "content"), message.parts)) return false;
  in.out.messages.push_back(std::move(message));
  return true;
}

bool read_messages(Reader& in, NodeId node, const Place& place) {
  return each_element(in, node, place, read_message);
}

bool read_system(Reader& in, NodeId node, const Place& place) {
  Message message;
  message.role = Role::system;
  message.plain = in.is_string(node);
  if (!read_content(in, node, place, message.parts)) return false;
  in.out.messages.insert(in.out.messages.begin(), std::move(message));
  return true;
}

bool read_tool(Reader& in, NodeId node, const Place& place, std::size_t) {
  if (!in.is(node, Kind::object)) return in.fail(place, "must be an object");
  Tool tool;
  tool.type = in.word(in.o.find(node, "type"));
  if (tool.type == "custom") tool.type.clear();
  tool.name = in.content(in.o.find(node, "name"));
  tool.description = in.content(in.o.find(node, "description"));
  tool.schema = in.value(in.o.find(node, "input_schema"));
  tool.strict = in.flag(in.o.find(node, "strict"));
  tool.cache_control = in.value(in.o.find(node, "cache_control"));
  in.count(tool.description);
  in.count(tool.schema);
  in.out.tools.push_back(std::move(tool));
  in.out.has_tools = true;
  return true;
}

bool read_tools(Reader& in, NodeId node, const Place& place) {
  return each_element(in, node, place, read_tool);
}

bool read_tool_choice(Reader& in, NodeId node, const Place& place) {
  const std::string type = in.word(in.o.find(node, "type"));
  Request& out = in.out;
  if (type == "auto") {
    out.tool_choice = ToolChoice::automatic;
  } else if (type == "none") {
    out.tool_choice = ToolChoice::none;
  } else if (type == "any") {
    out.tool_choice = ToolChoice::required;
  } else if (type == "tool") {
    out.tool_choice = ToolChoice::named;
    out.tool_choice_name = in.content(in.o.find(node, "name"));
  } else {
    in.only_here(place, "is not of type auto, none, any or tool");
  }
  const NodeId disabled = in.o.find(node, "disable_parallel_tool_use");
  if (in.is(disabled, Kind::boolean)) out.params.parallel_tool_calls = !in.flag(disabled);
  return true;
}

bool read_metadata(Reader& in, NodeId node, const Place&) {
  in.out.params.user = in.content(in.o.find(node, "user_id"));
  return true;
}

bool read_thinking(Reader& in, NodeId node, const Place&) {
  const std::string type = in.word(in.o.find(node, "type"));
  Params& params = in.out.params;
  if (type == "enabled") {
    params.thinking_budget = in.o.integer(in.o.find(node, "budget_tokens"));
  } else if (type == "disabled") {
    params.effort = Effort::none;
  } else {
    in.ignore("thinking");  // adaptive: the model decides, as others do unasked
  }
  return true;
}

bool read_output_format(Reader& in, NodeId node, const Place& place) {
  in.response_schema(node, place);
  return true;
}

// {"effort": …, "format": {"type": "json_schema", "schema": …}}; the format was output_format of its own
// before.
bool read_output_config(Reader& in, NodeId node, const Place& place) {
  const NodeId effort = in.o.find(node, "effort");
  const NodeId format = in.o.find(node, "format");
  if (effort != kNoNode && !in.is_null(effort)) read_effort(in, effort, Place(place, "effort"));
  if (format != kNoNode && !in.is_null(format)) in.response_schema(format, Place(place, "format"));
  return true;
}

constexpr std::array<Field, 15> kFields = {{
    {"model", read_model},
    {"messages", read_messages},
    {"system", read_system},
    {"stream", read_stream},
    {"tools", read_tools},
    {"tool_choice", read_tool_choice},
    {"metadata", read_metadata},
    {"thinking", read_thinking},
    {"output_config", read_output_config},
    {"output_format", read_output_format},
    {"max_tokens", read_integer<&Params::max_tokens>},
    {"temperature", read_temperature},
    {"top_p", read_number<&Params::top_p>},
    {"top_k", read_number<&Params::top_k>},
    {"stop_sequences", read_stop},
}};

}  // namespace

bool read_anthropic(const json::Outline& body, Request& out, RequestProblem& problem) {
  Reader reader(body, out, problem);
  if (!reader.read(kFields)) return false;
  // Other dialects begin their messages with the system prompt, so nothing can be sent on before it is known.
  if (out.partial && body.find(0, "system") == kNoNode) out.open_string.reset();
  return true;
}

}  // namespace shunt::dialect
