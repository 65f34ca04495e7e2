// What the end of an attempt means where nobody put it into words. Knows no exchange.
#pragma once

#include "canonical/failure.h"

namespace shunt::exchange {

// Bytes that stop without a word have been cut.
constexpr TransportFault cut_unless_said(TransportFault fault) {
  return fault == TransportFault::none ? TransportFault::truncated : fault;
}

// Finished and well formed, and nothing in it.
inline Verdict empty_verdict() {
  Verdict verdict;
  verdict.error_class = ErrorClass::empty_content;
  verdict.scope = Scope::request;
  verdict.penalty = Penalty::none;
  verdict.exposure = Exposure::rejected;
  verdict.rule = "empty_content";
  return verdict;
}

// Where the client brought the key: what is wrong with it, or used up of it, says nothing of the line for
// others.
inline Verdict blamed(Verdict verdict, bool own_key) {
  const bool of_key = verdict.error_class == ErrorClass::auth_failure ||
                      verdict.error_class == ErrorClass::quota_insufficient ||
                      verdict.error_class == ErrorClass::rate_limited;
  if (!own_key || !of_key) return verdict;
  verdict.scope = Scope::request;
  verdict.penalty = Penalty::none;
  return verdict;
}

}  // namespace shunt::exchange
