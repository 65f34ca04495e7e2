// shunt.json -> tables: the one place that reads configuration. Validated whole; every fault is located and
// none is ignored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "config/faults.h"
#include "exchange/policy.h"
#include "health/policy.h"

namespace shunt::config {

struct Loaded {
  Catalog catalog;                              // finished
  std::vector<health::BreakerPolicy> breakers;  // by DeploymentId
  exchange::EnginePolicy engine;
  std::string rules;            // the operator's own, as classify::RuleBook takes them
  std::vector<Fault> warnings;  // in document order
  std::string hash;             // SHA-256 of the document's bytes, hex: names it in records

  const health::BreakerPolicy& breaker_of(DeploymentId id) const { return breakers[index_of(id)]; }
};

// False when the document has faults: `faults` then holds them in document order (after a syntax error, that
// one alone) and `out` nothing but the warnings and the hash. Never traps, whatever the bytes.
bool load(std::string_view json, Loaded& out, std::vector<Fault>& faults);

// What a host must know at load, as one JSON object:
//   {"hash": "…",
//    "deployments": [{"id", "provider", "auth": "none|bearer|header|query|…", "auth_name", "keys": [names of
//    secrets],
//                     "client_key": bool, "headers": {name: value}}],        in the order of DeploymentId
//    "clients": [{"id", "key_sha256"}], "cors": {"origins": […]},
//    "state": {"store", "shard"}, "admin_token": name of a secret, where there is one,
//    "active_checks": {"every_s"}, where they are on: a probe exchange is wanted so often,
//    "warnings": [{"path", "line", "column", "found", "allowed", "suggestion"}]}
// The fixed headers are on StartAttempt already; they stand here so that a host can show them.
std::string describe_catalog(const Loaded& loaded);

// One fault as JSON: {"path", "line", "column", "found", "allowed", "suggestion"}; warnings add "warning":
// true.
std::string fault_json(const Fault& fault);

}  // namespace shunt::config
