// Waits: every notation providers use, and nothing from garbage.
#include "classify/waits.h"

#include <gtest/gtest.h>

#include <string>

namespace shunt::classify {
namespace {

constexpr std::int64_t kNone = -1;
constexpr WallTime kNow{1772445600000};  // Mon, 02 Mar 2026 10:00:00 GMT
const char* const kDate = "date: Mon, 02 Mar 2026 10:00:00 GMT\n";

std::int64_t ms(std::optional<Duration> wait) { return wait ? wait->ms : kNone; }

struct Case {
  const char* text;
  std::int64_t ms;
};

TEST(Waits, GarbageIsNone) {
  for (const char* text : {"", "-5", "+5", "1e3", "0x10", "NaN", "inf", "30, 60", "18446744073709551616", "s",
                           "5x", "5 s x", ".5", "99999999999999999999d", "1.2.3s"}) {
    EXPECT_EQ(ms(header_wait(HeaderBlock(std::string("retry-after: ") + text), kNow)), kNone) << text;
  }
}

TEST(Waits, RetryAfterInMillisecondsBeatsSeconds) {
  EXPECT_EQ(ms(header_wait(HeaderBlock("retry-after-ms: 3000\nretry-after: 10"), {})), 3000);
  EXPECT_EQ(ms(header_wait(HeaderBlock("retry-after-ms: 0.5"), {})), 1);
  EXPECT_EQ(ms(header_wait(HeaderBlock("retry-after-ms: -5\nretry-after: 4"), {})), 4000);
  EXPECT_EQ(ms(header_wait(HeaderBlock("retry-after: 5s"), {})), 5000);
}

TEST(Waits, R4RetryAfterInSecondsADateOrMillisecondsAbsurdOrNegative) {
  const auto wait = [](const std::string& line) { return ms(header_wait(HeaderBlock(line), kNow)); };
  EXPECT_EQ(wait("retry-after: 20"), 20'000);
  EXPECT_EQ(wait("retry-after: Mon, 02 Mar 2026 10:00:20 GMT"), 20'000);
  EXPECT_EQ(wait("retry-after-ms: 20000"), 20'000);
  EXPECT_EQ(wait("retry-after-ms: 259200000"), 259'200'000) << "three days, and not as so many seconds";
  EXPECT_EQ(wait("retry-after: -20"), kNone);
  EXPECT_EQ(wait("retry-after: Mon, 02 Mar 2026 09:59:40 GMT"), kNone);
}

TEST(Waits, DatesCountFromTheDateHeaderElseFromTheHostsClock) {
  const std::string at = "retry-after: Mon, 02 Mar 2026 10:00:26 GMT\n";
  EXPECT_EQ(ms(header_wait(HeaderBlock(at), {})), kNone);
  EXPECT_EQ(ms(header_wait(HeaderBlock(at), kNow)), 26000);
  EXPECT_EQ(ms(header_wait(HeaderBlock(at + kDate), {})), 26000);
  EXPECT_EQ(ms(header_wait(HeaderBlock(at + kDate), WallTime{0})), 26000);
  EXPECT_EQ(ms(header_wait(HeaderBlock(at), WallTime{kNow.ms + 27000})), kNone);  // past
}

TEST(Waits, OnlyAnExhaustedLimitsResetCounts) {
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

TEST(Waits, ResetsAreSpansMomentsOrDates) {
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

TEST(Waits, TheLargerOfAllThatHeadersSay) {
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

TEST(Waits, SentencesSayHowLong) {
  for (const Case& c :
       {Case{"Rate limit reached. Please try again in 7.66s. Visit us", 7660},
        Case{"Please retry after 20 seconds.", 20000}, Case{"Please retry after 1 second. Please go", 1000},
        Case{"try again in 17ms", 17}, Case{"Please try again in 1h23m45.6s. Need more?", 5025600},
        Case{"Your quota will reset after 1h43m56s.", 6236000}, Case{"resets in ~7s.", 7000},
        Case{"timed out for 60 seconds", 60000}, Case{"触发限流，请1分钟后再试", 60000},
        Case{"请求过于频繁，请30秒后重试", 30000}, Case{"请在 20 秒后重试", 20000},
        Case{"限流中，2分30秒之后恢复", 150000}, Case{"请等待 5 秒再试", 5000},
        Case{"Please try again in 6m0s.", 360000}, Case{"Try again in about 3 minutes", 180000},
        Case{"retry after: 20 s", 20000}, Case{"please retry in 56.185908122s.", 56186}}) {
    EXPECT_EQ(ms(sentence_wait(c.text, {})), c.ms) << c.text;
  }
}

TEST(Waits, SentencesWithoutASpanSayNothing) {
  for (const char* text : {"try again in a few minutes", "Please try again in -3s.", "try again later",
                           "retry after 20", "limit 3 per 20s", "请检查参数", "wait 5 models", ""}) {
    EXPECT_EQ(ms(sentence_wait(text, kNow)), kNone) << text;
  }
}

// kNow is 10:00:00 UTC, 18:00:00 in China.
TEST(Waits, SentencesNameTheMomentOfTheReset) {
  for (const Case& c :
       {Case{"已达到 5 小时的使用上限。您的限额将在 2026-03-02 18:00:41 重置。", 41000},
        Case{"It will reset at 2026-03-02 18:00:41 +0800 CST.", 41000},
        Case{"Your limit resets at 2026-03-02T10:00:41Z.", 41000},
        Case{"limit resets at 2026-03-02T10:00:41.250Z for gpt-4o-2026-08-06", 41000},
        Case{"You will regain access on 2026-04-01 at 00:00 UTC.", 2556000000},
        Case{"available again on 2026-03-03", 50400000},
        Case{"Try again after 2026-03-02T11:00:41+01:00", 41000},
        Case{"It reset at 2026-03-01 00:00:00", kNone},
        Case{"model gpt-4o-2026-08-06 is not available", kNone},
        Case{"will be shut down on 2026-08-06", kNone}, Case{"resets at 2026-13-40 99:99", kNone}}) {
    EXPECT_EQ(ms(sentence_wait(c.text, kNow)), c.ms) << c.text;
    EXPECT_EQ(ms(sentence_wait(c.text, {})), kNone) << c.text;
  }
}

TEST(Waits, MomentsInFieldsAreEpochsOrDates) {
  for (const Case& c :
       {Case{"1772445630", 30000}, Case{"1772445630000", 30000}, Case{"2026-03-02T10:00:41Z", 41000},
        Case{"30", kNone}, Case{"1772445599", kNone}, Case{"", kNone}, Case{"soon", kNone}}) {
    EXPECT_EQ(ms(wait_until(c.text, kNow)), c.ms) << c.text;
  }
}

}  // namespace
}  // namespace shunt::classify
