// Errors by class, refusals, and what the core answers itself.
#include "exchange/replies.h"

#include <algorithm>
#include <utility>

#include "base/json_writer.h"
#include "base/strings.h"
#include "canonical/http.h"
#include "classify/messages.h"
#include "classify/verdict_json.h"

namespace shunt::exchange {
namespace {

constexpr std::string_view kJson = "content-type: application/json\n";

// Seconds a client should wait, rounded up: a client told 0.4 s as 0 comes back too early.
std::int64_t whole_seconds(Duration wait) { return std::max<std::int64_t>(1, (wait.ms + 999) / 1000); }

void append_retry_after(std::string& out, Duration wait) {
  std::string value;
  append_int(value, whole_seconds(wait));
  append_header(out, "retry-after", value);
}

// What a line makes, by whom it is asked of: image and video jobs fail in words of their own.
classify::Medium medium_of(const Provider& provider) {
  return classify::medium_of(provider.preset.empty() ? provider.name : provider.preset);
}

// Does it make sense for the client itself to try again? The official SDKs obey x-should-retry.
bool client_may_retry(const Verdict& verdict) {
  switch (verdict.error_class) {
    case ErrorClass::rate_limited:
    case ErrorClass::temporary:
    case ErrorClass::external_network:
    case ErrorClass::unknown: return true;
    case ErrorClass::content_policy:
    case ErrorClass::quota_insufficient:
    case ErrorClass::auth_failure:
    case ErrorClass::provider_unavailable:
    case ErrorClass::invalid_request:
    case ErrorClass::empty_content: return false;
  }
  return false;
}

// What every error carries for programs and for people: the class, both user texts, the lines tried, the
// wait.
std::string facts_of(const Verdict& verdict, const classify::UserText& text, const DecisionRecord& record,
                     const Catalog& catalog) {
  std::string facts = "\"shunt\":";
  json::Writer out(facts);
  out.begin_object().field("class", name_of(verdict.error_class));
  if (!verdict.sub.empty()) out.field("sub", verdict.sub);
  out.field("request_id", record.id);
  if (verdict.retry_after) out.field("retry_after_s", whole_seconds(*verdict.retry_after));
  out.key("user_message").begin_object().field("zh", text.zh).field("en", text.en).end_object();
  out.key("lines").begin_array();
  for (const AttemptRecord& attempt : record.attempts) {
    out.begin_object().field("deployment", catalog.deployment(attempt.deployment).id);
    if (attempt.verdict) out.field("class", name_of(attempt.verdict->error_class));
    if (attempt.status != 0) out.field("status", attempt.status);
    out.end_object();
  }
  out.end_array().end_object();
  return facts;
}

// The provider's own sentence where it said one, else ours; and which lines were tried when there were
// several.
std::string message_of(const Verdict& verdict, const classify::UserText& text, const DecisionRecord& record,
                       const Catalog& catalog) {
  std::string message = verdict.message.empty() ? text.en : verdict.message;
  for (std::size_t i = 0; record.attempts.size() > 1 && i < record.attempts.size(); ++i) {
    message += i == 0 ? " Lines tried: " : ", ";
    message += catalog.deployment(record.attempts[i].deployment).id;
  }
  if (record.attempts.size() > 1) message += ".";
  return message;
}

}  // namespace

int client_status(const Verdict& verdict, int upstream) {
  const bool client_error = upstream >= 400 && upstream < 500;
  switch (verdict.error_class) {
    case ErrorClass::invalid_request:
    case ErrorClass::content_policy: return client_error ? upstream : 400;
    case ErrorClass::rate_limited:
    case ErrorClass::quota_insufficient: return 429;
    case ErrorClass::temporary: return 503;
    case ErrorClass::external_network:
      return verdict.sub == "response_timeout" || verdict.sub == "timeout" ? 504 : 502;
    case ErrorClass::auth_failure:
      return verdict.scope == Scope::request ? 401 : 502;  // the client's own key
    case ErrorClass::provider_unavailable:
    case ErrorClass::empty_content:
    case ErrorClass::unknown: return 502;
  }
  return 502;
}

Reply refusal_reply(const dialect::Dialect& dialect, const Refusal& refusal) {
  Reply reply;
  reply.status = refusal.status;
  reply.headers = kJson;
  std::string extra;
  if (refusal.retry_after) {
    append_retry_after(reply.headers, *refusal.retry_after);
    extra = "\"retry_after_s\":";
    append_int(extra, whole_seconds(*refusal.retry_after));
  }
  dialect.write_error({refusal.status, {}, refusal.code, refusal.message, extra}, reply.body);
  return reply;
}

Reply fail(const dialect::Dialect& dialect, const Verdict& verdict, const DecisionRecord& record,
           const Catalog& catalog) {
  const classify::Medium medium = record.attempts.empty()
                                      ? classify::Medium::text
                                      : medium_of(catalog.provider_of(record.attempts.back().deployment));
  const classify::UserText text = classify::user_message(verdict, medium);
  const std::string facts = facts_of(verdict, text, record, catalog);
  const std::string message = message_of(verdict, text, record, catalog);
  const bool own_code = verdict.error_class == ErrorClass::invalid_request && !verdict.sub.empty();
  const std::string code = own_code ? std::string(verdict.sub) : to_lower(name_of(verdict.error_class));
  Reply reply;
  reply.status = client_status(verdict, record.attempts.empty() ? 0 : record.attempts.back().status);
  reply.headers = kJson;
  if (verdict.retry_after && (reply.status == 429 || reply.status == 503)) {
    append_retry_after(reply.headers, *verdict.retry_after);
  }
  append_header(reply.headers, "x-should-retry",
                !record.budget_spent && client_may_retry(verdict) ? "true" : "false");
  dialect.write_error({reply.status, {}, code, message, facts}, reply.body);
  return reply;
}

std::string failure_lines(const Verdict& verdict, const Provider& provider) {
  const classify::UserText text = classify::user_message(verdict, medium_of(provider));
  std::string lines;
  append_header(lines, "x-shunt-error",
                joined({name_of(verdict.error_class), verdict.sub.empty() ? "" : "/", verdict.sub}));
  for (const auto& [name, message] :
       {std::pair("x-shunt-user-message-zh", &text.zh), std::pair("x-shunt-user-message-en", &text.en)}) {
    std::string encoded;
    append_percent(encoded, *message, " .,:;-");
    append_header(lines, name, encoded);
  }
  return lines;
}

Reply models(const Catalog& catalog, bool anthropic_form) {
  Reply reply;
  reply.headers = kJson;
  json::Writer out(reply.body);
  out.begin_object();
  if (!anthropic_form) out.field("object", "list");
  out.key("data").begin_array();
  for (const Route& route : catalog.routes) {
    if (route.name.find('*') != std::string::npos) continue;  // a pattern is no model one can ask for
    out.begin_object().field("id", route.name);
    if (anthropic_form) {
      out.field("type", "model")
          .field("display_name", route.name)
          .field("created_at", "1970-01-01T00:00:00Z");
    } else {
      out.field("object", "model").field("created", std::int64_t{0}).field("owned_by", "shunt");
    }
    out.end_object();
  }
  out.end_array();
  if (anthropic_form) out.flag("has_more", false);
  out.end_object();
  return reply;
}

Reply health_ok() { return {200, std::string(kJson), R"({"status":"ok"})"}; }

Reply preflight(bool allowed) {
  if (!allowed)
    return {403, std::string(kJson), R"({"error":{"message":"This origin is not in cors.origins."}})"};
  return {
      204,
      "access-control-allow-methods: GET, POST, OPTIONS\n"
      "access-control-allow-headers: authorization, content-type, x-api-key, x-goog-api-key, "
      "x-goog-api-client, anthropic-version, "
      "anthropic-beta, "
      "openai-organization, openai-project, openai-beta, x-shunt-route, x-shunt-deployment, x-shunt-exclude, "
      "x-shunt-repeatable, x-shunt-task, x-shunt-role, x-shunt-region, x-shunt-session, x-shunt-priority, "
      "idempotency-key, traceparent, tracestate, "
      "anthropic-dangerous-direct-browser-access, x-stainless-arch, x-stainless-lang, x-stainless-os, "
      "x-stainless-package-version, x-stainless-retry-count, x-stainless-runtime, "
      "x-stainless-runtime-version, "
      "x-stainless-timeout, x-stainless-helper-method\n"
      "access-control-max-age: 86400\n",
      ""};
}

bool origin_allowed(std::string_view origin, const std::vector<std::string>& allowed) {
  if (origin.empty()) return false;
  return std::any_of(allowed.begin(), allowed.end(),
                     [&](const std::string& each) { return each == "*" || each == origin; });
}

std::string cors_lines(std::string_view origin, const std::vector<std::string>& allowed) {
  if (!origin_allowed(origin, allowed)) return {};
  std::string out;
  append_header(out, "access-control-allow-origin", origin);
  append_header(out, "vary", "origin");
  append_header(out, "access-control-expose-headers",
                "x-shunt-deployment, x-shunt-attempts, x-shunt-reason, x-shunt-request-id, x-shunt-dropped, "
                "x-shunt-fallback, "
                "x-shunt-error, x-shunt-user-message-zh, x-shunt-user-message-en, "
                "retry-after, x-should-retry");
  return out;
}

}  // namespace shunt::exchange
