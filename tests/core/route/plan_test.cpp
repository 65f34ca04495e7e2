// Plans: the goldens of tests/golden/route, and what must hold for any lines and any seed.
#include "route/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>

#include "base/limits.h"
#include "base/rng.h"
#include "core/route/golden_text.h"

namespace shunt::route {
namespace {

// How many cases of a file came out right, for every seed.
int hold(const std::filesystem::path& path) {
  std::ifstream file(path);
  Lines lines;
  PlanPolicy policy;
  std::string title;
  std::string fence;
  int cases = 0;
  for (std::string row; std::getline(file, row);) {
    if (row.starts_with("## ")) title = path.filename().string() + ": " + row.substr(3);
    if (row.starts_with("```")) {
      fence = row.substr(3);
      if (!fence.starts_with("lines")) continue;
      lines = {};
      EXPECT_TRUE(read_policy(fence.substr(5), policy)) << title << ": " << fence;
    } else if (fence.starts_with("lines")) {
      EXPECT_TRUE(read_line(row, lines)) << title << ": " << row;
    } else if (fence == "plan" || fence == "first") {
      ++cases;
      const std::size_t most = fence == "plan" ? lines.views.size() : 1;
      for (std::uint64_t seed = 0; seed < 100; ++seed)
        EXPECT_EQ(say(plan(lines.views, policy, seed), lines, most), row) << title;
    }
  }
  return cases;
}

TEST(Plan, GoldensHoldForAnySeed) {
  std::map<std::string, int> cases;
  for (const auto& entry : std::filesystem::directory_iterator(SHUNT_SOURCE_DIR "/tests/golden/route")) {
    if (entry.path().extension() == ".md") cases[entry.path().stem()] = hold(entry.path());
  }
  constexpr std::pair<const char*, int> kAtLeast[] = {
      {"plan", 17},   {"weights", 15},        {"cost_aware", 10}, {"performance_first", 11},
      {"score", 12},  {"success_degrade", 8}, {"least_busy", 7},  {"roles", 12},
      {"affinity", 5}};
  for (const auto& [file, least] : kAtLeast) EXPECT_GE(cases[file], least) << file;
}

LineView any_line(std::uint64_t seed) {
  const auto pick = [&](std::uint64_t n, std::uint32_t below) {
    return draw_below(seed, Draw::route, n, below);
  };
  LineView view;
  view.availability = static_cast<Availability>(pick(0, 3));
  if (view.availability == Availability::out) view.cause = static_cast<OutCause>(1 + pick(1, 10));
  view.priority = static_cast<int>(pick(2, 3));
  view.weight = static_cast<int>(pick(3, 4)) - 1;  // a negative weight counts as 0
  view.until = {pick(4, 5)};
  return view;
}

// For 1 to 6 lines: every callable line stands in the plan once, groups in order, weights of 0
// behind the others of their group.
TEST(Plan, HoldsEveryCallableLineOnceInGroups) {
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    std::vector<LineView> views;
    for (std::uint64_t i = 0; i <= seed % 6; ++i) views.push_back(any_line(seed * 8 + i));
    const auto callable = std::count_if(
        views.begin(), views.end(), [](const LineView& v) { return v.availability != Availability::out; });
    const Plan got = plan(views, {}, seed);
    if (callable == 0) {
      EXPECT_LE(got.order.size(), 1U);
      EXPECT_EQ(got.order.empty(), !got.kept);
      continue;
    }
    ASSERT_EQ(got.order.size(), static_cast<std::size_t>(callable));
    std::vector<std::uint16_t> once = got.order;
    std::stable_sort(once.begin(), once.end());
    ASSERT_EQ(std::adjacent_find(once.begin(), once.end()), once.end());
    for (std::size_t i = 0; i < got.order.size(); ++i) {
      const LineView& line = views[got.order[i]];
      EXPECT_NE(line.availability, Availability::out);
      if (i == 0) continue;
      const LineView& before = views[got.order[i - 1]];
      EXPECT_LE(before.priority, line.priority);
      if (before.priority == line.priority && before.weight <= 0) {
        EXPECT_LE(line.weight, 0);
      }
    }
    EXPECT_EQ(plan(views, {}, seed).order, got.order);
  }
}

TEST(Plan, MarksTheKeptLineInItsViewAndOnlyThere) {
  std::vector<LineView> views(3);
  for (LineView& view : views) {
    view.availability = Availability::out;
    view.cause = OutCause::breaker;
    view.until = {500};
  }
  views[1].until = {400};
  views[2].kept = true;  // left over from an older plan
  static_cast<void>(plan(views, {}, 7));
  EXPECT_FALSE(views[0].kept);
  EXPECT_TRUE(views[1].kept);
  EXPECT_FALSE(views[2].kept);
}

TEST(Plan, TakesAsManyLinesAsARouteMayHave) {
  std::vector<LineView> views(limits::kPlanLines);
  for (LineView& view : views) view.weight = INT32_MAX;
  EXPECT_EQ(plan(views, {}, 1).order.size(), views.size());
}

std::string json_of(const PlanPolicy& policy) {
  std::string out;
  json::Writer writer(out);
  append_policy(writer, policy);
  return out;
}

TEST(PlanPolicy, IsWrittenWhole) {
  EXPECT_EQ(json_of({}), R"({"strategy":"priority_weighted","last_line":"keep","across":false,"quota":false,)"
                         R"("min_score":80,"degrade":0.6,"region":0,"affinity":"0000000000000000"})");
  PlanPolicy policy;
  policy.strategy = Strategy::success_degrade;
  policy.last_line = LastLine::protect;
  policy.across = policy.quota = true;
  policy.min_score = -5;
  policy.degrade_micros = 123456;
  policy.region = 4294967295;
  policy.affinity = 0xFEEDFACECAFEBEEFULL;
  EXPECT_EQ(json_of(policy),
            R"({"strategy":"success_degrade","last_line":"protect","across":true,"quota":true,)"
            R"("min_score":-5,"degrade":0.123456,"region":4294967295,"affinity":"feedfacecafebeef"})");
}

}  // namespace
}  // namespace shunt::route
