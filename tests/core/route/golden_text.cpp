// Reading and writing the goldens' text.
#include "core/route/golden_text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "route/strategies.h"

namespace shunt::route {
namespace {

template <typename Enum>
std::optional<Enum> named(const std::string& name, int count) {
  for (int i = 0; i < count; ++i) {
    if (name_of(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

bool set(LineView& view, const std::string& key, std::int64_t value) {
  const auto count = static_cast<std::uint32_t>(value);
  const std::map<std::string, std::int64_t*> wide = {{"until", &view.until.ms},
                                                     {"success", &view.success_micros},
                                                     {"cost", &view.cost_nanos},
                                                     {"quota", &view.quota_micros}};
  const std::map<std::string, std::uint32_t*> counts = {{"p90", &view.p90_ms},
                                                        {"ttft", &view.ttft_micros},
                                                        {"busy", &view.in_flight},
                                                        {"region", &view.region}};
  if (const auto at = wide.find(key); at != wide.end()) return *at->second = value, true;
  if (const auto at = counts.find(key); at != counts.end()) return *at->second = count, true;
  if (key == "priority") return view.priority = static_cast<int>(value), true;
  if (key == "weight") return view.weight = static_cast<int>(value), true;
  if (key == "score") return view.task_score = static_cast<std::int16_t>(value), true;
  if (key == "role") return view.role = static_cast<std::uint8_t>(value), true;
  if (key == "local") return view.local = value != 0, true;
  return false;
}

}  // namespace

bool read_line(const std::string& row, Lines& lines) {
  std::istringstream words(row);
  std::string name;
  std::string word;
  words >> name >> word;
  LineView view;
  view.deployment = static_cast<std::uint32_t>(lines.views.size());
  view.name_hash = name_hash(name);
  const auto state = named<Availability>(word, 3);
  if (!state) return false;
  view.availability = *state;
  if (view.availability == Availability::out) {
    if (!(words >> word)) return false;
    const auto cause = named<OutCause>(word, 11);
    if (!cause) return false;
    view.cause = *cause;
  }
  while (words >> word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos ||
        !set(view, word.substr(0, equals), std::stoll(word.substr(equals + 1))))
      return false;
  }
  lines.names.push_back(name);
  lines.views.push_back(view);
  return true;
}

bool read_policy(const std::string& text, PlanPolicy& policy) {
  policy = {};
  std::istringstream words(text);
  std::optional<bool> across;
  for (std::string word; words >> word;) {
    const std::string key = word.substr(0, word.find('='));
    const std::string value = word.substr(std::min(word.size(), key.size() + 1));
    if (key == "protect") {
      policy.last_line = LastLine::protect;
    } else if (key == "strategy") {
      const auto strategy = named<Strategy>(value, 11);
      if (!strategy) return false;
      policy.strategy = *strategy;
    } else if (key == "across") {
      across = value == "true";
    } else if (key == "quota") {
      policy.quota = value == "true";
    } else if (key == "min_score") {
      policy.min_score = std::stoi(value);
    } else if (key == "degrade") {
      policy.degrade_micros = std::stoll(value);
    } else if (key == "region") {
      policy.region = static_cast<std::uint32_t>(std::stoul(value));
    } else if (key == "affinity") {
      policy.affinity = std::stoull(value);
    } else {
      return false;
    }
  }
  policy.across = across.value_or(across_by_default(policy.strategy));
  return true;
}

std::string say(const Plan& plan, const Lines& lines, std::size_t most) {
  std::string out(name_of(plan.verdict));
  for (std::size_t i = 0; i < std::min(most, plan.order.size()); ++i) out += " " + lines.names[plan.order[i]];
  if (plan.kept) out += " kept=" + lines.names[*plan.kept];
  if (plan.nearest) out += " nearest=" + lines.names[*plan.nearest];
  if (plan.retry_at != kNever) out += " retry_at=" + std::to_string(plan.retry_at.ms);
  return out;
}

}  // namespace shunt::route
