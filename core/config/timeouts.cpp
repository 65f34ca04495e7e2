// Limits of time and of repeats: their keys, at every level that has them.
#include "base/limits.h"
#include "config/drafts.h"
#include "config/values.h"

namespace shunt::config {
namespace {

constexpr std::int64_t kDay = 24LL * 3600 * 1000;
using T = Timeouts;
using R = RetryDraft;

// 0 is "no limit of this kind", except where a wait without end would hang an exchange for good.
constexpr auto kTimeouts = table<T>({
    {"connect_ms", integer<&T::connect>(range<1, kDay>)},
    {"first_byte_ms", integer<&T::first_byte>(range<0, kDay>)},
    {"first_token_ms", integer<&T::first_token>(range<0, kDay>)},
    {"idle_ms", integer<&T::idle>(range<1, kDay>)},
    {"attempt_ms", integer<&T::attempt>(range<0, kDay>)},
    {"total_ms", integer<&T::total>(range<0, kDay>)},
    {"plain_total_ms", integer<&T::plain_total>(range<1, kDay>)},
    {"client_stall_ms", integer<&T::client_stall>(range<1, kDay>)},
});

constexpr auto kBudget = table<R>({
    {"ratio", micros<&R::ratio>(range<0, 10'000'000>)},
    {"min_per_s", micros<&R::min_per_s>(range<0, 1'000'000'000>)},
});
constexpr auto kRetry = table<R>({
    {"attempts", integer<&R::attempts>(range<1, limits::kAttempts>)},
    {"budget", object(kBudget)},
    {"failover", micros<&R::failover>(range<0, 10'000'000>)},
});

}  // namespace

void read_timeouts(Reader& in, TimeoutsDraft& into) {
  into.at = in.at();
  read_object<T>(in, into.set, kTimeouts);
}

void read_retry(Reader& in, RetryDraft& into) { read_object(in, into, kRetry); }

}  // namespace shunt::config
