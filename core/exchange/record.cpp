// Writes decision records.
#include "exchange/record.h"

#include "base/json_writer.h"
#include "base/strings.h"

namespace shunt::exchange {
namespace {

using json::Writer;

void write_attempt(Writer& out, const AttemptRecord& attempt, const Catalog& catalog) {
  const std::string& id = catalog.deployment(attempt.deployment).id;
  out.field("attempt", attempt.no).field("deployment", id).field("slot", attempt.slot);
  out.field("purpose", name_of(attempt.purpose));
  if (attempt.kept) out.flag("kept", true);
  out.field("began", attempt.began.ms).field("ended", attempt.ended.ms).field("status", attempt.status);
  if (attempt.first_byte) out.field("first_byte_ms", attempt.first_byte->ms);
  if (attempt.first_token) out.field("first_token_ms", attempt.first_token->ms);
  if (attempt.bad_frames > 0) out.field("bad_frames", static_cast<std::int64_t>(attempt.bad_frames));
  constexpr std::string_view kOutcomes[] = {"success", "failure", "neutral"};
  out.field("outcome", kOutcomes[static_cast<std::size_t>(attempt.outcome)]);
  if (attempt.superseded) out.flag("superseded", true);
  if (attempt.cost_micros != 0) out.field("cost_micros", attempt.cost_micros);
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
  if (record.budget_spent) out.flag("budget_spent", true);
  out.field("result", name_of(record.result)).field("status", record.status);
  if (record.policy) {
    out.key("policy");
    route::append_policy(out, *record.policy);
    if (record.planned != record.views.size())
      out.field("planned", static_cast<std::int64_t>(record.planned));
  }
  out.field("plan", route::name_of(record.plan));
  if (record.waited.ms > 0) out.field("waited_ms", record.waited.ms);
  if (record.hedge_after) out.field("hedge_after_ms", record.hedge_after->ms);
  out.key("lines").begin_array();
  for (const route::LineView& view : record.views) {
    route::append_view(out, view, catalog.deployments[view.deployment].id);
  }
  out.end_array();
  out.key("order").begin_array();
  for (const std::uint16_t index : record.order) out.integer(index);
  out.end_array();
  out.key("attempts").begin_array();
  for (const AttemptRecord& attempt : record.attempts) {
    out.begin_object();
    write_attempt(out, attempt, catalog);
    out.end_object();
  }
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

namespace {

void add_clause(std::string& words, std::string_view clause) {
  if (!words.empty()) words += "; ";
  words += clause;
}

void add_hedge(std::string& words, const DecisionRecord& record, const AttemptRecord& slow,
               const Catalog& catalog) {
  add_clause(words, "hedge after ");
  append_int(words, record.hedge_after.value_or(Duration{}).ms);
  words += " ms: ";
  words += catalog.deployment(slow.deployment).id;
  words += " was slow to begin";
}

void add_failure(std::string& words, const AttemptRecord& attempt, const Catalog& catalog) {
  words += words.empty() ? "after " : ", ";
  words += catalog.deployment(attempt.deployment).id;
  words += ": ";
  words += name_of(attempt.verdict->error_class);
  if (attempt.status < 300) return;
  words += " (";
  append_int(words, attempt.status);
  words += ")";
}

// Why the first line of the plan is the first, by strategy.
std::string_view chosen(const DecisionRecord& record) {
  constexpr std::string_view kWords[] = {"first choice",
                                         "drawn by weight",
                                         "the greatest weight",
                                         "the primary line",
                                         "first in the list",
                                         "the cheapest",
                                         "the faster of two draws",
                                         "the best score",
                                         "first choice",
                                         "the least busy",
                                         "the line of this session or prompt"};
  if (!record.policy) return kWords[0];
  if (record.policy->strategy == Strategy::affinity && record.policy->affinity == 0) return kWords[1];
  return kWords[static_cast<std::size_t>(record.policy->strategy)];
}

// Lines that would have stood before the one that serves, had they not been out when the plan was made.
void add_passed_over(std::string& words, const DecisionRecord& record, const route::LineView& serving,
                     const Catalog& catalog) {
  constexpr int kMostNamed = 3;
  int named = 0;
  for (const route::LineView& view : record.views) {
    const bool better = view.availability == route::Availability::out && route::is_candidate(view.cause) &&
                        view.priority < serving.priority;
    if (!better || ++named > kMostNamed) continue;
    add_clause(words, catalog.deployments[view.deployment].id);
    words += " is out (";
    words += name_of(view.cause);
    words += ")";
  }
}

}  // namespace

void write_shadow(const DecisionRecord& record, const AttemptRecord& attempt, const Usage& usage,
                  const Catalog& catalog, std::string_view config_hash, std::string& text) {
  Writer out(text);
  out.begin_object();
  out.field("record", "shunt-shadow/1").field("id", record.id).field("config", config_hash);
  out.field("route", record.route).flag("stream", record.stream);
  write_attempt(out, attempt, catalog);
  write_usage(out, usage);
  out.end_object();
}

std::string reason_in_words(const DecisionRecord& record, const Catalog& catalog,
                            const route::LineView* serving) {
  std::string words;
  if (serving != nullptr && serving->kept) {
    words = "last line, kept although its breaker is open";
  } else if (serving != nullptr && serving->availability == route::Availability::probe) {
    words = "probe of a recovering line";
  }
  std::string failures;
  for (const AttemptRecord& attempt : record.attempts) {
    if (attempt.superseded && attempt.purpose == Purpose::main) add_hedge(words, record, attempt, catalog);
    if (attempt.verdict) add_failure(failures, attempt, catalog);
  }
  if (!failures.empty()) add_clause(words, failures);
  if (words.empty()) words = chosen(record);
  if (serving != nullptr) add_passed_over(words, record, *serving, catalog);
  if (record.waited.ms > 0) {
    add_clause(words, "waited ");
    append_int(words, record.waited.ms);
    words += " ms for its turn";
  }
  return words;
}

}  // namespace shunt::exchange
