// Groups of lines to order, and how often draws fall where: what the tests of this room share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <numeric>
#include <vector>

#include "route/strategies.h"

namespace shunt::route {

inline constexpr int kDraws = 1000000;
inline constexpr int kSome = 200000;  // where the draws themselves are not what is tested

using Places = std::vector<std::uint16_t>;

inline std::vector<LineView> lines(std::initializer_list<int> weights) {
  std::vector<LineView> views;
  for (const int weight : weights) views.emplace_back().weight = weight;
  return views;
}

// All lines as one group at the plan's beginning.
inline Places ordered(const std::vector<LineView>& views, std::uint64_t seed, const PlanPolicy& policy) {
  Places order(views.size());
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  order_of(policy.strategy)({views, policy, seed, order, 0});
  return order;
}
inline Places ordered(const std::vector<LineView>& views, std::uint64_t seed,
                      Strategy strategy = Strategy::priority_weighted) {
  PlanPolicy policy;
  policy.strategy = strategy;
  return ordered(views, seed, policy);
}

inline double chi_square(const std::map<Places, int>& seen, const std::map<Places, double>& expected) {
  double all = 0;
  for (const auto& [outcome, count] : seen) all += count;
  double sum = 0;
  for (const auto& [outcome, share] : expected) {
    const auto found = seen.find(outcome);
    const double count = found == seen.end() ? 0 : found->second;
    sum += (count - share * all) * (count - share * all) / (share * all);
  }
  return sum;
}

// Where chi-square stands with p = 0.001, by degrees of freedom.
inline constexpr double kChi1 = 10.83;
inline constexpr double kChi2 = 13.82;
inline constexpr double kChi3 = 16.27;
inline constexpr double kChi5 = 20.52;

}  // namespace shunt::route
