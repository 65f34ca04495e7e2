// Configurations for tests: one that uses every section, and a small one to put mistakes into.
#pragma once

#include <string>
#include <string_view>

#include "config/config.h"

namespace shunt::config {

// Every section of the document, each with values of its own.
inline constexpr std::string_view kFull = R"({
  "defaults": { "breaker": { "preset": "stepped" },
                "timeouts": { "first_byte_ms": 30000, "idle_ms": 45000, "plain_total_ms": 300000 },
                "retry": { "attempts": 4 } },
  "providers": {
    "openai": { "preset": "openai", "keys": ["OPENAI_KEY", "OPENAI_KEY_2"] },
    "claude": { "preset": "anthropic", "keys": ["CLAUDE_KEY"], "timeouts": { "first_byte_ms": 20000 } },
    "byok":   { "preset": "groq", "keys": "client" },
    "local":  { "dialect": "openai_chat", "base_url": "http://127.0.0.1:8000/v1/", "headers": { "X-Team": "edge" } } },
  "deployments": [
    { "id": "mini@openai", "provider": "openai", "model": "gpt-4o-mini", "priority": 1, "weight": 70,
      "cost_per_mtok_usd": { "input": 0.15, "output": 0.6, "cached_input": 0.075 }, "roles": ["pro"],
      "capabilities": ["chat", "tools"], "task_scores": { "completion": 82 }, "region": "us", "context_tokens": 128000,
      "max_tokens": 4096, "limits": { "rpm": 300, "tpm": 20000, "concurrency": 40, "budget_usd_day": 12.5 },
      "breaker": { "preset": "three_layer" },
      "override": { "system_prefix": "", "params": { "temperature": 0.3 }, "drop": ["logit_bias"] } },
    { "id": "haiku@claude", "provider": "claude", "model": "claude-haiku-4-5", "timeouts": { "idle_ms": 20000 } },
    { "id": "small@local", "provider": "local", "model": "qwen3-4b", "name": "小模型",
      "breaker": { "preset": "window_50", "window_ms": 30000, "failure_rate": 0.25, "half_open_permits": 2 } } ],
  "routes": {
    "chat": {
      "deployments": ["mini@openai", { "id": "haiku@claude", "priority": 2, "weight": 20, "role": "flash" }],
      "strategy": "priority_weighted", "task": "completion", "last_line": "protect", "on_rate_limit": "switch",
      "on_quota": "by_scope", "on_auth": "by_scope", "on_unavailable": "by_scope", "on_content_policy": "switch",
      "objective": 0.995, "keepalive_ms": 5000, "stream": { "role": "flash" }, "across": true, "quota": false, "min_score": 75,
      "retry": { "attempts": 2, "budget": { "ratio": 0.3, "min_per_s": 2 }, "failover": 0.5 },
      "timeouts": { "total_ms": 120000 },
      "hedge": { "after": "p95_ttft", "budget": 0.05 }, "on_stream_break": "error",
      "fallback": [ { "cached": { "max_age_s": 3600 } }, { "deployment": "small@local" }, { "route": "spare" },
                    { "queue": { "max_wait_ms": 20000 } }, { "static": { "message": "later, please" } } ],
      "empty_when": { "pointer": "/choices/0/message/content", "equals": "" },
      "assess": { "deployment": "small@local", "schema": { "type": "object" }, "prompt": "grade",
                  "rules": [ { "when": "level > 3", "role": "pro" }, { "when": "count > 1", "reject": 1005, "message": "one" } ] },
      "prompts": { "grade": "How hard is this?" },
      "gate": { "min_calls": 50, "success": 0.98, "p90_ms": 4000 }, "shadow": { "deployment": "small@local", "share": 0.02 },
      "affinity": { "by": "session" }, "output": { "repair": true, "rounds": 2 }, "text": { "math": true },
      "supervise": "until_content", "cache": { "max_age_s": 60 } },
    "spare": { "deployments": ["small@local"], "on_rate_limit": { "wait_same": { "max_wait_ms": 8000 } } },
    "openai/*": { "deployments": ["*@openai"] } },
  "clients": [ { "id": "web", "key_sha256": "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08",
                 "priority": "high", "limits": { "rpm": 600, "budget_usd_day": 20 } } ],
  "limits": { "concurrency": 150, "answer_bytes": 1048576 },
  "cors": { "origins": ["https://app.example", "http://localhost:5173"] },
  "state": { "store": "memory" },
  "answers": { "cache": { "max_age_s": 7200 }, "idempotency": { "ttl_s": 300 } },
  "admin": { "token": "ADMIN_TOKEN" }, "log": { "level": "info" }, "record": { "sample": 0.1 }
})";

struct Read {
  bool ok = false;
  Loaded loaded;
  std::vector<Fault> faults;
};

inline Read read(std::string_view text) {
  Read result;
  result.ok = load(text, result.loaded, result.faults);
  return result;
}

// A configuration with one provider "p" on line 2 and what is given from line 3 on: further sections.
inline std::string with_provider(std::string_view rest) {
  return "{\n\"providers\":{\"p\":{\"preset\":\"ollama\"}},\n" + std::string(rest) + "\n}";
}
// One line "a" on line 3 besides; `rest` stands from line 4 on.
inline std::string with_line(std::string_view rest) {
  return with_provider("\"deployments\":[{\"id\":\"a\",\"provider\":\"p\",\"model\":\"m\"}],\n" +
                       std::string(rest));
}
// One route "r" over it, with `rest` as its further keys on line 5.
inline std::string with_route(std::string_view rest) {
  return with_line("\"routes\":{\"r\":{\"deployments\":[\"a\"],\n" + std::string(rest) + "}}");
}

}  // namespace shunt::config
