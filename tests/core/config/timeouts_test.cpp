// Limits and repeats as they are written.
#include <gtest/gtest.h>

#include "config/drafts.h"

namespace shunt::config {
namespace {

TEST(TimeoutKeys, EachKeySetsItsOwnLimit) {
  Report report;
  Reader in(
      R"({"connect_ms":1,"first_byte_ms":2,"first_token_ms":3,"idle_ms":4,"attempt_ms":5,"total_ms":6,"plain_total_ms":7,
               "client_stall_ms":8})",
      report);
  TimeoutsDraft draft;
  read_timeouts(in, draft);
  EXPECT_FALSE(report.failed());
  const Timeouts all = overridden(Timeouts{}, draft.set);
  EXPECT_EQ(all, (Timeouts{.connect = {1},
                           .first_byte = {2},
                           .first_token = {3},
                           .idle = {4},
                           .attempt = {5},
                           .total = {6},
                           .plain_total = {7},
                           .client_stall = {8}}));
}

TEST(TimeoutKeys, ALimitThatAlwaysHoldsCannotBeTurnedOff) {
  for (const std::string_view text :
       {R"({"connect_ms":0})", R"({"idle_ms":0})", R"({"plain_total_ms":0})", R"({"client_stall_ms":0})"}) {
    Report report;
    Reader in(text, report);
    TimeoutsDraft draft;
    read_timeouts(in, draft);
    EXPECT_TRUE(report.failed()) << text;
  }
}

TEST(RetryKeys, RatiosAreMillionths) {
  Report report;
  Reader in(R"({"attempts":5,"budget":{"ratio":0.2,"min_per_s":1},"failover":0.75})", report);
  RetryDraft draft;
  read_retry(in, draft);
  EXPECT_EQ(draft.attempts, 5);
  EXPECT_EQ(draft.ratio, 200'000);
  EXPECT_EQ(draft.min_per_s, 1'000'000);
  EXPECT_EQ(draft.failover, 750'000);
}

}  // namespace
}  // namespace shunt::config
