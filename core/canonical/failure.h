// What a failure is: class, scope, penalty, exposure and the verdict that carries them. Names are the
// product's (DESIGN: Failures).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace shunt {

enum class ErrorClass : std::uint8_t {
  content_policy,
  rate_limited,
  quota_insufficient,
  auth_failure,
  provider_unavailable,
  invalid_request,
  external_network,
  temporary,
  empty_content,
  unknown,
};
inline constexpr int kErrorClasses = 10;

constexpr std::string_view name_of(ErrorClass c) {
  switch (c) {
    case ErrorClass::content_policy: return "CONTENT_POLICY";
    case ErrorClass::rate_limited: return "RATE_LIMITED";
    case ErrorClass::quota_insufficient: return "QUOTA_INSUFFICIENT";
    case ErrorClass::auth_failure: return "AUTH_FAILURE";
    case ErrorClass::provider_unavailable: return "PROVIDER_UNAVAILABLE";
    case ErrorClass::invalid_request: return "INVALID_REQUEST";
    case ErrorClass::external_network: return "EXTERNAL_NETWORK";
    case ErrorClass::temporary: return "TEMPORARY";
    case ErrorClass::empty_content: return "EMPTY_CONTENT";
    case ErrorClass::unknown: return "UNKNOWN";
  }
  return "UNKNOWN";
}

// What a failure says something about.
enum class Scope : std::uint8_t { request, deployment, key, model, provider, region, own_host };
constexpr std::string_view name_of(Scope s) {
  switch (s) {
    case Scope::request: return "request";
    case Scope::deployment: return "deployment";
    case Scope::key: return "key";
    case Scope::model: return "model";
    case Scope::provider: return "provider";
    case Scope::region: return "region";
    case Scope::own_host: return "own_host";
  }
  return "request";
}

// none · cooldown (until its wait ends) · weak (window only) · normal (window and consecutive) · long (600 s,
// doubling to 6 h).
enum class Penalty : std::uint8_t { none, cooldown, weak, normal, long_ };
constexpr std::string_view name_of(Penalty p) {
  switch (p) {
    case Penalty::none: return "none";
    case Penalty::cooldown: return "cooldown";
    case Penalty::weak: return "weak";
    case Penalty::normal: return "normal";
    case Penalty::long_: return "long";
  }
  return "none";
}

// How far the request got: decides what may be retried where.
enum class Exposure : std::uint8_t { not_sent, rejected, maybe_executed, partially_delivered };
constexpr std::string_view name_of(Exposure e) {
  switch (e) {
    case Exposure::not_sent: return "not_sent";
    case Exposure::rejected: return "rejected";
    case Exposure::maybe_executed: return "maybe_executed";
    case Exposure::partially_delivered: return "partially_delivered";
  }
  return "not_sent";
}

// How a transport broke, in one vocabulary for all hosts. `own_*`: our side's doing, nobody's fault upstream.
enum class TransportFault : std::uint8_t {
  none,
  dns,
  refused,
  connect_timeout,
  reset,
  tls,
  protocol,
  proxy,
  truncated,
  response_timeout,
  own_limit,
  own_abort,
  other,
};
constexpr std::string_view name_of(TransportFault f) {
  switch (f) {
    case TransportFault::none: return "none";
    case TransportFault::dns: return "dns";
    case TransportFault::refused: return "refused";
    case TransportFault::connect_timeout: return "connect_timeout";
    case TransportFault::reset: return "reset";
    case TransportFault::tls: return "tls";
    case TransportFault::protocol: return "protocol";
    case TransportFault::proxy: return "proxy";
    case TransportFault::truncated: return "truncated";
    case TransportFault::response_timeout: return "response_timeout";
    case TransportFault::own_limit: return "own_limit";
    case TransportFault::own_abort: return "own_abort";
    case TransportFault::other: return "other";
  }
  return "other";
}

// The judgement on one failed attempt. Texts are safe to show: no key, token, internal host or raw body.
struct Verdict {
  ErrorClass error_class = ErrorClass::unknown;
  std::string_view sub;  // static text: "overloaded", "context_length", …; empty = none
  Scope scope = Scope::deployment;
  bool retry_same = false;      // an unchanged repeat there can succeed
  bool switch_provider = true;  // another line may serve the unchanged request
  Penalty penalty = Penalty::weak;
  std::optional<Duration> retry_after;  // stated by the provider, before any cap
  Exposure exposure = Exposure::maybe_executed;
  std::string_view rule;  // static name of the deciding row
  std::string
      message;  // the provider's own sentence, redacted and bounded, for the client's error and the log

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

}  // namespace shunt
