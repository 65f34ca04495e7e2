// What a run counts, and what a scenario may look back on. Values only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "canonical/failure.h"
#include "sim/faults.h"

namespace shunt::sim {

struct Figures {
  std::uint64_t requests = 0;
  std::uint64_t succeeded = 0;  // a whole answer reached its client
  std::uint64_t refused = 0;    // told at once that every line is protected
  std::uint64_t failed = 0;     // told of a failure, or broken off
  std::uint64_t limited = 0;    // told 429 without a call: over a limit, or waited too long
  std::uint64_t waited = 0;     // neither called nor refused at once
  std::uint64_t wakes = 0;
  std::uint64_t hedges = 0;
  std::uint64_t shadows = 0;
  std::uint64_t gone = 0;  // by the client or the host
  std::uint64_t attempts = 0;
  std::uint64_t probes = 0;
  std::uint64_t kept = 0;
  std::uint64_t lost_leases = 0;  // probes whose host vanished
  std::uint64_t trips = 0;
  std::uint64_t upkeeps = 0;
  std::uint64_t orders = 0;  // of operators
  std::uint64_t store_questions = 0;
  std::array<std::uint64_t, kFaults> store_faults{};
  std::array<std::uint64_t, kErrorClasses> failures{};  // of attempts, by class
};

struct CallSeen {
  std::int64_t at_ms = 0;
  std::int64_t ended_ms = 0;  // 0 = its record never came
  std::uint64_t exchange = 0;
  std::uint32_t isolate = 0;
  std::uint32_t line = 0;
  bool probe = false;
  bool kept = false;
  bool success = false;
  bool hedge = false;
  bool shadow = false;
  bool limited = false;  // a 429
};

struct AskSeen {
  std::int64_t at_ms = 0;
  std::uint64_t exchange = 0;
  std::uint32_t isolate = 0;
  std::uint32_t attempts = 0;
  bool success = false;
  int status = 0;
  std::optional<Duration> retry_after;
  // What the isolate's own documents said when it answered: the earliest end of a line of the route.
  std::optional<Duration> true_wait;
  std::uint32_t caller = 0;
  std::int64_t began_ms = -1;    // its first call; -1 = none
  std::int64_t content_ms = -1;  // its first content
  std::int64_t ended_ms = -1;
  std::uint64_t digest = 0;  // of all that its client was sent
};

// Kept by scenarios alone: it grows with the run.
struct Chronicle {
  std::vector<AskSeen> asks;
  std::vector<CallSeen> calls;
  std::vector<std::int64_t>
      knew_ms;  // by isolate and line: when it first told the line to be out; -1 = never
  std::uint32_t lines = 0;
};

std::string in_words(const Figures& figures);

}  // namespace shunt::sim
