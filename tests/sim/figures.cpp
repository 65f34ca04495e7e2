// The last lines of a run.
#include "sim/figures.h"

namespace shunt::sim {
namespace {

std::string counted(std::uint64_t n, const char* what) { return std::to_string(n) + " " + what; }

// A share of the whole in per cent, to a thousandth.
std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  const std::uint64_t milli = part * 100'000 / whole;
  std::string digits = std::to_string(milli % 1000);
  digits.insert(0, 3 - digits.size(), '0');
  return std::to_string(milli / 1000) + "." + digits + " %";
}

}  // namespace

std::string in_words(const Figures& f) {
  std::string out;
  out += "requests " + counted(f.requests, "") + "· whole answers " + percent(f.succeeded, f.requests) +
         " · failed " + std::to_string(f.failed) + " · all protected " + std::to_string(f.refused) +
         " · client or host gone " + std::to_string(f.gone) + "\n";
  out += "told 429 " + std::to_string(f.limited) + " · waited " + std::to_string(f.waited) + " · wakes " +
         std::to_string(f.wakes) + " · hedges " + std::to_string(f.hedges) + " · shadows " +
         std::to_string(f.shadows) + "\n";
  out += "attempts " + std::to_string(f.attempts) + " · trips " + std::to_string(f.trips) + " · probes " +
         std::to_string(f.probes) + " · kept " + std::to_string(f.kept) + " · lost leases " +
         std::to_string(f.lost_leases) + "\n";
  out += "orders " + std::to_string(f.orders) + " · upkeeps " + std::to_string(f.upkeeps) +
         " · store questions " + std::to_string(f.store_questions) + " · store faults:";
  for (int i = 0; i < kFaults; ++i) {
    if (f.store_faults[static_cast<std::size_t>(i)] == 0) continue;
    out += " " + std::string(name_of(static_cast<Fault>(i))) + " " +
           std::to_string(f.store_faults[static_cast<std::size_t>(i)]);
  }
  out += "\nfailures by class:";
  for (int i = 0; i < kErrorClasses; ++i)
    out += " " + std::string(name_of(static_cast<ErrorClass>(i))) + " " +
           std::to_string(f.failures[static_cast<std::size_t>(i)]);
  return out + "\n";
}

}  // namespace shunt::sim
