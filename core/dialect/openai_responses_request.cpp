// Reads Responses request bodies. https://platform.openai.com/docs/api-reference/responses/create
#include "dialect/openai_responses_request.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "dialect/openai_request.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

using json::Kind;
using json::kNoNode;
using json::NodeId;

constexpr std::string_view kOnlyThisDialect = ", which only this dialect has";

void read_file(Reader& in, NodeId node, const Place& place, Part& part) {
  in.content(node, "filename", part.name);
  part.kind = PartKind::document_base64;
  if (in.data_url(in.o.find(node, "file_data"), part.media_type, part.text)) return;
  part.kind = PartKind::document_url;
  in.content(node, "file_url", part.text);
  if (part.text.present) return;
  in.only_here(place, "is a file without base64 file_data or file_url: only its own provider can read it");
}

enum PartType : std::uint8_t { kText, kRefusal, kImage, kFile };
constexpr Word kPartTypes[] = {{"input_text", kText}, {"output_text", kText},  {"text", kText},
                               {"refusal", kRefusal}, {"input_image", kImage}, {"input_file", kFile}};

bool read_part(Reader& in, NodeId node, const Place& place, std::vector<Part>& parts) {
  if (!in.is_object(node, place)) return false;
  Part& part = parts.emplace_back();
  const std::string_view type = in.word(node, "type");
  switch (find_word(kPartTypes, type)) {
    case kText: in.counted(in.o.find(node, "text"), part.text); return true;
    case kRefusal:
      part.kind = PartKind::refusal;
      in.counted(in.o.find(node, "refusal"), part.text);
      return true;
    case kImage: read_openai_image(in, node, place, part); return true;
    case kFile:
      in.out.needs.add(Ability::documents);
      read_file(in, node, place, part);
      return true;
    default: break;
  }
  if (type.empty()) return in.fail(place, "has no type");
  read_other_part(in, type, place, part);
  return true;
}

Message& add_message(Reader& in, Role role, std::size_t index) {
  Message& message = in.out.messages.emplace_back();
  message.role = role;
  message.position = static_cast<int>(index);
  return message;
}

// The assistant's message that an item of its belongs to: the last one, if nobody else has spoken since.
Message& assistant_message(Reader& in, std::size_t index) {
  std::vector<Message>& messages = in.out.messages;
  const bool last = !messages.empty() && messages.back().role == Role::assistant;
  return last ? messages.back() : add_message(in, Role::assistant, index);
}

// Texts that were messages of their own stay apart, but a call and its output must not be parted.
Message& message_for_text(Reader& in, Role role, std::size_t index) {
  if (role != Role::assistant) return add_message(in, role, index);
  const std::vector<Part>& parts = assistant_message(in, index).parts;
  const auto has = [&](PartKind kind) {
    return std::any_of(parts.begin(), parts.end(), [&](const Part& part) { return part.kind == kind; });
  };
  const bool apart = has(PartKind::text) && !has(PartKind::tool_call);
  return apart ? add_message(in, role, index) : in.out.messages.back();
}

constexpr Word kRoles[] = {{"system", Role::system},
                           {"developer", Role::developer},
                           {"user", Role::user},
                           {"assistant", Role::assistant}};

bool read_message(Reader& in, NodeId node, const Place& place, std::size_t index) {
  const std::string_view name = in.word(node, "role");
  if (name.empty()) return in.fail(Place(place, "role"), "is missing");
  const int role = find_word(kRoles, name);
  if (role == kNoWord) in.only_here(Place(place, "role"), joined({"is ", name, kOnlyThisDialect}));
  Message& message = message_for_text(in, role == kNoWord ? Role::user : static_cast<Role>(role), index);
  const NodeId content = in.o.find(node, "content");
  message.plain = in.is_string(content);
  return in.parts(content, Place(place, "content"), message.parts, read_part,
                  "must be a string or an array of parts");
}

void read_call(Reader& in, NodeId node, const Place& place, std::size_t index, bool custom) {
  Part& call = assistant_message(in, index).parts.emplace_back();
  call.kind = PartKind::tool_call;
  in.id(node, "call_id", call.id);
  in.content(node, "name", call.name);
  if (custom) {
    read_openai_input(in, in.o.find(node, "input"), Place(place, "input"), call);
  } else {
    read_openai_arguments(in, in.o.find(node, "arguments"), Place(place, "arguments"), call);
  }
  if (!in.o.open(node) && (call.id.empty() || call.name.empty()))
    in.only_here(place, "needs call_id and name");
}

bool read_output(Reader& in, NodeId node, const Place& place, std::size_t index) {
  Part& result = add_message(in, Role::tool, index).parts.emplace_back();
  result.kind = PartKind::tool_result;
  in.id(node, "call_id", result.id);
  if (result.id.empty() && !in.o.open(node)) in.only_here(place, "has no call_id");
  return in.parts(in.o.find(node, "output"), Place(place, "output"), result.content, read_part,
                  "must be a string or an array of parts");
}

// The model's own steps can be left out of a history; what the client gave or did cannot.
enum ItemType : std::uint8_t { kMessage, kCall, kCustomCall, kOutput, kReasoning, kOwnStep };
constexpr Word kItemTypes[] = {{"message", kMessage},
                               {"function_call", kCall},
                               {"custom_tool_call", kCustomCall},
                               {"function_call_output", kOutput},
                               {"custom_tool_call_output", kOutput},
                               {"reasoning", kReasoning},
                               {"web_search_call", kOwnStep},
                               {"file_search_call", kOwnStep},
                               {"code_interpreter_call", kOwnStep},
                               {"image_generation_call", kOwnStep},
                               {"mcp_list_tools", kOwnStep},
                               {"mcp_call", kOwnStep}};

bool read_item(Reader& in, NodeId node, const Place& place, std::size_t index) {
  if (!in.is_object(node, place)) return false;
  const std::string type(in.word(node, "type"));
  const int known = type.empty() ? kMessage : find_word(kItemTypes, type);
  if (known == kMessage) return read_message(in, node, place, index);
  if (known == kOutput) return read_output(in, node, place, index);
  if (known == kCall || known == kCustomCall) {
    read_call(in, node, place, index, known == kCustomCall);
    return true;
  }
  if (known == kNoWord) in.only_here(place, joined({"is of type ", type, kOnlyThisDialect}));
  Part& part = assistant_message(in, index).parts.emplace_back();
  part.kind = known == kReasoning ? PartKind::thinking : PartKind::other;
  part.type = type;
  return true;
}

// Instructions come before the input, wherever the client put them.
Message& instructions_message(Reader& in) {
  std::vector<Message>& messages = in.out.messages;
  if (messages.empty()) messages.emplace_back().role = Role::system;
  return messages.front();
}

bool read_instructions(Reader& in, NodeId node, const Place& place) {
  if (!in.is_string(node)) {
    in.only_here(place, "must be a string");
    return true;
  }
  Message& message = instructions_message(in);
  message.plain = true;
  in.counted(node, message.parts.emplace_back().text);
  return true;
}

bool read_input(Reader& in, NodeId node, const Place& place) {
  if (in.is_string(in.o.find(0, "instructions"))) instructions_message(in);
  if (!in.is_string(node)) return in.each(node, place, read_item);
  Message& message = add_message(in, Role::user, 0);
  message.plain = true;
  in.counted(node, message.parts.emplace_back().text);
  return true;
}

bool read_tool(Reader& in, NodeId node, const Place& place, std::size_t) {
  if (!in.is_object(node, place)) return false;
  Tool& tool = in.out.tools.emplace_back();
  in.out.needs.add(Ability::tools);
  tool.type = in.word(node, "type");
  if (tool.type == "custom") read_openai_custom(in, node, in.o.find(node, "format"), tool);
  if (tool.type == "function") tool.type.clear();
  in.content(node, "name", tool.name);
  in.counted(in.o.find(node, "description"), tool.description);
  const NodeId schema = in.o.find(node, "parameters");
  if (in.is(schema, Kind::object)) in.value(schema, tool.schema);
  tool.strict = in.flag(node, "strict");
  in.count(tool.schema);
  return true;
}

bool read_tools(Reader& in, NodeId node, const Place& place) { return in.each(node, place, read_tool); }

constexpr Word kToolChoices[] = {
    {"auto", ToolChoice::automatic}, {"none", ToolChoice::none}, {"required", ToolChoice::required}};

constexpr Word kNamed[] = {{"function", 0}, {"custom", 1}};

bool read_tool_choice(Reader& in, NodeId node, const Place& place) {
  const int known = find_word(kToolChoices, in.word(node));
  const int named = find_word(kNamed, in.word(node, "type"));
  const NodeId name = in.o.find(node, "name");
  if (known != kNoWord) {
    in.out.tool_choice = static_cast<ToolChoice>(known);
  } else if (named != kNoWord && in.is_string(name)) {
    in.out.tool_choice = ToolChoice::named;
    in.out.tool_choice_custom = named != 0;
    in.content(name, in.out.tool_choice_name);
  } else {
    in.only_here(place, "is not auto, none, required or a function");
  }
  return true;
}

constexpr Word kFormats[] = {{"text", ResponseFormat::Kind::text},
                             {"json_object", ResponseFormat::Kind::json_object},
                             {"json_schema", ResponseFormat::Kind::json_schema}};

void read_format(Reader& in, NodeId node, const Place& place) {
  const int known = find_word(kFormats, in.word(node, "type"));
  if (known == kNoWord) return in.only_here(place, "is not text, json_object or json_schema");
  const auto kind = static_cast<ResponseFormat::Kind>(known);
  if (kind == ResponseFormat::Kind::json_schema) return in.response_schema(node, place);
  in.out.params.response_format.kind = kind;
}

// Of `text` and `reasoning` one member is read; the others are for this dialect only.
void ignore_others(Reader& in, NodeId node, std::string_view name, NodeId known) {
  for (NodeId member = in.o.first(node); member != kNoNode; member = in.o.next(member)) {
    if (member != known && !in.is_null(member)) in.ignore(joined({name, in.o.key(member)}));
  }
}

bool read_text(Reader& in, NodeId node, const Place& place) {
  const NodeId format = in.o.find(node, "format");
  if (format != kNoNode && !in.is_null(format)) read_format(in, format, Place(place, "format"));
  ignore_others(in, node, "text.", format);
  return true;
}

bool read_reasoning(Reader& in, NodeId node, const Place& place) {
  const NodeId effort = in.o.find(node, "effort");
  if (effort != kNoNode && !in.is_null(effort)) read_effort(in, effort, Place(place, "effort"));
  ignore_others(in, node, "reasoning.", effort);
  return true;
}

bool read_remembered(Reader& in, NodeId, const Place& place) {
  in.only_here(place, "names what only its own provider keeps");
  return true;
}

bool read_background(Reader& in, NodeId node, const Place& place) {
  if (in.o.is_true(node)) in.only_here(place, "is possible only at a provider of this dialect");
  return true;
}

// Not to store is what every other dialect does.
bool read_store(Reader& in, NodeId node, const Place&) {
  if (!in.o.is_false(node)) in.ignore("store");
  return true;
}

// Log probabilities alone are told elsewhere too.
bool read_include(Reader& in, NodeId node, const Place&) {
  for (NodeId one = in.o.first(node); one != kNoNode; one = in.o.next(one)) {
    const std::string_view what = in.word(one);
    if (what == "message.output_text.logprobs") {
      in.out.params.logprobs = true;
    } else {
      in.ignore("include");
    }
  }
  return true;
}

constexpr std::array<TopKey, 20> kFields = {{
    {"model", read_model},
    {"input", read_input},
    {"instructions", read_instructions},
    {"stream", read_stream},
    {"tools", read_tools},
    {"tool_choice", read_tool_choice},
    {"parallel_tool_calls", read_openai_parallel},
    {"text", read_text},
    {"reasoning", read_reasoning},
    {"max_output_tokens", read_integer<&Params::max_tokens>},
    {"temperature", read_temperature},
    {"top_p", read_number<&Params::top_p>},
    {"user", read_string<&Params::user>},
    {"include", read_include},
    {"top_logprobs", read_integer<&Params::top_logprobs>},
    {"store", read_store},
    {"background", read_background},
    {"previous_response_id", read_remembered},
    {"conversation", read_remembered},
    {"prompt", read_remembered},
}};

}  // namespace

bool read_openai_responses(const json::Outline& body, Request& out, RequestProblem& problem) {
  Reader reader(body, out, problem);
  if (!reader.read(kFields, {})) return false;
  // A stored prompt or conversation may be all there is.
  const NodeId input = body.find(0, "input");
  const bool none = input == kNoNode || reader.is_null(input);
  if (!out.partial && none && !out.untranslatable) {
    return reader.fail(Place(Place(), "input"), "is missing");
  }
  // Other dialects begin their messages with the instructions, so nothing can be sent on before they are
  // known.
  if (out.partial && body.find(0, "instructions") == kNoNode) out.open_string.reset();
  return true;
}

}  // namespace shunt::dialect
