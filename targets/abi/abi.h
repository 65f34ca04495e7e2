// The whole boundary between the core and a host that is not C++: one ring of records, two arenas, a dozen
// exports, no imports.
//
// Conventions, once for all:
// 1. A host writes ONE input record into ring[0] (and its payload into the input arena), calls shunt_poll,
// and gets back effect
//    records in ring[0..n). It copies all records out before it performs any of them (performing one may poll
//    again).
// 2. `off` is an offset into an arena, never a pointer: of the input arena for inputs and for SEND_BYTES with
// source = 1, of the
//    output arena for all other effects. So the same layout serves wasm32 and 64-bit native builds.
// 3. The memory may grow in any call: take the addresses and views anew after each.
// 4. Payloads of inputs are at most 64 KB each (a larger one is fed in slices). Output payloads live until
// the next call.
// 5. Handles carry a generation; a stale one gives SHUNT_STALE and changes nothing.
// 6. A payload outside its arena or a record the host cannot know is the host's own bug and traps. What
// clients, providers and
//    configuration say never does. After a trap the instance is lost: drop it and load the last snapshot into
//    a new one.
// 7. Times are milliseconds as doubles. `now` is the host's monotonic clock; wall time counts from 1970 UTC.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__wasm__)
#define SHUNT_EXPORT(name) extern "C" __attribute__((export_name(#name), visibility("default")))
#else
#define SHUNT_EXPORT(name) extern "C"
#endif

namespace shunt::abi {

inline constexpr std::uint32_t kVersion = 3;
inline constexpr std::uint32_t kRingRecords = 64;

struct Record {
  std::uint32_t op;
  std::uint32_t stream;  // number of an attempt, or of a question to the store
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t off;
  std::uint32_t len;
  double t;
};
static_assert(sizeof(Record) == 32);

enum class InputOp : std::uint32_t {
  none = 0,             // goes on draining after SHUNT_MORE
  request_arrived = 1,  // payload "METHOD\nTARGET\nCLIENT\nname: value\n…"; t = wall time; a = 1 when b is
                        // the content length
  request_bytes = 2,    // payload
  request_ended = 3,
  head_arrived = 4,   // stream, a = status, payload = header lines
  bytes_arrived = 5,  // stream, payload
  attempt_ended = 6,  // stream
  attempt_broke = 7,  // stream, a = TransportFault, payload = the host's words
  client_paused = 8,
  client_ready = 9,
  client_gone = 10,
  timer_fired = 11,
  store_answered = 12,  // stream = request, a = StoreResult, b = 1: another slice follows; payload = bytes of
                        // a store_get or store_take
  started = 13,         // first input of kinds probe and upkeep; t = wall time
  woken = 14,           // a wake effect named this exchange
};

enum class EffectOp : std::uint32_t {
  start_attempt = 1,  // stream, a = deployment, b = key slot; payload = Attempt block; t as attempt_body's
  attempt_body = 2,   // stream; payload = Attempt block without URL and headers; t = the client's body below
                      // it may be forgotten
  release_body = 3,   // nobody will ask for the client's body again
  abort_attempt = 4,  // stream
  send_head = 5,      // a = status; payload = header lines
  send_bytes = 6,     // a = source: 0 output arena, 1 the input payload just handed in
  send_end = 7,       // a = 1 clean, 0 the connection must break
  emit = 8,           // a = 0 record, 1 alert, 2 log line; payload = JSON
  timer = 9,  // a = reason; t = host time to poll with timer_fired at, +infinity = none. Last record of a
              // drained poll
  plan_line = 10,  // shunt_plan: a = deployment, b = key slot, stream = place in the order
  // Questions to the store: stream = request, answered once by store_answered, whenever the host can.
  store_get = 11,    // payload = key
  store_put = 12,    // a = bytes of the key; payload = key, then value
  store_lease = 13,  // payload = key; t = milliseconds
  // a = bytes of the key; payload = key, then "AMOUNT PER_MINUTE BURST" in decimal. Answered ok with "GRANTED
  // WAIT_MS".
  store_take = 14,
  wake = 15,  // stream = handle of another exchange, which is to be polled with woken
};

// Attempt block, little endian: u32 url bytes, header bytes, piece count, literal bytes, flags (bit 0: more
// body follows; bit 1: no client waits for the answer, which is read whatever the client does; from bit 8:
// the method, 0 POST 1 GET 2 PUT 3 DELETE 4 PATCH); then the pieces, three u32 each {1 literal | 0 range,
// offset, length} (offset into the literals or into the client's body); then URL, headers, literals.
inline constexpr std::uint32_t kAttemptHeaderWords = 5;
inline constexpr std::uint32_t kMoreBody = 1;
inline constexpr std::uint32_t kShadow = 2;
inline constexpr std::uint32_t kMethodShift = 8;

// Flags of shunt_poll's result; its low 16 bits count the records written.
inline constexpr std::uint32_t kMore = 1U << 16U;      // the ring was full: poll again with op none
inline constexpr std::uint32_t kDirty = 1U << 17U;     // a line changed its state: take a new snapshot
inline constexpr std::uint32_t kFinished = 1U << 18U;  // close the handle
// An upkeep exchange is wanted and none is open.
inline constexpr std::uint32_t kUpkeep = 1U << 19U;
inline constexpr std::uint32_t kStale = 1U << 31U;  // no such exchange (any more)

}  // namespace shunt::abi

SHUNT_EXPORT(shunt_abi_version) std::uint32_t shunt_abi_version();
// The input arena with room for `bytes`; contents are kept. The address holds until the next call.
SHUNT_EXPORT(shunt_input) unsigned char* shunt_input(std::uint32_t bytes);
// The output arena as the last call left it.
SHUNT_EXPORT(shunt_output) const unsigned char* shunt_output();
SHUNT_EXPORT(shunt_ring) shunt::abi::Record* shunt_ring();
// Reads shunt.json from the first `len` bytes of the input arena. Returns the bytes of a JSON report in the
// output arena:
// {"faults": […]} when it is refused, else what config::describe_catalog says. Once per instance, before the
// first exchange.
SHUNT_EXPORT(shunt_configure) std::uint32_t shunt_configure(std::uint32_t len);
// Opens an exchange; the seed decides every draw of it; `kind` = exchange::Kind. 0 = no room or not
// configured.
SHUNT_EXPORT(shunt_open)
std::uint32_t shunt_open(std::uint32_t seed_low, std::uint32_t seed_high, std::uint32_t kind);
SHUNT_EXPORT(shunt_poll) std::uint32_t shunt_poll(std::uint32_t handle, double now);
// Forgets an exchange, finished or not; what it held goes back. A stale handle is ignored.
SHUNT_EXPORT(shunt_close) void shunt_close(std::uint32_t handle);
// Health as bytes in the output arena; returns their count.
SHUNT_EXPORT(shunt_snapshot) std::uint32_t shunt_snapshot(double now, double wall);
// Takes health from the first `len` bytes of the input arena; 0 = refused (garbage), nothing changed.
SHUNT_EXPORT(shunt_load) std::uint32_t shunt_load(std::uint32_t len, double now, double wall);
// The order in which route number `route` would be tried now, as plan_line records; returns their count.
// Takes nothing.
SHUNT_EXPORT(shunt_plan) std::uint32_t shunt_plan(std::uint32_t route, std::uint32_t seed_low, double now);
// Judges one failed reply without an engine. The first `len` bytes of the input arena hold
// "PROVIDER\nMEDIUM\nSTATUS\nFAULT\nFAULT TEXT\n", header lines, an empty line, and the body. PROVIDER,
// MEDIUM (text image video audio) and FAULT TEXT may be empty; STATUS 0 = no head came; FAULT =
// TransportFault. `wall` tells how far absolute dates are when there is no Date header; 0 = not known.
// Returns the bytes of the verdict in the output arena: the JSON object that `shunt classify --json` prints.
SHUNT_EXPORT(shunt_classify) std::uint32_t shunt_classify(std::uint32_t len, double wall);
// Opens the translation of one provider's answer, without an engine. The first `len` bytes of the input arena
// hold "FROM\nTO\nPROVIDER\nCONTENT TYPE\nID\nMODEL": dialects by name, then what may be empty. `created`:
// seconds since 1970 where the provider does not say. 0 = there is no such dialect, or nothing writes it.
SHUNT_EXPORT(shunt_normalize_open) std::uint32_t shunt_normalize_open(std::uint32_t len, double created);
// Takes the answer's next `len` bytes; `last` = 1 ends it and forgets the handle. Returns the bytes in the
// output arena, kStale for no such handle.
SHUNT_EXPORT(shunt_normalize)
std::uint32_t shunt_normalize(std::uint32_t handle, std::uint32_t len, std::uint32_t last);
// Forgets the engine, all exchanges and the arenas: the instance is as new and may be configured again. For
// replay and tests; a host that serves loads a new configuration into a new instance, where running exchanges
// end on the one they began with.
SHUNT_EXPORT(shunt_reset) void shunt_reset();
// Bytes of memory in use by the core: engine, exchanges and arenas.
SHUNT_EXPORT(shunt_memory) std::uint32_t shunt_memory();
