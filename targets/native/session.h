// One engine at a time, driven through the boundary as any host drives it. Performs no effect: it hands them
// over.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "native/trace_file.h"

namespace shunt::native {

struct Polled {
  std::vector<TraceLine> effects;  // all of kind effect, payloads whole
  bool finished = false;
};

class Session {
 public:
  // Begins anew from the trace's header. False: the configuration or the snapshot was refused; `problem` says
  // why.
  bool begin(const Trace& trace, std::string& problem);
  // Performs an open, an input or a close. False: the line has no place here (an exchange that is not open,
  // or is already).
  bool step(const TraceLine& line, Polled& out, std::string& problem);

 private:
  std::map<std::uint32_t, std::uint32_t> handles_;  // by the exchange's number
};

}  // namespace shunt::native
