// Token counts of one answer. Unset = the provider did not say.
#pragma once

#include <cstdint>
#include <optional>

namespace shunt {

// `prompt` includes cached reads and writes; `completion` includes reasoning, whatever the provider's own
// sums are.
struct Usage {
  std::optional<std::int64_t> prompt;
  std::optional<std::int64_t> completion;
  std::optional<std::int64_t> total;
  std::optional<std::int64_t> cached;       // read from the provider's prompt cache, part of prompt
  std::optional<std::int64_t> cache_write;  // written to it, part of prompt
  std::optional<std::int64_t> reasoning;    // part of completion
  bool settled = false;                     // of an update: its zeros are counts, no placeholders

  friend bool operator==(const Usage&, const Usage&) = default;
};

// Every count with its name in our own records, in their order.
struct UsageField {
  const char* name;
  std::optional<std::int64_t> Usage::* count;
};
inline constexpr UsageField kUsageFields[] = {
    {"prompt", &Usage::prompt}, {"completion", &Usage::completion},   {"total", &Usage::total},
    {"cached", &Usage::cached}, {"cache_write", &Usage::cache_write}, {"reasoning", &Usage::reasoning},
};

// Field by field, the last non-null wins; a zero overwrites a count that is not zero only in a settled
// update. Never sums.
constexpr void overwrite(Usage& usage, const Usage& later) {
  for (const UsageField& each : kUsageFields) {
    std::optional<std::int64_t>& count = usage.*each.count;
    const std::optional<std::int64_t>& value = later.*each.count;
    if (value && (*value != 0 || !count || later.settled)) count = value;
  }
}

}  // namespace shunt
