// The order of evidence: a broken transport; then the machine fields of the body, its sentence where the
// status allows it, and the status, in the order of the book's rows. What no row knows is UNKNOWN.
#include "classify/classify.h"

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "classify/headers.h"
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
  // A relay tells its upstream's status in words where it sends one of its own. What that says of keys and
  // limits holds; what was refused or not found may have been another request than ours.
  constexpr Statuses kWrapping = k2xx | k400 | k500 | k502 | k503;
  const bool general = rule.name.starts_with("status/") || rule.name == "general/sent_200";
  if (general && (group_of(status) & kWrapping) != 0) {
    if (const int named = named_status(sentence); named != 0 && named != status) {
      const Rule inner = book.of_reply({family, evidence.configured, named, reading, sentence});
      const ErrorClass said = inner.ruling.error_class;
      if (said == ErrorClass::auth_failure || said == ErrorClass::quota_insufficient ||
          said == ErrorClass::rate_limited || said == ErrorClass::temporary) {
        return {inner.name, inner.ruling};
      }
    }
  }
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

std::optional<Duration> stated_wait(const Evidence& evidence, const ReplyHeaders& headers,
                                    const Reading& reading) {
  const bool good = is_good(evidence.status);
  if (evidence.status == 0 || (good && !reading.error)) return std::nullopt;
  const ReplyTime& now = headers.written();
  auto said = reading.wait ? reading.wait : wait_until(reading.until, now);
  if (!said) said = sentence_wait(reading.message, now);
  const auto wait = good ? said : longer(headers.wait(), said);
  return wait || evidence.status != 429 ? wait : headers.unclaimed_reset();
}

}  // namespace

Verdict classify(const Evidence& evidence, const RuleBook& book) {
  Reading reading = read_body(evidence.body);
  const ReplyHeaders headers(evidence.headers, evidence.wall);
  if (reading.type.empty()) reading.type = headers.type();
  if (!headers.reason().empty()) reading.reason = headers.reason();
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
  verdict.retry_same = *ruling.retry_same && headers.may_retry();
  verdict.switch_provider = *ruling.switch_provider;
  verdict.penalty = *ruling.penalty;
  verdict.retry_after = stated_wait(evidence, headers, reading);
  verdict.exposure = exposure_of(evidence, reading, ruling);
  verdict.rule = judged.rule;
  verdict.message = redacted(reading.message);
  return verdict;
}

}  // namespace shunt::classify
