// Writes decision records.
#include "exchange/record.h"

#include "base/json_writer.h"
#include "base/strings.h"

namespace shunt::exchange {
namespace {

using json::Writer;

void write_attempt(Writer& out, const AttemptRecord& attempt, const Catalog& catalog) {
  const std::string& id = catalog.deployment(attempt.deployment).id;
  out.begin_object();
  out.field("attempt", attempt.no).field("deployment", id).field("slot", attempt.slot);
  out.field("purpose", name_of(attempt.purpose));
  if (attempt.kept) out.flag("kept", true);
  out.field("began", attempt.began.ms).field("ended", attempt.ended.ms).field("status", attempt.status);
  if (attempt.first_byte) out.field("first_byte_ms", attempt.first_byte->ms);
  if (attempt.first_token) out.field("first_token_ms", attempt.first_token->ms);
  if (attempt.bad_frames > 0) out.field("bad_frames", static_cast<std::int64_t>(attempt.bad_frames));
  constexpr std::string_view kOutcomes[] = {"success", "failure", "neutral"};
  out.field("outcome", kOutcomes[static_cast<std::size_t>(attempt.outcome)]);
  if (attempt.verdict) {
    const Verdict& verdict = *attempt.verdict;
    out.key("verdict").begin_object();
    out.field("class", name_of(verdict.error_class))
        .field("sub", verdict.sub)
        .field("scope", name_of(verdict.scope));
    out.flag("retry_same", verdict.retry_same).flag("switch_provider", verdict.switch_provider);
    out.field("penalty", name_of(verdict.penalty)).field("exposure", name_of(verdict.exposure));
    if (verdict.retry_after) out.field("retry_after_ms", verdict.retry_after->ms);
    out.field("rule", verdict.rule).field("message", verdict.message);
    out.end_object();
  }
  out.key("view");
  route::append_view(out, attempt.view, id);
  out.end_object();
}

void write_usage(Writer& out, const Usage& usage) {
  out.key("usage").begin_object();
  for (const UsageField& each : kUsageFields) {
    if (const auto& count = usage.*each.count) out.field(each.name, *count);
  }
  out.end_object();
}

}  // namespace

void write_record(const DecisionRecord& record, const Catalog& catalog, std::string_view config_hash,
                  std::string& text) {
  Writer out(text);
  out.begin_object();
  out.field("record", "shunt-record/1").field("id", record.id).field("config", config_hash);
  std::string seed;
  append_hex(seed, record.seed, 16);
  out.field("seed", seed).field("route", record.route).field("client", record.client);
  out.field("dialect", name_of(record.dialect)).flag("stream", record.stream);
  out.field("wall", record.wall.ms).field("arrived", record.arrived.ms).field("ended", record.ended.ms);
  out.field("request_bytes", static_cast<std::int64_t>(record.request_bytes));
  if (record.sent_once) out.flag("sent_once", true);
  out.field("result", name_of(record.result)).field("status", record.status);
  out.field("plan", route::name_of(record.plan));
  out.key("lines").begin_array();
  for (const route::LineView& view : record.views) {
    route::append_view(out, view, catalog.deployments[view.deployment].id);
  }
  out.end_array();
  out.key("order").begin_array();
  for (const std::uint16_t index : record.order) out.integer(index);
  out.end_array();
  out.key("attempts").begin_array();
  for (const AttemptRecord& attempt : record.attempts) write_attempt(out, attempt, catalog);
  out.end_array();
  if (!record.fallback.empty()) out.field("fallback", record.fallback);
  write_usage(out, record.usage);
  if (!record.dropped.empty()) {
    out.key("dropped").begin_array();
    for (const std::string& what : record.dropped) out.string(what);
    out.end_array();
  }
  out.end_object();
}

std::string reason_in_words(const DecisionRecord& record, const Catalog& catalog,
                            const route::LineView* serving) {
  std::string words;
  if (serving != nullptr && serving->availability == route::Availability::probe)
    words = "probe of a recovering line";
  if (serving != nullptr && serving->kept) words = "last line, kept although its breaker is open";
  bool first = true;
  for (const AttemptRecord& attempt : record.attempts) {
    if (!attempt.verdict) continue;
    words += !first ? ", " : words.empty() ? "after " : "; after ";
    first = false;
    words += catalog.deployment(attempt.deployment).id;
    words += ": ";
    words += name_of(attempt.verdict->error_class);
    if (attempt.status >= 300) {
      words += " (";
      append_int(words, attempt.status);
      words += ")";
    }
  }
  return words.empty() ? "first choice" : words;
}

}  // namespace shunt::exchange
