// JSON of a dialect that a table describes -> events. See table_reader.h.
#include "dialect/table_reader.h"

#include <algorithm>
#include <iterator>

#include "base/rng.h"
#include "base/strings.h"
#include "dialect/add_event.h"
#include "dialect/finish.h"
#include "dialect/logprobs.h"
#include "dialect/provider_error.h"
#include "dialect/usage.h"

namespace shunt::dialect {
namespace {

// Names of frames, wherever a value has them; and the place of a choice, which is looked for first.
constexpr Member kWords[] = {{"type", 0}, {"event_type", 1}, {"index", 2}};
enum WordSlot : std::uint8_t { kType, kEventType, kIndex, kWordSlots };

const Field* find(const Field* fields, std::string_view key) {
  for (; fields->key != nullptr; ++fields) {
    if (key == fields->key) return fields;
  }
  return nullptr;
}

std::optional<std::int64_t> number_of(const Value& value) {
  return value.kind == json::Kind::number ? parse_int(value.raw) : std::nullopt;
}

void take_words(std::string_view json, Value* words) {
  json::Cursor cursor(json);
  take_object(cursor, kWords, words);
}

}  // namespace

bool TableReader::read(std::string_view word, std::string_view json, EventList& out) {
  if (!json::valid(json)) return false;
  scratch_.reset(json.size());
  out_ = &out;
  json_ = json;
  choice_ = 0;
  index_.reset();
  again_ = answers_ = ended_ = open_ = truncated_ = finished_ = counted_ = more_tokens_ = false;
  const std::size_t mark = out.size();
  if (!started_) out.push_back(event::Start{});
  json::Cursor cursor(json);
  Value whole;
  whole.kind = cursor.peek().value_or(json::Kind::null);
  whole.raw = cursor.skip();
  if (const Field* row = row_for(word, json)) {
    answers_ = row->fields != nullptr;
    read_member(*row, whole);
  } else {
    read_each(table_, whole);
  }
  close(mark);
  return true;
}

event::Error TableReader::error_from(std::string_view text) {
  scratch_.reset(text.size());
  return dialect::error_from(text, scratch_);
}

const Field* TableReader::row_for(std::string_view word, std::string_view json) {
  Value words[kWordSlots];
  take_words(json, words);
  word_ = text_of(words[words[kType].raw.empty() ? kEventType : kType], scratch_);
  unknown_ = !word_.empty() && find(table_, word_) == nullptr;
  if (word_.empty()) word_ = word;
  const Field* row = word_.empty() ? nullptr : find(table_, word_);
  const bool member = row != nullptr && row->fields == nullptr && row->means > Means::extra;
  return member ? nullptr : row;  // a member may be called like a frame: Anthropic's "completion"
}

// The value has been read: what is known only now.
void TableReader::close(std::size_t mark) {
  event::Error error;
  if (!answers_ && read_error(json_, ErrorForm::any, scratch_, error)) {
    cut_back(*out_, mark);
    finished_ = false;
    if (!started_) keep_start();
    return put_error(error);
  }
  if (ended_ && !finished_) add_finish(*out_, choice_, FinishReason::stop, word_);
  if (!started_) {
    started_ = answers_;
    if (started_) {
      *std::get_if<event::Start>(&(*out_)[mark]) = start_;
      id_ = start_.id;
    } else {
      out_->erase(std::next(out_->begin(), static_cast<std::ptrdiff_t>(mark)));
      keep_start();
    }
  }
  if (ended_ && !done_) {
    done_ = true;
    add_done(*out_);
  }
}

// Who answers may be said before anything of the answer is.
void TableReader::keep_start() {
  const std::string id(start_.id), model(start_.model);
  start_.id = id_ = id;
  start_.model = model_ = model;
}

void TableReader::read_object(const Field* fields, std::string_view raw) {
  Value slots[kFields];
  std::string_view key;
  json::Cursor cursor(raw);
  if (!cursor.enter_object()) return;
  while (cursor.next_key(key)) {
    const Field* field = find(fields, key);
    if (cursor.read_null()) continue;
    if (field == nullptr) {
      read_unknown(key, cursor);
      continue;
    }
    Value& value = slots[field - fields];
    value.kind = cursor.peek().value_or(json::Kind::null);
    if (!cursor.read_string(value.raw, value.escaped)) value.raw = cursor.skip();
  }
  for (std::size_t i = 0; fields[i].key != nullptr; ++i) {
    if (slots[i].kind != json::Kind::null) read_member(fields[i], slots[i]);
  }
}

// Objects of an array are read in order; what is neither is passed over.
void TableReader::read_each(const Field* fields, const Value& value) {
  if (fields == nullptr) return;
  if (value.kind == json::Kind::object) return read_object(fields, value.raw);
  if (value.kind != json::Kind::array) return;
  json::Cursor cursor(value.raw);
  for (bool more = cursor.enter_array() && cursor.next_element(); more; more = cursor.next_element())
    read_object(fields, cursor.skip());
}

void TableReader::read_typed(const Field* fields, const Value& value) {
  json::Cursor cursor(value.raw);
  if (!cursor.enter_array()) return;
  while (cursor.next_element()) {
    Value element, words[kWordSlots];
    element.kind = cursor.peek().value_or(json::Kind::null);
    element.raw = cursor.skip();
    take_words(element.raw, words);
    const Field* field = find(fields, text_of(words[kType], scratch_));
    field != nullptr ? read_member(*field, element) : add_extra(*out_, choice_, "native.item", element.raw);
  }
}

void TableReader::read_choices(const Field* fields, const Value& value) {
  json::Cursor cursor(value.raw);
  answers_ = true;
  if (!cursor.enter_array()) return;
  for (int position = 0; cursor.next_element(); ++position) {
    const std::string_view raw = cursor.skip();
    Value words[kWordSlots];
    take_words(raw, words);
    const std::int64_t at = number_of(words[kIndex]).value_or(position);
    if (at < 0 || at >= static_cast<std::int64_t>(kChoices)) {
      add_extra(*out_, -1, "native.choice", raw);
      continue;
    }
    choice_ = static_cast<int>(at);
    read_object(fields, raw);
  }
  choice_ = 0;
}

void TableReader::read_again(const Field* fields, const Value& value) {
  again_ = true;
  read_each(fields, value);
  again_ = false;
}

void TableReader::read_calls(const Field* fields, const Value& value) {
  if (again_ && !choice().calls.empty()) return;
  const std::optional<std::int64_t> outer = index_;
  const auto read = [&](std::string_view raw) {
    index_ = outer;
    call_ = {};
    arguments_ = {};
    read_object(fields, raw);
    put_call(raw);
  };
  json::Cursor cursor(value.raw);
  if (value.kind == json::Kind::object) read(value.raw);
  if (value.kind != json::Kind::array) return;
  for (bool more = cursor.enter_array() && cursor.next_element(); more; more = cursor.next_element())
    read(cursor.skip());
}

void TableReader::read_member(const Field& field, const Value& value) {
  switch (field.means) {
    case Means::ignored: return;
    case Means::ping: return add_ping(*out_);
    case Means::extra: return add_extra(*out_, choice_, field.key, json_of(value));
    case Means::logprobs: return add_extra(*out_, choice_, kLogprobsKey, json_of(value));
    case Means::last: ended_ = true; [[fallthrough]];
    case Means::object: return read_each(field.fields, value);
    case Means::again: return read_again(field.fields, value);
    case Means::typed: return read_typed(field.fields, value);
    case Means::choices: return read_choices(field.fields, value);
    case Means::id: return put_id(field, value);
    case Means::model: start_.model = text_of(value, scratch_); return;
    case Means::created: start_.created = number_of(value).value_or(0); return;
    case Means::text:
    case Means::reasoning: return read_running(field, value);
    case Means::signature: return add_reasoning(*out_, {choice_, {}, text_of(value, scratch_), {}});
    case Means::redacted: return add_reasoning(*out_, {choice_, {}, {}, text_of(value, scratch_)});
    case Means::index: index_ = number_of(value); return;
    case Means::calls: answers_ = true; return read_calls(field.fields, value);
    case Means::call_id: call_.id = text_of(value, scratch_); return;
    case Means::call_name: call_.name = text_of(value, scratch_); return;
    case Means::call_arguments: arguments_ = value; return;
    case Means::call_end: return end_call(value);
    case Means::usage: return put_usage(value.raw, false);
    case Means::usage_apart: return put_usage(value.raw, true);
    case Means::counts:
      if (!counted_) put_usage(json_, false);
      counted_ = true;
      return;
    case Means::finish: return put_finish(text_of(value, scratch_));
    case Means::ended: (value.raw == "true" ? ended_ : open_) = true; return;
    case Means::truncated: truncated_ = value.raw == "true"; return;
    case Means::error: return put_error(dialect::error_from(json_of(value), scratch_));
  }
}

// An answer has one id; another, or one that comes late, is told beside it. AI21's is a number.
void TableReader::put_id(const Field& field, const Value& value) {
  const std::string_view id = value.kind == json::Kind::string ? text_of(value, scratch_) : value.raw;
  if (!started_) {
    start_.id = id;
  } else if (id != id_) {
    add_extra(*out_, choice_, scratch_.joined("native.", field.key), json_of(value));
  }
}

// A transport's error may come as a member of its name: {"throttlingException":{"message":…}}.
void TableReader::read_unknown(std::string_view key, json::Cursor& cursor) {
  const std::string_view name = scratch_.joined("native.", key);  // the key dies when the cursor goes on
  const std::string_view raw = cursor.skip();
  if (name.ends_with("Exception")) {
    event::Error error = dialect::error_from(raw, scratch_);
    error.type = name.substr(name.find('.') + 1);
    return put_error(error);
  }
  // Words, unless they name an event that has no row.
  const bool word = name == "native.type" || name == "native.event_type";
  if (!word || unknown_) add_extra(*out_, choice_, name, raw);
}

// A text that runs over many values.
void TableReader::read_running(const Field& field, const Value& value) {
  const bool is_text = field.means == Means::text;
  Choice& of = choice();
  answers_ = true;
  if (value.kind == json::Kind::array || (value.kind == json::Kind::object && field.fields != nullptr))
    return read_each(field.fields, value);
  if (again_ && (is_text ? of.text : of.reasoning)) return;
  std::string_view said = value.raw;  // where an answer is JSON, that is its text
  if (value.kind == json::Kind::string)
    said = scratch_.text(value.raw, value.escaped, is_text ? of.split_text : of.split_reasoning);
  said = fresh(said, is_text ? of.text_so_far : of.reasoning_so_far);
  if (said.empty()) return;
  if (is_text) {
    add_text(*out_, choice_, said);
  } else {
    add_reasoning(*out_, {choice_, said, {}, {}});
  }
  if (!again_) (is_text ? of.text : of.reasoning) = true;
}

// A provider that repeats everything in each frame is told by its second text, which begins with the whole
// first. The same text once more is a repeat, unless tokens were counted for it.
std::string_view TableReader::fresh(std::string_view text, Running& so_far) {
  if (watch_ == Watch::off || text.empty()) return text;
  const bool repeats =
      so_far.size != 0 && text.size() >= so_far.size && hash_of(text.substr(0, so_far.size)) == so_far.hash;
  if (watch_ == Watch::unsure && so_far.size != 0) {
    const bool same = text.size() == so_far.size;
    watch_ = !repeats || (same && more_tokens_) ? Watch::off : same ? Watch::unsure : Watch::on;
    if (watch_ == Watch::off) return text;
  }
  const std::string_view added = repeats ? text.substr(so_far.size) : text;
  so_far.hash = hash_of(added, repeats ? so_far.hash : kHashOfNothing);
  so_far.size = text.size();
  return added;
}

void TableReader::put_call(std::string_view raw) {
  if (call_.id.empty() && call_.name.empty() && arguments_.raw.empty()) return;
  Choice& of = choice();
  call_.index = index_;
  const ToolIdentity::Match match = of.calls.match(call_);
  if (match.call < 0) return add_extra(*out_, choice_, "native.call", raw);
  if (match.fresh) {
    add_call(*out_, choice_, match.call, call_.id, call_.name);
  } else if (match.late_id || match.late_name) {
    out_->push_back(event::ToolCallName{choice_, match.call, match.late_id ? call_.id : std::string_view{},
                                        match.late_name ? call_.name : std::string_view{}});
  }
  std::string_view said = arguments_.kind == json::Kind::string ? text_of(arguments_, scratch_)
                                                                : scratch_.compact(arguments_.raw);
  if (watch_ != Watch::off) said = fresh(said, of.arguments_so_far[static_cast<std::size_t>(match.call)]);
  if (!said.empty()) add_arguments(*out_, choice_, match.call, said);
}

void TableReader::end_call(const Value& value) {
  ToolIdentity::Delta ended;
  ended.index = number_of(value);
  const int call = ended.index ? choice().calls.find(ended) : -1;
  if (call >= 0) out_->push_back(event::ToolCallEnd{choice_, call});
}

void TableReader::put_usage(std::string_view raw, bool apart) {
  if (raw.empty() || raw[0] != '{') return;
  answers_ = true;
  Usage usage = read_openai_usage(raw, 0);
  if (apart && usage.prompt) *usage.prompt += usage.cached.value_or(0) + usage.cache_write.value_or(0);
  more_tokens_ = usage.completion.value_or(0) > completion_;
  completion_ = std::max(completion_, usage.completion.value_or(0));
  add_usage(*out_, usage, raw);
}

void TableReader::put_finish(std::string_view raw) {
  answers_ = true;
  if (open_ || raw.empty() || raw == "null") return;
  finished_ = true;
  add_finish(*out_, choice_, truncated_ ? FinishReason::length : finish_of_openai(raw), raw);
}

// An error is the end, unless the provider has said so itself.
void TableReader::put_error(const event::Error& error) {
  if (!finished_) add_finish(*out_, 0, FinishReason::error, {});
  finished_ = true;
  add_error(*out_, error);
}

}  // namespace shunt::dialect
