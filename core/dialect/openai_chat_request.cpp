// Reads Chat Completions request bodies. https://platform.openai.com/docs/api-reference/chat/create
#include "dialect/openai_chat_request.h"

#include <array>

#include "base/strings.h"
#include "dialect/request_common.h"

namespace shunt::dialect {
namespace {

using json::Kind;
using json::kNoNode;
using json::NodeId;

void read_image(Reader& in, NodeId node, const Place& place, Part& part) {
  NodeId url = in.o.find(node, "image_url");
  if (in.is(url, Kind::object)) url = in.o.find(url, "url");
  if (!in.is_string(url)) return in.only_here(place, "has no image URL");
  in.out.has_images = true;
  if (in.data_url(url, part.media_type, part.text)) {
    part.kind = PartKind::image_base64;
    return;
  }
  if (to_lower(in.o.raw_head(url)).starts_with("data:")) {
    return in.only_here(place, "is a data URL that is not base64 with a media type");
  }
  part.kind = PartKind::image_url;
  part.text = in.content(url);
}

void read_file(Reader& in, NodeId node, const Place& place, Part& part) {
  const NodeId file = in.o.find(node, "file");
  const NodeId data = in.o.find(file, "file_data");
  part.kind = PartKind::document_base64;
  part.name = in.content(in.o.find(file, "filename"));
  if (in.data_url(data, part.media_type, part.text)) return;
  in.only_here(place, "is a file without base64 file_data: only its own provider can read it");
}

bool read_part(Reader& in, NodeId node, const Place& place, std::vector<Part>& parts) {
  if (!in.is(node, Kind::object)) return in.fail(place, "must be an object");
  Part part;
  part.type = in.word(in.o.find(node, "type"));
  part.cache_control = in.value(in.o.find(node, "cache_control"));
  if (part.type == "text" || part.type == "refusal") {
    part.kind = part.type == "text" ? PartKind::text : PartKind::refusal;
    part.text = in.content(in.o.find(node, part.type));
    in.count(part.text);
  } else if (part.type == "image_url") {
    read_image(in, node, place, part);
  } else if (part.type == "file") {
    read_file(in, node, place, part);
  } else {
    if (part.type.empty()) return in.fail(place, "has no type");
    part.kind = PartKind::other;
    in.only_here(place, "is of type " + part.type + ", which only this dialect has");
  }
  if (part.kind != PartKind::other) part.type.clear();
  parts.push_back(std::move(part));
  return true;
}

bool read_content(Reader& in, NodeId content, const Place& place, Message& message) {
  if (content == kNoNode || in.is_null(content)) return true;
  if (in.is_string(content)) {
    message.plain = true;
    Part part;
    part.text = in.content(content);
    in.count(part.text);
    message.parts.push_back(std::move(part));
    return true;
  }
  if (!in.is(content, Kind::array)) return in.fail(place, "must be a string or an array of parts");
  std::size_t index = 0;
  for (NodeId node = in.o.first(content); node != kNoNode; node = in.o.next(node)) {
    if (!read_part(in, node, Place(place, index++), message.parts)) return false;
  }
  return true;
}

// The arguments are a string that holds JSON; other dialects want the object itself.
void read_arguments(Reader& in, NodeId arguments, const Place& place, Part& call) {
  call.input = Raw::of("{}");
  call.arguments = in.content(arguments);
  in.count(call.arguments);
  if (arguments == kNoNode || in.o.open(arguments)) return;
  if (!in.is_string(arguments)) return in.only_here(place, "must be a string");
  if (!in.o.whole(arguments)) return in.only_here(place, "is too long to translate", 413);
  std::string text;
  json::unescape(in.o.raw_head(arguments), text);
  const std::string_view json = trim(text);
  if (json.empty()) return;
  if (json.front() != '{' || !json::valid(json)) return in.only_here(place, "is not a JSON object");
  call.input = Raw::of(json);
}

bool read_call(Reader& in, NodeId node, const Place& place, Message& message) {
  if (!in.is(node, Kind::object)) return in.fail(place, "must be an object");
  const NodeId function = in.o.find(node, "function");
  Part call;
  call.kind = PartKind::tool_call;
  call.id = in.id(in.o.find(node, "id"));
  call.name = in.content(in.o.find(function, "name"));
  const NodeId arguments = in.o.find(function, "arguments");
  read_arguments(in, arguments, Place(Place(place, "function"), "arguments"), call);
  if (!in.o.open(node) && (call.id.empty() || call.name.empty())) {
    in.only_here(place, "is not a function call with id and name");
  }
  message.parts.push_back(std::move(call));
  return true;
}

struct RoleName {
  std::string_view name;
  Role role;
};
constexpr std::array<RoleName, 5> kRoles = {{{"system", Role::system},
                                             {"developer", Role::developer},
                                             {"user", Role::user},
                                             {"assistant", Role::assistant},
                                             {"tool", Role::tool}}};

bool read_role(Reader& in, NodeId message, const Place& place, Role& role) {
  const std::string name = in.word(in.o.find(message, "role"));
  if (name.empty()) return in.fail(Place(place, "role"), "is missing");
  for (const RoleName& known : kRoles) {
    if (known.name != name) continue;
    role = known.role;
    return true;
  }
  in.only_here(Place(place, "role"), name + " is a role only this dialect has");
  return true;
}

// A tool's answer becomes one tool_result part.
void wrap_result(Reader& in, NodeId node, const Place& place, Message& message) {
  Part result;
  result.kind = PartKind::tool_result;
  result.id = in.id(in.o.find(node, "tool_call_id"));
  result.content = std::move(message.parts);
  if (result.id.empty() && !in.o.open(node)) in.only_here(place, "has no tool_call_id");
  message.parts.clear();
  message.parts.push_back(std::move(result));
}

bool read_message(Reader& in, NodeId node, const Place& place, std::size_t index) {
  if (!in.is(node, Kind::object)) return in.fail(place, "must be an object");
  Message message;
  message.position = static_cast<int>(index);
  if (!read_role(in, node, place, message.role)) return false;
  if (!read_content(in, in.o.find(node, "content"), Place(place, "content"), message)) return false;
  const NodeId calls = in.o.find(node, "tool_calls");
  if (message.role == Role::tool) wrap_result(in, node, place, message);
  if (in.is(calls, Kind::array) && message.role == Role::assistant) {
    const Place calls_place(place, "tool_calls");
    std::size_t count = 0;
    for (NodeId call = in.o.first(calls); call != kNoNode; call = in.o.next(call)) {
      if (!read_call(in, call, Place(calls_place, count++), message)) return false;
    }
  }
  const NodeId refusal = in.o.find(node, "refusal");
  if (in.is_string(refusal)) {
    Part part;
    part.kind = PartKind::refusal;
    part.text = in.content(refusal);
    message.parts.push_back(std::move(part));
  }
  for (NodeId member = in.o.first(node); member != kNoNode; member = in.o.next(member)) {
    const std::string_view key = in.o.key(member);
    const bool known = key == "role" || key == "content" || key == "tool_calls" || key == "tool_call_id" ||
                       key == "refusal" || (key == "name" && message.role == Role::tool);
    if (!known && !in.is_null(member)) in.ignore("messages[]." + std::string(key));
  }
  in.out.messages.push_back(std::move(message));
  return true;
}

bool read_messages(Reader& in, NodeId node, const Place& place) {
  return each_element(in, node, place, read_message);
}

bool read_tools(Reader& in, NodeId node, const Place& place) {
  if (!in.is(node, Kind::array)) return in.fail(place, "must be an array");
  for (NodeId one = in.o.first(node); one != kNoNode; one = in.o.next(one)) {
    const NodeId function = in.o.find(one, "function");
    Tool tool;
    if (!in.is(function, Kind::object)) {
      tool.type = in.word(in.o.find(one, "type"));
      if (tool.type.empty()) tool.type = "unnamed";
    }
    tool.name = in.content(in.o.find(function, "name"));
    tool.description = in.content(in.o.find(function, "description"));
    const NodeId schema = in.o.find(function, "parameters");
    if (in.is(schema, Kind::object)) tool.schema = in.value(schema);
    tool.strict = in.flag(in.o.find(function, "strict"));
    tool.cache_control = in.value(in.o.find(one, "cache_control"));
    in.count(tool.description);
    in.count(tool.schema);
    in.out.tools.push_back(std::move(tool));
  }
  in.out.has_tools = !in.out.tools.empty();
  return true;
}

bool read_tool_choice(Reader& in, NodeId node, const Place& place) {
  const std::string word = in.word(node);
  Request& out = in.out;
  const NodeId name = in.o.find(in.o.find(node, "function"), "name");
  if (word == "auto") {
    out.tool_choice = ToolChoice::automatic;
  } else if (word == "none") {
    out.tool_choice = ToolChoice::none;
  } else if (word == "required" || word == "any") {  // Mistral says any
    out.tool_choice = ToolChoice::required;
  } else if (in.is_string(name)) {
    out.tool_choice = ToolChoice::named;
    out.tool_choice_name = in.content(name);
  } else {
    in.only_here(place, "is not auto, none, required or a function");
  }
  return true;
}

bool read_response_format(Reader& in, NodeId node, const Place& place) {
  const std::string type = in.word(in.o.find(node, "type"));
  ResponseFormat& format = in.out.params.response_format;
  if (type == "json_object") {
    format.kind = ResponseFormat::Kind::json_object;
  } else if (type == "json_schema") {
    in.response_schema(in.o.find(node, "json_schema"), place);
  } else if (type != "text") {
    in.only_here(place, "is not text, json_object or json_schema");
  }
  return true;
}

bool read_stream_options(Reader& in, NodeId node, const Place&) {
  in.out.include_usage = in.flag(in.o.find(node, "include_usage"));
  return true;
}

bool read_parallel(Reader& in, NodeId node, const Place&) {
  if (in.is(node, Kind::boolean)) in.out.params.parallel_tool_calls = in.flag(node);
  return true;
}

// max_completion_tokens is the newer name of max_tokens and wins.
bool read_max_tokens(Reader& in, NodeId node, const Place& place) {
  if (!in.out.params.max_tokens) in.integer(node, place, in.out.params.max_tokens);
  return true;
}

constexpr std::array<Field, 17> kFields = {{
    {"model", read_model},
    {"messages", read_messages},
    {"stream", read_stream},
    {"stream_options", read_stream_options},
    {"tools", read_tools},
    {"tool_choice", read_tool_choice},
    {"parallel_tool_calls", read_parallel},
    {"response_format", read_response_format},
    {"reasoning_effort", read_effort},
    {"max_tokens", read_max_tokens},
    {"max_completion_tokens", read_integer<&Params::max_tokens>},
    {"temperature", read_temperature},
    {"top_p", read_number<&Params::top_p>},
    {"top_k", read_number<&Params::top_k>},
    {"n", read_integer<&Params::choices>},
    {"stop", read_stop},
    {"user", read_string<&Params::user>},
}};

}  // namespace

bool read_openai_chat(const json::Outline& body, Request& out, RequestProblem& problem) {
  Reader reader(body, out, problem);
  return reader.read(kFields);
}

}  // namespace shunt::dialect
