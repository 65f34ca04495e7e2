// One walk over any provider's envelope. Instead of one parser per envelope, keys are known by
// name: which hold a code, a type, a
// sentence, and which hold the next level. Everything else (echoed prompts, inputs, usage) is
// skipped unread.
#include "classify/reading.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/json.h"
#include "base/limits.h"
#include "base/strings.h"
#include "classify/aws_frame.h"
#include "classify/waits.h"

namespace shunt::classify {
namespace {

constexpr int kLevels = 12;              // deepest envelope seen: 7, a relay's JSON in a relay's JSON
constexpr std::size_t kWordBytes = 256;  // codes and types are short; longer ones are misplaced sentences
constexpr std::size_t kSentenceBytes = 2048;

enum class Part : std::uint8_t {
  code,
  type,
  reason,
  state,
  finish,
  block,
  quota,
  param,
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

// Names of keys, parted by '|'.
struct Keys {
  Part part;
  std::string_view names;
};
constexpr Keys kKeys[] = {
    {Part::code,
     "code|Code|error_code|errorCode|err_code|status_code|failureCode|http_status|originalStatusCode"},
    {Part::type, "type|__type|name"},
    {Part::reason, "reason|error_type"},
    {Part::state, "status|task_status"},
    {Part::finish, "finish_reason|finishReason|stop_reason"},
    {Part::block, "blockReason"},
    {Part::quota, "quotaId|quota_limit|quota_unit"},
    {Part::param, "param"},
    {Part::sentence,
     "message|Message|msg|error_msg|error_message|errorMessage|status_msg|error_description|detail|details|"
     "failReason|failure|task_status_msg|error|errors|raw"},
    {Part::weak_sentence, "description|title"},
    {Part::text, "content|text"},
    {Part::wait_s, "retry_after|retryAfter|retry-after|retry_after_seconds|estimated_time|resets_in_seconds"},
    {Part::wait_ms, "retry_after_ms"},
    {Part::wait_span, "retryDelay|quotaResetDelay"},
    {Part::wait_until, "resets_at|reset_at|resetsAt|quotaResetTimeStamp|X-RateLimit-Reset"},
    {Part::verdict, "success|Success"},
    {Part::level,
     "Response|response|Error|base_resp|header|headers|body|metadata|innererror|data|output|availability|"
     "violations|choices|candidates|delta|parts|promptFeedback|incomplete_details|last_error"},
};

// The names in the order of their lengths, so that a key meets only those it could be.
constexpr std::size_t kLongestName = 24;

template <typename Take>
constexpr void for_each_name(Take take) {
  for (const Keys& row : kKeys) {
    for (std::size_t from = 0; from < row.names.size();) {
      const std::size_t end = std::min(row.names.find('|', from), row.names.size());
      take(row.names.substr(from, end - from), row.part);
      from = end + 1;
    }
  }
}

struct Totals {
  std::size_t names = 0;
  std::size_t letters = 0;
};
constexpr Totals kTotals = [] {
  Totals totals;
  for_each_name([&totals](std::string_view name, Part) {
    ++totals.names;
    totals.letters += name.size();
  });
  return totals;
}();

struct NameTable {
  std::array<char, kTotals.letters> letters{};  // without anything between the names
  std::array<Part, kTotals.names> parts{};
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
    for_each_name([&](std::string_view text, Part part) {
      if (text.size() != size) return;
      table.parts[name++] = part;
      for (const char c : text) table.letters[letter++] = c;
    });
  }
  return table;
}();
static_assert(kNames.first.back().name == kTotals.names, "a name is longer than kLongestName");

std::optional<Part> part_of(std::string_view key) {
  if (key.size() > kLongestName) return std::nullopt;
  std::size_t letter = kNames.first[key.size()].letter;
  for (std::size_t name = kNames.first[key.size()].name; name < kNames.first[key.size() + 1].name; ++name) {
    if (std::string_view(kNames.letters.data() + letter, key.size()) == key) return kNames.parts[name];
    letter += key.size();
  }
  return std::nullopt;
}

// Codes that say "all is well".
bool is_success(std::string_view code) {
  constexpr std::array<std::string_view, 6> kFine = {"0", "200", "ok", "success", "succeed", "null"};
  return code.empty() || std::any_of(kFine.begin(), kFine.end(),
                                     [&](std::string_view fine) { return equal_fold(code, fine); });
}

bool is_failed_state(std::string_view state) {
  constexpr std::array<std::string_view, 5> kFailed = {"failed", "failure", "throttled", "request moderated",
                                                       "content moderated"};
  return std::any_of(kFailed.begin(), kFailed.end(),
                     [&](std::string_view failed) { return equal_fold(state, failed); });
}

bool is_bad_finish(std::string_view reason) {
  constexpr std::array<std::string_view, 10> kFine = {
      "stop",     "length",        "tool_calls", "end_turn", "max_tokens",
      "tool_use", "stop_sequence", "null",       "eos",      "function_call"};
  return !reason.empty() && std::none_of(kFine.begin(), kFine.end(),
                                         [&](std::string_view fine) { return equal_fold(reason, fine); });
}

// {"error":{"code":"1113",…}}: nobody else writes four digits as text there.
bool is_zhipu_code(std::string_view code) {
  return code.size() == 4 && code.front() == '1' && parse_uint(code).has_value();
}

Envelope envelope_of(std::string_view key) {
  if (key == "base_resp") return Envelope::minimax_base_resp;
  if (key == "error_msg") return Envelope::baidu_error_msg;
  if (key == "Response") return Envelope::tencent_response;
  if (key == "header") return Envelope::iflytek_header;
  if (key == "failReason" || key == "properties") return Envelope::midjourney_task;
  if (key == "task_status_msg") return Envelope::kling_task;
  if (key == "Success") return Envelope::bailian_success;
  return Envelope::common;
}

// A word, remembered with the level it was found on: deeper ones replace it, equals do not.
struct Slot {
  std::string& text;
  int level = -1;

  void offer(std::string_view found, int at, std::size_t most) {
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
    if (*kind == json::Kind::string) {
      if (const auto word = cursor.read_text(scratch_)) sentence(std::string(*word), base);
    } else {
      value(cursor, Part::level, "", base);
    }
    whole_ = cursor.ok() && cursor.at_end();
    return true;
  }

  bool whole() const { return whole_; }

  // A sentence, or the JSON that somebody put in its place.
  void sentence(const std::string& text, int level) {
    const std::size_t brace = text.find('{');
    if (brace != std::string::npos && json::valid(from_brace(text, brace))) {
      const std::string inner(from_brace(text, brace));
      const bool kept_whole = whole_;
      json(inner, level + 1);
      whole_ = kept_whole;
    }
    message_.offer(text, level, kSentenceBytes);
  }

 private:
  static std::string_view from_brace(std::string_view text, std::size_t brace) {
    const std::size_t end = text.rfind('}');
    return end == std::string_view::npos || end < brace ? std::string_view()
                                                        : text.substr(brace, end - brace + 1);
  }

  // Consumes exactly one value.
  void value(json::Cursor& cursor, Part part, const std::string& key, int level) {
    const auto kind = cursor.peek();
    if (!kind) return;
    switch (*kind) {
      case json::Kind::object: return object(cursor, part, level);
      case json::Kind::array: return array(cursor, part, key, level);
      case json::Kind::string:
        if (const auto text = cursor.read_text(scratch_)) word(part, key, std::string(*text), level);
        return;
      case json::Kind::number: return number(part, std::string(cursor.read_number()), level);
      case json::Kind::boolean:
        if (const auto flag = cursor.read_bool(); flag && part == Part::verdict && !*flag) out_.error = true;
        return;
      case json::Kind::null: cursor.skip(); return;
    }
  }

  void object(json::Cursor& cursor, Part part, int level) {
    // A "details" or "data" object is walked like any level; an object in place of a word or an
    // amount says nothing.
    const bool walked = part == Part::level || part == Part::sentence || part == Part::text;
    if (!walked || level >= kLevels) {
      cursor.skip();
      return;
    }
    cursor.enter_object();
    for (std::string_view name; cursor.next_key(name);) {
      const std::string key(name);
      if (key.ends_with("Exception")) {  // an AWS event stream's way to name an error
        out_.error = true;
        type_.offer(key, level + 1, kWordBytes);
        value(cursor, Part::level, key, level + 1);
        continue;
      }
      if (const Envelope envelope = envelope_of(key); envelope != Envelope::common) out_.envelope = envelope;
      const auto known = part_of(key);
      if (!known) {
        cursor.skip();
        continue;
      }
      if ((key == "error" || key == "Error") && cursor.peek() == json::Kind::object) out_.error = true;
      value(cursor, *known, key, level + 1);
    }
  }

  void array(json::Cursor& cursor, Part part, const std::string& key, int level) {
    const bool walked = part == Part::level || part == Part::sentence || part == Part::text;
    if (!walked || level >= kLevels) {
      cursor.skip();
      return;
    }
    cursor.enter_array();
    while (cursor.next_element()) {
      if (key == "errors") out_.error = true;
      value(cursor, part, key, level);
    }
  }

  void word(Part part, const std::string& key, const std::string& text, int level) {
    switch (part) {
      case Part::code:
        if (is_success(text)) return;
        if (key == "code" && level == 2 && is_zhipu_code(text) && out_.envelope == Envelope::common) {
          out_.envelope = Envelope::zhipu_code;
        }
        code_.offer(text, level, kWordBytes);
        status_from(text);
        return;
      case Part::type:
        if (text != "error") type_.offer(text, level, kWordBytes);
        return;
      case Part::reason: return reason_.offer(text, level, kWordBytes);
      case Part::state:
        out_.error = out_.error || is_failed_state(text);
        return state_.offer(text, level, kWordBytes);
      case Part::finish:
        out_.error = out_.error || is_bad_finish(text);
        return finish_.offer(text, level, kWordBytes);
      case Part::block: out_.error = true; return finish_.offer("block:" + text, level, kWordBytes);
      case Part::quota:
        if (out_.quota.size() < kWordBytes) out_.quota += text + ' ';
        return;
      case Part::param: return param_.offer(text, level, kWordBytes);
      case Part::sentence:
        if (key == "error" && !text.empty()) out_.error = true;
        return sentence(text, level);
      case Part::weak_sentence:
        // Google's quota violations describe the window in words.
        if (key == "description" && out_.quota.size() < kWordBytes)
          out_.quota += text.substr(0, kWordBytes) + ' ';
        return message_.offer(text, 0, kSentenceBytes);
      case Part::text: out_.content = out_.content || !text.empty(); return;
      case Part::wait_s:
      case Part::wait_span: out_.wait = out_.wait ? out_.wait : parse_span(text); return;
      case Part::wait_until:
        if (out_.until.empty()) out_.until = text.substr(0, kWordBytes);
        return;
      case Part::wait_ms:
      case Part::verdict:
      case Part::level: return;
    }
  }

  void number(Part part, const std::string& digits, int level) {
    if (part == Part::code || part == Part::wait_until) {
      word(part, "", digits, level);
    } else if (part == Part::state) {
      status_from(digits);
    } else if (part == Part::wait_s) {
      out_.wait = out_.wait ? out_.wait : parse_span(digits);
    } else if (part == Part::wait_ms) {
      out_.wait = out_.wait ? out_.wait : parse_span(digits + "ms");
    }
  }

  void status_from(const std::string& digits) {
    const auto status = parse_uint(digits);
    if (status && *status >= 400 && *status <= 599) out_.status = static_cast<int>(*status);
  }

  Reading& out_;
  Slot code_{out_.code}, type_{out_.type}, reason_{out_.reason}, state_{out_.state}, finish_{out_.finish},
      param_{out_.param}, message_{out_.message};
  std::string scratch_;
  bool whole_ = false;
};

// The text of a page: what stands outside tags, scripts and styles.
std::string text_of_html(std::string_view html) {
  std::string out;
  for (std::size_t at = 0; at < html.size() && out.size() < kSentenceBytes;) {
    const std::size_t tag = std::min(html.find('<', at), html.size());
    out += html.substr(at, tag - at);
    if (tag == html.size()) break;
    const std::size_t end = html.find('>', tag);
    at = end == std::string_view::npos ? html.size() : end + 1;
    for (const std::string_view hidden : {std::string_view("script"), std::string_view("style")}) {
      if (!equal_fold(html.substr(tag + 1, hidden.size()), hidden)) continue;
      const std::size_t close = html.find("</", at);
      at = close == std::string_view::npos ? html.size() : close;
    }
    out.push_back(' ');
  }
  return out.substr(0, kSentenceBytes);
}

bool looks_like_html(std::string_view text) {
  text = text.substr(0, 512);
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    for (const std::string_view tag :
         {std::string_view("<!doctype"), std::string_view("<html"), std::string_view("<head")}) {
      if (equal_fold(text.substr(at, tag.size()), tag)) return true;
    }
  }
  return false;
}

bool looks_like_sse(std::string_view text) {
  return text.starts_with("data:") || text.starts_with("event:") || text.starts_with("id:") ||
         text.starts_with(":");
}

void read_sse(std::string_view text, Reading& out, Walk& walk) {
  while (!text.empty()) {
    std::string_view line = trim(cut(text, '\n'));
    if (!line.starts_with("data:")) {
      if (line.starts_with("event:") && trim(line.substr(6)) == "error") out.error = true;
      continue;
    }
    line = trim(line.substr(5));
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
    read_sse(body, out, walk);
  } else if (looks_like_html(body)) {
    out.form = Form::html;
    out.message = text_of_html(body);
  } else if (walk.json(body, 0)) {
    out.form = Form::json;
    out.whole = walk.whole();
    out.error = out.error || (!is_success(out.code) && !out.content);
  } else {
    out.form = Form::text;
    walk.sentence(std::string(body), 0);
  }
  return out;
}

bool tells_error(std::string_view body) { return read_body(body).error; }

}  // namespace shunt::classify
