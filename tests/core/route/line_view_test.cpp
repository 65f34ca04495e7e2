// A view's JSON in a decision record.
#include "route/line_view.h"

#include <gtest/gtest.h>

#include <string>

#include "base/rng.h"

namespace shunt::route {
namespace {

std::string json_of(const LineView& view) {
  std::string out;
  json::Writer writer(out);
  append_view(writer, view, "gpt-4o@openai");
  return out;
}

TEST(LineView, WritesWhatAPlanDependsOn) {
  EXPECT_EQ(
      json_of({}),
      R"({"id":"gpt-4o@openai","deployment":0,"slot":0,"state":"ready","cause":"none","kept":false,"priority":1,"weight":1,)"
      R"("success":1,"cost_nanos":-1,"quota":1,"p90_ms":0,"ttft_micros":0,"in_flight":0,"region":0,"task_score":-1,"role":0,"local":false})");
  LineView out;
  out.deployment = 7;
  out.slot = 2;
  out.availability = Availability::out;
  out.cause = OutCause::long_penalty;
  out.kept = true;
  out.until = {1500};
  out.success_micros = 875000;
  out.cost_nanos = 12500;
  EXPECT_EQ(
      json_of(out),
      R"({"id":"gpt-4o@openai","deployment":7,"slot":2,"state":"out","cause":"long","kept":true,"until":1500,"priority":1,)"
      R"("weight":1,"success":0.875,"cost_nanos":12500,"quota":1,"p90_ms":0,"ttft_micros":0,"in_flight":0,"region":0,"task_score":-1,"role":0,"local":false})");
}

TEST(LineView, OnlyLinesThatCouldServeAreCandidates) {
  for (const OutCause cause : {OutCause::excluded, OutCause::incapable, OutCause::disabled, OutCause::gated})
    EXPECT_FALSE(is_candidate(cause));
  for (const OutCause cause : {OutCause::breaker, OutCause::cooldown, OutCause::long_penalty, OutCause::latch,
                               OutCause::operator_, OutCause::limit}) {
    EXPECT_TRUE(is_candidate(cause));
  }
}

// FNV-1a's published values, mixed. Recorded decisions are run again with the hash of the id they name.
TEST(LineView, NameHashIsPinned) {
  EXPECT_EQ(name_hash(""), mix64(0xCBF29CE484222325ULL));
  EXPECT_EQ(name_hash("a"), mix64(0xAF63DC4C8601EC8CULL));
  EXPECT_EQ(name_hash("foobar"), mix64(0x85944171F73967E8ULL));
  EXPECT_NE(name_hash("a@b"), name_hash("b@a"));
}

}  // namespace
}  // namespace shunt::route
