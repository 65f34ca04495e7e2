// Limits inside limits, and fallbacks that end.
#include "config/checks.h"

#include <gtest/gtest.h>

namespace shunt::config {
namespace {

// Faults and warnings of one level's limits.
std::pair<std::size_t, std::size_t> said_of(const TimeoutOverrides& set) {
  Report report;
  check_limits(report, set, 0);
  std::vector<Fault> faults, warnings;
  report.settle("{}", faults, warnings);
  return {faults.size(), warnings.size()};
}
using Said = std::pair<std::size_t, std::size_t>;

TEST(Checks, AnInnerLimitMustEndBeforeItsOuterOne) {
  TimeoutOverrides set;
  set.idle = milliseconds(50);
  set.attempt = milliseconds(100);
  EXPECT_EQ(said_of(set), Said(0, 0));
  set.attempt = milliseconds(50);
  EXPECT_EQ(said_of(set), Said(0, 1));
  set.attempt = milliseconds(49);
  EXPECT_EQ(said_of(set), Said(1, 0));
}

TEST(Checks, NoLimitIsNeitherInnerNorOuter) {
  TimeoutOverrides set;
  set.first_byte = milliseconds(0);
  set.attempt = milliseconds(0);
  set.total = milliseconds(0);
  EXPECT_EQ(said_of(set), Said(0, 0));
}

TEST(Checks, ABuiltInInnerLimitMayLieBeyond) {
  TimeoutOverrides set;
  set.first_byte = milliseconds(200);  // connect is 5 s, built in
  set.total = milliseconds(3000);
  EXPECT_EQ(said_of(set), Said(0, 0));
}

TEST(Checks, MergedTakesTheInnerWordKeyByKey) {
  TimeoutOverrides outer, inner;
  outer.idle = milliseconds(1);
  outer.total = milliseconds(2);
  inner.total = milliseconds(3);
  const TimeoutOverrides both = merged(outer, inner);
  EXPECT_EQ(both.idle, milliseconds(1));
  EXPECT_EQ(both.total, milliseconds(3));
  EXPECT_EQ(both.connect, kInherited);
}

// Routes 0..n-1, each falling back to those listed.
std::size_t cycles(const std::vector<std::vector<std::string>>& fallbacks) {
  Draft draft;
  Index routes;
  for (std::size_t i = 0; i < fallbacks.size(); ++i) {
    RouteDraft route;
    route.row.name = std::to_string(i);
    for (std::size_t k = 0; k < fallbacks[i].size(); ++k)
      route.references.push_back({Reference::To::route, {fallbacks[i][k], 10 * i + k}});
    draft.routes.push_back(route);
    routes.emplace(route.row.name, static_cast<std::uint32_t>(i));
  }
  Report report;
  check_fallback_cycles(report, draft, routes);
  std::vector<Fault> faults, warnings;
  report.settle("{}", faults, warnings);
  return faults.size();
}

TEST(Checks, FallbacksMayMeetButNotReturn) {
  EXPECT_EQ(cycles({{"1", "2"}, {"3"}, {"3"}, {}}), 0U);
  EXPECT_EQ(cycles({{"0"}}), 1U);
  EXPECT_EQ(cycles({{"1"}, {"2"}, {"0"}}), 1U);
  EXPECT_EQ(cycles({{"1"}, {"0"}, {"3"}, {"2"}}), 2U);
}

}  // namespace
}  // namespace shunt::config
