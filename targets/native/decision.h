// Decisions made again from their records alone: the same views, policy and seed must give the same plan.
// Needs no configuration and no engine.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "native/decisions.h"

namespace shunt::native {

struct Replanned {
  std::size_t number = 0;  // of the line in its file
  std::string id;          // of the request
  std::string route;
  std::string fault;                    // why it cannot be run again; empty = it was
  bool planned = false;                 // false: no plan was made, there is nothing to run again
  std::string verdict;                  // of the plan made now
  std::vector<std::string> order;       // ids, best first
  std::optional<std::string> kept;      // id of the line that was kept although it is out
  std::vector<Difference> differences;  // against the record

  bool same() const { return fault.empty() && differences.empty(); }
};

// The first line of the text is a decision record.
bool holds_decisions(std::string_view text);
// Every record of the text, JSON Lines as `shunt replay --json` prints them; its other lines are passed over.
std::vector<Replanned> replan(std::string_view text);

}  // namespace shunt::native
