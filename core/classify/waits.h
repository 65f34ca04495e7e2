// How long a reply asks to wait, in every notation seen: values of fields, and sentences. Knows no classes
// and no policy.
#pragma once

#include <optional>
#include <string_view>

#include "base/spans.h"
#include "base/time.h"
#include "canonical/http.h"

namespace shunt::classify {

// When a reply was written: its Date header, else the host's clock. Read only where a date is counted from
// it.
class ReplyTime {
 public:
  ReplyTime() = default;
  ReplyTime(WallTime wall) : wall_(wall) {}
  ReplyTime(const HeaderBlock& headers, std::optional<WallTime> wall) : headers_(headers), wall_(wall) {}
  std::optional<WallTime> read() const;

 private:
  HeaderBlock headers_;
  std::optional<WallTime> wall_;
};

// The value of retry-after or of a reset: a span or a date; where it may be one, a moment since 1970.
// Garbage, negative and past values are none.
std::optional<Duration> wait_of(std::string_view value, const ReplyTime& now, bool may_be_epoch);

std::optional<Duration> longer(std::optional<Duration> a, std::optional<Duration> b);

// A wait in a provider's sentence: "try again in 7.66s", "Please retry after 20 seconds", "请30秒后重试"; or
// the moment it names, when `now` is known: "resets at 2026-03-02 10:00:41 +0800", "限额将在 2026-03-02
// 18:00:41 重置".
std::optional<Duration> sentence_wait(std::string_view sentence, const ReplyTime& now);

// The wait until a moment that stands in a field of its own: since 1970 in seconds or milliseconds, or a
// date.
std::optional<Duration> wait_until(std::string_view moment, const ReplyTime& now);

}  // namespace shunt::classify
