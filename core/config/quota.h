// How much one line, one client or one task type may use: the same keys for all of them.
#pragma once

#include "canonical/quota.h"
#include "config/values.h"

namespace shunt::config {

inline constexpr std::int64_t kMany = 1'000'000'000'000;

// None may be 0, which means no limit where it is kept.
inline constexpr auto kQuota = table<Quota>({
    {"rpm", integer<&Quota::rpm>(range<1, kMany>)},
    {"tpm", integer<&Quota::tpm>(range<1, kMany>)},
    {"concurrency", integer<&Quota::concurrency>(range<1, kMany>)},
    {"budget_usd_day", micros<&Quota::usd_micros_day>(range<1, kMany>)},
    {"budget_tokens_day", integer<&Quota::tokens_day>(range<1, kMany>)},
});

}  // namespace shunt::config
