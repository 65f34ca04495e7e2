// What belongs to one attempt under way, kept apart while an exchange has two of them. No behaviour.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "catalog/timeouts.h"
#include "exchange/answer.h"
#include "exchange/timers.h"
#include "exchange/upstream.h"

namespace shunt::exchange {

struct Course {
  std::unique_ptr<Upstream> upstream;
  std::unique_ptr<Answer> answer;  // what the client would be sent; none of a shadow
  Timers timers;                   // those of an attempt alone run
  Timeouts limits;
  std::vector<std::string> dropped;  // parts of the request that its dialect cannot say

  std::size_t memory() const {
    return sizeof *this + (upstream ? upstream->memory() : 0) + (answer ? answer->memory() : 0);
  }
};

}  // namespace shunt::exchange
