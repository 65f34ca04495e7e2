// One JSON object of the openai_chat dialect -> events: the object, its choices and extras. See
// openai_chat_reader.h; openai_chat_delta.cpp reads what a delta holds.
#include "dialect/openai_chat_reader.h"

#include <algorithm>
#include <iterator>

#include "base/rng.h"
#include "base/strings.h"
#include "dialect/add_event.h"
#include "dialect/finish.h"
#include "dialect/provider_error.h"
#include "dialect/usage.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

enum TopKey : std::uint8_t {
  kChoicesKey,
  kUsageKey,
  kId,
  kModel,
  kCreated,
  kObject,
  kError,
  kBaseResp,
  kPadding
};
constexpr Word kTopKeys[] = {
    {"choices", kChoicesKey},
    {"usage", kUsageKey},
    {"id", kId},
    {"model", kModel},
    {"created", kCreated},
    {"object", kObject},
    {"error", kError},
    {"base_resp", kBaseResp},   // MiniMax: an error when its code is not 0
    {"obfuscation", kPadding},  // against length analysis: random, no part of the answer
    {"p", kPadding}};

enum ChoiceKey : std::uint8_t { kIndex, kDelta, kMessage, kText, kFinish, kChoiceUsage, kLogprobs };
constexpr Word kChoiceKeys[] = {{"index", kIndex},      {"delta", kDelta},          {"message", kMessage},
                                {"text", kText},        {"finish_reason", kFinish}, {"usage", kChoiceUsage},
                                {"logprobs", kLogprobs}};

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
  padding_ = {};
  start_ = {};
  has_choice_ = is_answer_ = marked_error_ = is_json_ = false;
  if (!started_) out.push_back(event::Start{});

  json::Cursor cursor(json);
  const bool object = cursor.peek() == json::Kind::object;
  const bool read = object ? read_members(cursor) : !cursor.skip().empty();
  if (!read || !cursor.at_end()) {
    cut_back(out, mark);
    seen_count_ = 0;
    return false;
  }
  if (read_failure(mark)) return true;
  // An answer begins with the first chunk that says who it is or has a choice: Azure's filter results come
  // before that.
  if (!started_) {
    started_ = has_choice_ || !start_.id.empty();
    if (started_) {
      *std::get_if<event::Start>(&out[mark]) = start_;
    } else {
      out.erase(std::next(out.begin(), static_cast<std::ptrdiff_t>(mark)));
    }
  }
  if (!object) add_extra(out, -1, "chunk", json);
  event::Error error;
  if (marked_error_ && read_error(json, ErrorForm::marked, scratch_, error)) add_error(out, error);
  return true;
}

// An object that is no part of an answer and has what errors have is an error and nothing else.
bool OpenAiChatReader::read_failure(std::size_t mark) {
  event::Error error;
  if (is_answer_ || !read_error(json_, ErrorForm::any, scratch_, error)) return false;
  cut_back(*out_, mark);
  add_error(*out_, error);
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
    const int known = find_word(kTopKeys, key);
    switch (known) {
      case kChoicesKey: read_choices(cursor); break;
      case kUsageKey: put_usage(take_raw(cursor)); break;
      case kId:
      case kModel:
        if (!started_) (known == kId ? start_.id : start_.model) = take_text(cursor, scratch_);
        break;
      case kCreated:
        if (!started_) start_.created = cursor.read_int().value_or(0);
        break;
      case kObject:
        if (take_text(cursor, scratch_) == "error") marked_error_ = true;
        break;
      case kError:
        if (!take_raw(cursor).empty()) marked_error_ = true;
        break;
      case kPadding: {
        bool escaped = false;
        cursor.read_string(padding_, escaped);
        break;
      }
      case kBaseResp: marked_error_ = true; [[fallthrough]];
      default: put_extra("chunk.", key, cursor, -1);
    }
  }
  return cursor.ok();
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
  out = {&choices_[static_cast<std::size_t>(index)], index, whole};
  return true;
}

void OpenAiChatReader::read_choice(json::Cursor& cursor, std::string_view from, int position) {
  if (!cursor.enter_object()) return;
  Place place;
  bool placed = false;
  bool delta_says = false;
  const std::size_t mark = out_->size();
  std::string_view message, text, finish, key;
  while (cursor.next_key(key)) {
    const int known = find_word(kChoiceKeys, key);
    if (!placed) {
      // The index decides where everything goes, and some servers sort their keys.
      const int index = known == kIndex ? take_index(cursor, position) : find_index(from, position);
      if (!enter_place(index, false, place)) return put_far_choice(cursor, from);
      placed = true;
    }
    if (known == kIndex) continue;
    const std::optional<json::Kind> kind = cursor.peek();
    if (known == kDelta) {
      const std::size_t before = out_->size();
      if (kind == json::Kind::object) read_delta(cursor, place);
      delta_says = out_->size() != before;
    } else if (known == kMessage) {
      message = take_raw(cursor);
    } else if (known == kText && kind == json::Kind::string) {
      text = take_text(cursor, scratch_);
    } else if (known == kFinish && kind == json::Kind::string) {
      finish = take_text(cursor, scratch_);
    } else if (known == kChoiceUsage && kind == json::Kind::object) {
      put_usage(cursor.skip());  // Moonshot's older API
    } else {
      const std::size_t size = out_->size();
      put_extra("choice.", key, cursor, place.index);
      if (known == kLogprobs && out_->size() > size) put_first(*out_, mark);
    }
  }
  if (!placed && !enter_place(position, false, place)) return;
  // Beside a delta that says something they repeat it; Perplexity's plain answers have an empty one.
  if (!delta_says && !message.empty()) {
    place.whole = true;
    json::Cursor inner(message);
    read_delta(inner, place);
  } else if (!delta_says && !text.empty()) {
    add_text(*out_, place.index, text);
  }
  // "" and the word null stand for null.
  if (!finish.empty() && finish != "null") {
    add_finish(*out_, place.index, finish_of_openai(finish), finish);
  }
}

void OpenAiChatReader::put_far_choice(json::Cursor& cursor, std::string_view from) {
  std::string_view key;
  while (cursor.next_key(key)) continue;
  const auto end = json_.data() + cursor.offset();
  add_extra(*out_, -1, "chunk.choices", trim(from.substr(0, static_cast<std::size_t>(end - from.data()))));
}

void OpenAiChatReader::put_usage(std::string_view raw) {
  if (raw.empty() || raw[0] != '{') return;
  is_answer_ = true;
  add_usage(*out_, read_openai_usage(raw, quirks_), raw);
}

void OpenAiChatReader::put_extra(std::string_view prefix, std::string_view key, json::Cursor& cursor,
                                 int choice) {
  // The key dies when the cursor goes on, so its copy comes first.
  const std::string_view name = scratch_.joined(prefix, key);
  const std::string_view raw = take_raw(cursor);
  if (raw.empty() || (choice < 0 && repeats(name, raw))) return;
  if (name == "chunk.x_groq") {  // Groq says its usage twice, or only here
    constexpr Member kUsage[] = {{"usage", 0}};
    json::Cursor inner(raw);
    Value usage;
    take_object(inner, kUsage, &usage);
    put_usage(json_of(usage));
  }
  add_extra(*out_, choice, name, raw);
}

// A top-level extra that says what it said last time is not said again.
bool OpenAiChatReader::repeats(std::string_view key, std::string_view raw) {
  const std::uint64_t name = hash_of(key);
  const std::uint64_t value = hash_of(raw);
  for (std::size_t i = 0; i < seen_count_; ++i) {
    if (seen_[i].name != name) continue;
    const bool same = seen_[i].value == value;
    seen_[i].value = value;
    return same;
  }
  if (seen_count_ < seen_.size()) seen_[seen_count_++] = {name, value};
  return false;
}

}  // namespace shunt::dialect
