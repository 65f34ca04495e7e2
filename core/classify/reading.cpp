// One walk over any provider's envelope. Keys are known by name: which hold a code, a type, a sentence, and
// which the next level. Everything else (echoed prompts, inputs, usage) is skipped unread.
#include "classify/reading.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/json.h"
#include "base/limits.h"
#include "base/packed_texts.h"
#include "base/simd.h"
#include "base/strings.h"
#include "classify/aws_frame.h"
#include "classify/page.h"
#include "classify/waits.h"

namespace shunt::classify {
namespace {

constexpr int kLevels = 12;              // deepest envelope seen: 7, a relay's JSON in a relay's JSON
constexpr std::size_t kWordBytes = 256;  // codes and types are short; longer ones are misplaced sentences
constexpr std::size_t kSentenceBytes = 2048;

enum class Part : std::uint8_t {
  unread,
  code,
  type,
  reason,
  state,
  finish,
  block,
  quota,
  sentence,
  weak_sentence,
  text,
  wait_s,
  wait_ms,
  wait_span,
  wait_until,
  verdict,
  level
};

// What a key tells beside its value's part.
enum class Note : std::uint8_t { none, code, error, errors, description };

struct Key {
  Part part = Part::unread;
  Note note = Note::none;
  Envelope envelope = Envelope::common;
};

// Names of keys, parted by '|'.
struct Keys {
  Key key;
  std::string_view names;
};
constexpr Keys kKeys[] = {
    {{Part::code, Note::code}, "code"},
    {{Part::code},
     "Code|error_code|errorCode|err_code|ErrCode|errcode|status_code|failureCode|http_status|"
     "originalStatusCode"},
    {{Part::type}, "type|__type|name"},
    {{Part::reason}, "reason|error_type"},
    {{Part::state}, "status|task_status|state|event"},
    {{Part::finish}, "finish_reason|finishReason|stop_reason"},
    {{Part::block}, "blockReason|raiFilteredReason|raiMediaFilteredReasons"},
    {{Part::quota}, "quotaId|quota_limit|quota_unit"},
    {{Part::sentence},
     "message|Message|msg|error_message|errorMessage|status_msg|status_message|ErrMsg|errmsg|err_msg|"
     "error_description|detail|details|failure|failure_reason|fail_reason|raw"},
    {{Part::sentence, Note::error}, "error"},
    {{Part::sentence, Note::errors}, "errors"},
    {{Part::sentence, Note::none, Envelope::baidu_error_msg}, "error_msg"},
    {{Part::sentence, Note::none, Envelope::midjourney_task}, "failReason"},
    {{Part::sentence, Note::none, Envelope::kling_task}, "task_status_msg"},
    {{Part::weak_sentence, Note::description}, "description"},
    {{Part::weak_sentence}, "title"},
    {{Part::text}, "content|text"},
    {{Part::wait_s},
     "retry_after|retryAfter|retry-after|retry_after_seconds|estimated_time|resets_in_seconds|reset_seconds"},
    {{Part::wait_ms}, "retry_after_ms"},
    {{Part::wait_span}, "retryDelay|quotaResetDelay"},
    {{Part::wait_until}, "resets_at|reset_at|resetsAt|quotaResetTimeStamp|X-RateLimit-Reset"},
    {{Part::verdict}, "success|object"},
    {{Part::verdict, Note::none, Envelope::bailian_success}, "Success"},
    {{Part::level},
     "response|headers|body|metadata|innererror|data|output|availability|violations|choices|candidates|delta|"
     "parts|promptFeedback|incomplete_details|last_error|predictions|generateVideoResponse"},
    {{Part::level, Note::error}, "Error"},
    {{Part::level, Note::none, Envelope::minimax_base_resp}, "base_resp"},
    {{Part::level, Note::none, Envelope::tencent_response}, "Response"},
    {{Part::level, Note::none, Envelope::iflytek_header}, "header"},
    {{Part::unread, Note::none, Envelope::midjourney_task}, "properties"},
};

// The names in the order of their lengths, so that a key meets only those it could be.
constexpr std::size_t kLongestName = 24;

template <typename Take>
constexpr void for_each_name(Take take) {
  for (const Keys& row : kKeys) each_part(row.names, [&](std::string_view name) { take(name, row.key); });
}

struct Totals {
  std::size_t names = 0, letters = 0;
};
constexpr Totals kTotals = [] {
  Totals totals;
  for_each_name([&totals](std::string_view name, const Key&) {
    ++totals.names;
    totals.letters += name.size();
  });
  return totals;
}();

struct NameTable {
  std::array<char, kTotals.letters> letters{};  // without anything between the names
  std::array<Key, kTotals.names> keys{};
  struct First {
    std::uint16_t name = 0;
    std::uint16_t letter = 0;
  };
  std::array<First, kLongestName + 2> first{};  // of the names of each length; behind them, the ends
};

constexpr NameTable kNames = [] {
  NameTable table;
  std::size_t name = 0;
  std::size_t letter = 0;
  for (std::size_t size = 0; size < table.first.size(); ++size) {
    table.first[size] = {static_cast<std::uint16_t>(name), static_cast<std::uint16_t>(letter)};
    for_each_name([&](std::string_view text, const Key& key) {
      if (text.size() != size) return;
      table.keys[name++] = key;
      for (const char c : text) table.letters[letter++] = c;
    });
  }
  return table;
}();
static_assert(kNames.first.back().name == kTotals.names, "a name is longer than kLongestName");

Key key_named(std::string_view text) {
  if (text.size() > kLongestName) return {};
  std::size_t letter = kNames.first[text.size()].letter;
  for (std::size_t name = kNames.first[text.size()].name; name < kNames.first[text.size() + 1].name; ++name) {
    if (simd::equal(kNames.letters.data() + letter, text.data(), text.size())) return kNames.keys[name];
    letter += text.size();
  }
  return {};
}

bool is_listed(PackedTexts texts, std::string_view word) {
  while (!texts.empty()) {
    const std::string_view text = texts.text();
    if (text.size() == word.size() && equal_fold(text, word)) return true;
  }
  return false;
}

// Codes that say "all is well".
constexpr std::string_view kSuccessList = "0|200|ok|success|succeed|null";
constexpr auto kSuccess = packed_texts<ListTable<kSuccessList>>();
constexpr std::string_view kFailedList =
    "failed|failure|fail|error|throttled|task not found|request moderated|content moderated";
constexpr auto kFailed = packed_texts<ListTable<kFailedList>>();
constexpr std::string_view kGoodFinishList =
    "stop|length|tool_calls|end_turn|max_tokens|tool_use|stop_sequence|null|eos|function_call";
constexpr auto kGoodFinish = packed_texts<ListTable<kGoodFinishList>>();

// Statuses that providers fail with; other numbers near them are codes of somebody's own.
bool is_http_failure(std::uint64_t code) {
  constexpr std::uint64_t kCaller[] = {400, 401, 402, 403, 404, 405, 408, 409, 410,
                                       413, 415, 422, 424, 425, 429, 431, 434, 451};
  if (code >= 500) return code <= 530;
  return std::find(std::begin(kCaller), std::end(kCaller), code) != std::end(kCaller);
}

bool is_success(std::string_view code) { return code.empty() || is_listed(kSuccess, code); }
bool is_failed_state(std::string_view state) { return is_listed(kFailed, state); }
bool is_bad_finish(std::string_view reason) { return !reason.empty() && !is_listed(kGoodFinish, reason); }

// {"error":{"code":"1113",…}}: nobody else writes four digits as text there.
bool is_zhipu_code(std::string_view code) {
  return code.size() == 4 && code.front() == '1' && parse_uint(code).has_value();
}

// A word, remembered with the level it was found on: deeper ones replace it, equals do not.
struct Slot {
  int level = -1;

  void offer(std::string& text, std::string_view found, int at, std::size_t most) {
    if (found.empty() || at <= level) return;
    text.assign(found.substr(0, most));
    level = at;
  }
};

class Walk {
 public:
  explicit Walk(Reading& out) : out_(out) {}

  // Reads one JSON text whose words stand `base` levels deep already. False: it is not JSON at all.
  bool json(std::string_view text, int base) {
    json::Cursor cursor(text);
    const auto kind = cursor.peek();
    if (!kind || base >= kLevels) return false;
    value(cursor, *kind, {*kind == json::Kind::string ? Part::sentence : Part::level}, base);
    text_.whole = cursor.ok() && cursor.at_end() && !text_.broken;
    // "404 page not found" begins as a number does.
    return text_.whole || *kind == json::Kind::object || *kind == json::Kind::array ||
           *kind == json::Kind::string;
  }

  bool whole() const { return text_.whole; }

  // A sentence, or the JSON that somebody put in its place.
  void sentence(std::string_view text, int level) {
    const std::size_t brace = text.find('{');
    const std::size_t end = brace == std::string_view::npos ? brace : text.rfind('}');
    if (end == std::string_view::npos || end < brace)
      return slots_.message.offer(out_.message, text, level, kSentenceBytes);
    std::string kept;  // where it stands is written on
    if (text.data() == scratch_.data()) {
      kept.swap(scratch_);
      text = kept;
    }
    Reading before;
    before = out_;
    const Slots slots = slots_;
    const Text around = std::exchange(text_, {.checked = true});
    json(text.substr(brace, end - brace + 1), level + 1);
    if (!text_.whole) {  // it was none
      out_ = before;
      slots_ = slots;
    }
    text_ = around;
    slots_.message.offer(out_.message, text, level, kSentenceBytes);
  }

 private:
  // Consumes exactly one value.
  void value(json::Cursor& cursor, json::Kind kind, Key key, int level) {
    switch (kind) {
      case json::Kind::object:
      case json::Kind::array: return container(cursor, key, level, kind == json::Kind::object);
      case json::Kind::string:
        if (const auto text = cursor.read_text(scratch_)) word(key, *text, level);
        return;
      case json::Kind::number: return number(key.part, cursor.read_number(), level);
      case json::Kind::boolean:
        // "success": false, "error": true
        if (const auto flag = cursor.read_bool();
            flag && (*flag ? key.note == Note::error : key.part == Part::verdict))
          out_.error = true;
        return;
      case json::Kind::null: cursor.skip(); return;
    }
  }

  // A "details" or "data" object is walked like any level; one in place of a word or an amount says nothing.
  void container(json::Cursor& cursor, Key key, int level, bool object) {
    const bool walked = key.part == Part::level || key.part == Part::sentence || key.part == Part::text ||
                        key.part == Part::block;
    if (!walked || level >= kLevels) {
      skip(cursor);
    } else if (object) {
      cursor.enter_object();
      for (std::string_view name; cursor.next_key(name);) member(cursor, name, level + 1);
    } else {
      cursor.enter_array();
      while (cursor.next_element()) {
        if (key.note == Note::errors) out_.error = true;
        if (const auto kind = cursor.peek()) value(cursor, *kind, key, level);
      }
    }
  }

  // A cursor looks at what it skips for brackets and strings alone.
  void skip(json::Cursor& cursor) {
    const bool container =
        text_.checked && (cursor.peek() == json::Kind::object || cursor.peek() == json::Kind::array);
    const std::string_view skipped = cursor.skip();
    if (container && !json::valid(skipped)) text_.broken = true;
  }

  void member(json::Cursor& cursor, std::string_view name, int level) {
    Key key = key_named(name);
    if (name.ends_with("Exception")) {  // an AWS event stream's way to name an error
      out_.error = true;
      slots_.type.offer(out_.type, name, level, kWordBytes);
      key = {Part::level};
    }
    if (key.envelope != Envelope::common) out_.envelope = key.envelope;
    if (key.part == Part::unread) return skip(cursor);
    const auto kind = cursor.peek();
    if (key.note == Note::error && kind == json::Kind::object) out_.error = true;
    if (kind) value(cursor, *kind, key, level);
  }

  void word(Key key, std::string_view text, int level) {
    switch (key.part) {
      case Part::code:
        if (is_success(text)) return;
        if (key.note == Note::code && level == 2 && is_zhipu_code(text) &&
            out_.envelope == Envelope::common) {
          out_.envelope = Envelope::zhipu_code;
        }
        slots_.code.offer(out_.code, text, level, kWordBytes);
        status_from(text);
        return;
      case Part::type:
        if (text != "error") slots_.type.offer(out_.type, text, level, kWordBytes);
        return;
      case Part::reason: return slots_.reason.offer(out_.reason, text, level, kWordBytes);
      case Part::state:
        out_.error = out_.error || is_failed_state(text);
        return slots_.state.offer(out_.state, text, level, kWordBytes);
      case Part::finish:
        out_.error = out_.error || is_bad_finish(text);
        return slots_.finish.offer(out_.finish, text, level, kWordBytes);
      case Part::block:
        out_.error = true;
        return slots_.finish.offer(out_.finish, joined({"block:", text}), level, kWordBytes);
      case Part::quota: return quota(text);
      case Part::sentence:
        if (key.note == Note::error && !text.empty()) out_.error = true;
        return sentence(text, level);
      case Part::weak_sentence:
        // Google's quota violations describe the window in words.
        if (key.note == Note::description) quota(text.substr(0, kWordBytes));
        return slots_.message.offer(out_.message, text, 0, kSentenceBytes);
      case Part::verdict: out_.error = out_.error || text == "error"; return;
      case Part::text: out_.content = out_.content || !text.empty(); return;
      case Part::wait_s:
      case Part::wait_span: return wait(text);
      case Part::wait_until:
        if (out_.until.empty()) out_.until = text.substr(0, kWordBytes);
        return;
      case Part::wait_ms:
      case Part::level:
      case Part::unread: return;
    }
  }

  void number(Part part, std::string_view digits, int level) {
    if (part == Part::code || part == Part::wait_until) {
      word({part}, digits, level);
    } else if (part == Part::state) {
      status_from(digits);
    } else if (part == Part::wait_s) {
      wait(digits);
    } else if (part == Part::wait_ms) {
      wait(joined({digits, "ms"}));
    }
  }

  void quota(std::string_view text) {
    if (out_.quota.size() < kWordBytes) out_.quota.append(text).push_back(' ');
  }

  void wait(std::string_view span) {
    if (!out_.wait) out_.wait = parse_span(span);
  }

  void status_from(std::string_view digits) {
    const auto status = parse_uint(digits);
    if (status && is_http_failure(*status)) out_.status = static_cast<int>(*status);
  }

  Reading& out_;
  struct Slots {
    Slot code, type, reason, state, finish, message;
  } slots_;
  std::string scratch_;
  struct Text {
    bool whole = false;
    bool checked = false;  // JSON that only a sentence holds must be JSON to its last byte;
    bool broken = false;   // here it is not
  } text_;
};

bool looks_like_sse(std::string_view text) {
  return text.starts_with("data:") || text.starts_with("event:") || text.starts_with("id:") ||
         text.starts_with(":");
}

// "[some-provider] it failed": a list of words is no list of JSON.
bool opens_with_name(std::string_view text) {
  return text.starts_with('[') && text.size() > 1 && is_alpha(text[1]);
}

// Events, or lines of JSON.
void read_lines(std::string_view text, Reading& out, Walk& walk) {
  while (!text.empty()) {
    std::string_view line = trim(cut(text, '\n'));
    if (line.starts_with("event:") && trim(line.substr(6)) == "error") out.error = true;
    const bool event = line.starts_with("data:");
    if (!event && !line.starts_with('{')) continue;
    if (event) line = trim(line.substr(5));
    if (line == "[DONE]") out.whole = true;
    walk.json(line, 0);
    if (out.error) return;
  }
}

void read_aws(std::string_view body, Reading& out, Walk& walk) {
  const auto found = find_aws_error(body);
  if (!found) return;
  out.error = true;
  walk.json(found->payload, 0);
  if (out.type.empty()) out.type = found->type.substr(0, kWordBytes);
  if (out.message.empty()) out.message = found->message.substr(0, kSentenceBytes);
}

}  // namespace

Reading read_body(std::string_view body) {
  Reading out;
  Walk walk(out);
  body = trim(body.substr(0, limits::kErrorBodyBytes));
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  if (body.empty()) return out;
  if (looks_like_aws_frames(body)) {
    out.form = Form::aws;
    read_aws(body, out, walk);
  } else if (looks_like_sse(body)) {
    out.form = Form::sse;
    read_lines(body, out, walk);
  } else if (looks_like_page(body)) {
    out.form = Form::html;
    out.message = text_of_page(body, kSentenceBytes);
  } else if (!opens_with_name(body) && walk.json(body, 0)) {
    out.form = Form::json;
    out.whole = walk.whole();
    if (!out.whole && body.find("\n{") != std::string_view::npos) read_lines(body, out, walk);
    out.error = out.error || (!is_success(out.code) && !out.content);
  } else {
    out.form = Form::text;
    walk.sentence(body, 0);
  }
  return out;
}

bool tells_error(std::string_view body) { return read_body(body).error; }

}  // namespace shunt::classify
