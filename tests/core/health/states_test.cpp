// The table of transitions and the diagram of it in the room's README.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "health/states.h"

namespace shunt::health {
namespace {

bool is_operators(Event event) {
  return event == Event::reset || event == Event::force_open || event == Event::disable ||
         event == Event::metrics_only;
}

// Mermaid for what traffic and time do; one line for each act of an operator, which would hide the rest.
std::string diagram() {
  std::string out = "```mermaid\nstateDiagram-v2\n  [*] --> closed\n";
  for (const Transition& t : kTransitions) {
    if (is_operators(t.event)) continue;
    out.append("  ")
        .append(name_of(t.from))
        .append(" --> ")
        .append(name_of(t.to))
        .append(": ")
        .append(name_of(t.event));
    out.append("\n");
  }
  out.append("```\n");
  for (const Event event : {Event::reset, Event::force_open, Event::disable, Event::metrics_only}) {
    std::string from;
    State to = State::closed;
    for (const Transition& t : kTransitions) {
      if (t.event != event) continue;
      from.append(from.empty() ? "" : ", ").append(name_of(t.from));
      to = t.to;
    }
    out.append("- ")
        .append(name_of(event))
        .append(": ")
        .append(from)
        .append(" → ")
        .append(name_of(to))
        .append("\n");
  }
  return out;
}

TEST(Readme, DiagramIsTheTableOfTransitions) {
  std::ifstream file(SHUNT_SOURCE_DIR "/core/health/README.md");
  const std::string readme((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_NE(readme.find("states_test.cpp compares -->\n" + diagram() + "<!-- /states -->"), std::string::npos)
      << "put this between the markers:\n"
      << diagram();
}

TEST(Transitions, AreAFunctionWithoutSelfLoops) {
  for (const Transition& a : kTransitions) {
    EXPECT_NE(a.from, a.to);
    int same = 0;
    for (const Transition& b : kTransitions) same += a.from == b.from && a.event == b.event ? 1 : 0;
    EXPECT_EQ(same, 1) << name_of(a.from) << " " << name_of(a.event);
  }
}

TEST(Transitions, EveryStateCanBeResetAndOnlyAnOperatorLeavesALatch) {
  for (int s = 0; s < kStates; ++s) {
    const State state = static_cast<State>(s);
    bool resets = state == State::closed;
    for (const Transition& t : kTransitions) {
      if (t.from != state) continue;
      resets = resets || (t.event == Event::reset && t.to == State::closed);
      if (state == State::latched || state == State::forced_open) {
        EXPECT_TRUE(is_operators(t.event));
      }
    }
    EXPECT_TRUE(resets) << name_of(state);
  }
}

}  // namespace
}  // namespace shunt::health
