// How much one line or one client may use: the same keys for both. Checked only, until admission has its
// room.
#pragma once

#include "config/values.h"

namespace shunt::config {

inline constexpr std::int64_t kMany = 1'000'000'000'000;

inline constexpr auto kQuota = table<void>({
    {"rpm", integer(range<1, kMany>)},
    {"tpm", integer(range<1, kMany>)},
    {"concurrency", integer(range<1, kMany>)},
    {"budget_usd_day", micros(range<0, kMany>)},
});

}  // namespace shunt::config
