// Plans: the goldens of tests/golden/route/plan.md, and what must hold for any lines and any seed.
#include "route/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "base/limits.h"
#include "base/rng.h"

namespace shunt::route {
namespace {

struct Lines {
  std::vector<std::string> names;
  std::vector<LineView> views;
};

template <typename Enum>
Enum named(const std::string& name, int count) {
  for (int i = 0; i < count; ++i) {
    if (name_of(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  }
  ADD_FAILURE() << "unknown word " << name;
  return Enum{};
}

void read_line(const std::string& row, Lines& lines) {
  std::istringstream words(row);
  std::string name;
  std::string state;
  words >> name >> state;
  LineView view;
  view.deployment = static_cast<std::uint32_t>(lines.views.size());
  view.availability = named<Availability>(state, 3);
  std::string word;
  if (view.availability == Availability::out && words >> word) view.cause = named<OutCause>(word, 10);
  while (words >> word) {
    const std::string key = word.substr(0, word.find('='));
    const int value = std::stoi(word.substr(word.find('=') + 1));
    if (key == "until") view.until = {value};
    if (key == "priority") view.priority = value;
    if (key == "weight") view.weight = value;
  }
  lines.names.push_back(name);
  lines.views.push_back(view);
}

std::string say(const Plan& plan, const Lines& lines) {
  std::string out(name_of(plan.verdict));
  for (const std::uint16_t line : plan.order) out += " " + lines.names[line];
  if (plan.kept) out += " kept=" + lines.names[*plan.kept];
  if (plan.nearest) out += " nearest=" + lines.names[*plan.nearest];
  if (plan.retry_at != kNever) out += " retry_at=" + std::to_string(plan.retry_at.ms);
  return out;
}

TEST(Plan, GoldensHoldForAnySeed) {
  std::ifstream file(SHUNT_SOURCE_DIR "/tests/golden/route/plan.md");
  ASSERT_TRUE(file);
  Lines lines;
  PlanPolicy policy;
  std::string title;
  std::string fence;
  int cases = 0;
  for (std::string row; std::getline(file, row);) {
    if (row.starts_with("## ")) title = row.substr(3);
    if (row.starts_with("```")) {
      fence = row.substr(3);
      if (fence.starts_with("lines")) {
        lines = {};
        policy.last_line = fence == "lines protect" ? LastLine::protect : LastLine::keep;
      }
    } else if (fence.starts_with("lines")) {
      read_line(row, lines);
    } else if (fence == "plan") {
      ++cases;
      for (std::uint64_t seed = 0; seed < 100; ++seed)
        EXPECT_EQ(say(plan(lines.views, policy, seed), lines), row) << title;
    }
  }
  EXPECT_GE(cases, 17);
}

LineView any_line(std::uint64_t seed) {
  const auto pick = [&](std::uint64_t n, std::uint32_t below) {
    return draw_below(seed, Draw::route, n, below);
  };
  LineView view;
  view.availability = static_cast<Availability>(pick(0, 3));
  if (view.availability == Availability::out) view.cause = static_cast<OutCause>(1 + pick(1, 9));
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

}  // namespace
}  // namespace shunt::route
