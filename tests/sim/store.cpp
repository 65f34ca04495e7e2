// Answers of the store, with the fault that each meets.
#include "sim/store.h"

#include <algorithm>

namespace shunt::sim {

using exchange::StoreResult;

bool Store::strikes(Fault fault, bool drawn) {
  const bool strikes = drawn && faults_.has(fault);
  if (strikes) ++struck_[static_cast<std::size_t>(fault)];
  return strikes;
}

bool Store::is_down(std::int64_t now_ms) {
  Dice dice(seed_, Luck::store, {1, static_cast<std::uint64_t>(now_ms / 10'000)});
  return strikes(Fault::store_down, dice.permille(nature_.down_permille));
}

Store::Answer Store::get(std::string_view key, std::int64_t now_ms) {
  Dice dice(seed_, Luck::store, {2, static_cast<std::uint64_t>(now_ms)});
  Answer answer;
  answer.after_ms = delay(dice);
  if (is_down(now_ms)) {
    answer.result = StoreResult::failed;
    return answer;
  }
  const std::int64_t age = nature_.stale_ms > 0 ? dice.between(0, nature_.stale_ms) : 0;
  const std::int64_t then = strikes(Fault::store_late, age > 0) ? now_ms - age : now_ms;
  const auto found = versions_.find(key);
  const Version* last = nullptr;
  if (found != versions_.end()) {
    for (const Version& version : found->second) {
      if (version.at_ms <= then) last = &version;
    }
  }
  if (last == nullptr) {
    answer.result = StoreResult::missing;
    return answer;
  }
  answer.bytes = last->bytes;
  if (strikes(Fault::store_garbage, dice.permille(nature_.garbage_permille))) {
    const std::size_t at = dice.below(answer.bytes.size());
    if (dice.once_in(2))
      answer.bytes.resize(at);
    else
      answer.bytes[at] = static_cast<char>(answer.bytes[at] ^ static_cast<char>(1 + dice.below(255)));
  }
  return answer;
}

Store::Answer Store::put(std::string_view key, std::string_view bytes, std::int64_t now_ms) {
  Dice dice(seed_, Luck::store, {3, static_cast<std::uint64_t>(now_ms)});
  Answer answer;
  answer.after_ms = delay(dice);
  std::int64_t& last = last_write_.try_emplace(std::string(key), now_ms - 3'600'000).first->second;
  const bool too_soon = nature_.least_gap_ms > 0 && now_ms - last < nature_.least_gap_ms;
  if (is_down(now_ms) || strikes(Fault::store_pace, too_soon)) {
    answer.result = StoreResult::failed;
    return answer;
  }
  std::vector<Version>& all = versions_[std::string(key)];
  if (!all.empty() && strikes(Fault::store_lost, now_ms - last < nature_.drops_within_ms)) all.pop_back();
  last = now_ms;
  if (strikes(Fault::store_lost, dice.permille(nature_.lost_permille))) return answer;
  const auto land = [&](std::int64_t at_ms) {
    const auto place = std::upper_bound(all.begin(), all.end(), at_ms,
                                        [](std::int64_t t, const Version& v) { return t < v.at_ms; });
    all.insert(place, {at_ms, std::string(bytes)});
  };
  land(now_ms + dice.between(1, 1 + nature_.answer_ms));
  if (strikes(Fault::store_twice, dice.permille(nature_.twice_permille)))
    land(now_ms + dice.between(1000, 10'000));
  // Older than any read can show.
  const std::int64_t oldest = now_ms - nature_.stale_ms - 1000;
  while (all.size() > 1 && all[1].at_ms < oldest) all.erase(all.begin());
  return answer;
}

Store::Answer Store::lease(std::string_view key, std::int64_t ttl_ms, std::int64_t now_ms) {
  Dice dice(seed_, Luck::store, {4, static_cast<std::uint64_t>(now_ms)});
  Answer answer;
  answer.after_ms = delay(dice);
  if (is_down(now_ms) || !nature_.grants) {
    answer.result = StoreResult::failed;
    return answer;
  }
  std::int64_t& end = leases_.try_emplace(std::string(key), now_ms).first->second;
  if (end > now_ms) {
    answer.result = StoreResult::missing;
  } else {
    end = now_ms + ttl_ms;
  }
  return answer;
}

// A bucket that refills evenly: the arithmetic of the stores that share quotas out.
Store::Answer Store::take(const exchange::StoreTake& asked, std::int64_t now_ms) {
  static constexpr std::string_view kLies[] = {
      "",      "soon", "-5 3", "3", "3 x", "0 18446744073709551616", "99999999999999999999 0",
      "6 0\n", "6,0",  "0 -1"};
  static constexpr std::string_view kFalse[] = {"0 0", "1000000 0", "0 999999999999"};
  constexpr std::int64_t kToken = 60'000;
  Dice dice(seed_, Luck::store, {5, static_cast<std::uint64_t>(now_ms)});
  Answer answer;
  answer.after_ms = delay(dice);
  if (is_down(now_ms) || !nature_.grants) {
    answer.result = StoreResult::failed;
    return answer;
  }
  if (strikes(Fault::store_slow, dice.permille(nature_.slow_permille)))
    answer.after_ms += dice.between(40, 5000);
  if (strikes(Fault::store_silent, dice.permille(nature_.silent_permille))) answer.after_ms = -1;
  if (strikes(Fault::store_garbage, dice.permille(nature_.false_permille))) {
    answer.bytes = dice.of(kFalse);
    return answer;
  }
  if (strikes(Fault::store_garbage, dice.permille(nature_.lies_permille))) {
    answer.bytes = dice.of(kLies);
    return answer;
  }
  const std::int64_t full = asked.burst * kToken;
  Quota& quota = quotas_.try_emplace(std::string(asked.key), Quota{full, now_ms}).first->second;
  quota.level = std::min(full, quota.level + (now_ms - quota.at_ms) * asked.per_minute);
  quota.at_ms = now_ms;
  const std::int64_t granted = nature_.generous ? asked.amount : std::min(asked.amount, quota.level / kToken);
  if (!nature_.generous) quota.level -= granted * kToken;
  const std::int64_t wait =
      granted > 0 ? 0 : (kToken - quota.level + asked.per_minute - 1) / asked.per_minute;
  answer.bytes = std::to_string(granted) + " " + std::to_string(wait);
  return answer;
}

}  // namespace shunt::sim
