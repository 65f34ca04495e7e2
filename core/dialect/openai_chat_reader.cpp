// One JSON object of the openai_chat dialect -> events: the object, its choices and extras. See
// openai_chat_reader.h; openai_chat_delta.cpp reads what a delta holds.
#include "dialect/openai_chat_reader.h"

#include <algorithm>
#include <iterator>

#include "base/rng.h"
#include "base/strings.h"
#include "dialect/finish.h"
#include "dialect/provider_error.h"
#include "dialect/usage.h"

namespace shunt::dialect {
namespace {

// Top-level keys that stand in every chunk are few; more than these are passed on each time.
constexpr std::size_t kSeen = 32;

std::uint64_t hash(std::string_view text) {
  std::uint64_t value = text.size();
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;  // FNV-1a
  return mix64(value);
}

// Padding against length analysis: random, and no part of the answer.
bool is_padding(std::string_view key) { return key == "obfuscation" || key == "p"; }

// A choice's index; none is its place in the list, and one too large for us stays too large.
int take_index(json::Cursor& cursor, int position) {
  const std::int64_t index = cursor.read_int().value_or(position);
  return static_cast<int>(std::clamp<std::int64_t>(index, -1, OpenAiChatReader::kChoices));
}

// The same for a choice whose first key is another one.
int find_index(std::string_view choice, int position) {
  json::Cursor cursor(choice);
  std::string_view key;
  if (!cursor.enter_object()) return position;
  while (cursor.next_key(key)) {
    if (key == "index") return take_index(cursor, position);
  }
  return position;
}

}  // namespace

bool OpenAiChatReader::read(std::string_view json, EventList& out) {
  const std::size_t mark = out.size();
  scratch_.reset(json.size());
  out_ = &out;
  json_ = json;
  start_ = {};
  has_choice_ = is_answer_ = marked_error_ = false;
  if (!started_) out.push_back(event::Start{});

  json::Cursor cursor(json);
  const bool object = cursor.peek() == json::Kind::object;
  const bool read = object ? read_members(cursor) : !cursor.skip().empty();
  if (!read || !cursor.at_end()) {
    out.erase(std::next(out.begin(), static_cast<std::ptrdiff_t>(mark)), out.end());
    seen_.clear();
    return false;
  }
  if (read_failure(mark)) return true;
  // An answer begins with the first chunk that says who it is or has a choice: Azure's filter results come
  // before that.
  if (!started_) {
    started_ = has_choice_ || !start_.id.empty();
    if (started_) {
      out[mark] = start_;
    } else {
      out.erase(std::next(out.begin(), static_cast<std::ptrdiff_t>(mark)));
    }
  }
  if (!object) out.push_back(event::Extra{-1, "chunk", json});
  event::Error error;
  if (marked_error_ && read_error(json, ErrorForm::marked, scratch_, error)) out.push_back(error);
  return true;
}

// An object that is no part of an answer and has what errors have is an error and nothing else.
bool OpenAiChatReader::read_failure(std::size_t mark) {
  event::Error error;
  if (is_answer_ || !read_error(json_, ErrorForm::any, scratch_, error)) return false;
  out_->erase(std::next(out_->begin(), static_cast<std::ptrdiff_t>(mark)), out_->end());
  out_->push_back(error);
  return true;
}

event::Error OpenAiChatReader::error_from(std::string_view text) {
  scratch_.reset(text.size());
  return dialect::error_from(text, scratch_);
}

bool OpenAiChatReader::read_members(json::Cursor& cursor) {
  if (!cursor.enter_object()) return false;
  std::string_view key;
  while (cursor.next_key(key)) {
    if (key == "choices") {
      read_choices(cursor);
    } else if (key == "usage") {
      put_usage(take_raw(cursor));
    } else if (key == "id" || key == "model" || key == "created") {
      if (!started_) read_head(key, cursor);
    } else if (key == "object") {
      marked_error_ = take_text(cursor, scratch_) == "error" || marked_error_;
    } else if (key == "error") {
      marked_error_ = !take_raw(cursor).empty() || marked_error_;
    } else if (!is_padding(key)) {
      if (key == "base_resp") marked_error_ = true;  // MiniMax: an error when its code is not 0
      put_extra("chunk.", key, cursor, -1);
    }
  }
  return cursor.ok();
}

void OpenAiChatReader::read_head(std::string_view key, json::Cursor& cursor) {
  if (key == "id") {
    start_.id = take_text(cursor, scratch_);
  } else if (key == "model") {
    start_.model = take_text(cursor, scratch_);
  } else {
    start_.created = cursor.read_int().value_or(0);
  }
}

void OpenAiChatReader::read_choices(json::Cursor& cursor) {
  if (cursor.read_null()) return;
  if (!cursor.enter_array()) return put_extra("chunk.", "choices", cursor, -1);
  is_answer_ = true;
  for (int position = 0; cursor.next_element(); ++position) {
    if (cursor.peek() != json::Kind::object) continue;
    has_choice_ = true;
    read_choice(cursor, json_.substr(static_cast<std::size_t>(cursor.offset())), position);
  }
}

bool OpenAiChatReader::enter_place(int index, bool whole, Place& out) {
  if (index < 0 || index >= kChoices) return false;
  const auto at = static_cast<std::size_t>(index);
  if (choices_.size() <= at) choices_.resize(at + 1);
  out = {&choices_[at], index, whole};
  return true;
}

void OpenAiChatReader::read_choice(json::Cursor& cursor, std::string_view from, int position) {
  if (!cursor.enter_object()) return;
  Place place;
  bool placed = false;
  bool has_delta = false;
  std::string_view message, finish, key;
  Text text;
  while (cursor.next_key(key)) {
    if (!placed) {
      // The index decides where everything goes, and some servers sort their keys.
      const int index = key == "index" ? take_index(cursor, position) : find_index(from, position);
      if (!enter_place(index, false, place)) return put_far_choice(cursor, from);
      placed = true;
    }
    if (key == "index") continue;
    if (key == "delta") {
      has_delta = cursor.peek() == json::Kind::object;
      if (has_delta) read_delta(cursor, place);
    } else if (key == "message") {
      message = take_raw(cursor);
    } else if (key == "text" && cursor.read_string(text.raw, text.escaped)) {
      continue;
    } else if (key == "finish_reason" && cursor.peek() == json::Kind::string) {
      finish = take_text(cursor, scratch_);
    } else if (key == "usage" && cursor.peek() == json::Kind::object) {
      put_usage(cursor.skip());  // Moonshot's older API
    } else {
      put_extra("choice.", key, cursor, place.index);
    }
  }
  if (!placed && !enter_place(position, false, place)) return;
  if (!has_delta && !message.empty()) {
    place.whole = true;
    json::Cursor inner(message);
    read_delta(inner, place);
  } else if (!has_delta && !text.raw.empty()) {
    out_->push_back(event::TextDelta{place.index, scratch_.text(text.raw, text.escaped)});
  }
  // "" and the word null stand for null.
  if (!finish.empty() && finish != "null") {
    out_->push_back(event::Finish{place.index, finish_of_openai(finish), finish});
  }
}

void OpenAiChatReader::put_far_choice(json::Cursor& cursor, std::string_view from) {
  std::string_view key;
  while (cursor.next_key(key)) continue;
  const auto end = json_.data() + cursor.offset();
  out_->push_back(
      event::Extra{-1, "chunk.choices", trim(from.substr(0, static_cast<std::size_t>(end - from.data())))});
}

void OpenAiChatReader::put_usage(std::string_view raw) {
  if (raw.empty() || raw[0] != '{') return;
  is_answer_ = true;
  out_->push_back(event::UsageUpdate{read_openai_usage(raw, quirks_), raw});
}

void OpenAiChatReader::put_extra(std::string_view prefix, std::string_view key, json::Cursor& cursor,
                                 int choice) {
  // The key dies when the cursor goes on, so its copy comes first.
  const std::string_view name = scratch_.joined(prefix, key);
  const std::string_view raw = take_raw(cursor);
  if (raw.empty() || (choice < 0 && repeats(name, raw))) return;
  if (name == "chunk.x_groq") {  // Groq says its usage twice, or only here
    json::Cursor inner(raw);
    std::string_view member;
    for (bool more = inner.enter_object() && inner.next_key(member); more; more = inner.next_key(member)) {
      if (member == "usage") put_usage(take_raw(inner));
    }
  }
  out_->push_back(event::Extra{choice, name, raw});
}

// A top-level extra that says what it said last time is not said again.
bool OpenAiChatReader::repeats(std::string_view key, std::string_view raw) {
  const std::uint64_t name = hash(key);
  const std::uint64_t value = hash(raw);
  for (auto& [seen_name, seen_value] : seen_) {
    if (seen_name != name) continue;
    const bool same = seen_value == value;
    seen_value = value;
    return same;
  }
  if (seen_.size() < kSeen) seen_.emplace_back(name, value);
  return false;
}

}  // namespace shunt::dialect
