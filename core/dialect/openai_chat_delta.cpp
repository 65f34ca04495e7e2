// What a delta or message of the openai_chat dialect holds -> events, in one order whatever the order of its
// keys. See openai_chat_reader.h.
#include "base/strings.h"
#include "dialect/openai_chat_reader.h"

namespace shunt::dialect {
namespace {

// One entry of OpenRouter's reasoning_details, or one part of a content array.
struct Entry {
  std::string_view type, text, data, signature;
};

}  // namespace

void OpenAiChatReader::read_delta(json::Cursor& cursor, const Place& place) {
  Delta delta;
  std::string_view key;
  if (!cursor.enter_object()) return;
  while (cursor.next_key(key)) {
    if (key == "role" || cursor.read_null()) continue;
    if (key == "content") {
      // A string or, with Mistral while it thinks, an array of parts.
      if (!cursor.read_string(delta.content.raw, delta.content.escaped)) delta.parts = cursor.skip();
    } else if (key == "reasoning_content" && cursor.peek() == json::Kind::string) {
      cursor.read_string(delta.reasoning_content.raw, delta.reasoning_content.escaped);
    } else if (key == "reasoning" && cursor.peek() == json::Kind::string) {
      cursor.read_string(delta.reasoning.raw, delta.reasoning.escaped);
    } else if (key == "reasoning_details") {
      delta.details = cursor.skip();
    } else if (key == "refusal" && cursor.peek() == json::Kind::string) {
      cursor.read_string(delta.refusal.raw, delta.refusal.escaped);
    } else if (key == "tool_calls") {
      delta.calls = cursor.skip();
    } else if (key == "function_call") {
      delta.function_call = cursor.skip();
    } else {
      put_extra("delta.", key, cursor, place.index);
    }
  }
  if (!cursor.ok()) return;
  Choice& choice = *place.choice;
  if (!place.whole || !choice.reasoning) read_reasoning(delta, place);
  if (!place.whole || !choice.text) {
    if (!delta.content.raw.empty()) {
      const std::string_view text =
          scratch_.text(delta.content.raw, delta.content.escaped, choice.split_text);
      if (!text.empty()) out_->push_back(event::TextDelta{place.index, text});
      if (!place.whole) choice.text = true;
    }
    if (!delta.parts.empty()) read_parts(delta.parts, place);
  }
  if (!delta.refusal.raw.empty() && !(place.whole && choice.refusal)) {
    out_->push_back(
        event::RefusalDelta{place.index, scratch_.text(delta.refusal.raw, delta.refusal.escaped)});
    if (!place.whole) choice.refusal = true;
  }
  if (!(place.whole && choice.called)) read_calls(delta, place);
}

// `reasoning_content`, `reasoning` and `reasoning_details` say the same text up to three times: it counts
// once.
void OpenAiChatReader::read_reasoning(const Delta& delta, const Place& place) {
  Choice& choice = *place.choice;
  const Text& said = delta.reasoning_content.raw.empty() ? delta.reasoning : delta.reasoning_content;
  if (!said.raw.empty()) {
    const std::string_view text = scratch_.text(said.raw, said.escaped, choice.split_reasoning);
    if (!text.empty()) out_->push_back(event::ReasoningDelta{place.index, text, {}, {}});
    if (!place.whole) choice.reasoning = true;
  }
  if (!delta.details.empty()) read_details(delta.details, said.raw.empty(), place);
}

void OpenAiChatReader::read_details(std::string_view raw, bool with_text, const Place& place) {
  json::Cursor cursor(raw);
  bool more_than_text = false;
  if (!cursor.enter_array()) return;
  while (cursor.next_element()) {
    if (!cursor.enter_object()) continue;
    Entry entry;
    std::string_view key;
    while (cursor.next_key(key)) {
      if (key == "type") {
        entry.type = take_text(cursor, scratch_);
      } else if (key == "text" || key == "summary") {
        entry.text = take_text(cursor, scratch_);
      } else if (key == "data") {
        entry.data = take_text(cursor, scratch_);
      } else if (key == "signature") {
        entry.signature = take_text(cursor, scratch_);
      }
    }
    const bool known = entry.type == "reasoning.text" || entry.type == "reasoning.summary";
    more_than_text = more_than_text || !known || !entry.signature.empty();
    if (!with_text) entry.text = {};
    if (entry.text.empty() && entry.data.empty() && entry.signature.empty()) continue;
    out_->push_back(event::ReasoningDelta{place.index, entry.text, entry.signature, entry.data});
    if (!place.whole && !entry.text.empty()) place.choice->reasoning = true;
  }
  // Its format, id and index belong to a signature or sealed text: whoever sends them back needs the whole.
  if (more_than_text) out_->push_back(event::Extra{place.index, "delta.reasoning_details", raw});
}

void OpenAiChatReader::read_parts(std::string_view raw, const Place& place) {
  json::Cursor cursor(raw);
  if (!cursor.enter_array()) {
    out_->push_back(event::Extra{place.index, "delta.content", raw});
    return;
  }
  while (cursor.next_element()) {
    const std::size_t begin = static_cast<std::size_t>(cursor.offset());
    if (cursor.peek() == json::Kind::object) {
      const std::size_t before = out_->size();
      read_part(cursor, place);
      const auto end = static_cast<std::size_t>(cursor.offset());
      if (out_->size() == before) {
        out_->push_back(event::Extra{place.index, "delta.content", trim(raw.substr(begin, end - begin))});
      }
    } else if (cursor.peek() == json::Kind::string) {
      out_->push_back(event::TextDelta{place.index, take_text(cursor, scratch_)});
    }
  }
  if (!place.whole) place.choice->text = true;
}

void OpenAiChatReader::read_part(json::Cursor& cursor, const Place& place) {
  Entry part;
  std::string_view key;
  if (!cursor.enter_object()) return;
  while (cursor.next_key(key)) {
    if (key == "type") {
      part.type = take_text(cursor, scratch_);
    } else if (key == "text" || key == "refusal") {
      part.text = take_text(cursor, scratch_);
    } else if (key == "signature") {
      part.signature = take_text(cursor, scratch_);
    } else if (key == "thinking") {
      read_thinking(cursor, place);
    }
  }
  if (!part.signature.empty()) out_->push_back(event::ReasoningDelta{place.index, {}, part.signature, {}});
  if (part.type == "refusal") {
    out_->push_back(event::RefusalDelta{place.index, part.text});
  } else if (part.type == "text" || part.type == "output_text" || (part.type.empty() && !part.text.empty())) {
    out_->push_back(event::TextDelta{place.index, part.text});
  }
}

// Mistral: {"type":"thinking","thinking":[{"type":"text","text":…}]}; a string elsewhere.
void OpenAiChatReader::read_thinking(json::Cursor& cursor, const Place& place) {
  const auto put = [&](std::string_view text) {
    out_->push_back(event::ReasoningDelta{place.index, text, {}, {}});
    if (!place.whole) place.choice->reasoning = true;
  };
  if (cursor.peek() == json::Kind::string) return put(take_text(cursor, scratch_));
  if (!cursor.enter_array()) return;
  while (cursor.next_element()) {
    std::string_view key;
    if (!cursor.enter_object()) continue;
    while (cursor.next_key(key)) {
      if (key == "text") put(take_text(cursor, scratch_));
    }
  }
}

void OpenAiChatReader::read_calls(const Delta& delta, const Place& place) {
  if (delta.calls.empty() && delta.function_call.empty()) return;
  // A frame that breaks off later is dropped whole, and who the calls are must not be learnt from it.
  if (!json::valid(json_)) return;
  if (!delta.calls.empty()) {
    json::Cursor cursor(delta.calls);
    if (cursor.peek() == json::Kind::object) {
      read_call(cursor, place, false);
    } else if (cursor.enter_array()) {
      while (cursor.next_element()) read_call(cursor, place, false);
    }
  }
  if (!delta.function_call.empty()) {
    json::Cursor cursor(delta.function_call);
    read_call(cursor, place, true);
  }
}

void OpenAiChatReader::read_call(json::Cursor& cursor, const Place& place, bool legacy) {
  if (cursor.peek() != json::Kind::object) return;
  Call call;
  if (legacy) {  // the old function_call: one call, no id, its members at the top
    call.who.index = 0;
    read_function(cursor, call);
    return put_call(call, place);
  }
  std::string_view key;
  cursor.enter_object();
  while (cursor.next_key(key)) {
    if (key == "index") {
      call.who.index = cursor.read_int();
    } else if (key == "id") {
      call.who.id = take_text(cursor, scratch_);
    } else if (key == "function" || key == "custom") {
      read_function(cursor, call);
    } else if (key != "type") {
      put_extra("call.", key, cursor, place.index);
    }
  }
  put_call(call, place);
}

void OpenAiChatReader::read_function(json::Cursor& cursor, Call& call) {
  std::string_view key;
  if (!cursor.enter_object()) return;
  while (cursor.next_key(key)) {
    if (key == "name") {
      call.who.name = take_text(cursor, scratch_);
    } else if (key == "arguments" || key == "input") {
      if (!cursor.read_string(call.text.raw, call.text.escaped)) call.value = take_raw(cursor);
    }
  }
}

void OpenAiChatReader::put_call(const Call& call, const Place& place) {
  const ToolIdentity::Match match = place.choice->calls.match(call.who);
  if (match.call < 0) {
    out_->push_back(event::Extra{place.index, "delta.tool_calls", json_});
    return;
  }
  if (!place.whole) place.choice->called = true;
  if (match.fresh) {
    out_->push_back(event::ToolCallStart{place.index, match.call, call.who.id, call.who.name});
  } else if (match.late_id || match.late_name) {
    out_->push_back(event::ToolCallName{place.index, match.call,
                                        match.late_id ? call.who.id : std::string_view{},
                                        match.late_name ? call.who.name : std::string_view{}});
  }
  const std::string_view arguments =
      call.value.empty() ? scratch_.text(call.text.raw, call.text.escaped) : scratch_.compact(call.value);
  if (!arguments.empty()) out_->push_back(event::ToolCallArguments{place.index, match.call, arguments});
}

}  // namespace shunt::dialect
