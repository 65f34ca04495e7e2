// One walk over the lines; values are read when they are asked for.
#include "classify/headers.h"

#include <cstdint>

#include "base/strings.h"

namespace shunt::classify {
namespace {

constexpr std::string_view kReset = "reset";
constexpr std::string_view kRemaining = "remaining";

enum class Said : std::uint8_t { seconds, milliseconds, type, retry, challenge, envoy, window };
struct Known {
  std::string_view name;
  Said said;
};
constexpr Known kKnown[] = {
    {"retry-after", Said::seconds},
    {"retry-after-ms", Said::milliseconds},
    {"x-amzn-errortype", Said::type},
    {"x-should-retry", Said::retry},
    {"cf-mitigated", Said::challenge},
    {"x-envoy-ratelimited", Said::envoy},
    // A subscription's windows. "…-overage-status" is none: it says whether more may be bought.
    {"anthropic-ratelimit-unified-status", Said::window},
    {"anthropic-ratelimit-unified-5h-status", Said::window},
    {"anthropic-ratelimit-unified-7d-status", Said::window},
};

// A bit for each length that a known name has.
constexpr std::uint64_t kLengths = [] {
  std::uint64_t lengths = 0;
  for (const Known& known : kKnown) lengths |= std::uint64_t{1} << known.name.size();
  return lengths;
}();

bool is_zero(std::string_view text) {
  const auto value = parse_micros(text);
  return value && *value <= 0;
}

}  // namespace

ReplyHeaders::ReplyHeaders(const HeaderBlock& headers, std::optional<WallTime> wall)
    : written_(headers, wall) {
  headers.each([this](std::string_view name, std::string_view value) { take(name, value); });
}

void ReplyHeaders::take(std::string_view name, std::string_view value) {
  const bool may_be_known = name.size() < 64 && (kLengths >> name.size() & 1U) != 0;
  for (const Known& known : kKnown) {
    if (!may_be_known) break;
    if (known.name.size() != name.size() || !equal_fold(known.name, name)) continue;
    switch (known.said) {
      case Said::seconds:
        if (seconds_.empty()) seconds_ = value;
        return;
      case Said::milliseconds:
        if (milliseconds_.empty()) milliseconds_ = value;
        return;
      case Said::type: type_ = value.substr(0, value.find(':')); return;
      case Said::retry: may_retry_ = !equal_fold(value, "false"); return;
      case Said::challenge:
        if (equal_fold(value, "challenge")) reason_ = "cf_challenge";
        return;
      case Said::envoy:
        if (equal_fold(value, "true")) reason_ = "envoy_ratelimited";
        return;
      case Said::window:
        if (equal_fold(value, "rejected")) reason_ = "unified_window_rejected";
        return;
    }
  }
  // x-ratelimit-reset-tokens, anthropic-ratelimit-requests-reset, ratelimit-reset
  constexpr std::string_view kLimit = "ratelimit";
  const bool limit =
      name.size() > kReset.size() + kLimit.size() && name.find(kLimit) != std::string_view::npos &&
      (name.find(kReset) != std::string_view::npos || name.find(kRemaining) != std::string_view::npos);
  if (limit && limits_said_ < limits_.size()) limits_[limits_said_++] = {name, value};
}

// x-ratelimit-remaining-tokens beside x-ratelimit-reset-tokens.
std::string_view ReplyHeaders::remaining_beside(const Line& reset) const {
  const std::size_t at = reset.name.find(kReset);
  const std::string_view before = reset.name.substr(0, at);
  const std::string_view after = reset.name.substr(at + kReset.size());
  for (std::size_t i = 0; i < limits_said_; ++i) {
    const std::string_view name = limits_[i].name;
    if (name.size() == before.size() + kRemaining.size() + after.size() && name.starts_with(before) &&
        name.substr(at).starts_with(kRemaining) && name.ends_with(after)) {
      return limits_[i].value;
    }
  }
  return {};
}

std::optional<Duration> ReplyHeaders::latest_reset(bool (*counts)(std::string_view remaining)) const {
  std::optional<Duration> latest;
  for (std::size_t i = 0; i < limits_said_; ++i) {
    if (limits_[i].name.find(kReset) == std::string_view::npos || !counts(remaining_beside(limits_[i])))
      continue;
    latest = longer(latest, wait_of(limits_[i].value, written_, true));
  }
  return latest;
}

std::optional<Duration> ReplyHeaders::wait() const {
  std::optional<Duration> wait;
  std::string_view rest;
  if (const auto micros = take_micros(milliseconds_, rest); micros && rest.empty()) {
    wait = rounded_up_to_ms(*micros / 1000 + (*micros % 1000 != 0 ? 1 : 0));
  }
  if (!wait && !seconds_.empty()) wait = wait_of(seconds_, written_, false);
  return longer(wait, latest_reset(is_zero));
}

std::optional<Duration> ReplyHeaders::unclaimed_reset() const {
  return latest_reset([](std::string_view remaining) { return remaining.empty(); });
}

}  // namespace shunt::classify
