// What a reply's headers say about the provider's own limits, in every notation seen. Knows no provider by
// name and keeps nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/time.h"
#include "canonical/http.h"

namespace shunt::admit {

// What a limit counts. `tokens` are those of prompt and answer together.
enum class LimitUnit : std::uint8_t { requests, tokens, input_tokens, output_tokens };

inline constexpr std::size_t kLimitUnits = 4;

inline constexpr std::int64_t kNotSaid = -1;
inline constexpr std::int64_t kMostCounted = 1000000000000;  // a larger limit or remainder is garbage
inline constexpr std::size_t kSaidLimits = 8;                // of one reply; 7 is the most seen

// One limit: a count over a window. Each number is at least 0, or kNotSaid.
struct SaidLimit {
  LimitUnit unit = LimitUnit::requests;
  std::int64_t window_ms = 0;  // 0 = not said; else at most 31 days
  std::int64_t limit = kNotSaid;
  std::int64_t remaining = kNotSaid;
  std::int64_t reset_ms = kNotSaid;  // from the reply on: until it is full, or until some of it comes back
  friend bool operator==(const SaidLimit&, const SaidLimit&) = default;
};

using WindowByUnit = std::array<std::int64_t, kLimitUnits>;  // ms; 0 = not said

class SaidLimits {
 public:
  std::span<const SaidLimit> all() const { return {items_.data(), count_}; }
  bool empty() const { return count_ == 0; }
  // The limit of this unit and window, made when it is new; null when the reply names too many.
  SaidLimit* at(LimitUnit unit, std::int64_t window_ms);
  // Drops what names neither a limit nor what remains, and gives the others the window of their unit.
  void tidy(const WindowByUnit& windows);

 private:
  std::array<SaidLimit, kSaidLimits> items_{};
  std::size_t count_ = 0;
};

// Moments count from the Date header, else from `wall`, else they are not said; so are garbage, negative,
// past and absurd values. Where a reply says a thing twice, the first stands.
SaidLimits read_limits(const HeaderBlock& headers, std::optional<WallTime> wall);

}  // namespace shunt::admit
