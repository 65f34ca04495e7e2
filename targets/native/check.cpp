// `shunt check`: a configuration's faults and warnings, each where it stands.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "config/config.h"
#include "native/commands.h"
#include "native/files.h"

namespace shunt::native {
namespace {

using config::Fault;

// As compilers print it, so that editors find the place.
std::string as_text(const std::string& file, const Fault& fault) {
  std::string line = fmt::format("{}:{}:{}: {}{}: found {}", file, fault.line, fault.column,
                                 fault.warning ? "warning: " : "", fault.path, fault.found);
  if (!fault.allowed.empty()) line += (fault.warning ? "; " : "; allowed: ") + fault.allowed;
  if (!fault.suggestion.empty()) line += fmt::format(". Did you mean \"{}\"?", fault.suggestion);
  return line + "\n";
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

int run_check(const CheckOptions& options) {
  const auto text = read_input(options.file);
  if (!text) return kUsage;
  config::Loaded loaded;
  std::vector<Fault> faults;
  const bool fine = config::load(*text, loaded, faults);

  const std::string file = shown_name(options.file);
  for (const auto* list : {&faults, &loaded.warnings}) {
    for (const Fault& fault : *list) {
      print(options.json ? json_line(config::fault_json(fault)) : as_text(file, fault));
    }
  }
  if (!options.json) {
    print(fmt::format("{}: {}, {}\n", file, counted(faults.size(), "fault"),
                      counted(loaded.warnings.size(), "warning")));
  }
  return fine ? kFine : kDifference;
}

}  // namespace shunt::native
