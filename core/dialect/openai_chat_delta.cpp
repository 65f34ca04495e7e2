// What a delta or message of the openai_chat dialect holds -> events, in one order whatever the order of its
// keys: reasoning, text, refusal, calls. See openai_chat_reader.h.
#include "base/strings.h"
#include "dialect/add_event.h"
#include "dialect/openai_chat_reader.h"
#include "dialect/others.h"

namespace shunt::dialect {
namespace {

enum DeltaSlot : std::uint8_t {
  kRole,
  kContent,
  kReasoningContent,
  kReasoning,
  kDetails,
  kRefusal,
  kCalls,
  kFunctionCall,
  kDeltaSlots
};
constexpr Member kDelta[] = {{"role", kRole},
                             {"content", kContent},
                             {"reasoning_content", kReasoningContent, true},
                             {"reasoning", kReasoning, true},
                             {"reasoning_details", kDetails},
                             {"refusal", kRefusal, true},
                             {"tool_calls", kCalls},
                             {"function_call", kFunctionCall}};

// One entry of OpenRouter's reasoning_details, or one part of a content array.
enum EntrySlot : std::uint8_t { kType, kText, kData, kSignature, kThinking, kEntrySlots };
constexpr Member kDetail[] = {
    {"type", kType}, {"text", kText}, {"summary", kText}, {"data", kData}, {"signature", kSignature}};
constexpr Member kPart[] = {
    {"type", kType}, {"text", kText}, {"refusal", kText}, {"signature", kSignature}, {"thinking", kThinking}};

constexpr Member kThought[] = {{"text", kText}};

enum CallSlot : std::uint8_t { kIndex, kId, kCallType, kCallSlots };
constexpr Member kCall[] = {{"index", kIndex}, {"id", kId}, {"type", kCallType}};

enum FunctionSlot : std::uint8_t { kName, kArguments, kFunctionSlots };
constexpr Member kFunctionMembers[] = {{"name", kName}, {"arguments", kArguments}, {"input", kArguments}};

}  // namespace

void OpenAiChatReader::read_delta(json::Cursor& cursor, const Place& place) {
  Value in[kDeltaSlots];
  std::string_view other;
  if (!cursor.enter_object()) return;
  while (take_members(cursor, kDelta, in, other)) put_extra("delta.", other, cursor, place.index);
  if (!cursor.ok()) return;
  Choice& choice = *place.choice;
  const bool whole = place.whole;
  if (!whole || !choice.reasoning) {
    read_reasoning(in[in[kReasoningContent].raw.empty() ? kReasoning : kReasoningContent], in[kDetails],
                   place);
  }
  if (!whole || !choice.text) put_content(in[kContent], place);
  if (!in[kRefusal].raw.empty() && !(whole && choice.refusal)) {
    add_refusal(*out_, place.index, text_of(in[kRefusal], scratch_));
    if (!whole) choice.refusal = true;
  }
  if (!(whole && choice.called)) read_calls(in[kCalls], in[kFunctionCall], place);
}

// A string or, with Mistral while it thinks, an array of parts.
void OpenAiChatReader::put_content(const Value& content, const Place& place) {
  if (content.raw.empty()) return;
  if (content.kind != json::Kind::string) return read_parts(content, place);
  const std::string_view text = scratch_.text(content.raw, content.escaped, place.choice->split_text);
  if (text.empty()) return;
  add_text(*out_, place.index, text);
  if (!place.whole) place.choice->text = true;
}

// `reasoning_content`, `reasoning` and `reasoning_details` say the same text up to three times: it counts
// once.
void OpenAiChatReader::read_reasoning(const Value& said, const Value& details, const Place& place) {
  if (!said.raw.empty()) {
    const std::string_view text = scratch_.text(said.raw, said.escaped, place.choice->split_reasoning);
    if (!text.empty()) put_reasoning({place.index, text, {}, {}}, place);
  }
  if (!details.raw.empty()) read_details(json_of(details), said.raw.empty(), place);
}

void OpenAiChatReader::put_reasoning(const event::ReasoningDelta& delta, const Place& place) {
  add_reasoning(*out_, delta);
  if (!place.whole && !delta.text.empty()) place.choice->reasoning = true;
}

void OpenAiChatReader::read_details(std::string_view raw, bool with_text, const Place& place) {
  json::Cursor cursor(raw);
  bool any = false, more_than_text = false;
  if (!cursor.enter_array()) return;
  while (cursor.next_element()) {
    if (cursor.peek() != json::Kind::object) continue;
    Value in[kEntrySlots];
    take_object(cursor, kDetail, in);
    event::ReasoningDelta delta{
        place.index, {}, text_of(in[kSignature], scratch_), text_of(in[kData], scratch_)};
    if (with_text) delta.text = text_of(in[kText], scratch_);
    const std::string_view type = text_of(in[kType], scratch_);
    const bool known = type == "reasoning.text" || type == "reasoning.summary";
    any = true;
    if (!known || !delta.signature.empty()) more_than_text = true;
    if (delta.text.empty() && delta.redacted.empty() && delta.signature.empty()) continue;
    put_reasoning(delta, place);
  }
  // Format, id and index belong to a signature or sealed text: whoever sends them back needs the whole. With
  // text alone they are kept, but not written again: clients would read the text twice.
  if (any)
    add_extra(*out_, place.index, more_than_text ? "delta.reasoning_details" : "reasoning_details", raw);
}

void OpenAiChatReader::read_parts(const Value& content, const Place& place) {
  const std::string_view raw = content.raw;
  json::Cursor cursor(raw);
  if (!cursor.enter_array()) return add_extra(*out_, place.index, "delta.content", raw);
  while (cursor.next_element()) {
    if (cursor.peek() == json::Kind::object) {
      read_part(cursor.skip(), place);
    } else if (cursor.peek() == json::Kind::string) {
      add_text(*out_, place.index, take_text(cursor, scratch_));
    }
  }
  if (!place.whole) place.choice->text = true;
}

void OpenAiChatReader::read_part(std::string_view raw, const Place& place) {
  Value in[kEntrySlots];
  const std::size_t before = out_->size();
  json::Cursor cursor(raw);
  take_object(cursor, kPart, in);
  read_thinking(in[kThinking], place);
  const std::string_view signature = text_of(in[kSignature], scratch_);
  if (!signature.empty()) put_reasoning({place.index, {}, signature, {}}, place);
  const std::string_view type = text_of(in[kType], scratch_);
  const std::string_view text = text_of(in[kText], scratch_);
  if (type == "refusal") {
    add_refusal(*out_, place.index, text);
  } else if (type == "text" || type == "output_text" || (type.empty() && !text.empty())) {
    add_text(*out_, place.index, text);
  }
  if (out_->size() == before) return add_extra(*out_, place.index, "delta.content", raw);
  add_others(*out_, scratch_, place.index, "part.", raw, kPart);
}

// Mistral: {"type":"thinking","thinking":[{"type":"text","text":…}]}; a string elsewhere.
void OpenAiChatReader::read_thinking(const Value& thinking, const Place& place) {
  const auto put = [&](std::string_view text) {
    add_reasoning(*out_, {place.index, text, {}, {}});
    if (!place.whole) place.choice->reasoning = true;
  };
  if (thinking.kind == json::Kind::string) return put(text_of(thinking, scratch_));
  json::Cursor cursor(thinking.raw);
  if (!cursor.enter_array()) return;
  while (cursor.next_element()) {
    Value in[kEntrySlots];
    take_object(cursor, kThought, in);
    if (in[kText].kind != json::Kind::null) put(text_of(in[kText], scratch_));
  }
}

void OpenAiChatReader::read_calls(const Value& calls, const Value& function_call, const Place& place) {
  if (calls.raw.empty() && function_call.raw.empty()) return;
  // A frame that breaks off later is dropped whole, and who the calls are must not be learnt from it.
  if (!is_json_ && !(is_json_ = json::valid(json_))) return;
  json::Cursor cursor(calls.raw);
  if (calls.kind == json::Kind::object) {
    read_call(calls.raw, place);
  } else if (calls.kind == json::Kind::array && cursor.enter_array()) {
    while (cursor.next_element()) read_call(cursor.skip(), place);
  }
  if (function_call.kind == json::Kind::object) {  // the old form: one call, no id
    json::Cursor inner(function_call.raw);
    Call call;
    call.raw = function_call.raw;
    call.who.index = 0;
    read_function(inner, call);
    // Snowflake fills in every member: a call without a name and arguments is none.
    if (!call.who.name.empty() || !call.arguments.raw.empty()) put_call(call, place);
  }
}

void OpenAiChatReader::read_call(std::string_view raw, const Place& place) {
  Value in[kCallSlots];
  std::string_view other;
  json::Cursor cursor(raw);
  if (!cursor.enter_object()) return;
  Call call;
  call.raw = raw;
  while (take_members(cursor, kCall, in, other)) {
    if (other == "function" || other == "custom") {
      const bool custom = other == "custom";
      if (cursor.read_null()) continue;  // OpenAI says so of the one that is not meant
      call.custom = custom;
      read_function(cursor, call);
    } else {
      put_extra("call.", other, cursor, place.index);
    }
  }
  if (in[kIndex].kind == json::Kind::number) call.who.index = parse_int(in[kIndex].raw);
  call.who.id = text_of(in[kId], scratch_);
  put_call(call, place);
}

void OpenAiChatReader::read_function(json::Cursor& cursor, Call& call) {
  Value in[kFunctionSlots];
  take_object(cursor, kFunctionMembers, in);
  call.who.name = text_of(in[kName], scratch_);
  call.arguments = in[kArguments];
}

void OpenAiChatReader::put_call(const Call& call, const Place& place) {
  const ToolIdentity::Match match = place.choice->calls.match(call.who);
  if (match.call < 0) return add_extra(*out_, place.index, "delta.tool_calls", call.raw);
  if (!place.whole) place.choice->called = true;
  if (match.fresh) {
    add_call(*out_, place.index, match.call, call.who.id, call.who.name, call.custom);
  } else if (match.late_id || match.late_name) {
    event::ToolCallName late{place.index, match.call, {}, {}};
    if (match.late_id) late.id = call.who.id;
    if (match.late_name) late.name = call.who.name;
    out_->push_back(late);
  }
  const bool text = call.arguments.kind == json::Kind::string;
  const std::string_view arguments =
      text ? text_of(call.arguments, scratch_) : scratch_.compact(call.arguments.raw);
  if (!arguments.empty()) add_arguments(*out_, place.index, match.call, arguments);
}

}  // namespace shunt::dialect
