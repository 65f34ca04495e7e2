// Promises of one run, and of two.
#include "sim/judging.h"

namespace shunt::sim {

std::vector<std::string> judged(const Settings& settings, const Report& report) {
  const Scenario& scenario = *settings.scenario;
  std::vector<std::string> out;
  if (scenario.judge != nullptr) out = scenario.judge(report.figures, report.chronicle);
  if (scenario.compare == nullptr) return out;
  Scenario twin = scenario;
  twin.config = scenario.twin;
  Settings same = settings;
  same.scenario = &twin;
  const Report other = play(same);
  if (other.broken) out.push_back("NOT the run it is compared with: " + other.broken->words);
  for (std::string& each : scenario.compare(report.chronicle, other.chronicle))
    out.push_back(std::move(each));
  return out;
}

}  // namespace shunt::sim
