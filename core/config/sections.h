// The top-level sections whose rooms do not exist yet: checked like all others, so that a file written for
// them stays right.
#pragma once

#include "config/names.h"
#include "config/quota.h"

namespace shunt::config::sections {

void check_alerts(Reader& in);  // "alerts": which of them

inline constexpr auto kCache = table<void>({
    {"max_age_s", integer(range<1, 7200>)},  // an answer older than 2 h is no answer
    {"max_bytes", integer(range<0, kMany>)},
});
inline constexpr auto kIdempotency = table<void>({
    {"ttl_s", integer(range<1, 86'400>)},
    {"max_entries", integer(range<1, 10'000'000>)},
    {"max_bytes", integer(range<0, kMany>)},
});
inline constexpr auto kAnswers = table<void>({
    {"cache", object(kCache)},
    {"idempotency", object(kIdempotency)},
    {"coalesce", flag()},
    {"batch_window_ms", integer(range<0, 1000>)},
});

inline constexpr auto kLog = table<void>({
    {"level", word("error warn info debug")},
    {"language", text()},
});

inline constexpr auto kRecord = table<void>({
    {"sample", micros(range<0, 1'000'000>)},
    {"bodies", flag()},
});

// Addresses of webhooks are secrets: whoever knows one can post to it.
inline constexpr auto kAlerts = table<void>({
    {"webhook", own<check_secret_name>(), Stand::required},
    {"on", own<check_alerts>()},
});

}  // namespace shunt::config::sections
