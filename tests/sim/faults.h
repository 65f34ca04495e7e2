// What may go wrong in a simulated world, each by its own name: a failing run is shrunk by leaving them out.
#pragma once

#include <cstdint>
#include <string_view>

namespace shunt::sim {

enum class Fault : std::uint8_t {
  throttle,   // real token buckets: 429 with the true wait
  brownout,   // a share of calls fails
  outage,     // all of them do
  stall,      // no head, no event, or nothing more in mid-stream
  cut,        // broken in mid-stream, by the transport or by an error event
  lie,        // 429 whose wait is garbage, absurd or absent
  quota_end,  // the account is empty
  dead_key,   // a key is refused
  emptiness,  // finished, and nothing said
  slowness,
  slow_start,  // long before the first word, then as usual
  client_gone,
  client_slow,  // pauses, and sends its body late or never
  host_gone,    // no further word, the exchange destroyed or not
  late_timer,
  lost_wake,  // a waiter is not told that it may look again
  clock_stop,
  clock_back,
  store_late,   // behind what was written, by up to its staleness
  store_lost,   // a write that was acknowledged
  store_twice,  // and once more later, over what came between
  store_pace,   // one write a second
  store_down,
  store_garbage,
  store_slow,    // far behind what anyone waits for
  store_silent,  // no answer at all
  operators,     // who switch lines off and on, open and reset them
  // Not faults, but what a drawn configuration has: left out like those.
  limits,
  hedges,
  shadows,
  strategies,
};
inline constexpr int kFaults = 31;

constexpr std::string_view name_of(Fault fault) {
  constexpr std::string_view kNames[kFaults] = {
      "throttle",   "brownout",   "outage",        "stall",      "cut",          "lie",         "quota_end",
      "dead_key",   "emptiness",  "slowness",      "slow_start", "client_gone",  "client_slow", "host_gone",
      "late_timer", "lost_wake",  "clock_stop",    "clock_back", "store_late",   "store_lost",  "store_twice",
      "store_pace", "store_down", "store_garbage", "store_slow", "store_silent", "operators",   "limits",
      "hedges",     "shadows",    "strategies"};
  return kNames[static_cast<std::size_t>(fault)];
}

struct Faults {
  std::uint32_t bits = 0;
  constexpr bool has(Fault fault) const { return ((bits >> static_cast<unsigned>(fault)) & 1U) != 0; }
  constexpr Faults with(Fault fault) const { return {bits | (1U << static_cast<unsigned>(fault))}; }
  constexpr Faults without(Fault fault) const { return {bits & ~(1U << static_cast<unsigned>(fault))}; }
};
inline constexpr Faults kAllFaults{(1U << kFaults) - 1U};

}  // namespace shunt::sim
