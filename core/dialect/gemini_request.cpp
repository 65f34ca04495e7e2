// Reads generateContent request bodies. https://ai.google.dev/api/generate-content
#include "dialect/gemini_request.h"

#include <algorithm>
#include <utility>

#include "base/json_writer.h"
#include "dialect/call_id.h"
#include "dialect/request_common.h"
#include "dialect/tool_identity.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

using json::Kind;
using json::kNoNode;
using json::NodeId;

NodeId find(Reader& in, NodeId object, std::string_view camel) {
  for (NodeId member = in.o.first(object); member != kNoNode; member = in.o.next(member)) {
    if (same_name(in.o.key(member), camel)) return member;
  }
  return kNoNode;
}

// A list, or the one object that stands for it.
bool each(Reader& in, NodeId node, const Place& place, ReadElement read_one) {
  return in.is(node, Kind::object) ? read_one(in, node, place, 0) : in.each(node, place, read_one);
}

// The URL-safe alphabet, which Google takes too and its Python SDK sends, is rewritten where the data is
// short enough to be kept; longer data is told by the characters of its head.
void read_base64(Reader& in, NodeId data, const Place& place, Part& part) {
  in.content(data, part.text);
  const std::string_view head = in.o.raw_head(data);
  if (head.find_first_of("-_") == std::string_view::npos) return;
  if (!in.o.whole(data)) {
    return in.only_here(place, "is URL-safe base64 and too long to translate: send standard base64", 413);
  }
  std::string standard(head);
  std::replace(standard.begin(), standard.end(), '-', '+');
  std::replace(standard.begin(), standard.end(), '_', '/');
  while (standard.size() % 4 != 0) standard += '=';
  part.text = Text::of(standard);
}

constexpr std::pair<std::string_view, Ability> kMedia[] = {{"image/", Ability::vision},
                                                           {"audio/", Ability::audio},
                                                           {"video/", Ability::video},
                                                           {"application/pdf", Ability::documents}};

// inlineData and fileData: {"mimeType", "data" | "fileUri"}.
void read_blob(Reader& in, NodeId node, const Place& place, bool inside, Part& part) {
  part.media_type = in.word(find(in, node, "mimeType"));
  const std::string_view type = part.media_type;
  const bool image = type.starts_with("image/");
  for (const auto& [begins, ability] : kMedia) {
    if (type.starts_with(begins)) in.out.needs.add(ability);
  }
  if (!image && type != "application/pdf" && (inside || !type.empty())) {
    return in.only_here(place, joined({"is of type '", type, "', which only this dialect has"}));
  }
  if (inside) {
    part.kind = image ? PartKind::image_base64 : PartKind::document_base64;
    return read_base64(in, find(in, node, "data"), Place(place, "data"), part);
  }
  part.kind = image ? PartKind::image_url : PartKind::document_url;
  const NodeId uri = find(in, node, "fileUri");
  in.content(uri, part.text);
  const std::string_view head = in.o.raw_head(uri);
  if (!head.starts_with("https:") || head.find("generativelanguage.googleapis.com") != head.npos) {
    in.only_here(place, "is a file that only its own provider can read");
  }
}

// The arguments are an object; other dialects want a string that holds it.
void read_call(Reader& in, NodeId node, const Place& place, Part& call) {
  call.kind = PartKind::tool_call;
  in.id(node, "id", call.id);
  in.id(node, "name", call.name);
  call.input = Raw::of("{}");
  call.arguments = Text::of("{}");
  if (!in.o.open(node) && call.name.empty()) return in.only_here(place, "has no name");
  const NodeId args = find(in, node, "args");
  if (!in.is(args, Kind::object)) return;
  in.value(args, call.input);
  in.count(call.input);
  if (in.o.open(args)) return;
  if (!in.o.whole(args)) return in.only_here(Place(place, "args"), "is too long to translate", 413);
  call.arguments.literal.clear();
  json::append_escaped(call.arguments.literal, in.o.raw_head(args));
}

// "Use output to specify function output and error to specify error details. If they are not specified, the
// whole response is treated as function output." Vercel's SDK says the function's name again, and content.
void read_output(std::string_view response, Part& result) {
  Part& text = result.content.emplace_back();
  text.text.present = true;
  json::Cursor cursor(response);
  std::string_view key, raw;
  bool escaped = false;
  if (cursor.enter_object() && cursor.next_key(key)) {
    const bool named = key == "name" && cursor.read_string(raw, escaped) && cursor.next_key(key);
    const bool error = key == "error";
    const bool output = named ? key == "content" : error || key == "output";
    if (output && cursor.read_string(raw, escaped) && !cursor.next_key(key)) {
      result.is_error = error;
      text.text.literal = raw;
      return;
    }
  }
  json::append_escaped(text.text.literal, response);
}

// Members that only this dialect has.
void ignore_others(Reader& in, NodeId node, std::string_view name, std::span<const std::string_view> known) {
  for (NodeId member = in.o.first(node); member != kNoNode; member = in.o.next(member)) {
    const std::string_view key = in.o.key(member);
    const bool ours = std::any_of(known.begin(), known.end(),
                                  [key](std::string_view each) { return same_name(key, each); });
    if (!ours && !in.is_null(member)) in.ignore(joined({name, key}));
  }
}

constexpr std::string_view kResultMembers[] = {"id", "name", "response", "parts"};
constexpr std::string_view kFunctionMembers[] = {"name", "description", "parameters", "parametersJsonSchema"};

bool read_part(Reader& in, NodeId node, const Place& place, std::vector<Part>& parts);

bool read_result(Reader& in, NodeId node, const Place& place, Part& result) {
  result.kind = PartKind::tool_result;
  in.id(node, "id", result.id);
  in.id(node, "name", result.name);
  ignore_others(in, node, "functionResponse.", kResultMembers);
  const NodeId response = find(in, node, "response");
  if (in.is(response, Kind::object) && !in.o.open(response)) {
    if (!in.o.whole(response)) {
      in.only_here(Place(place, "response"), "is too long to translate", 413);
    } else {
      read_output(in.o.raw_head(response), result);
    }
  }
  const NodeId more = find(in, node, "parts");
  const Place inner(place, "parts");
  return more == kNoNode || in.is_null(more) ||
         in.parts(more, inner, result.content, read_part, "must be an array of parts");
}

enum PartMember : std::uint8_t { kText, kInline, kFile, kCall, kResponse, kOwnStep, kMark };
constexpr Word kPartMembers[] = {
    {"text", kText},         {"inlineData", kInline},           {"fileData", kFile},
    {"functionCall", kCall}, {"functionResponse", kResponse},   {"executableCode", kOwnStep},
    {"toolCall", kOwnStep},  {"codeExecutionResult", kOwnStep}, {"toolResponse", kOwnStep},
    {"thought", kMark}};

int part_member(std::string_view key) {
  for (const Word& word : kPartMembers) {
    if (same_name(key, word.text)) return word.id;
  }
  return kNoWord;
}

bool read_data(Reader& in, NodeId node, int member, const Place& place, Part& part) {
  switch (member) {
    case kText: in.counted(node, part.text); return true;
    case kInline:
    case kFile: read_blob(in, node, place, member == kInline, part); return true;
    case kCall: read_call(in, node, place, part); return true;
    case kResponse: return read_result(in, node, place, part);
    default: break;
  }
  // The model's own server-side steps can be left out of a history.
  part.kind = PartKind::other;
  part.type = in.o.key(node);
  return true;
}

bool read_part(Reader& in, NodeId node, const Place& place, std::vector<Part>& parts) {
  if (!in.is_object(node, place)) return false;
  Part& part = parts.emplace_back();
  const std::size_t at = parts.size() - 1;
  bool held = false;
  for (NodeId member = in.o.first(node); member != kNoNode; member = in.o.next(member)) {
    const int known = part_member(in.o.key(member));
    if (known == kMark || in.is_null(member)) continue;
    if (known == kNoWord) {
      in.ignore(joined({"contents[].parts[].", in.o.key(member)}));
      continue;
    }
    held = true;
    if (!read_data(in, member, known, Place(place, in.o.key(member)), part)) return false;
  }
  if (in.o.is_true(find(in, node, "thought"))) {
    part = Part{};
    part.kind = PartKind::thinking;
    part.type = "thought";
  } else if (!held && !in.o.open(node)) {
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at));  // only a signature, or nothing
  }
  return true;
}

bool read_parts(Reader& in, NodeId content, const Place& place, Message& message) {
  const NodeId parts = in.is_string(content) ? content : find(in, content, "parts");
  const Place inner(place, "parts");
  if (in.is(parts, Kind::object)) return read_part(in, parts, inner, message.parts);
  return in.parts(parts, inner, message.parts, read_part, "must be an array of parts");
}

constexpr Word kRoles[] = {{"user", Role::user},
                           {"model", Role::assistant},
                           {"function", Role::user},
                           {"tool", Role::user},
                           {"", Role::user}};

bool read_content(Reader& in, NodeId node, const Place& place, std::size_t index) {
  if (!in.is_object(node, place)) return false;
  const int role = find_word(kRoles, in.word(find(in, node, "role")));
  if (role == kNoWord) return in.fail(Place(place, "role"), "must be user or model");
  Message& message = in.out.messages.emplace_back();
  message.role = static_cast<Role>(role);
  message.position = static_cast<int>(index);
  // Whose the parts are must be known before any of them is sent on.
  if (in.o.open(node) && find(in, node, "role") == kNoNode) in.only_here(place, "role comes late");
  return read_parts(in, node, place, message);
}

// The system prompt comes before the contents, wherever the client put it.
Message& system_message(Reader& in) {
  std::vector<Message>& messages = in.out.messages;
  if (messages.empty()) messages.emplace_back().role = Role::system;
  return messages.front();
}

bool read_contents(Reader& in, NodeId node, const Place& place) {
  const NodeId system = find(in, 0, "systemInstruction");
  if (system != kNoNode && !in.is_null(system)) system_message(in);
  return each(in, node, place, read_content);
}

bool read_system(Reader& in, NodeId node, const Place& place) {
  Message& message = system_message(in);
  message.plain = in.is_string(node);
  return read_parts(in, node, place, message);
}

// Schema of this API where it must be turned into JSON Schema; parametersJsonSchema is one.
void read_schema(Reader& in, NodeId node, const Place& place, Raw& schema) {
  if (!in.is(node, Kind::object)) return;
  in.value(node, schema);
  in.count(schema);
  if (in.o.open(node)) return;
  if (!in.o.whole(node)) return in.only_here(place, "is too long to translate", 413);
  std::string translated;
  if (json_schema_of(in.o.raw_head(node), translated)) schema = Raw::of(translated);
}

bool read_function(Reader& in, NodeId node, const Place& place, std::size_t) {
  if (!in.is_object(node, place)) return false;
  Tool& tool = in.out.tools.emplace_back();
  in.out.needs.add(Ability::tools);
  in.content(node, "name", tool.name);
  in.counted(in.o.find(node, "description"), tool.description);
  read_schema(in, find(in, node, "parameters"), Place(place, "parameters"), tool.schema);
  ignore_others(in, node, "functionDeclarations[].", kFunctionMembers);
  const NodeId schema = find(in, node, "parametersJsonSchema");
  if (in.is(schema, Kind::object)) {
    in.value(schema, tool.schema);
    in.count(tool.schema);
  }
  return true;
}

bool read_tool(Reader& in, NodeId node, const Place& place, std::size_t) {
  for (NodeId member = in.o.first(node); member != kNoNode; member = in.o.next(member)) {
    const std::string_view key = in.o.key(member);
    if (in.is_null(member)) continue;
    if (!same_name(key, "functionDeclarations")) {
      in.out.tools.emplace_back().type = key;  // googleSearch, codeExecution, …: the provider's own
    } else if (!each(in, member, Place(place, key), read_function)) {
      return false;
    }
  }
  return true;
}

bool read_tools(Reader& in, NodeId node, const Place& place) { return each(in, node, place, read_tool); }

constexpr Word kModes[] = {{"AUTO", ToolChoice::automatic},         {"VALIDATED", ToolChoice::automatic},
                           {"ANY", ToolChoice::required},           {"NONE", ToolChoice::none},
                           {"MODE_UNSPECIFIED", ToolChoice::unset}, {"", ToolChoice::unset}};

bool read_tool_config(Reader& in, NodeId node, const Place& place) {
  const NodeId config = find(in, node, "functionCallingConfig");
  const int mode = find_word(kModes, in.word(find(in, config, "mode")));
  Request& out = in.out;
  if (mode == kNoWord) {
    in.only_here(place, "has a mode that is not AUTO, ANY, NONE or VALIDATED");
    return true;
  }
  out.tool_choice = static_cast<ToolChoice>(mode);
  const NodeId names = find(in, config, "allowedFunctionNames");
  const NodeId only = in.o.first(names);
  if (only == kNoNode) return true;
  if (out.tool_choice == ToolChoice::required && in.o.next(only) == kNoNode) {
    out.tool_choice = ToolChoice::named;
    in.content(only, out.tool_choice_name);
  } else {
    in.ignore("toolConfig.functionCallingConfig.allowedFunctionNames");
  }
  return true;
}

bool read_mime_type(Reader& in, NodeId node, const Place& place) {
  ResponseFormat& format = in.out.params.response_format;
  const std::string_view type = in.word(node);
  const bool json = type == "application/json";
  if (!json && type != "text/plain") in.only_here(place, "is not text/plain or application/json");
  if (json && format.kind == ResponseFormat::Kind::text) format.kind = ResponseFormat::Kind::json_object;
  return true;
}

void set_response_schema(Reader& in) {
  in.out.params.response_format.kind = ResponseFormat::Kind::json_schema;
  in.out.params.response_format.strict = false;
  in.out.needs.add(Ability::json_schema);
}

bool read_response_schema(Reader& in, NodeId node, const Place& place) {
  set_response_schema(in);
  read_schema(in, node, place, in.out.params.response_format.schema);
  return true;
}

bool read_json_schema(Reader& in, NodeId node, const Place&) {
  set_response_schema(in);
  in.value(node, in.out.params.response_format.schema);
  return true;
}

constexpr Word kLevels[] = {
    {"MINIMAL", Effort::minimal}, {"LOW", Effort::low}, {"MEDIUM", Effort::medium}, {"HIGH", Effort::high}};

// A budget of 0 is no thinking; -1 and no word leave it to the model, as others do unasked.
bool read_thinking(Reader& in, NodeId node, const Place&) {
  Params& params = in.out.params;
  std::string level(in.word(find(in, node, "thinkingLevel")));
  for (char& c : level) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c);
  const int known = find_word(kLevels, level);
  if (known != kNoWord) params.effort = static_cast<Effort>(known);
  const auto budget = in.o.integer(find(in, node, "thinkingBudget"));
  if (budget == 0) params.effort = Effort::none;
  if (budget > 0) params.thinking_budget = budget;
  return true;
}

constexpr TopKey kConfig[] = {
    {"temperature", read_temperature},
    {"topP", read_number<&Params::top_p>},
    {"topK", read_number<&Params::top_k>},
    {"seed", read_number<&Params::seed>},
    {"presencePenalty", read_number<&Params::presence_penalty>},
    {"frequencyPenalty", read_number<&Params::frequency_penalty>},
    {"maxOutputTokens", read_integer<&Params::max_tokens>},
    {"candidateCount", read_integer<&Params::choices>},
    {"stopSequences", read_stop},
    {"responseLogprobs", read_logprobs},
    {"logprobs", read_integer<&Params::top_logprobs>},
    {"responseMimeType", read_mime_type},
    {"responseSchema", read_response_schema},
    {"responseJsonSchema", read_json_schema},
    {"_responseJsonSchema", read_json_schema},
    {"responseModalities", read_modalities},
    {"thinkingConfig", read_thinking},
};

bool read_config(Reader& in, NodeId node, const Place& place) {
  for (NodeId member = in.o.first(node); member != kNoNode; member = in.o.next(member)) {
    const std::string_view key = in.o.key(member);
    if (in.is_null(member)) continue;
    const auto known = std::find_if(std::begin(kConfig), std::end(kConfig),
                                    [&](const TopKey& field) { return same_name(key, field.key); });
    if (known == std::end(kConfig)) {
      in.ignore(joined({"generationConfig.", key}));
    } else if (!known->read(in, member, Place(place, known->key))) {
      return false;
    }
  }
  return true;
}

bool read_cached(Reader& in, NodeId, const Place& place) {
  in.only_here(place, "names content that only its own provider has");
  return true;
}

// The path says it, with another model than this perhaps.
bool read_nothing(Reader&, NodeId, const Place&) { return true; }

constexpr TopKey kFields[] = {
    {"contents", read_contents},
    {"systemInstruction", read_system},
    {"system_instruction", read_system},
    {"tools", read_tools},
    {"toolConfig", read_tool_config},
    {"tool_config", read_tool_config},
    {"generationConfig", read_config},
    {"generation_config", read_config},
    {"cachedContent", read_cached},
    {"cached_content", read_cached},
    {"model", read_nothing},
};

// Calls without ids get some, and each response the id of the first unanswered call of its name.
void name_calls(std::vector<Message>& messages) {
  std::vector<const Part*> waiting;
  for (Message& message : messages) {
    int number = 0;
    for (Part& part : message.parts) {
      if (part.kind == PartKind::tool_call) {
        if (part.id.empty()) part.id = Text::of(made_call_id("call_", {}, message.position, number++));
        if (waiting.size() < kToolCalls) waiting.push_back(&part);
      } else if (part.kind == PartKind::tool_result) {
        const auto call = std::find_if(waiting.begin(), waiting.end(), [&](const Part* one) {
          return part.id.empty() ? one->name == part.name : one->id == part.id;
        });
        if (call != waiting.end()) {
          part.id = (*call)->id;
          waiting.erase(call);
        } else if (part.id.empty()) {
          part.id = Text::of(made_call_id("call_", {}, message.position, number++));
        }
      }
    }
  }
}

}  // namespace

bool read_gemini(const json::Outline& body, Request& out, RequestProblem& problem) {
  Reader reader(body, out, problem);
  if (!reader.read(kFields, "contents")) return false;
  name_calls(out.messages);
  // Other dialects begin their messages with the system prompt, so nothing can be sent on before it is known.
  if (out.partial && find(reader, 0, "systemInstruction") == kNoNode) out.open_string.reset();
  return true;
}

}  // namespace shunt::dialect
