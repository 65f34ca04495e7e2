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

// Stands for every path that names a model and one of its two methods.
constexpr std::string_view kGenerate = "{model}:generateContent";

constexpr Row kRows[] = {
    {"POST", "/v1/chat/completions", Endpoint::completion, DialectId::openai_chat},
    {"POST", "/v1/responses", Endpoint::completion, DialectId::openai_responses},
    {"POST", "/v1/messages", Endpoint::completion, DialectId::anthropic_messages},
    {"POST", kGenerate, Endpoint::completion, DialectId::gemini_generate},
    {"GET", "/v1/models", Endpoint::models, DialectId::openai_chat},
    {"GET", "/healthz", Endpoint::health, DialectId::openai_chat},
};

// Both versions of Google's API that its SDKs call. The model may hold any character, the method follows its
// last colon.
constexpr std::string_view kModels[] = {"/v1beta/models/", "/v1/models/"};

bool names_model(std::string_view path, std::string_view query, PathFacts& facts) {
  for (const std::string_view prefix : kModels) {
    const std::size_t colon = path.rfind(':');
    if (!path.starts_with(prefix) || colon == std::string_view::npos || colon <= prefix.size()) continue;
    const std::string_view method = path.substr(colon + 1);
    facts.stream = method == "streamGenerateContent";
    if (!facts.stream && method != "generateContent") continue;
    facts.model = path.substr(prefix.size(), colon - prefix.size());
    while (!query.empty()) facts.sse = facts.sse || cut(query, '&') == "alt=sse";
    return true;
  }
  return false;
}

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
  std::string_view query = target;
  std::string_view path = cut(query, '?');
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  EndpointMatch match;
  if (is_passed(method, path)) match.endpoint = Endpoint::passthrough;
  PathFacts facts;
  const bool named = names_model(path, query, facts);
  if (named) match.path = facts;
  for (const Row& row : kRows) {
    if (named != (row.path == kGenerate) || (!named && row.path != path)) continue;
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
