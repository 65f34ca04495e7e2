// Plans over eight lines that differ in everything a strategy looks at.
#include "core/route/orders.h"

#include <vector>

#include "base/rng.h"
#include "route/plan.h"
#include "route/strategies.h"

namespace shunt::route {
namespace {

constexpr std::uint64_t kSeeds = 16;
constexpr std::uint32_t kStrategies = 11;

std::vector<LineView> fixed_lines(std::uint64_t seed) {
  std::vector<LineView> views(8);
  std::uint64_t counter = 0;
  const auto pick = [&](std::uint32_t below) { return draw_below(seed, Draw::request_id, counter++, below); };
  for (LineView& view : views) {
    view.name_hash = name_hash(std::string(1, static_cast<char>('a' + counter % 26)));
    view.priority = static_cast<std::int32_t>(1 + pick(2));
    view.weight = static_cast<std::int32_t>(pick(5) * 25);
    view.success_micros = pick(1000001);
    view.cost_nanos = static_cast<std::int64_t>(pick(4)) * 1000 - 1;
    view.quota_micros = pick(1000001);
    view.p90_ms = pick(3) * pick(9000);
    view.ttft_micros = pick(3) * pick(900000);
    view.in_flight = pick(4);
    view.region = pick(3);
    view.task_score = static_cast<std::int16_t>(pick(102)) - 1;
    view.role = static_cast<std::uint8_t>(pick(2));
    view.local = pick(8) == 0;
    if (pick(6) == 0) view.availability = Availability::out;
  }
  return views;
}

}  // namespace

std::string orders_text() {
  std::string text;
  for (std::uint32_t strategy = 0; strategy < kStrategies; ++strategy) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      std::vector<LineView> views = fixed_lines(seed);
      PlanPolicy policy;
      policy.strategy = static_cast<Strategy>(strategy);
      policy.across = across_by_default(policy.strategy) != (seed % 4 == 3);
      policy.quota = seed % 2 == 1;
      policy.region = seed % 3 == 2 ? 1 : 0;
      policy.affinity = seed % 5;
      text += std::string(name_of(policy.strategy)) + " " + std::to_string(seed) + ":";
      for (const std::uint16_t line : plan(views, policy, seed).order) text += " " + std::to_string(line);
      text += "\n";
    }
  }
  return text;
}

}  // namespace shunt::route
