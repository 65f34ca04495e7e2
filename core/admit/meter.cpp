// One quota's limits asked, taken and settled together.
#include "admit/meter.h"

#include <algorithm>

#include "admit/arithmetic.h"
#include "base/limits.h"

namespace shunt::admit {

void Shortage::add(What which, std::uint32_t whose, Instant when, bool is_sure) {
  const bool worse = sure == is_sure ? when > at : sure;
  if (!any || worse) {
    what = which;
    of = whose;
  }
  at = any ? std::max(at, when) : when;
  sure = sure && is_sure;
  any = true;
}

Meter::Meter(const Quota& quota)
    : rates_{Bucket(quota.rpm), Bucket(quota.tpm)},
      day_(quota.usd_micros_day, quota.tokens_day),
      slots_(quota.concurrency),
      limited_(!quota.empty()) {}

void Meter::check(const Use& use, Times at, RateSet skipped, std::uint32_t whose, Shortage& into) {
  constexpr What kRateNames[] = {What::rpm, What::tpm};
  const auto due = rates_of(use);
  for (std::uint32_t i = 0; i < kRates; ++i) {
    if ((skipped >> i & 1U) != 0) continue;
    if (const Instant t = rates_[i].ready(due[i], at.now); t > at.now) into.add(kRateNames[i], whose, t);
  }
  if (slots_.full(at.now)) into.add(What::concurrency, whose, slots_.first_end(at.now), false);
  if (!day_.limited()) return;
  for (const What what : {What::usd_day, What::tokens_day}) {
    const auto purse = what == What::usd_day ? DayBudget::Purse::usd : DayBudget::Purse::tokens;
    const Instant t = day_.ready(purse, use, at.now, at.wall);
    if (t > at.now) into.add(what, whose, t, t != kNever);
  }
}

Taken Meter::take(const Use& use, Times at, RateSet skipped, Instant end) {
  const auto due = rates_of(use);
  for (std::uint32_t i = 0; i < kRates; ++i) {
    if ((skipped >> i & 1U) == 0) rates_[i].settle(0, due[i], at.now);
  }
  return {slots_.take(at.now, end), day_.take(use, at.now, at.wall)};
}

void Meter::settle(const Taken& taken, const Use& estimated, const Use* used, RateSet skipped, Times at) {
  const auto before = rates_of(estimated);
  const auto after = used != nullptr ? rates_of(*used) : decltype(before){};
  for (std::uint32_t i = 0; i < kRates; ++i) {
    if ((skipped >> i & 1U) == 0) rates_[i].settle(before[i], after[i], at.now);
  }
  day_.settle(taken.day, estimated, used != nullptr ? *used : Use{});
  slots_.give_back(taken.slot);
}

std::int64_t Meter::share_left_micros(Times at) {
  std::int64_t least = day_.limited() ? day_.share_left_micros(at.now, at.wall) : kMicros;
  for (Bucket& rate : rates_) least = std::min(least, rate.share_left_micros(at.now));
  const std::int64_t most = slots_.most();
  if (most == static_cast<std::int64_t>(limits::kExchanges)) return least;  // none but the bound of all
  return std::min(least, share_micros(most - slots_.count(at.now), most));
}

}  // namespace shunt::admit
