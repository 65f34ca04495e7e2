// Limits of time and of repeats: their keys, at every level that has them.
#include "config/drafts.h"
#include "config/keys.h"

namespace shunt::config {
namespace {

constexpr std::int64_t kDay = 24LL * 3600 * 1000;
using T = TimeoutOverrides;

// 0 is "no limit of this kind", except where a wait without end would hang an exchange for good.
constexpr auto kTimeouts = std::to_array<Key<T>>({
    {"connect_ms", duration<&T::connect, 1, kDay>},
    {"first_byte_ms", duration<&T::first_byte, 0, kDay>},
    {"first_token_ms", duration<&T::first_token, 0, kDay>},
    {"idle_ms", duration<&T::idle, 1, kDay>},
    {"attempt_ms", duration<&T::attempt, 0, kDay>},
    {"total_ms", duration<&T::total, 0, kDay>},
    {"plain_total_ms", duration<&T::plain_total, 1, kDay>},
    {"client_stall_ms", duration<&T::client_stall, 1, kDay>},
});

struct Budget {
  std::optional<std::int64_t> ratio, min_per_s;
};
constexpr auto kBudget = std::to_array<Key<Budget>>({
    {"ratio", micros<&Budget::ratio, 0, 10'000'000>},
    {"min_per_s", micros<&Budget::min_per_s, 0, 1'000'000'000>},
});

void read_budget(Reader& in, RetryDraft& into) {
  Budget budget;
  read_object(in, budget, std::span<const Key<Budget>>(kBudget));
  into.ratio = budget.ratio;
  into.min_per_s = budget.min_per_s;
}

constexpr auto kRetry = std::to_array<Key<RetryDraft>>({
    {"attempts", integer<&RetryDraft::attempts, 1, limits::kAttempts>},
    {"budget", read_budget},
    {"failover", micros<&RetryDraft::failover, 0, 10'000'000>},
});

}  // namespace

void read_timeouts(Reader& in, TimeoutsDraft& into) {
  into.at = in.at();
  read_object(in, into.set, std::span<const Key<T>>(kTimeouts));
}

void read_retry(Reader& in, RetryDraft& into) {
  read_object(in, into, std::span<const Key<RetryDraft>>(kRetry));
}

}  // namespace shunt::config
