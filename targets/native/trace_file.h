// shunt-trace/1 as text: read with located faults, written so that every reader gets the same bytes. Runs
// nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "abi/abi.h"
#include "exchange/io.h"

namespace shunt::native {

// One line after the header. Effects are what the host was asked for after the input before them; a file need
// not hold them.
struct TraceLine {
  enum class Kind : std::uint8_t { open, input, effect, close };
  Kind kind = Kind::input;
  std::uint32_t x = 0;
  std::uint64_t seed = 0;                             // open
  exchange::Kind exchange = exchange::Kind::request;  // open
  double now = 0;                                     // input
  abi::Record record{};                               // input, effect; off and len are the payload's business
  std::string payload;                                // input, effect
  std::size_t number = 0;                             // of the line in its file, from 1; 0 = made here
};

// One engine from its start. A file may hold several, each from its own header line on.
struct Trace {
  std::string config;     // the document
  bool verbatim = false;  // written as a string, which keeps every byte of it; else as the object it is
  std::string snapshot;
  std::string source;  // where it came from, in words; may be empty
  std::vector<TraceLine> lines;
  std::size_t number = 0;  // of the header line

  bool has_effects() const;
};

struct TraceFault {
  std::size_t line = 0;
  std::string what;
};

// The first line is a header of this format.
bool is_trace(std::string_view text);
// False at the first line that is not what the format says.
bool read_traces(std::string_view text, std::vector<Trace>& out, TraceFault& fault);

// Each appends a whole line.
void append_header(std::string& out, const Trace& trace);
void append_line(std::string& out, const TraceLine& line);

std::string_view name_of(abi::InputOp op);
std::string_view name_of(abi::EffectOp op);

}  // namespace shunt::native
