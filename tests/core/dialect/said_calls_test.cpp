// Which call a result is of.
#include "dialect/said_calls.h"

#include <gtest/gtest.h>

#include "core/linear.h"

namespace shunt::dialect {
namespace {

Part part(PartKind kind, Text id, Text name) {
  Part part;
  part.kind = kind;
  part.id = std::move(id);
  part.name = std::move(name);
  return part;
}

TEST(SaidCalls, TheLastOfAnIdIsMeant) {
  const Part first = part(PartKind::tool_call, Text::of("1"), Text::of("f"));
  const Part again = part(PartKind::tool_call, Text::of("1"), Text::of("g"));
  const Part result = part(PartKind::tool_result, Text::of("1"), {});
  const Part other = part(PartKind::tool_result, Text::of("2"), {});
  SaidCalls calls;
  EXPECT_EQ(calls.of(result), nullptr);
  calls.add(first);
  EXPECT_EQ(calls.of(result), &first);
  EXPECT_EQ(calls.name_of(result), Text::of("f"));
  calls.add(again);
  EXPECT_EQ(calls.of(result), &again);
  EXPECT_EQ(calls.of(other), nullptr);
  EXPECT_EQ(calls.name_of(other), Text::of("2"));
}

TEST(SaidCalls, AResultsOwnNameComesFirst) {
  SaidCalls calls;
  const Part call = part(PartKind::tool_call, Text::of("1"), Text::of("f"));
  calls.add(call);
  EXPECT_EQ(calls.name_of(part(PartKind::tool_result, Text::of("1"), Text::of("g"))), Text::of("g"));
}

TEST(SaidCalls, ARangeIsNoOnesId) {
  SaidCalls calls;
  const Part call = part(PartKind::tool_call, Text::range(10, 300), Text::of("f"));
  calls.add(call);
  const Part result = part(PartKind::tool_result, Text::range(900, 300), {});
  EXPECT_EQ(calls.of(result), nullptr);
  EXPECT_EQ(calls.of(part(PartKind::tool_result, {}, {})), nullptr);
}

// Results of a long history that are of no call, however many there were.
TEST(SaidCalls, LookingTakesTimeThatGrowsWithTheHistory) {
  expect_linear(
      "calls, and results of others",
      [](std::size_t bytes) {
        std::vector<Part> calls;
        for (std::size_t i = 0; i < bytes / 40; ++i)
          calls.push_back(part(PartKind::tool_call, Text::of(std::to_string(i)), Text::of("f")));
        return calls;
      },
      [](const std::vector<Part>& history) {
        const Part other = part(PartKind::tool_result, Text::of("x"), {});
        SaidCalls calls;
        std::size_t found = 0;
        for (const Part& call : history) {
          calls.add(call);
          found += calls.of(other) != nullptr ? 1U : 0U;
        }
        EXPECT_EQ(found, 0U);
      });
}

}  // namespace
}  // namespace shunt::dialect
