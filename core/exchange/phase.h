// How far an exchange has come. No behaviour.
#pragma once

#include <cstdint>

namespace shunt::exchange {

enum class Phase : std::uint8_t {
  waiting,     // for the request's head
  reading,     // its body
  queued,      // for a slot, or its turn on a line
  asking,      // the store: for a lease to probe with, or for a share of a quota
  attempting,  // an attempt is under way, or its answer is being relayed
  pausing,     // before the same line is tried again
  lingering,   // the client has its answer; the attempt's last bytes or the shadow's may still come
  finished,
};

// Of two attempts, for one answer: at most once an exchange.
enum class Race : std::uint8_t { not_run, running, over };

}  // namespace shunt::exchange
