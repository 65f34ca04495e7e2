// Reads Chat Completions request bodies. https://platform.openai.com/docs/api-reference/chat/create
#include "dialect/openai_chat_request.h"

#include <array>

#include "base/strings.h"
#include "dialect/custom_calls.h"
#include "dialect/openai_request.h"
#include "dialect/request_common.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

using json::Kind;
using json::kNoNode;
using json::NodeId;

constexpr std::string_view kDataScheme = "data:";

}  // namespace

void read_openai_image(Reader& in, NodeId node, const Place& place, Part& part) {
  NodeId url = in.o.find(node, "image_url");
  if (in.is(url, Kind::object)) {
    node = url;
    url = in.o.find(url, "url");
  }
  in.content(node, "detail", part.detail);
  if (!in.is_string(url)) return in.only_here(place, "has no image URL");
  in.out.needs.add(Ability::vision);
  if (in.data_url(url, part.media_type, part.text)) {
    part.kind = PartKind::image_base64;
    return;
  }
  if (equal_fold(in.o.raw_head(url).substr(0, kDataScheme.size()), kDataScheme)) {
    return in.only_here(place, "is a data URL that is not base64 with a media type");
  }
  part.kind = PartKind::image_url;
  in.content(url, part.text);
}

// The arguments are a string that holds JSON; other dialects want the object itself.
void read_openai_arguments(Reader& in, NodeId arguments, const Place& place, Part& call) {
  call.input = Raw::of("{}");
  in.counted(arguments, call.arguments);
  if (arguments == kNoNode || in.o.open(arguments)) return;
  if (!in.is_string(arguments)) return in.only_here(place, "must be a string");
  if (!in.o.whole(arguments)) return in.only_here(place, "is too long to translate", 413);
  const std::string_view json = trim(in.word(arguments));
  if (json.empty()) return;
  if (json.front() != '{' || !json::valid(json)) return in.only_here(place, "is not a JSON object");
  call.input.literal = json;
}

void read_openai_input(Reader& in, NodeId input, const Place& place, Part& call) {
  call.text.present = true;
  in.counted(input, call.text);
  if (input != kNoNode && !in.is_string(input)) in.only_here(place, "must be a string");
  if (in.o.whole(input)) call.arguments = escaped(joined({kInputHead, in.o.raw_head(input), "\"}"}));
}

void read_openai_custom(Reader& in, NodeId node, NodeId grammar, Tool& tool) {
  tool.custom = true;
  tool.type.clear();
  std::string& names = in.out.custom_tools;
  names += '\n';
  names += in.word(node, "name");
  names += '\n';
  in.content(grammar, "syntax", tool.syntax);
  in.content(grammar, "definition", tool.grammar);
}

bool read_openai_parallel(Reader& in, NodeId node, const Place&) {
  if (in.is(node, Kind::boolean)) in.out.params.parallel_tool_calls = in.o.is_true(node);
  return true;
}

namespace {

void read_file(Reader& in, NodeId node, const Place& place, Part& part) {
  const NodeId file = in.o.find(node, "file");
  const NodeId data = in.o.find(file, "file_data");
  part.kind = PartKind::document_base64;
  in.out.needs.add(Ability::documents);
  in.content(file, "filename", part.name);
  if (in.data_url(data, part.media_type, part.text)) return;
  in.only_here(place, "is a file without base64 file_data: only its own provider can read it");
}

enum PartType : std::uint8_t { kText, kRefusal, kImage, kFile };
constexpr Word kPartTypes[] = {
    {"text", kText}, {"refusal", kRefusal}, {"image_url", kImage}, {"file", kFile}};

bool read_part(Reader& in, NodeId node, const Place& place, std::vector<Part>& parts) {
  if (!in.is_object(node, place)) return false;
  Part& part = parts.emplace_back();
  part.mark = in.mark(node);
  const std::string_view type = in.word(node, "type");
  switch (find_word(kPartTypes, type)) {
    case kText: in.counted(in.o.find(node, "text"), part.text); return true;
    case kRefusal:
      part.kind = PartKind::refusal;
      in.counted(in.o.find(node, "refusal"), part.text);
      return true;
    case kImage: read_openai_image(in, node, place, part); return true;
    case kFile: read_file(in, node, place, part); return true;
    default: break;
  }
  if (type.empty()) return in.fail(place, "has no type");
  read_other_part(in, type, place, part);
  return true;
}

// What has the name: a tool takes JSON, or plain text.
NodeId find_called(Reader& in, NodeId node, bool& custom) {
  const NodeId text = in.o.find(node, "custom");
  custom = in.is(text, Kind::object);
  return custom ? text : in.o.find(node, "function");
}

bool read_call(Reader& in, NodeId node, const Place& place, std::size_t) {
  if (!in.is_object(node, place)) return false;
  bool custom = false;
  const NodeId function = find_called(in, node, custom);
  Part& call = in.out.messages.back().parts.emplace_back();
  call.kind = PartKind::tool_call;
  in.id(node, "id", call.id);
  in.content(function, "name", call.name);
  if (custom) {
    read_openai_input(in, in.o.find(function, "input"), Place(place, "custom.input"), call);
  } else {
    const Place function_place(place, "function");
    read_openai_arguments(in, in.o.find(function, "arguments"), Place(function_place, "arguments"), call);
  }
  if (!in.o.open(node) && (call.id.empty() || call.name.empty())) {
    in.only_here(place, "is not a function call with id and name");
  }
  return true;
}

constexpr Word kRoles[] = {{"system", Role::system},
                           {"developer", Role::developer},
                           {"user", Role::user},
                           {"assistant", Role::assistant},
                           {"tool", Role::tool}};

bool read_role(Reader& in, NodeId message, const Place& outer, Role& role) {
  const Place place(outer, "role");
  const std::string_view name = in.word(message, "role");
  if (name.empty()) return in.fail(place, "is missing");
  const int known = find_word(kRoles, name);
  if (known == kNoWord) {
    in.only_here(place, joined({name, " is a role only this dialect has"}));
  } else {
    role = static_cast<Role>(known);
  }
  return true;
}

// A tool's answer becomes one tool_result part.
void wrap_result(Reader& in, NodeId node, const Place& place, Message& message) {
  std::vector<Part> content;
  content.swap(message.parts);
  Part& result = message.parts.emplace_back();
  result.kind = PartKind::tool_result;
  in.id(node, "tool_call_id", result.id);
  result.content.swap(content);
  if (result.id.empty() && !in.o.open(node)) in.only_here(place, "has no tool_call_id");
}

enum MessageKey : std::uint8_t { kHandled, kName };
constexpr Word kMessageKeys[] = {{"role", kHandled},         {"content", kHandled}, {"tool_calls", kHandled},
                                 {"tool_call_id", kHandled}, {"refusal", kHandled}, {"name", kName}};

void note_unknown(Reader& in, NodeId node, bool named) {
  for (NodeId member = in.o.first(node); member != kNoNode; member = in.o.next(member)) {
    const int known = find_word(kMessageKeys, in.o.key(member));
    if (known == kHandled || (known == kName && named) || in.is_null(member)) continue;
    in.ignore(joined({"messages[].", in.o.key(member)}));
  }
}

bool read_message(Reader& in, NodeId node, const Place& place, std::size_t index) {
  if (!in.is_object(node, place)) return false;
  Message& message = in.out.messages.emplace_back();
  message.position = static_cast<int>(index);
  if (!read_role(in, node, place, message.role)) return false;
  const NodeId content = in.o.find(node, "content");
  message.plain = in.is_string(content);
  if (!in.parts(content, Place(place, "content"), message.parts, read_part,
                "must be a string or an array of parts")) {
    return false;
  }
  const bool tool = message.role == Role::tool;
  if (tool) wrap_result(in, node, place, message);
  const NodeId calls = in.o.find(node, "tool_calls");
  if (in.is(calls, Kind::array) && message.role == Role::assistant &&
      !in.each(calls, Place(place, "tool_calls"), read_call)) {
    return false;
  }
  const NodeId refusal = in.o.find(node, "refusal");
  if (in.is_string(refusal)) {
    Part& part = message.parts.emplace_back();
    part.kind = PartKind::refusal;
    in.content(refusal, part.text);
  }
  note_unknown(in, node, tool);
  return true;
}

bool read_messages(Reader& in, NodeId node, const Place& place) { return in.each(node, place, read_message); }

bool read_tool(Reader& in, NodeId node, const Place&, std::size_t) {
  bool custom = false;
  const NodeId function = find_called(in, node, custom);
  Tool& tool = in.out.tools.emplace_back();
  in.out.needs.add(Ability::tools);
  if (!in.is(function, Kind::object)) {
    tool.type = in.word(node, "type");
    if (tool.type.empty()) tool.type = "unnamed";
  }
  if (custom) read_openai_custom(in, function, in.o.find(in.o.find(function, "format"), "grammar"), tool);
  in.content(function, "name", tool.name);
  in.counted(in.o.find(function, "description"), tool.description);
  const NodeId schema = in.o.find(function, "parameters");
  if (in.is(schema, Kind::object)) in.value(schema, tool.schema);
  tool.strict = in.flag(function, "strict");
  tool.mark = in.mark(node);
  in.count(tool.schema);
  return true;
}

bool read_tools(Reader& in, NodeId node, const Place& place) { return in.each(node, place, read_tool); }

constexpr Word kToolChoices[] = {{"auto", ToolChoice::automatic},
                                 {"none", ToolChoice::none},
                                 {"required", ToolChoice::required},
                                 {"any", ToolChoice::required}};  // Mistral

bool read_tool_choice(Reader& in, NodeId node, const Place& place) {
  const int known = find_word(kToolChoices, in.word(node));
  const NodeId name = in.o.find(find_called(in, node, in.out.tool_choice_custom), "name");
  if (known != kNoWord) {
    in.out.tool_choice = static_cast<ToolChoice>(known);
  } else if (in.is_string(name)) {
    in.out.tool_choice = ToolChoice::named;
    in.content(name, in.out.tool_choice_name);
  } else {
    in.only_here(place, "is not auto, none, required or a function");
  }
  return true;
}

constexpr Word kFormats[] = {{"text", ResponseFormat::Kind::text},
                             {"json_object", ResponseFormat::Kind::json_object},
                             {"json_schema", ResponseFormat::Kind::json_schema}};

bool read_response_format(Reader& in, NodeId node, const Place& place) {
  const int known = find_word(kFormats, in.word(node, "type"));
  if (known == kNoWord) {
    in.only_here(place, "is not text, json_object or json_schema");
  } else if (static_cast<ResponseFormat::Kind>(known) == ResponseFormat::Kind::json_schema) {
    in.response_schema(in.o.find(node, "json_schema"), place);
  } else {
    in.out.params.response_format.kind = static_cast<ResponseFormat::Kind>(known);
  }
  return true;
}

bool read_stream_options(Reader& in, NodeId node, const Place&) {
  in.out.include_usage = in.flag(node, "include_usage");
  return true;
}

// max_completion_tokens is the newer name of max_tokens and wins.
bool read_max_tokens(Reader& in, NodeId node, const Place& place) {
  if (!in.out.params.max_tokens) in.integer(node, place, in.out.params.max_tokens);
  return true;
}

constexpr std::array<TopKey, 23> kFields = {{
    {"model", read_model},
    {"messages", read_messages},
    {"stream", read_stream},
    {"stream_options", read_stream_options},
    {"tools", read_tools},
    {"tool_choice", read_tool_choice},
    {"parallel_tool_calls", read_openai_parallel},
    {"response_format", read_response_format},
    {"reasoning_effort", read_effort},
    {"max_tokens", read_max_tokens},
    {"max_completion_tokens", read_integer<&Params::max_tokens>},
    {"temperature", read_temperature},
    {"top_p", read_number<&Params::top_p>},
    {"top_k", read_number<&Params::top_k>},
    {"seed", read_number<&Params::seed>},
    {"presence_penalty", read_number<&Params::presence_penalty>},
    {"frequency_penalty", read_number<&Params::frequency_penalty>},
    {"n", read_integer<&Params::choices>},
    {"stop", read_stop},
    {"user", read_string<&Params::user>},
    {"modalities", read_modalities},
    {"logprobs", read_logprobs},
    {"top_logprobs", read_integer<&Params::top_logprobs>},
}};

}  // namespace

bool read_openai_chat(const json::Outline& body, Request& out, RequestProblem& problem) {
  Reader reader(body, out, problem);
  return reader.read(kFields);
}

}  // namespace shunt::dialect
