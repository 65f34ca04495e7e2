// One line as routing sees it: integers only, taken from health and limits by whoever plans. Knows
// no health and no strings.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/json_writer.h"
#include "base/time.h"

namespace shunt::route {

// probe: half-open with a free permit; the request that takes it is the probe.
enum class Availability : std::uint8_t { ready, probe, out };
constexpr std::string_view name_of(Availability a) {
  switch (a) {
    case Availability::ready: return "ready";
    case Availability::probe: return "probe";
    case Availability::out: return "out";
  }
  return "out";
}

// Why a line is out: where several hold it, the strongest, which is the one named last here. Values
// are part of recorded decisions: append, never renumber.
enum class OutCause : std::uint8_t {
  none,
  breaker,       // only a breaker's own rules; the one cause that `last_line: keep` may overrule
  cooldown,      // a stated wait, or backoff under 429s
  long_penalty,  // quota, key or model trouble, until its end
  latch,         // until an operator resets it
  operator_,     // forced open
  excluded,      // by the client
  incapable,     // lacks what the request needs
  disabled,      // switched off
  limit,         // over its own budget or limit, or the provider's as far as it is known
  gated,         // shadowed, and has not shown yet what its gate asks
};
constexpr std::string_view name_of(OutCause c) {
  switch (c) {
    case OutCause::none: return "none";
    case OutCause::breaker: return "breaker";
    case OutCause::cooldown: return "cooldown";
    case OutCause::long_penalty: return "long";
    case OutCause::latch: return "latch";
    case OutCause::operator_: return "operator";
    case OutCause::excluded: return "excluded";
    case OutCause::incapable: return "incapable";
    case OutCause::disabled: return "disabled";
    case OutCause::limit: return "limit";
    case OutCause::gated: return "gated";
  }
  return "none";
}

// Could this line have served the request if it were well? Excluded, incapable, disabled and gated lines
// could not.
constexpr bool is_candidate(OutCause cause) {
  return cause != OutCause::excluded && cause != OutCause::incapable && cause != OutCause::disabled &&
         cause != OutCause::gated;
}

// A plan depends on these values and its seed alone, so a record of them is enough to run the
// decision again.
struct LineView {
  std::uint32_t deployment = 0;  // index in the catalog
  std::uint16_t slot = 0;        // its first key slot that is not out
  Availability availability = Availability::ready;
  OutCause cause = OutCause::none;
  bool kept = false;          // out, but planned all the same (`last_line: keep`)
  Instant until = kNever;     // end of what holds it; kNever = no end is known
  std::int32_t priority = 1;  // 1 is best
  std::int32_t weight = 1;
  std::int64_t success_micros = 1000000;  // success rate of the window; no data = 1.0
  std::int64_t cost_nanos = -1;           // expected cost of this request in nano-dollars, -1 = unknown
  std::int64_t quota_micros = 1000000;    // what is left of the tightest of its limits; none = 1.0
  std::uint32_t p90_ms = 0;               // total of the task type, 0 = no data
  std::uint32_t ttft_micros = 0;          // peak EWMA of the time to first token, 0 = no data
  std::uint32_t in_flight = 0;
  std::uint32_t region = 0;      // number of the region's name, 0 = none
  std::uint64_t name_hash = 0;   // of its id: what affinity draws with
  std::int16_t task_score = -1;  // of the task type, 0 to 100; -1 = none stated
  std::uint8_t role = 0;         // place of its role among the wanted ones, 0 = the first or none is wanted
  bool local = false;

  friend bool operator==(const LineView&, const LineView&) = default;
};

// Of a deployment's id; what `name_hash` holds, so that a record need not.
std::uint64_t name_hash(std::string_view id);

// The view as one JSON object of a decision record; `id` is the deployment's name there. `until`
// only when it is known.
void append_view(json::Writer& out, const LineView& view, std::string_view id);

}  // namespace shunt::route
