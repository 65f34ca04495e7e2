// Spans and moments of time as protocols write them: "6m0s", "7.66s", HTTP dates, RFC 3339. No clock, no
// locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.h"

namespace shunt {

// A decimal without sign or exponent at the front of `text`, in millionths; what follows it goes to `rest`.
std::optional<std::int64_t> take_micros(std::string_view text, std::string_view& rest);

// Rounded up, so that nobody comes back too early.
Duration rounded_up_to_ms(std::int64_t micros);

// One or more numbers with units at the front of `text`; what follows them goes to `rest`.
std::optional<Duration> take_span(std::string_view text, std::string_view& rest);

// A span and nothing else: "34s", "6m0s", "17ms", "1h2m3.5s", "2 minutes"; a bare number counts as
// seconds. Rounded up to milliseconds. No signs, exponents or hexadecimals.
std::optional<Duration> parse_span(std::string_view text);

// An HTTP date in any of its three forms (RFC 9110 5.6.7) or an RFC 3339 time; none when it is neither.
std::optional<WallTime> parse_date(std::string_view text);

// The first date in a sentence, in lower case, that is no part of a name. Without a zone it is Chinese time
// in a Chinese sentence, else UTC.
std::optional<WallTime> find_date(std::string_view text);

// A number from here on is a moment since 1970, not a span: 1e9 s is 31 years.
inline constexpr std::int64_t kEpochSeconds = 1000000000;
inline constexpr std::int64_t kEpochMillis = 1000000000000;

}  // namespace shunt
