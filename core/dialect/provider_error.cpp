// An error inside an answer, in any form. See provider_error.h.
#include "dialect/provider_error.h"

#include "base/strings.h"
#include "dialect/add_event.h"
#include "dialect/words.h"

namespace shunt::dialect {
namespace {

// What errors are made of, of one object.
struct Words {
  std::string_view type, code, message, detail;  // detail: raw JSON
  std::string_view error, errors;                // raw JSON of a nested error, of several
  std::string_view kind;                         // the value of object
  int status = 0;
  bool failing_base = false;  // MiniMax: base_resp.status_code is not 0
};

bool is_status(std::int64_t number) { return number >= 400 && number <= 599; }

bool says_nothing(std::string_view raw) {
  return raw.empty() || raw == "null" || raw == "false" || raw == "\"\"" || raw == "{}" || raw == "[]";
}

// A code is a string, a number (Google, OpenRouter, llama.cpp: the HTTP status) or null.
std::string_view take_code(json::Cursor& cursor, Scratch& scratch, int& status) {
  const std::string_view digits = cursor.read_number();
  if (digits.empty()) return take_text(cursor, scratch);
  const std::optional<std::int64_t> number = parse_int(digits);
  if (number && is_status(*number)) status = static_cast<int>(*number);
  return digits;
}

void take_base_resp(json::Cursor& cursor, Scratch& scratch, Words& words) {
  if (!cursor.enter_object()) return;
  std::string_view key, code, message;
  while (cursor.next_key(key)) {
    int ignored = 0;
    if (key == "status_code") {
      code = take_code(cursor, scratch, ignored);
    } else if (key == "status_msg") {
      message = take_text(cursor, scratch);
    }
  }
  words.failing_base = !code.empty() && code != "0";
  if (words.failing_base) {
    words.code = code;
    words.message = message;
  }
}

enum Key : std::uint8_t { kError, kErrors, kMessage, kType, kCode, kStatus, kDetail, kObject, kBaseResp };
constexpr Word kKeys[] = {{"error", kError},   {"message", kMessage},    {"error_msg", kMessage},
                          {"msg", kMessage},   {"type", kType},          {"error_type", kType},
                          {"code", kCode},     {"error_code", kCode},    {"status_code", kStatus},
                          {"status", kStatus}, {"http_status", kStatus}, {"detail", kDetail},
                          {"object", kObject}, {"base_resp", kBaseResp}, {"errors", kErrors}};

Words read_words(json::Cursor& cursor, Scratch& scratch) {
  Words words;
  std::string_view key;
  while (cursor.next_key(key)) {
    switch (find_word(kKeys, key)) {
      case kError: words.error = take_raw(cursor); break;
      case kErrors: words.errors = take_raw(cursor); break;
      case kMessage: words.message = take_text(cursor, scratch); break;
      case kType: words.type = take_text(cursor, scratch); break;
      case kCode: words.code = take_code(cursor, scratch, words.status); break;
      case kStatus: {
        const std::string_view said = take_code(cursor, scratch, words.status);
        const bool word = !said.empty() && !is_digit(said[0]);  // Google: "RESOURCE_EXHAUSTED"
        if (word && words.type.empty()) words.type = said;
        break;
      }
      case kDetail: words.detail = take_raw(cursor); break;
      case kObject: words.kind = take_text(cursor, scratch); break;
      case kBaseResp: take_base_resp(cursor, scratch, words); break;
      default: break;
    }
  }
  return words;
}

// The first element of an array; empty when there is none.
std::string_view first_of(std::string_view raw) {
  json::Cursor cursor(raw);
  return cursor.enter_array() && cursor.next_element() ? cursor.skip() : std::string_view{};
}

// The text of a string, or of the first element of an array of strings; else the raw value itself.
std::string_view plain_text(std::string_view raw, Scratch& scratch) {
  json::Cursor cursor(raw);
  if (cursor.peek() == json::Kind::array && cursor.enter_array() && !cursor.next_element()) return raw;
  return cursor.peek() == json::Kind::string ? take_text(cursor, scratch) : raw;
}

void fill(const Words& words, event::Error& out) {
  if (!words.type.empty() && words.type != "error") out.type = words.type;
  if (!words.code.empty()) out.code = words.code;
  if (!words.message.empty()) out.message = words.message;
  if (words.status != 0) out.status = words.status;
}

}  // namespace

bool read_error(std::string_view json, ErrorForm form, Scratch& scratch, event::Error& out) {
  json::Cursor cursor(json);
  if (cursor.peek() == json::Kind::array) {  // Google's plain endpoints wrap it: [{"error":…}]
    json = first_of(json);
    cursor = json::Cursor(json);
  }
  if (!cursor.enter_object()) return false;
  Words words = read_words(cursor, scratch);
  if (words.error.empty() && words.message.empty()) words.error = first_of(words.errors);  // Cloudflare
  const bool nested = !says_nothing(words.error);
  const bool marked = nested || words.kind == "error" || words.type == "error" || words.failing_base;
  const bool worded = !words.message.empty() || !says_nothing(words.detail);
  if (!marked && !(form == ErrorForm::any && worded)) return false;

  fill(words, out);
  // Inside an answer the error alone; else what stands beside it is told nowhere else.
  out.raw = nested && form == ErrorForm::marked ? words.error : json;
  if (nested) {
    json::Cursor inner(words.error);
    if (inner.enter_object()) {
      fill(read_words(inner, scratch), out);
    } else {
      out.message = plain_text(words.error, scratch);
    }
  }
  if (out.message.empty() && !says_nothing(words.detail)) out.message = plain_text(words.detail, scratch);
  return true;
}

event::Error error_from(std::string_view text, Scratch& scratch) {
  event::Error error;
  if (read_error(text, ErrorForm::any, scratch, error)) return error;
  error.raw = text;
  error.message = plain_text(text, scratch);
  return error;
}

void add_transport_error(EventList& out, const wire::Frame& frame, event::Error said) {
  const bool broken = frame.kind == wire::Frame::Kind::broken;
  if (broken && (frame.event == wire::fault::kNotJson || frame.event == wire::fault::kIncomplete)) {
    return add_bad_frame(out, frame.data);
  }
  said.type = frame.event;
  if (said.message.empty()) said.message = frame.event;
  if (!broken) said.raw = frame.raw;  // the whole message: its headers say what kind of error it is
  add_error(out, said);
}

}  // namespace shunt::dialect
