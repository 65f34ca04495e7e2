// What one request uses of limits, and which limit it may meet. Values only.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace shunt::admit {

// Estimated before the call, known after it. Below 0 counts as 0.
struct Use {
  std::int64_t tokens = 0;  // of prompt and answer
  std::int64_t cost_micros = 0;
  friend bool operator==(const Use&, const Use&) = default;
};

enum class What : std::uint8_t { rpm, tpm, concurrency, usd_day, tokens_day };
inline constexpr std::array<std::string_view, 5> kWhatNames = {"rpm", "tpm", "concurrency", "usd_day",
                                                               "tokens_day"};
constexpr std::string_view name_of(What what) { return kWhatNames[static_cast<std::size_t>(what)]; }

}  // namespace shunt::admit
