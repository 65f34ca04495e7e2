// The order in which the lines of one request are tried: a pure function of views, policy and seed.
// Calls nobody, knows no health.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/time.h"
#include "catalog/catalog.h"
#include "route/line_view.h"

namespace shunt::route {

constexpr std::string_view name_of(LastLine l) { return l == LastLine::keep ? "keep" : "protect"; }

struct PlanPolicy {
  Strategy strategy = Strategy::priority_weighted;  // must be one that order_of() knows
  LastLine last_line = LastLine::keep;
  bool across = false;                   // over all priorities at once
  bool quota = false;                    // score: times what is left of a line's limits
  std::int32_t min_score = 80;           // of the task type, from which fallback prefers a line
  std::int64_t degrade_micros = 600000;  // success_degrade: lines below go behind
  std::uint32_t region = 0;              // wanted by the request; 0 = that of the line that comes first
  std::uint64_t affinity = 0;            // of the session or prompt prefix; 0 = none

  friend bool operator==(const PlanPolicy&, const PlanPolicy&) = default;
};

// The policy as one JSON object of a decision record; `affinity` as 16 hexadecimal digits.
void append_policy(json::Writer& out, const PlanPolicy& policy);

enum class PlanVerdict : std::uint8_t {
  available,      // order holds at least one line
  all_protected,  // lines could serve it, and each of them is out for now
  empty,          // no line could serve it, well or not
};
constexpr std::string_view name_of(PlanVerdict v) {
  switch (v) {
    case PlanVerdict::available: return "available";
    case PlanVerdict::all_protected: return "all_protected";
    case PlanVerdict::empty: return "empty";
  }
  return "empty";
}

struct Plan {
  std::vector<std::uint16_t> order;  // indexes into the views, best first
  std::uint64_t seed = 0;
  PlanVerdict verdict = PlanVerdict::empty;
  std::optional<std::uint16_t> kept;  // the line that `last_line: keep` kept; then it is all of `order`
  std::optional<std::uint16_t>
      nearest;                // all_protected: the line with the nearest end, first in line for a probe lease
  Instant retry_at = kNever;  // all_protected: that end; kNever = none has one
};

// At most limits::kPlanLines views, in configuration order, which also breaks ties. Marks the kept
// line in its view.
Plan plan(std::span<LineView> views, const PlanPolicy& policy, std::uint64_t seed);

}  // namespace shunt::route
