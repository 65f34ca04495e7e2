// What a client is told when no provider's answer is given: errors by class, refusals, and the endpoints the
// core answers itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "canonical/failure.h"
#include "catalog/catalog.h"
#include "dialect/dialect.h"
#include "exchange/record.h"

namespace shunt::exchange {

// A whole reply: status, header lines (content type included) and body.
struct Reply {
  int status = 200;
  std::string headers;
  std::string body;
};

// The HTTP status a client sees for a verdict; `upstream` is the provider's own.
int client_status(const Verdict& verdict, int upstream);

// A refusal of our own, before any provider was asked.
struct Refusal {
  int status = 400;
  std::string_view code;     // "not_found", "invalid_request", "body_too_large", …
  std::string_view message;  // plain words: what was found, what to do
  std::optional<Duration> retry_after = {};
};
Reply refusal_reply(const dialect::Dialect& dialect, const Refusal& refusal);

// The last verdict as the client's error; names the lines tried.
Reply fail(const dialect::Dialect& dialect, const Verdict& verdict, const DecisionRecord& record,
           const Catalog& catalog);

// The same beside an answer that is passed on as it came: header lines x-shunt-error "CLASS/sub" and both
// user texts, percent-encoded, in x-shunt-user-message-zh and -en. `line` says what kind of work failed.
std::string failure_lines(const Verdict& verdict, const Provider& provider);

Reply models(const Catalog& catalog, bool anthropic_form);
Reply health_ok();
// 204 with what a browser may send, or 403 for an origin that is not allowed.
Reply preflight(bool allowed);

// CORS lines for an allowed origin; empty otherwise.
std::string cors_lines(std::string_view origin, const std::vector<std::string>& allowed);
bool origin_allowed(std::string_view origin, const std::vector<std::string>& allowed);

}  // namespace shunt::exchange
