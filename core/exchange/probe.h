// Active checks: which lines that are out are asked now, with what, and how often at most.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "canonical/request.h"
#include "exchange/policy.h"

namespace shunt::exchange {

class Engine;

// Whose turn it is, and what is left of the budget: exact over any hour.
class Checks {
 public:
  // A check is over by then, whatever limits configuration gives to answers that are meant to be read.
  static constexpr Duration kTime{30000};

  explicit Checks(const ActiveChecks& policy) : policy_(policy) {}
  // Takes the line's turn and its part of the budget. False: not now.
  bool take(std::uint32_t line, Instant now);

 private:
  struct Made {
    std::uint32_t line = 0;
    Instant at;
  };
  ActiveChecks policy_;
  std::vector<Made> made_;  // of the last hour, and each line's last turn
};

// The first line from `from` on that is to be checked by the exchange with this seed; its turn is taken. Only
// what time alone would bring back is asked: no latch, no operator's order, no long penalty.
std::optional<std::uint32_t> next_check(Engine& engine, std::uint32_t from, std::uint64_t seed, Instant now);

// The cheapest real completion, as a client of ours would ask for it.
std::string check_body(std::string_view line);
// The same body without ranges of `source`, which the host does not hold.
BodyPieces as_literals(const BodyPieces& body, std::string_view source);

}  // namespace shunt::exchange
