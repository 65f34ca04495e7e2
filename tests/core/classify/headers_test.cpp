// Headers of failed replies: every notation of a wait, the machine's words, and nothing from garbage.
#include "classify/headers.h"

#include <gtest/gtest.h>

#include <string>

namespace shunt::classify {
namespace {

constexpr std::int64_t kNone = -1;
constexpr WallTime kNow{1772445600000};  // Mon, 02 Mar 2026 10:00:00 GMT
const char* const kDate = "date: Mon, 02 Mar 2026 10:00:00 GMT\n";

std::int64_t ms(std::optional<Duration> wait) { return wait ? wait->ms : kNone; }
std::optional<Duration> header_wait(const HeaderBlock& headers, std::optional<WallTime> wall) {
  return ReplyHeaders(headers, wall).wait();
}
std::optional<Duration> unclaimed_reset(const HeaderBlock& headers, std::optional<WallTime> wall) {
  return ReplyHeaders(headers, wall).unclaimed_reset();
}

struct Case {
  const char* text;
  std::int64_t ms;
};

TEST(ReplyHeaders, GarbageIsNone) {
  for (const char* text : {"", "-5", "+5", "1e3", "0x10", "NaN", "inf", "30, 60", "18446744073709551616", "s",
                           "5x", "5 s x", ".5", "99999999999999999999d", "1.2.3s"}) {
    EXPECT_EQ(ms(header_wait(HeaderBlock(std::string("retry-after: ") + text), kNow)), kNone) << text;
  }
}

TEST(ReplyHeaders, RetryAfterInMillisecondsBeatsSeconds) {
  EXPECT_EQ(ms(header_wait(HeaderBlock("retry-after-ms: 3000\nretry-after: 10"), {})), 3000);
  EXPECT_EQ(ms(header_wait(HeaderBlock("retry-after-ms: 0.5"), {})), 1);
  EXPECT_EQ(ms(header_wait(HeaderBlock("retry-after-ms: -5\nretry-after: 4"), {})), 4000);
  EXPECT_EQ(ms(header_wait(HeaderBlock("retry-after: 5s"), {})), 5000);
}

TEST(ReplyHeaders, R4RetryAfterInSecondsADateOrMillisecondsAbsurdOrNegative) {
  const auto wait = [](const std::string& line) { return ms(header_wait(HeaderBlock(line), kNow)); };
  EXPECT_EQ(wait("retry-after: 20"), 20'000);
  EXPECT_EQ(wait("retry-after: Mon, 02 Mar 2026 10:00:20 GMT"), 20'000);
  EXPECT_EQ(wait("retry-after-ms: 20000"), 20'000);
  EXPECT_EQ(wait("retry-after-ms: 259200000"), 259'200'000) << "three days, and not as so many seconds";
  EXPECT_EQ(wait("retry-after: -20"), kNone);
  EXPECT_EQ(wait("retry-after: Mon, 02 Mar 2026 09:59:40 GMT"), kNone);
}

TEST(ReplyHeaders, DatesCountFromTheDateHeaderElseFromTheHostsClock) {
  const std::string at = "retry-after: Mon, 02 Mar 2026 10:00:26 GMT\n";
  EXPECT_EQ(ms(header_wait(HeaderBlock(at), {})), kNone);
  EXPECT_EQ(ms(header_wait(HeaderBlock(at), kNow)), 26000);
  EXPECT_EQ(ms(header_wait(HeaderBlock(at + kDate), {})), 26000);
  EXPECT_EQ(ms(header_wait(HeaderBlock(at + kDate), WallTime{0})), 26000);
  EXPECT_EQ(ms(header_wait(HeaderBlock(at), WallTime{kNow.ms + 27000})), kNone);  // past
}

TEST(ReplyHeaders, OnlyAnExhaustedLimitsResetCounts) {
  EXPECT_EQ(ms(header_wait(HeaderBlock("x-ratelimit-remaining-tokens: 0\nx-ratelimit-reset-tokens: 6m0s\n"
                                       "x-ratelimit-remaining-requests: 59\nx-ratelimit-reset-requests: 1h"),
                           {})),
            360000);
  EXPECT_EQ(
      ms(header_wait(HeaderBlock("x-ratelimit-remaining-requests: 59\nx-ratelimit-reset-requests: 1s"), {})),
      kNone);
  EXPECT_EQ(ms(header_wait(HeaderBlock("x-ratelimit-reset-requests: 1s"), {})), kNone);
  EXPECT_EQ(
      ms(unclaimed_reset(HeaderBlock("x-ratelimit-reset-requests: 1s\nx-ratelimit-reset-tokens: 2s"), {})),
      2000);
  EXPECT_EQ(
      ms(unclaimed_reset(HeaderBlock("x-ratelimit-remaining-tokens: 9\nx-ratelimit-reset-tokens: 2s"), {})),
      kNone);
}

TEST(ReplyHeaders, ResetsAreSpansMomentsOrDates) {
  for (const Case& c : {Case{"120ms", 120}, Case{"17ms", 17}, Case{"1s", 1000}, Case{"6m0s", 360000},
                        Case{"30", 30000}, Case{"1772445630", 30000}, Case{"1772445630000", 30000},
                        Case{"2026-03-02T10:00:41Z", 41000}, Case{"1772445599", kNone}}) {
    EXPECT_EQ(
        ms(header_wait(
            HeaderBlock(std::string(kDate) + "x-ratelimit-remaining: 0\nx-ratelimit-reset: " + c.text), {})),
        c.ms)
        << c.text;
  }
  EXPECT_EQ(ms(header_wait(HeaderBlock("x-ratelimit-remaining: 0\nx-ratelimit-reset: 1772445630"), {})),
            kNone);
  EXPECT_EQ(ms(header_wait(HeaderBlock("anthropic-ratelimit-requests-remaining: 0\n"
                                       "anthropic-ratelimit-requests-reset: 2026-03-02T10:00:41Z"),
                           kNow)),
            41000);
}

TEST(ReplyHeaders, TheLargerOfAllThatHeadersSay) {
  EXPECT_EQ(
      ms(header_wait(
          HeaderBlock("retry-after: 8\nx-ratelimit-remaining-tokens: 0\nx-ratelimit-reset-tokens: 7.66s"),
          {})),
      8000);
  EXPECT_EQ(
      ms(header_wait(
          HeaderBlock("retry-after: 8\nx-ratelimit-remaining-tokens: 0\nx-ratelimit-reset-tokens: 9s"), {})),
      9000);
}

// Anthropic names the limit before the word: a reset's own remaining is beside it, another's is not.
TEST(ReplyHeaders, ARemainingAmountBelongsToOneReset) {
  const HeaderBlock block(
      "anthropic-ratelimit-tokens-remaining: 0\nanthropic-ratelimit-requests-remaining: 7\n"
      "anthropic-ratelimit-requests-reset: 2026-03-02T10:00:09Z\n"
      "anthropic-ratelimit-tokens-reset: 2026-03-02T10:00:05Z\n"
      "anthropic-ratelimit-input-tokens-reset: 2026-03-02T10:00:07Z\n");
  const ReplyHeaders headers(block, kNow);
  EXPECT_EQ(ms(headers.wait()), 5000);
  EXPECT_EQ(ms(headers.unclaimed_reset()), 7000);
}

// More lines than any provider sends cost nothing but themselves.
TEST(ReplyHeaders, StaysBoundedWhateverComes) {
  std::string lines;
  for (int i = 0; i < 2000; ++i) {
    lines += "x-ratelimit-remaining-" + std::to_string(i) + ": 0\nx-ratelimit-reset-" + std::to_string(i) +
             ": 1s\n";
  }
  lines += "retry-after: 2\n";
  EXPECT_EQ(ms(ReplyHeaders(HeaderBlock(lines), kNow).wait()), 2000);
}

TEST(ReplyHeaders, WordsOfMachines) {
  const auto reason = [](const char* line) { return ReplyHeaders(HeaderBlock(line), {}).reason(); };
  EXPECT_EQ(ReplyHeaders(HeaderBlock("x-amzn-errortype: ThrottlingException:http://internal"), {}).type(),
            "ThrottlingException");
  EXPECT_EQ(reason("cf-mitigated: challenge"), "cf_challenge");
  EXPECT_EQ(reason("cf-mitigated: other"), "");
  EXPECT_EQ(reason("x-envoy-ratelimited: true"), "envoy_ratelimited");
  EXPECT_EQ(reason("anthropic-ratelimit-unified-5h-status: rejected"), "unified_window_rejected");
  EXPECT_EQ(reason("anthropic-ratelimit-unified-overage-status: rejected"), "");
  EXPECT_FALSE(ReplyHeaders(HeaderBlock("x-should-retry: false"), {}).may_retry());
  EXPECT_TRUE(ReplyHeaders(HeaderBlock("x-should-retry: true"), {}).may_retry());
  EXPECT_TRUE(ReplyHeaders(HeaderBlock(), {}).may_retry());
}

}  // namespace
}  // namespace shunt::classify
