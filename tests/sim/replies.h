// What a provider sends for one call, as bytes with delays, in its own dialect. Values only; knows no engine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "canonical/failure.h"
#include "catalog/dialect_id.h"
#include "sim/dice.h"
#include "sim/faults.h"

namespace shunt::sim {

// Keys of the simulated providers. Their errors repeat them, as real ones do; nobody else may see one.
inline constexpr std::string_view kSecret = "sk-proj-5tormQ7xk2Lw9Zr4Bn8Vd3Hs6Jf1Pq0Tc";

// What shadows are answered, and nobody else: nobody may be sent it.
inline constexpr std::string_view kShade = "shade";

struct Reply {
  enum class End : std::uint8_t { clean, broken, silence };
  struct Chunk {
    std::int32_t delay_ms = 0;  // after what came before it
    std::string_view bytes;     // of a literal
  };

  int status = 0;  // 0 = no head at all
  std::int32_t head_ms = 0;
  std::string headers;
  std::array<Chunk, 6> chunks{};
  std::size_t count = 0;
  End end = End::clean;
  std::int32_t end_ms = 0;
  TransportFault fault = TransportFault::reset;
  std::optional<Duration> stated;  // what a caller must believe: not before so long

  void add(std::int32_t delay_ms, std::string_view bytes) { chunks[count++] = {delay_ms, bytes}; }
};

struct Call {
  DialectId dialect = DialectId::openai_chat;
  bool stream = false;
  bool shadow = false;
};

Reply good_answer(const Call& call, Dice& dice);
// What this fault makes of the call; only of faults that are a provider's.
Reply bad_answer(Fault fault, const Call& call, Dice& dice);
Reply throttled(const Call& call, Duration wait, Dice& dice);
Reply limited(const Call& call, Dice& dice);  // without a word on when

// Does what the client got say that it is whole?
bool is_whole(std::string_view tail, bool stream);

}  // namespace shunt::sim
