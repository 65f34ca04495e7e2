// Reads Messages request bodies. https://docs.anthropic.com/en/api/messages
#include "dialect/anthropic_request.h"

#include <array>

#include "base/json_writer.h"
#include "dialect/request_common.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

using json::Kind;
using json::kNoNode;
using json::NodeId;

constexpr std::string_view kOnlyThisDialect = ", which only this dialect has";

enum SourceType : std::uint8_t { kBase64, kUrl, kPlain };
constexpr Word kSourceTypes[] = {{"base64", kBase64}, {"url", kUrl}, {"text", kPlain}};

// An image or document: {"type", "source": {"type": base64 | url | text, …}, "title"}.
void read_source(Reader& in, NodeId node, const Place& place, bool image, Part& part) {
  const NodeId source = in.o.find(node, "source");
  in.content(node, "title", part.name);
  const std::string_view type = in.word(source, "type");
  int known = find_word(kSourceTypes, type);
  if (known == kPlain && image) known = kNoWord;
  if (image || known != kPlain) in.out.needs.add(image ? Ability::vision : Ability::documents);
  switch (known) {
    case kBase64:
      part.kind = image ? PartKind::image_base64 : PartKind::document_base64;
      in.content(source, "data", part.text);
      part.media_type = in.word(source, "media_type");
      return;
    case kUrl:
      part.kind = image ? PartKind::image_url : PartKind::document_url;
      return in.content(source, "url", part.text);
    case kPlain: return in.counted(in.o.find(source, "data"), part.text);
    default: in.only_here(place, joined({"has a source of type ", type, kOnlyThisDialect}));
  }
}

// The arguments are an object; other dialects want a string that holds it.
void read_tool_use(Reader& in, NodeId node, const Place& place, Part& call) {
  call.kind = PartKind::tool_call;
  in.id(node, "id", call.id);
  in.content(node, "name", call.name);
  const NodeId input = in.o.find(node, "input");
  in.value(input, call.input);
  call.arguments = Text::of("{}");
  in.count(call.input);
  if (in.o.open(node)) return;
  if (call.id.empty() || call.name.empty() || !in.is(input, Kind::object)) {
    return in.only_here(place, "needs id, name and input");
  }
  if (!in.o.whole(input)) {
    return in.only_here(Place(place, "input"), "is too long to translate", 413);
  }
  call.arguments.literal.clear();
  json::append_escaped(call.arguments.literal, in.o.raw_head(input));
}

bool read_block(Reader& in, NodeId node, const Place& place, std::vector<Part>& parts);

bool read_content(Reader& in, NodeId content, const Place& place, std::vector<Part>& parts) {
  return in.parts(content, place, parts, read_block, "must be an array");
}

bool read_tool_result(Reader& in, NodeId node, const Place& place, Part& result) {
  result.kind = PartKind::tool_result;
  in.id(node, "tool_use_id", result.id);
  result.is_error = in.flag(node, "is_error");
  if (result.id.empty() && !in.o.open(node)) in.only_here(place, "has no tool_use_id");
  return read_content(in, in.o.find(node, "content"), Place(place, "content"), result.content);
}

void read_other(Reader& in, const Place& place, Part& part) {
  part.kind = PartKind::other;
  // The model's own server-side steps can be left out of a history; what the user gave cannot.
  const std::string_view type = part.type;
  const bool own_step = type.ends_with("_tool_use") || type.ends_with("_tool_result");
  if (!own_step) in.only_here(place, joined({"is of type ", type, kOnlyThisDialect}));
}

enum BlockType : std::uint8_t { kText, kImage, kDocument, kToolUse, kToolResult, kThinking };
constexpr Word kBlockTypes[] = {{"text", kText},
                                {"image", kImage},
                                {"document", kDocument},
                                {"tool_use", kToolUse},
                                {"tool_result", kToolResult},
                                {"thinking", kThinking},
                                {"redacted_thinking", kThinking}};

bool read_block(Reader& in, NodeId node, const Place& place, std::vector<Part>& parts) {
  if (!in.is_object(node, place)) return false;
  Part& part = parts.emplace_back();
  part.type = in.word(node, "type");
  part.mark = in.mark(node);
  if (part.type.empty()) return in.fail(place, "has no type");
  const int type = find_word(kBlockTypes, part.type);
  switch (type) {
    case kText: in.counted(in.o.find(node, "text"), part.text); return true;
    case kImage:
    case kDocument: read_source(in, node, place, type == kImage, part); return true;
    case kToolUse: read_tool_use(in, node, place, part); return true;
    case kToolResult: return read_tool_result(in, node, place, part);
    case kThinking: part.kind = PartKind::thinking; return true;
    default: read_other(in, place, part); return true;
  }
}

constexpr Word kRoles[] = {{"user", Role::user}, {"assistant", Role::assistant}, {"system", Role::system}};

bool read_message(Reader& in, NodeId node, const Place& place, std::size_t index) {
  if (!in.is_object(node, place)) return false;
  const int role = find_word(kRoles, in.word(node, "role"));
  if (role == kNoWord) return in.fail(Place(place, "role"), "must be user or assistant");
  Message& message = in.out.messages.emplace_back();
  message.role = static_cast<Role>(role);
  message.position = static_cast<int>(index);
  const NodeId content = in.o.find(node, "content");
  message.plain = in.is_string(content);
  return read_content(in, content, Place(place, "content"), message.parts);
}

// The system prompt comes before the messages, wherever the client put it.
Message& system_message(Reader& in) {
  std::vector<Message>& messages = in.out.messages;
  if (messages.empty()) messages.emplace_back().role = Role::system;
  return messages.front();
}

bool read_messages(Reader& in, NodeId node, const Place& place) {
  const NodeId system = in.o.find(0, "system");
  if (system != kNoNode && !in.is_null(system)) system_message(in);
  return in.each(node, place, read_message);
}

bool read_system(Reader& in, NodeId node, const Place& place) {
  Message& message = system_message(in);
  message.plain = in.is_string(node);
  return read_content(in, node, place, message.parts);
}

bool read_tool(Reader& in, NodeId node, const Place& place, std::size_t) {
  if (!in.is_object(node, place)) return false;
  Tool& tool = in.out.tools.emplace_back();
  in.out.needs.add(Ability::tools);
  tool.type = in.word(node, "type");
  if (tool.type == "custom") tool.type.clear();
  in.content(node, "name", tool.name);
  in.counted(in.o.find(node, "description"), tool.description);
  in.value(node, "input_schema", tool.schema);
  tool.strict = in.flag(node, "strict");
  tool.mark = in.mark(node);
  in.count(tool.schema);
  return true;
}

bool read_tools(Reader& in, NodeId node, const Place& place) { return in.each(node, place, read_tool); }

constexpr Word kToolChoices[] = {{"auto", ToolChoice::automatic},
                                 {"none", ToolChoice::none},
                                 {"any", ToolChoice::required},
                                 {"tool", ToolChoice::named}};

bool read_tool_choice(Reader& in, NodeId node, const Place& place) {
  const int known = find_word(kToolChoices, in.word(node, "type"));
  Request& out = in.out;
  if (known == kNoWord) {
    in.only_here(place, "is not of type auto, none, any or tool");
  } else {
    out.tool_choice = static_cast<ToolChoice>(known);
    if (out.tool_choice == ToolChoice::named) in.content(node, "name", out.tool_choice_name);
  }
  const NodeId disabled = in.o.find(node, "disable_parallel_tool_use");
  if (in.is(disabled, Kind::boolean)) out.params.parallel_tool_calls = !in.o.is_true(disabled);
  return true;
}

bool read_metadata(Reader& in, NodeId node, const Place&) {
  in.content(node, "user_id", in.out.params.user);
  return true;
}

bool read_thinking(Reader& in, NodeId node, const Place&) {
  const std::string_view type = in.word(node, "type");
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

constexpr std::array<TopKey, 15> kFields = {{
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
