// How much of something may be used: by one line, one client, one task type, or all together. Values only.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace shunt {

// 0 = no limit of this kind. A limit a minute refills evenly and holds a burst of a tenth of it.
struct Quota {
  std::int64_t rpm = 0;  // requests a minute
  std::int64_t tpm = 0;  // tokens a minute, of prompts and answers
  std::int64_t concurrency = 0;
  std::int64_t usd_micros_day = 0;  // micro-dollars a day (UTC)
  std::int64_t tokens_day = 0;
  bool empty() const { return *this == Quota{}; }
  friend bool operator==(const Quota&, const Quota&) = default;
};

// Who goes first where somebody must wait.
enum class PriorityClass : std::uint8_t { low, normal, high };
inline constexpr std::array<std::string_view, 3> kPriorityNames = {"low", "normal", "high"};
constexpr std::string_view name_of(PriorityClass c) { return kPriorityNames[static_cast<std::size_t>(c)]; }

}  // namespace shunt
