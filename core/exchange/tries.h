// How far an exchange has come in its search for a line that answers. Values only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shunt::exchange {

struct Tries {
  std::vector<std::uint16_t> tried;  // indexes of views
  std::size_t cursor = 0;            // into the plan's order
  std::uint32_t switches = 0;
  std::uint32_t repeats = 0;
  int within = 0;                // further attempts that gateways made of attempts that are over
  int unused = 0;                // attempts that use none up: after a wait for the same line
  std::size_t fallen = 0;        // steps of the route's fallback that have been taken
  std::uint16_t same_view = 0;   // the line of the last attempt: the one a pause ends with
  std::uint32_t lease_line = 0;  // the line whose lease has been asked for
  bool lease_asked = false;      // once an exchange
  bool counted = false;          // as a request of its route, which earns budgets
};

}  // namespace shunt::exchange
