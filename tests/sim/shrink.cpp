// Bisection, then ever smaller pieces: whatever a run does not need for its fault is left out.
#include "sim/shrink.h"

#include <algorithm>
#include <numeric>

namespace shunt::sim {
namespace {

constexpr std::uint64_t kWork = 2'000'000;  // exchanges that all attempts together may play, and …
constexpr std::uint64_t kRepeats = 3;       // … as often again what the run had played
constexpr std::size_t kShownLog = 60;       // lines; the last are those of the fault

class Shrinker {
 public:
  Shrinker(Settings settings, Rule rule) : settings_(std::move(settings)), rule_(rule) {}

  Shrunk shrink(std::uint64_t played) {
    // What arrived after the fault had no part in it.
    most_ = kWork + kRepeats * played;
    settings_.only.resize(played);
    std::iota(settings_.only.begin(), settings_.only.end(), std::uint64_t{0});
    keep_the_end();
    leave_out_pieces();
    leave_out_faults();
    Shrunk shrunk{settings_, {}, runs_};
    shrunk.settings.logs = true;
    shrunk.report = play(shrunk.settings);
    return shrunk;
  }

 private:
  bool spent() const { return work_ > most_; }
  bool still_breaks(const Settings& smaller) {
    if (spent()) return false;
    ++runs_;
    const Report report = play(smaller);
    work_ += report.played;
    return report.broken && report.broken->rule == rule_;
  }
  std::vector<std::uint64_t> without(std::size_t from, std::size_t to) const {
    std::vector<std::uint64_t> rest;
    for (std::size_t i = 0; i < settings_.only.size(); ++i) {
      if (i < from || i >= to) rest.push_back(settings_.only[i]);
    }
    return rest;
  }
  bool adopt(std::vector<std::uint64_t> only) {
    if (only.empty()) return false;
    Settings smaller = settings_;
    smaller.only = std::move(only);
    if (!still_breaks(smaller)) return false;
    settings_ = std::move(smaller);
    return true;
  }

  // Half of what is left, from the front, as long as that does.
  void keep_the_end() {
    while (settings_.only.size() > 1) {
      const std::size_t half = settings_.only.size() / 2;
      if (!adopt(without(0, half)) && !adopt(without(half, settings_.only.size()))) return;
    }
  }

  void leave_out_pieces() {
    for (std::size_t piece = settings_.only.size() / 2; piece > 0; piece /= 2) {
      for (std::size_t at = 0; at < settings_.only.size() && !spent();) {
        if (!adopt(without(at, at + piece))) at += piece;
      }
    }
  }

  void leave_out_faults() {
    for (int i = 0; i < kFaults; ++i) {
      Settings smaller = settings_;
      smaller.faults = settings_.faults.without(static_cast<Fault>(i));
      if (still_breaks(smaller)) settings_ = std::move(smaller);
    }
  }

  Settings settings_;
  Rule rule_;
  std::uint64_t work_ = 0;
  std::uint64_t most_ = 0;
  int runs_ = 0;
};

std::string last_lines(const std::string& log, std::size_t most) {
  std::size_t at = log.size();
  for (std::size_t lines = 0; at > 0 && lines <= most; ++lines) at = log.rfind('\n', at - 1);
  return at == std::string::npos || at == 0 ? log : "…" + log.substr(at);
}

}  // namespace

Shrunk shrink(const Settings& settings, const Report& report) {
  return Shrinker(settings, report.broken->rule).shrink(report.played);
}

std::string explain_broken(const Settings& settings, const Report& report) {
  const Shrunk shrunk = shrink(settings, report);
  const Broken& broken = shrunk.report.broken ? *shrunk.report.broken : *report.broken;
  std::string out = "BROKEN " + std::string(name_of(broken.rule)) + " by exchange " +
                    std::to_string(broken.exchange) + " at " + std::to_string(broken.at_ms) + " ms, seed " +
                    std::to_string(settings.seed) + ": " + broken.words + "\n";
  out += "shown by " + std::to_string(shrunk.settings.only.size()) + " exchanges and these faults:";
  for (int i = 0; i < kFaults; ++i) {
    const auto fault = static_cast<Fault>(i);
    if (settings.scenario->faults.has(fault) && shrunk.settings.faults.has(fault))
      out += " " + std::string(name_of(fault));
  }
  return out + "\n" + last_lines(shrunk.report.log, kShownLog);
}

}  // namespace shunt::sim
