// What configuration decides for the engine as a whole: values only. Configuration fills it; it knows no JSON
// and no behaviour.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/time.h"

namespace shunt::exchange {

// Who may call. The host compares hashes and hands in the id: no client's key is ever here.
struct Client {
  std::string id;
  std::string key_sha256;  // lower-case hex of the bearer key's SHA-256; empty = this client signs instead
  friend bool operator==(const Client&, const Client&) = default;
};

struct EnginePolicy {
  std::uint64_t body_buffer_bytes = limits::kBodyBufferBytes;  // one request body held for a repeat
  std::uint64_t held_bytes = limits::kHeldBytes;               // … over all exchanges
  std::uint64_t answer_bytes = limits::kAnswerBytes;           // one plain answer collected
  std::uint64_t answer_bytes_all = limits::kAnswerBytesAll;    // … over all exchanges
  Duration longest_wait{10000};  // an exchange sleeps at most this long before it tries the same line again
  std::vector<std::string>
      cors_origins;             // exact origins, or "*" alone; empty = no browser of another origin may call
  std::vector<Client> clients;  // empty = no client authentication (loopback only)
  friend bool operator==(const EnginePolicy&, const EnginePolicy&) = default;
};

}  // namespace shunt::exchange
