// The order of evidence: a broken transport; then the machine fields of the body, its sentence where the
// status allows it, and the status, in the order of the book's rows. What no row knows is UNKNOWN.
#include "classify/classify.h"

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "classify/reading.h"
#include "classify/redact.h"
#include "classify/rule_book.h"
#include "classify/sentence.h"
#include "classify/waits.h"

namespace shunt::classify {
namespace {

struct Judged {
  std::string_view rule;
  Ruling ruling;
};

bool is_good(int status) { return status >= 200 && status <= 299; }

// Headers that are machine fields of the error. Words stand in where the body has none.
struct HeaderWords {
  std::string_view type;
  std::string_view reason;
  bool may_retry = true;
};

// A subscription's windows. "…-overage-status" is none: it says whether more may be bought.
bool is_unified_window(std::string_view name) {
  return equal_fold(name, "anthropic-ratelimit-unified-status") ||
         equal_fold(name, "anthropic-ratelimit-unified-5h-status") ||
         equal_fold(name, "anthropic-ratelimit-unified-7d-status");
}

HeaderWords read_headers(const HeaderBlock& headers) {
  HeaderWords words;
  headers.each([&words](std::string_view name, std::string_view value) {
    if (equal_fold(name, "x-amzn-errortype")) {
      words.type = value.substr(0, value.find(':'));
    } else if (equal_fold(name, "x-should-retry")) {
      words.may_retry = !equal_fold(value, "false");
    } else if (equal_fold(name, "cf-mitigated")) {
      if (equal_fold(value, "challenge")) words.reason = "cf_challenge";
    } else if (equal_fold(name, "x-envoy-ratelimited")) {
      if (equal_fold(value, "true")) words.reason = "envoy_ratelimited";
    } else if (is_unified_window(name)) {
      if (equal_fold(value, "rejected")) words.reason = "unified_window_rejected";
    }
  });
  return words;
}

Judged judge_transport(const Evidence& evidence, const RuleBook& book) {
  Reading reading;
  reading.code = name_of(evidence.fault);
  const std::string text = to_lower(evidence.fault_text.substr(0, 1024));
  const Rule rule = book.of_fault({Family::any, evidence.configured, 0, reading, text});
  return {rule.name, rule.ruling};
}

Judged judge_reply(const Evidence& evidence, const Reading& reading, const RuleBook& book) {
  const int status = is_good(evidence.status) && reading.status != 0 ? reading.status : evidence.status;
  const std::string sentence = matched_text(reading);
  const Family family = family_of(evidence.provider, reading.envelope);
  const Rule rule = book.of_reply({family, evidence.configured, status, reading, sentence});
  return {rule.name, rule.ruling};
}

// A 2xx whose body names no error: what is wrong with it is what it lacks.
Judged judge_silence(const Evidence& evidence, const Reading& reading) {
  constexpr Ruling kTruncated{ErrorClass::external_network, "truncated", Scope::deployment};
  const bool ended = reading.whole && !evidence.body_cut;
  if (reading.form == Form::empty) return {"silence/no_bytes", kTruncated};
  if (reading.form == Form::json || reading.form == Form::sse || reading.form == Form::aws) {
    if (!ended) return {"silence/no_end", kTruncated};
    return {"silence/no_content", {ErrorClass::empty_content, "empty"}};
  }
  return {"silence/not_an_answer", {ErrorClass::unknown, "not_an_answer"}};
}

Exposure exposure_of(const Evidence& evidence, const Reading& reading, const Ruling& ruling) {
  if (evidence.content_delivered) return Exposure::partially_delivered;
  const bool unsent = ruling.sub == "dns" || ruling.sub == "refused" || ruling.sub == "connect_timeout" ||
                      ruling.sub == "tls" || ruling.sub == "proxy" || ruling.sub == "unreachable" ||
                      ruling.sub == "local_argument" || ruling.sub == "own_limit";
  if (evidence.status == 0 && unsent) return Exposure::not_sent;
  // A gateway that gave up waiting does not know whether the work was done; a stream that broke had
  // begun it.
  const bool doubtful =
      ruling.sub == "upstream_timeout" || reading.form == Form::sse || reading.form == Form::aws;
  if (evidence.status >= 400) return doubtful ? Exposure::maybe_executed : Exposure::rejected;
  return reading.error && !doubtful ? Exposure::rejected : Exposure::maybe_executed;
}

std::optional<Duration> wait_of(const Evidence& evidence, const Reading& reading) {
  const bool good = is_good(evidence.status);
  if (evidence.status == 0 || (good && !reading.error)) return std::nullopt;
  std::optional<Duration> wait;
  const auto take = [&](std::optional<Duration> other) {
    if (other && (!wait || *other > *wait)) wait = other;
  };
  if (!good) take(header_wait(evidence.headers, evidence.wall));
  const ReplyTime now(evidence.headers, evidence.wall);
  const auto said = reading.wait ? reading.wait : wait_until(reading.until, now);
  take(said ? said : sentence_wait(reading.message, now));
  if (!wait && evidence.status == 429) take(unclaimed_reset(evidence.headers, evidence.wall));
  return wait;
}

}  // namespace

Verdict classify(const Evidence& evidence, const RuleBook& book) {
  Reading reading = read_body(evidence.body);
  const HeaderWords words = read_headers(evidence.headers);
  if (reading.type.empty()) reading.type = words.type;
  if (!words.reason.empty()) reading.reason = words.reason;
  reading.error = reading.error || evidence.told_error;
  const bool good = is_good(evidence.status);
  Judged judged;
  if (evidence.status == 0 || (good && evidence.fault != TransportFault::none && !reading.error)) {
    judged = judge_transport(evidence, book);
  } else if (good && !reading.error) {
    judged = judge_silence(evidence, reading);
  } else {
    judged = judge_reply(evidence, reading, book);
  }
  const Ruling ruling = filled(judged.ruling);
  Verdict verdict;
  verdict.error_class = ruling.error_class;
  verdict.sub = ruling.sub;
  verdict.scope = *ruling.scope;
  verdict.retry_same = *ruling.retry_same && words.may_retry;
  verdict.switch_provider = *ruling.switch_provider;
  verdict.penalty = *ruling.penalty;
  verdict.retry_after = wait_of(evidence, reading);
  verdict.exposure = exposure_of(evidence, reading, ruling);
  verdict.rule = judged.rule;
  verdict.message = redacted(reading.message);
  return verdict;
}

}  // namespace shunt::classify
