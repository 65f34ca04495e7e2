// The rows of the client's API.
#include "exchange/endpoints.h"

#include <algorithm>

#include "base/strings.h"

namespace shunt::exchange {
namespace {

struct Row {
  std::string_view method;
  std::string_view path;
  Endpoint endpoint;
  DialectId dialect;
};

constexpr Row kRows[] = {
    {"POST", "/v1/chat/completions", Endpoint::completion, DialectId::openai_chat},
    {"POST", "/v1/responses", Endpoint::completion, DialectId::openai_responses},
    {"POST", "/v1/messages", Endpoint::completion, DialectId::anthropic_messages},
    {"GET", "/v1/models", Endpoint::models, DialectId::openai_chat},
    {"GET", "/healthz", Endpoint::health, DialectId::openai_chat},
};

// Below a provider's base URL, not beside it: whoever fetches it resolves steps of dots, however they are
// written.
bool stays_below(std::string_view path) {
  return path.find("..") == std::string_view::npos && !contains_fold(path, "%2e") &&
         path.find('\\') == std::string_view::npos;
}

bool is_passed(std::string_view method, std::string_view path) {
  return path.starts_with(kPassedUnder) && stays_below(path) &&
         std::find(kPassedMethods.begin(), kPassedMethods.end(), method) != kPassedMethods.end();
}

}  // namespace

EndpointMatch match_endpoint(std::string_view method, std::string_view target) {
  std::string_view path = target.substr(0, target.find('?'));
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  EndpointMatch match;
  if (is_passed(method, path)) match.endpoint = Endpoint::passthrough;
  for (const Row& row : kRows) {
    if (row.path != path) continue;
    match.dialect = row.dialect;
    if (method == "OPTIONS") {
      match.endpoint = Endpoint::preflight;
    } else if (method == row.method || (method == "HEAD" && row.method == "GET")) {
      match.endpoint = row.endpoint;
      return match;
    } else {
      match.endpoint = Endpoint::wrong_method;
    }
  }
  return match;
}

}  // namespace shunt::exchange
