// Waits: every notation providers use, and nothing from garbage.
#include "classify/waits.h"

#include <gtest/gtest.h>

#include <string>

namespace shunt::classify {
namespace {

constexpr std::int64_t kNone = -1;
constexpr WallTime kNow{1772445600000};  // Mon, 02 Mar 2026 10:00:00 GMT

std::int64_t ms(std::optional<Duration> wait) { return wait ? wait->ms : kNone; }

struct Case {
  const char* text;
  std::int64_t ms;
};

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

TEST(Waits, TheEarlierLeadOfTheListWins) {
  EXPECT_EQ(ms(sentence_wait("please wait 9 s, wait for 8 s, or try again in 7 s", {})), 7000);
  EXPECT_EQ(ms(sentence_wait("Retry After: ~ about at least 5s", {})), 5000);
  EXPECT_EQ(ms(sentence_wait("reset in 3 models, resets in 4 seconds", {})), 4000);
  EXPECT_EQ(ms(sentence_wait("Out of call volume quota. Quota will be replenished in 06:11:23.", {})),
            22283000);
  EXPECT_EQ(ms(sentence_wait("replenished in 06:11", {})), kNone);
}

TEST(Waits, ASpanBeforeItsWordIsAsLongAsItMayBe) {
  for (const Case& c :
       {Case{"1小时 2分 3秒后", 3723000}, Case{"共 7, 1分30秒后重试", 90000}, Case{"1.5秒后", 1500},
        Case{"x1s后", 1000}, Case{"5 分钟之后", 300000}, Case{"1s1后", kNone}, Case{"3 天后后", 259200000},
        Case{"后5秒后", 5000}, Case{"30秒x后", kNone}, Case{"30分x后", kNone}}) {
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
