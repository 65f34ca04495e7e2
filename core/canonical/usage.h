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

  friend bool operator==(const Usage&, const Usage&) = default;
};

// Field by field, the last non-null wins; a zero never overwrites a count that is not zero. Never sums.
constexpr void overwrite(Usage& usage, const Usage& later) {
  const auto take = [](std::optional<std::int64_t>& field, const std::optional<std::int64_t>& value) {
    if (value && (*value != 0 || !field)) field = value;
  };
  take(usage.prompt, later.prompt);
  take(usage.completion, later.completion);
  take(usage.total, later.total);
  take(usage.cached, later.cached);
  take(usage.cache_write, later.cache_write);
  take(usage.reasoning, later.reasoning);
}

}  // namespace shunt
