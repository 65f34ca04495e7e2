// The host's side of targets/abi/abi.h, without a network: records in, records out.
#include "native/session.h"

#include <cstring>

#include <fmt/format.h>

namespace shunt::native {
namespace {

using abi::EffectOp;
using abi::InputOp;
using abi::Record;
using Kind = TraceLine::Kind;

std::uint32_t put(const std::string& bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  unsigned char* arena = shunt_input(size);
  if (size > 0) std::memcpy(arena, bytes.data(), size);
  return size;
}

const char* output() { return reinterpret_cast<const char*>(shunt_output()); }

// What the instance says to a configuration: a report that begins with the faults, or the catalog's
// description.
bool configure(const std::string& document, std::string& problem) {
  const std::uint32_t size = shunt_configure(put(document));
  const std::string_view report(output(), size);
  if (!report.starts_with("{\"faults\":")) return true;
  problem = "the configuration is refused: " + std::string(report);
  return false;
}

// Health is loaded at the time of the first request: the host's clocks stood there or a little before.
bool load(const Trace& trace, std::string& problem) {
  if (trace.snapshot.empty()) return true;
  double now = 0;
  double wall = 0;
  for (const TraceLine& line : trace.lines) {
    if (line.kind != Kind::input || static_cast<InputOp>(line.record.op) != InputOp::request_arrived)
      continue;
    now = line.now;
    wall = line.record.t;
    break;
  }
  if (shunt_load(put(trace.snapshot), now, wall) != 0) return true;
  problem = "the snapshot is refused";
  return false;
}

TraceLine taken(std::uint32_t x, const Record& record, const std::string& input) {
  TraceLine line;
  line.kind = Kind::effect;
  line.x = x;
  line.record = record;
  const bool from_input = static_cast<EffectOp>(record.op) == EffectOp::send_bytes && record.a == 1;
  line.payload.assign((from_input ? input.data() : output()) + record.off, record.len);
  return line;
}

void poll(std::uint32_t handle, const TraceLine& input, Polled& out) {
  Record record = input.record;
  record.off = 0;
  record.len = put(input.payload);
  for (std::uint32_t flags = abi::kMore; (flags & abi::kMore) != 0;) {
    *shunt_ring() = record;
    flags = shunt_poll(handle, input.now);
    const Record* ring = shunt_ring();
    for (std::uint32_t i = 0; i < (flags & 0xFFFFU); ++i)
      out.effects.push_back(taken(input.x, ring[i], input.payload));
    out.finished = (flags & abi::kFinished) != 0;
    record = {};  // go on draining
  }
}

}  // namespace

bool Session::begin(const Trace& trace, std::string& problem) {
  shunt_reset();
  handles_.clear();
  return configure(trace.config, problem) && load(trace, problem);
}

bool Session::step(const TraceLine& line, Polled& out, std::string& problem) {
  out = {};
  const auto found = handles_.find(line.x);
  const bool open = found != handles_.end();
  if (open == (line.kind == Kind::open)) {
    problem = fmt::format("exchange {} is {} open", line.x, open ? "already" : "not");
    return false;
  }
  switch (line.kind) {
    case Kind::open: {
      const auto low = static_cast<std::uint32_t>(line.seed & 0xFFFFFFFFU);
      const std::uint32_t handle = shunt_open(low, static_cast<std::uint32_t>(line.seed >> 32U),
                                              static_cast<std::uint32_t>(line.exchange));
      if (handle == 0) {
        problem = "the engine has no room for another exchange";
        return false;
      }
      handles_.emplace(line.x, handle);
      return true;
    }
    case Kind::input: poll(found->second, line, out); return true;
    case Kind::close:
      shunt_close(found->second);
      handles_.erase(found);
      return true;
    case Kind::effect: return true;
  }
  return true;
}

}  // namespace shunt::native
