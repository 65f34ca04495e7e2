// The rules hold in a storm of everything at once, and a run is the same whenever it is played.
#include <gtest/gtest.h>

#include "sim/shrink.h"
#include "sim/world.h"

namespace shunt::sim {
namespace {

Settings storm(std::uint64_t seed, std::uint64_t exchanges, std::string_view name = "storm") {
  Settings settings;
  settings.scenario = find_scenario(name);
  settings.seed = seed;
  settings.exchanges = exchanges;
  return settings;
}

void expect_whole(const Settings& settings) {
  const Report report = play(settings);
  EXPECT_FALSE(report.broken) << explain_broken(settings, report);
  EXPECT_EQ(report.played, settings.exchanges);
}

TEST(Storm, NoRuleIsBrokenInAHundredThousandExchanges) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) expect_whole(storm(seed, 10'000));
  for (std::uint64_t seed = 1; seed <= 4; ++seed) expect_whole(storm(seed, 10'000, "storm_leases"));
  for (std::uint64_t seed = 1; seed <= 2; ++seed) expect_whole(storm(seed, 10'000, "storm_unlimited"));
}

TEST(Storm, IsTheSameRunWheneverItIsPlayed) {
  Settings settings = storm(7, 300);
  settings.logs = true;
  const Report once = play(settings);
  EXPECT_EQ(once.log, play(settings).log);
  settings.seed = 8;
  EXPECT_NE(once.log, play(settings).log);
}

TEST(Storm, LeavesNoMarkOnWhatItLeavesOut) {
  // What an exchange asks and meets is drawn for it alone: leaving others out changes no draw of it.
  Settings all = storm(3, 400);
  all.faults = Faults{};
  all.logs = true;
  Settings few = all;
  few.only = {10, 200, 399};
  const std::string whole = play(all).log;
  const std::string part = play(few).log;
  ASSERT_FALSE(part.empty());
  for (std::size_t at = 0; at < part.size();) {
    const std::size_t end = part.find('\n', at);
    const std::string line = part.substr(at, end - at);
    // Upkeep follows whoever asks; a record tells what else is under way with its line.
    const bool of_request = line.find('#') != std::string::npos && line.find("-> emit") == std::string::npos;
    EXPECT_TRUE(!of_request || whole.find(line) != std::string::npos) << line;
    at = end + 1;
  }
}

TEST(Storm, MeetsWhatItIsMeantToMeet) {
  const Figures f = play(storm(2, 40'000)).figures;
  EXPECT_GT(f.trips, 50u);
  EXPECT_GT(f.probes, 50u);
  EXPECT_GT(f.kept, 50u);
  EXPECT_GT(f.lost_leases, 0u);
  EXPECT_GT(f.refused, 50u);
  EXPECT_GT(f.gone, 20u);
  EXPECT_GT(f.upkeeps, 50u);
  EXPECT_GT(f.orders, 20u);
  EXPECT_GT(f.limited, 50u);
  EXPECT_GT(f.waited, 50u);
  EXPECT_GT(f.wakes, 50u);
  EXPECT_GT(f.shadows, 50u);
  const Figures more = play(storm(1, 20'000, "storm_unlimited")).figures;
  for (const ErrorClass each :
       {ErrorClass::rate_limited, ErrorClass::quota_insufficient, ErrorClass::auth_failure,
        ErrorClass::external_network, ErrorClass::temporary, ErrorClass::empty_content})
    EXPECT_GT(f.failures[static_cast<std::size_t>(each)] + more.failures[static_cast<std::size_t>(each)], 0u)
        << name_of(each);
  for (const Fault each : {Fault::store_late, Fault::store_lost, Fault::store_twice, Fault::store_pace,
                           Fault::store_down, Fault::store_garbage})
    EXPECT_GT(f.store_faults[static_cast<std::size_t>(each)], 0u) << name_of(each);
}

TEST(Storm, MeetsHedgesAndAStoreThatSharesQuotas) {
  EXPECT_GT(play(storm(3, 20'000, "storm_unlimited")).figures.hedges, 20u);
  const Figures f = play(storm(2, 20'000, "storm_leases")).figures;
  for (const Fault each : {Fault::store_slow, Fault::store_silent, Fault::store_garbage})
    EXPECT_GT(f.store_faults[static_cast<std::size_t>(each)], 0u) << name_of(each);
}

}  // namespace
}  // namespace shunt::sim
