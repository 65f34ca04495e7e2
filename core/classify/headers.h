// What the headers of a failed reply say: the machine's words, and how long to wait. Knows no classes and no
// policy.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/time.h"
#include "canonical/http.h"
#include "classify/waits.h"

namespace shunt::classify {

// Reads a block once; views of it.
class ReplyHeaders {
 public:
  // `wall`: the host's clock, for dates where the reply does not say when it was written.
  ReplyHeaders(const HeaderBlock& headers, std::optional<WallTime> wall);

  // Words that stand in where the body has none.
  std::string_view type() const { return type_; }
  std::string_view reason() const { return reason_; }
  bool may_retry() const { return may_retry_; }

  // When the reply was written.
  const ReplyTime& written() const { return written_; }

  // The larger of retry-after-ms (else retry-after) and the reset of every rate limit with nothing remaining.
  // Dates count from the Date header, else from `wall`, else not at all. Garbage, negative and past values
  // are none.
  std::optional<Duration> wait() const;
  // For a 429 that states nothing else: the latest reset of those limits whose remaining amount is not said.
  std::optional<Duration> unclaimed_reset() const;

 private:
  struct Line {
    std::string_view name, value;
  };
  static constexpr std::size_t kLimitLines =
      32;  // what is left of a limit and when it is reset; 14 were seen

  void take(std::string_view name, std::string_view value);
  std::string_view remaining_beside(const Line& reset) const;
  std::optional<Duration> latest_reset(bool (*counts)(std::string_view remaining)) const;

  ReplyTime written_;
  std::string_view type_, reason_, seconds_, milliseconds_;
  bool may_retry_ = true;
  std::array<Line, kLimitLines> limits_;
  std::size_t limits_said_ = 0;
};

}  // namespace shunt::classify
