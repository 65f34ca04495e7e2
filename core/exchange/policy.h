// What configuration decides for the engine as a whole: values only. Configuration fills it; it knows no JSON
// and no behaviour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/time.h"
#include "canonical/quota.h"

namespace shunt::exchange {

// Who may call. The host compares hashes and hands in the id: no client's key is ever here.
struct Client {
  std::string id;
  std::string key_sha256;  // lower-case hex of the bearer key's SHA-256; empty = this client signs instead
  PriorityClass priority = PriorityClass::normal;
  Quota limits;
  friend bool operator==(const Client&, const Client&) = default;
};

// Where the health that isolates share is kept.
enum class Store : std::uint8_t { memory, kv, durable_object, redis, file, fastly_kv };
constexpr std::string_view name_of(Store store) {
  constexpr std::string_view kNames[] = {"memory", "kv", "durable_object", "redis", "file", "fastly_kv"};
  return kNames[static_cast<std::size_t>(store)];
}

struct StatePolicy {
  Store store = Store::memory;  // memory: nothing is shared
  std::string shard = "default";
  Duration refresh;    // between two reads of the shared document
  Duration staleness;  // after so long a read shows what was written
  bool shared() const { return store != Store::memory; }
  friend bool operator==(const StatePolicy&, const StatePolicy&) = default;
};

// Calls of our own on lines that are out, to see whether they are well again.
struct ActiveChecks {
  std::uint32_t every_s = 0;   // one line's turn; 0 = off
  std::uint32_t per_hour = 0;  // of all lines together
  friend bool operator==(const ActiveChecks&, const ActiveChecks&) = default;
};

// What requests of one task type may use, whoever sends them.
struct TaskLimits {
  std::string task;
  Quota limits;
  friend bool operator==(const TaskLimits&, const TaskLimits&) = default;
};

// Who waits for a slot or a turn, and how long.
struct QueuePolicy {
  std::uint32_t size = 100;  // requests; 0 = nobody waits
  Duration max_wait{10000};
  friend bool operator==(const QueuePolicy&, const QueuePolicy&) = default;
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
  Quota limits;                 // of all clients together
  std::vector<TaskLimits> tasks;
  QueuePolicy queue;
  StatePolicy state;
  std::string admin_token;  // name of the host's secret; empty = no operator may call
  ActiveChecks checks;
  friend bool operator==(const EnginePolicy&, const EnginePolicy&) = default;
};

}  // namespace shunt::exchange
