// Calls by their ids. See said_calls.h.
#include "dialect/said_calls.h"

namespace shunt::dialect {

void SaidCalls::add(const Part& call) {
  if (call.id.length != 0) return;
  const auto place = static_cast<std::uint32_t>(calls_.size());
  calls_.push_back(&call);
  by_id_.emplace(call.id.literal, place).first->second = place;
}

const Part* SaidCalls::of(const Part& result) const {
  const std::optional<std::uint32_t> place = find(by_id_, result.id.literal);
  return place && result.id.length == 0 ? calls_[*place] : nullptr;
}

const Text& SaidCalls::name_of(const Part& result) const {
  const Part* const call = result.name.present ? &result : of(result);
  return call != nullptr ? call->name : result.id;
}

}  // namespace shunt::dialect
