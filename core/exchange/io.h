// The boundary of the core: what a host tells it (inputs) and asks of it (effects). No behaviour.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/time.h"
#include "canonical/failure.h"
#include "canonical/request.h"
#include "catalog/catalog.h"

namespace shunt::exchange {

// Numbers the attempts of one exchange from 1.
using AttemptNo = std::uint32_t;

// A request's and an admin's begin with RequestArrived, the others with Started.
enum class Kind : std::uint8_t {
  request,
  probe,   // asks lines that are out whether they are well again
  upkeep,  // keeps this engine's health and the shared document in step
  admin,   // an operator's request; the host has checked its token
};
inline constexpr std::array<std::string_view, 4> kKindNames = {"request", "probe", "upkeep", "admin"};
inline constexpr int kKinds = static_cast<int>(kKindNames.size());

constexpr std::string_view name_of(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }
constexpr std::optional<Kind> kind_named(std::string_view name) {
  for (std::size_t i = 0; i < kKindNames.size(); ++i) {
    if (kKindNames[i] == name) return static_cast<Kind>(i);
  }
  return std::nullopt;
}

// ---- Inputs. Payload views die with the call. ----

struct RequestArrived {
  std::string_view method;   // upper case
  std::string_view target;   // path and query
  std::string_view headers;  // lines "name: value\n", lower-case names; no credential among them
  std::string_view client;   // id the host authenticated, empty = anonymous
  WallTime wall;
  std::optional<std::uint64_t> content_length;  // none = not said
};
struct RequestBytes {
  std::string_view bytes;
};  // at most limits::kSliceBytes
struct RequestEnded {};
struct HeadArrived {
  AttemptNo attempt = 0;
  int status = 0;
  std::string_view headers;
};
struct BytesArrived {
  AttemptNo attempt = 0;
  std::string_view bytes;
};
struct AttemptEnded {
  AttemptNo attempt = 0;
};  // the body ended as HTTP says it should
struct AttemptBroke {
  AttemptNo attempt = 0;
  TransportFault fault = TransportFault::other;
  std::string_view text;
};
struct ClientPaused {};  // a write left the client's queue full
struct ClientReady {};   // it takes again
struct ClientGone {};
struct TimerFired {};  // proof that the armed time has come
struct Woken {};       // another exchange's Wake
struct Started {
  WallTime wall;
};
enum class StoreResult : std::uint8_t {
  ok,       // read, written or granted
  missing,  // no such key; of a lease: somebody else holds it
  failed,
};
inline constexpr int kStoreResults = 3;
struct StoreAnswered {
  std::uint32_t request = 0;
  StoreResult result = StoreResult::failed;
  std::string_view bytes;  // of a StoreGet or StoreTake
  bool more = false;       // another slice of the same answer follows
};

using Input = std::variant<RequestArrived, RequestBytes, RequestEnded, HeadArrived, BytesArrived,
                           AttemptEnded, AttemptBroke, ClientPaused, ClientReady, ClientGone, TimerFired,
                           Woken, Started, StoreAnswered>;

// ---- Effects. Views live until the exchange's next handle(). ----

struct StartAttempt {
  AttemptNo attempt = 0;
  DeploymentId deployment{};
  std::uint32_t slot = 0;  // which of the provider's keys the host puts in
  std::string_view method = "POST";
  std::string_view url;
  std::string_view headers;          // lines; the host adds the key
  const BodyPieces* body = nullptr;  // literals and ranges of the client's body, in order
  bool more = false;                 // AttemptBody effects follow: the body is sent while it arrives, once
  bool shadow = false;               // no client waits for its answer: it is read at the provider's pace
  std::uint64_t release_to = 0;      // the host may forget the client's body below this offset
};
struct AttemptBody {  // the next pieces of a body that is sent once
  AttemptNo attempt = 0;
  const BodyPieces* body = nullptr;
  bool more = false;
  std::uint64_t release_to = 0;
};
struct ReleaseBody {};  // nobody will ask for the client's body again
struct AbortAttempt {
  AttemptNo attempt = 0;
};
struct SendHead {
  int status = 0;
  std::string_view headers;
};
struct SendBytes {
  bool input = false;      // bytes are a range of the payload just handed in: forward the host's own chunk
  std::size_t offset = 0;  // into that payload, when input
  std::string_view bytes;
};
struct SendEnd {
  bool clean = true;
};  // not clean: the client must see the connection break
// Each is answered by one StoreAnswered with its number (of one exchange, from 1), whenever the host can.
struct StoreGet {
  std::uint32_t request = 0;
  std::string_view key;
};
struct StorePut {
  std::uint32_t request = 0;
  std::string_view key;
  std::string_view bytes;
};
struct StoreLease {  // granted to one asker at a time, until `ttl` is over
  std::uint32_t request = 0;
  std::string_view key;
  Duration ttl;
};
// A share of a quota of all isolates. Answered ok with "GRANTED WAIT": tokens, and of none the ms to one.
struct StoreTake {
  std::uint32_t request = 0;
  std::string_view key;
  std::int64_t amount = 0;      // tokens asked for: as many of them as there are
  std::int64_t per_minute = 0;  // what the quota refills
  std::int64_t burst = 0;       // what it holds
};
// Another exchange that sleeps should look again now: the host tells it Woken.
struct Wake {
  std::uint32_t exchange = 0;  // its name, which the host gave it
};
struct Emit {
  enum class Kind : std::uint8_t { record, alert, log };
  Kind kind = Kind::record;
  std::string_view json;
};

using Effect = std::variant<StartAttempt, AttemptBody, ReleaseBody, AbortAttempt, SendHead, SendBytes,
                            SendEnd, StoreGet, StorePut, StoreLease, StoreTake, Wake, Emit>;

// Why a timer is armed: the first question when timers storm.
enum class TimerReason : std::uint8_t {
  none,
  request_body,
  first_byte,
  first_token,
  idle,
  attempt,
  total,
  client_stall,
  backoff,
  linger,
  keepalive,
  store,   // an answer of the store
  upkeep,  // the next refresh or publish
  queue,   // a slot or a turn
  hedge,   // a second attempt beside one that is slow to begin
};
constexpr std::string_view name_of(TimerReason reason) {
  constexpr std::string_view kNames[] = {"none",      "request_body", "first_byte",   "first_token", "idle",
                                         "attempt",   "total",        "client_stall", "backoff",     "linger",
                                         "keepalive", "store",        "upkeep",       "queue",       "hedge"};
  return kNames[static_cast<std::size_t>(reason)];
}

struct Wakeup {
  Instant at = kNever;
  TimerReason reason = TimerReason::none;
  friend bool operator==(const Wakeup&, const Wakeup&) = default;
};

}  // namespace shunt::exchange
