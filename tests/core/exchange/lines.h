// The configuration, requests and failures that exchange tests share.
#pragma once

#include <string>
#include <vector>

#include "core/exchange/world.h"

namespace shunt::exchange {

// Two OpenAI-shaped lines, a first; and an Anthropic-shaped one behind them.
inline constexpr char kConfig[] = R"({
  "providers": {
    "p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": ["P_KEY"]},
    "q": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:2/v1", "keys": ["Q_KEY"]},
    "c": {"dialect": "anthropic_messages", "base_url": "http://127.0.0.1:3", "keys": ["C_KEY"]}
  },
  "deployments": [
    {"id": "a@p", "provider": "p", "model": "m-a", "priority": 1},
    {"id": "b@q", "provider": "q", "model": "m-b", "priority": 2},
    {"id": "c@c", "provider": "c", "model": "m-c", "priority": 3}
  ],
  "routes": {
    "chat": {"deployments": ["a@p", "b@q"]},
    "one": {"deployments": ["a@p"], "last_line": "protect"},
    "kept": {"deployments": ["a@p"]},
    "claude": {"deployments": ["c@c"]}
  }
})";
inline constexpr char kStream[] =
    R"({"model":"chat","stream":true,"messages":[{"role":"user","content":"hi"}]})";
inline constexpr char kPlain[] = R"({"model":"chat","messages":[{"role":"user","content":"hi"}]})";

struct Failure {
  const char* name;
  Script script;
};

inline std::vector<Failure> stream_failures() {
  return {
      {"429",
       says(429,
            R"({"error":{"message":"slow down","type":"rate_limit_error","code":"rate_limit_exceeded"}})",
            "content-type: application/json\nretry-after: 7\n")},
      {"500", says(500, R"({"error":{"message":"oops","type":"server_error"}})")},
      {"529", says(529, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})")},
      {"html 502", says(502, "<html><h1>502 Bad Gateway</h1></html>", "content-type: text/html\n")},
      {"reset before the head", breaks(TransportFault::reset)},
      {"refused", breaks(TransportFault::refused)},
      {"no head within the limit", hangs()},
      {"head but no event within the limit",
       {200, "content-type: text/event-stream\n", {}, Script::End::hang, TransportFault::reset}},
      {"reset after the head",
       {200, "content-type: text/event-stream\n", {}, Script::End::reset, TransportFault::reset}},
      {"first event is an error",
       streams({"data: {\"error\":{\"message\":\"boom\",\"type\":\"server_error\"}}\n\n"})},
      {"empty stream", streams({})},
      {"comments only", streams({": keep-alive\n\n"})},
      {"only [DONE]", streams({openai_done()})},
      {"finish without content", streams({openai_finish() + openai_done()})},
      {"200 with an error JSON",
       says(200, R"({"error":{"message":"boom","type":"server_error","code":"internal_error"}})")},
      {"200 with HTML", says(200, "<html>hello</html>", "content-type: text/html\n")},
  };
}

}  // namespace shunt::exchange
