// Phrases in the text, and one JSON pointer (RFC 6901) into the body.
#include "exchange/empty_when.h"

#include <string>

#include "base/limits.h"
#include "base/outline.h"
#include "base/strings.h"

namespace shunt::exchange {
namespace {

// "~1" is a slash and "~0" a tilde, in this order of reading.
std::string unescaped(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape =
        token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1');
    out.push_back(escape ? (token[++i] == '0' ? '~' : '/') : token[i]);
  }
  return out;
}

json::NodeId element(const json::Outline& body, json::NodeId array, std::string_view token) {
  const auto index = parse_uint(token);
  if (!index) return json::kNoNode;
  json::NodeId node = body.first(array);
  for (std::uint64_t i = 0; i < *index && node != json::kNoNode; ++i) node = body.next(node);
  return node;
}

json::NodeId resolve(const json::Outline& body, std::string_view pointer) {
  json::NodeId node = 0;
  if (!pointer.empty()) cut(pointer, '/');  // what stands before the first slash is nothing
  while (!pointer.empty() && node != json::kNoNode) {
    const std::string token = unescaped(cut(pointer, '/'));
    node = body.kind(node) == json::Kind::array    ? element(body, node, token)
           : body.kind(node) == json::Kind::object ? body.find(node, token)
                                                   : json::kNoNode;
  }
  return node;
}

bool holds_nothing(const json::Outline& body, json::NodeId node) {
  switch (body.kind(node)) {
    case json::Kind::null: return true;
    case json::Kind::string: return body.whole(node) && trim(body.raw_head(node)).empty();
    case json::Kind::array:
    case json::Kind::object: return body.first(node) == json::kNoNode;
    case json::Kind::boolean:
    case json::Kind::number: return false;
  }
  return false;
}

bool pointed(const EmptyWhen& rule, std::string_view text) {
  json::Outline body(json::Outline::Options{{}, limits::kTokenBytes, {}});
  if (body.feed(text, true) != json::Outline::State::done) return false;
  const json::NodeId node = resolve(body, rule.pointer);
  if (node == json::kNoNode) return rule.equals.empty();
  if (rule.equals.empty()) return holds_nothing(body, node);
  const auto begin = static_cast<std::size_t>(body.begin(node));  // of a text in memory
  return text.substr(begin, static_cast<std::size_t>(body.end(node)) - begin) == trim(rule.equals);
}

}  // namespace

bool counts_as_empty(const EmptyWhen& rule, std::string_view body, std::string_view text) {
  for (const std::string& phrase : rule.phrases) {
    if (contains_fold(text, to_lower(phrase))) return true;
  }
  return !rule.pointer.empty() && pointed(rule, body);
}

}  // namespace shunt::exchange
