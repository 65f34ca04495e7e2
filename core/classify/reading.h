// What a reply's body says, read out of any provider's envelope into the same few fields. Judges nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace shunt::classify {

enum class Form : std::uint8_t { empty, json, sse, aws, html, text };
constexpr std::string_view name_of(Form form) {
  switch (form) {
    case Form::empty: return "empty";
    case Form::json: return "json";
    case Form::sse: return "sse";
    case Form::aws: return "aws";
    case Form::html: return "html";
    case Form::text: return "text";
  }
  return "text";
}

// Envelopes that only one family of providers uses: they tell who speaks when nobody said.
enum class Envelope : std::uint8_t {
  common,
  minimax_base_resp,
  baidu_error_msg,
  tencent_response,
  iflytek_header,
  zhipu_code,
  midjourney_task,
  kling_task,
  bailian_success
};

// Words are as sent. Where an envelope stands inside another, the inner one's words win: relays
// wrap, providers know.
struct Reading {
  Form form = Form::empty;
  Envelope envelope = Envelope::common;
  bool error = false;    // it says that something went wrong (an ordinary answer does not)
  bool whole = false;    // JSON that ends where it should; a stream with an end mark
  bool content = false;  // it holds text of an answer
  std::string code;      // error.code, error_code, base_resp.status_code, Response.Error.Code …
  std::string type;      // error.type, an AWS exception's name
  std::string reason;    // ErrorInfo.reason, error_type, failureCode
  std::string state;     // status as a word: "UNAVAILABLE", "quota_exceeded", "failed"
  std::string finish;    // finish or block reason of an answer, as sent
  std::string quota;     // what names a quota: quotaId, quota_limit, a violation's description
  std::string message;   // the sentence; of HTML its text
  int status = 0;        // an HTTP status of a failure that it names
  std::string until;     // the moment of a reset in a field of its own, as sent
  std::optional<Duration>
      wait;  // a wait in a field of its own: RetryInfo, retry_after_ms, resets_in_seconds …

  // Those that rules are compared with; some are empty.
  std::array<std::string_view, 5> words() const { return {code, type, reason, state, finish}; }
};

// Reads at most limits::kErrorBodyBytes of `body`.
Reading read_body(std::string_view body);

// Whether a body with a good status says that something went wrong: the poll answer of a failed job does.
bool tells_error(std::string_view body);

}  // namespace shunt::classify
