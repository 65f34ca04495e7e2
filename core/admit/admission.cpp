// All or nothing from three meters, and the buckets of clients that a store fills.
#include "admit/admission.h"

#include <algorithm>

#include "admit/arithmetic.h"
#include "base/strings.h"

namespace shunt::admit {
namespace {

constexpr Whose kWhose[] = {Whose::engine, Whose::client, Whose::task};
constexpr What kRateNames[kRates] = {What::rpm, What::tpm};
constexpr std::int64_t kBlocks = 100;     // a block granted is 1 % of what a minute allows
constexpr std::int64_t kAloneMs = 1'000;  // after a question without an answer
constexpr std::int64_t kAliveMs = 5'000;  // a store that answered lately is slow, not gone
constexpr std::int64_t kMinuteMs = 60'000;

// What must be there for n tokens to go: a full burst lets anything through, as in a bucket of one's own.
std::int64_t wanted(const Bucket& bucket, std::int64_t n) { return std::min(amount(n), bucket.burst()); }

// When the store may have granted what is missing, at the earliest.
Instant next_grant(const Granted& granted, std::int64_t missing, std::int64_t per_minute, Instant now) {
  const bool told = granted.not_before > now;  // one token comes then
  const Instant from = told ? granted.not_before : now;
  return later(from, steps(amount(missing - (told ? 1 : 0)) * kMinuteMs, per_minute));
}

}  // namespace

Admission::Admission(const Quota& engine, const std::vector<Quota>& clients, const std::vector<Quota>& tasks)
    : places_(1 + clients.size() + tasks.size(), kNone), clients_(clients.size()) {
  const auto quota = [&](std::size_t i) -> const Quota& {
    return i == 0 ? engine : i <= clients_ ? clients[i - 1] : tasks[i - 1 - clients_];
  };
  std::uint32_t limited = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (!quota(i).empty()) places_[i] = limited++;
  }
  meters_ = std::vector<Meter>(limited);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i] != kNone) meters_[places_[i]] = Meter(quota(i));
  }
}

std::uint32_t Admission::place_of(Whose whose, const Ask& ask) const {
  const std::size_t tasks = places_.size() - 1 - clients_;
  if (whose == Whose::engine) return places_[0];
  if (whose == Whose::client) return ask.client < clients_ ? places_[1 + ask.client] : kNone;
  return ask.task < tasks ? places_[1 + clients_ + ask.task] : kNone;
}

Meter* Admission::meter(Whose whose, const Ask& ask) {
  const std::uint32_t place = place_of(whose, ask);
  return place == kNone ? nullptr : &meters_[place];
}

Granted* Admission::granted_of(std::uint32_t client, std::uint32_t rate) {
  const std::uint32_t place = place_of(Whose::client, {.client = client});
  if (place == kNone || granted_.empty() || rate >= kRates) return nullptr;
  Granted& granted = granted_[place * kRates + rate];
  return meters_[place].rate(rate).limited() ? &granted : nullptr;
}

// Adds the shared rates that are short; returns those that granted tokens cover.
RateSet Admission::check_granted(const Ask& ask, Instant now, Shortage& into) {
  RateSet covered = 0;
  const auto due = rates_of({ask.tokens, 0});
  for (std::uint32_t i = 0; i < kRates; ++i) {
    Granted* granted = granted_of(ask.client, i);
    if (granted == nullptr) continue;
    Bucket& bucket = meter(Whose::client, ask)->rate(i);
    const std::int64_t missing = wanted(bucket, due[i]) - granted->level(now);
    if (missing <= 0) {
      covered = static_cast<RateSet>(covered | 1U << i);
      continue;
    }
    const bool alone = now < granted->alone_until;
    const bool spent = now < later(granted->heard, kAliveMs) && -granted->level(now) >= bucket.burst();
    Instant at = alone ? bucket.ready(due[i], now) : now;
    if (!alone || spent) at = std::max(at, next_grant(*granted, missing, bucket.per_minute(), now));
    if (at > now) into.add(kRateNames[i], static_cast<std::uint32_t>(Whose::client), at);
  }
  return covered;
}

Result<Permit, Refusal> Admission::admit(const Ask& ask, Times at, Instant lease_end) {
  const Instant now = at.now;
  const Use use{ask.tokens, ask.cost_micros};
  Permit permit;
  permit.ask = ask;
  Shortage shortage;
  for (const Whose whose : kWhose) {
    const bool shared = whose == Whose::client && !granted_.empty();
    if (shared) permit.granted = check_granted(ask, now, shortage);
    if (Meter* m = meter(whose, ask)) {
      m->check(use, at, shared ? kAllRates : RateSet{0}, static_cast<std::uint32_t>(whose), shortage);
    }
  }
  if (shortage.any) {
    Refusal refusal{kWhose[shortage.of], shortage.what, {}};
    if (shortage.sure) refusal.wait = span(now, shortage.at);
    return refusal;
  }
  const auto due = rates_of(use);
  for (std::uint32_t i = 0; i < kRates; ++i) {
    Granted* granted = granted_of(ask.client, i);
    if (granted == nullptr) continue;
    Bucket& bucket = meter(Whose::client, ask)->rate(i);
    if ((permit.granted >> i & 1U) != 0) {
      granted->take(due[i], now);
      bucket.drain(due[i], now);  // should it have to enforce the limit alone
    } else {
      granted->lend(due[i], bucket.burst());
      permit.owed = static_cast<RateSet>(permit.owed | 1U << i);
    }
  }
  for (const Whose whose : kWhose) {
    Meter* m = meter(whose, ask);
    if (m == nullptr) continue;
    const RateSet elsewhere = whose == Whose::client ? permit.granted : RateSet{0};
    permit.taken[static_cast<std::size_t>(whose)] = m->take(use, at, elsewhere, lease_end);
  }
  permit.open = true;
  return permit;
}

bool Admission::renew(const Permit& permit, Instant lease_end) {
  bool all = permit.open;
  for (const Whose whose : kWhose) {
    Meter* m = meter(whose, permit.ask);
    const Slots::Id slot = permit.taken[static_cast<std::size_t>(whose)].slot;
    if (permit.open && m != nullptr && !m->slots().renew(slot, lease_end)) all = false;
  }
  return all;
}

void Admission::close(Permit& permit, const Use* used, Times at) {
  if (!permit.open) return;
  permit.open = false;
  const Use estimated{permit.ask.tokens, permit.ask.cost_micros};
  for (const Whose whose : kWhose) {
    Meter* m = meter(whose, permit.ask);
    if (m == nullptr) continue;
    const RateSet elsewhere = whose == Whose::client ? permit.granted : RateSet{0};
    m->settle(permit.taken[static_cast<std::size_t>(whose)], estimated, used, elsewhere, at);
  }
  const auto before = rates_of(estimated);
  const auto after = used != nullptr ? rates_of(*used) : decltype(before){};
  for (std::uint32_t i = 0; i < kRates; ++i) {
    const RateSet counted = permit.granted | permit.owed;
    Granted* granted = (counted >> i & 1U) != 0 ? granted_of(permit.ask.client, i) : nullptr;
    if (granted == nullptr) continue;
    const std::int64_t back = amount(before[i]) - amount(after[i]);
    const std::int64_t room = meter(Whose::client, permit.ask)->rate(i).burst() - granted->level(at.now);
    granted->take(-back, at.now);
    granted->add(std::min(back, room), at.now);
  }
}

void Admission::settle(Permit& permit, const Use& used, Times at) { close(permit, &used, at); }

void Admission::cancel(Permit& permit, Times at) { close(permit, nullptr, at); }

std::uint32_t Admission::in_flight(Whose whose, std::uint32_t place, Instant now) {
  Meter* m = meter(whose, {.client = place, .task = place});
  return m != nullptr ? m->slots().count(now) : 0;
}

void Admission::set_shared(bool shared) {
  if (shared == granted_.empty()) granted_ = std::vector<Granted>(shared ? meters_.size() * kRates : 0);
}

std::optional<Need> Admission::lacks(const Ask& ask, Instant now) {
  const auto due = rates_of({ask.tokens, 0});
  for (std::uint32_t i = 0; i < kRates; ++i) {
    Granted* granted = granted_of(ask.client, i);
    if (granted == nullptr) continue;
    const Bucket& bucket = meter(Whose::client, ask)->rate(i);
    const std::int64_t missing = wanted(bucket, due[i]) - granted->level(now);
    if (missing <= 0 || now < granted->alone_until) continue;
    if (now < granted->not_before) return {};
    Need need;
    need.client = ask.client;
    need.rate = i;
    need.suffix = "client/";
    append_uint(need.suffix, ask.client);
    need.suffix += '/';
    need.suffix += name_of(kRateNames[i]);
    need.amount = amount(std::max(missing, bucket.per_minute() / kBlocks));
    need.per_minute = bucket.per_minute();
    need.burst = bucket.burst();
    need.under_way = now < granted->asked_until;
    return need;
  }
  return {};
}

void Admission::asked(const Need& need, Instant end) {
  if (Granted* granted = granted_of(need.client, need.rate)) granted->asked_until = end;
}

void Admission::granted(const Need& need, std::int64_t tokens, Duration wait, Instant now) {
  Granted* granted = granted_of(need.client, need.rate);
  if (granted == nullptr) return;
  granted->asked_until = Granted::kPast;
  granted->alone_until = Granted::kPast;
  granted->heard = now;
  Bucket& plausible = granted->plausible;
  if (!plausible.limited()) plausible = Bucket(need.per_minute);
  // An honest store grants one engine no more than the quota; only its answers may come unevenly.
  const std::int64_t room = plausible.level(now) + plausible.per_minute() / kBlocks + 1;
  const std::int64_t counted = std::min({amount(tokens), need.amount, std::max<std::int64_t>(room, 0)});
  if (counted > 0) {
    plausible.settle(0, counted, now);
    return granted->add(counted, now);
  }
  // One token is never further away than it takes to refill; one more than is plausible, than that.
  const std::int64_t refill = steps(kMinuteMs, std::max<std::int64_t>(need.per_minute, 1));
  granted->not_before = later(now, std::clamp<std::int64_t>(wait.ms, 1, refill));
  if (tokens > 0) granted->not_before = std::max(granted->not_before, plausible.ready(1, now));
}

void Admission::unanswered(const Need& need, Instant now) {
  Granted* granted = granted_of(need.client, need.rate);
  if (granted == nullptr) return;
  granted->asked_until = Granted::kPast;
  granted->alone_until = later(now, kAloneMs);
}

}  // namespace shunt::admit
