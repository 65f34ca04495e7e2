// `scripts/dev sim`: runs a scenario, prints its figures, and shrinks the first run that breaks a rule.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sim/judging.h"
#include "sim/shrink.h"
#include "sim/world.h"

namespace {

using namespace shunt::sim;

constexpr char kHelp[] =
    "usage: scripts/dev sim [--seed N] [--exchanges M] [--scenario S] [--plant NAME] [--list]\n\n"
    "  --seed N        what everything is drawn from (1)\n"
    "  --exchanges M   requests to play (what the scenario says)\n"
    "  --scenario S    which world (storm); 'all' plays each\n"
    "  --plant NAME    with a fault planted between the core and its watch; the run must find it\n"
    "  --list          the scenarios and the plants\n\n"
    "Exit code: 0 fine, 1 a rule broken or a figure missed, 2 wrong usage.\n";

struct Words {
  std::uint64_t seed = 1;
  std::uint64_t exchanges = 0;
  std::string scenario = "storm";
  std::string plant;
  bool list = false;
  bool help = false;
};

bool read(int argc, char** argv, Words& words) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--list" || word == "--help") {
      (word == "--list" ? words.list : words.help) = true;
      continue;
    }
    if (i + 1 == argc) return false;
    const std::string value = argv[++i];
    char* end = nullptr;
    const std::uint64_t number = std::strtoull(value.c_str(), &end, 10);
    const bool is_number = !value.empty() && *end == '\0' && value[0] != '-';
    if (word == "--seed" && is_number)
      words.seed = number;
    else if (word == "--exchanges" && is_number)
      words.exchanges = number;
    else if (word == "--scenario")
      words.scenario = value;
    else if (word == "--plant")
      words.plant = value;
    else
      return false;
  }
  return true;
}

void list() {
  for (const Scenario& scenario : scenarios())
    std::printf("scenario %-18s %s\n", scenario.name.data(), std::string(scenario.about).c_str());
  for (const Plant& plant : plants())
    std::printf("plant    %-20s %s\n", plant.name.data(), std::string(plant.about).c_str());
}

int run(const Scenario& scenario, const Words& words) {
  Settings settings;
  settings.scenario = &scenario;
  settings.seed = words.seed;
  settings.exchanges = words.exchanges > 0 ? words.exchanges : scenario.exchanges;
  settings.plant = words.plant.empty() ? nullptr : find_plant(words.plant);
  const Report report = play(settings);
  std::printf("%s, seed %llu: %s\n%s", scenario.name.data(), static_cast<unsigned long long>(words.seed),
              std::string(scenario.about).c_str(), in_words(report.figures).c_str());
  bool fine = !report.broken;
  std::fflush(stdout);  // finding the shortest log may take minutes
  if (report.broken) std::fputs(explain_broken(settings, report).c_str(), stdout);
  if (fine && settings.plant == nullptr) {
    for (const std::string& figure : judged(settings, report)) {
      std::printf("  %s\n", figure.c_str());
      fine = fine && !figure.starts_with("NOT ");
    }
  }
  std::printf("sim: %llu exchanges, %d broken invariants\n", static_cast<unsigned long long>(report.played),
              report.broken ? 1 : 0);
  return fine ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Words words;
  const bool understood = read(argc, argv, words);
  const bool known = words.scenario == "all" || find_scenario(words.scenario) != nullptr;
  if (!understood || !known || (!words.plant.empty() && find_plant(words.plant) == nullptr)) {
    std::fputs(kHelp, stderr);
    return 2;
  }
  if (words.help) return std::fputs(kHelp, stdout) < 0;
  if (words.list) return list(), 0;
  if (!words.plant.empty() && words.scenario == "storm")
    return run(*find_scenario(find_plant(words.plant)->scenario), words);
  if (words.scenario != "all") return run(*find_scenario(words.scenario), words);
  int worst = 0;
  for (const Scenario& scenario : scenarios()) worst = run(scenario, words) | worst;
  return worst;
}
