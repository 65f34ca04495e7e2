// Rate-limit headers: every notation seen, and nothing from garbage.
#include "admit/limit_headers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/dice.h"

namespace shunt::admit {
namespace {

constexpr WallTime kNow{1772445600000};  // Mon, 02 Mar 2026 10:00:00 GMT
constexpr std::int64_t kDay = 86400000;
constexpr auto kRequests = LimitUnit::requests;
constexpr auto kTokens = LimitUnit::tokens;
constexpr auto kInput = LimitUnit::input_tokens;
constexpr auto kOutput = LimitUnit::output_tokens;

std::vector<SaidLimit> said(std::string_view headers, std::optional<WallTime> wall = kNow) {
  const SaidLimits limits = read_limits(HeaderBlock(headers), wall);
  return {limits.all().begin(), limits.all().end()};
}

using Said = std::vector<SaidLimit>;

TEST(LimitHeaders, OpenAi) {
  EXPECT_EQ(said("x-ratelimit-limit-requests: 500\nx-ratelimit-limit-tokens: 30000\n"
                 "x-ratelimit-remaining-requests: 499\nx-ratelimit-remaining-tokens: 29994\n"
                 "x-ratelimit-reset-requests: 120ms\nx-ratelimit-reset-tokens: 6m0s\n"
                 "x-ratelimit-limit-tokens-usage-based: 9\nx-ratelimit-remaining-tokens_usage_based: 9\n"
                 "x-ratelimit-limit-project-tokens: 9\nx-ratelimit-limit-input-images: 9\n"),
            (Said{{kRequests, 0, 500, 499, 120}, {kTokens, 0, 30000, 29994, 360000}}));
}

TEST(LimitHeaders, ResetsInEveryNotation) {
  struct Case {
    const char* text;
    std::int64_t ms;
  };
  for (const Case& c :
       {Case{"1s", 1000}, Case{"6m0s", 360000}, Case{"7.66s", 7660}, Case{"120ms", 120}, Case{"0s", 0},
        Case{"0", 0}, Case{"7", 7000}, Case{"24481.883708953857", 24481884}, Case{"7.899999999s", 7900},
        Case{"1772445630", 30000}, Case{"1772445630500", 30500}, Case{"2026-03-02T10:00:41Z", 41000},
        Case{"2026-03-02T18:00:41+08:00", 41000}, Case{"Mon, 02 Mar 2026 10:00:05 GMT", 5000},
        // past, absurd, garbage
        Case{"1772445599", kNotSaid}, Case{"2026-03-02T09:59:59Z", kNotSaid}, Case{"-1", kNotSaid},
        Case{"86401", kNotSaid}, Case{"2026-03-04T10:00:00Z", kNotSaid}, Case{"soon", kNotSaid},
        Case{"", kNotSaid}, Case{"1e3", kNotSaid}, Case{"99999999999999999999", kNotSaid}}) {
    const Said one =
        said(std::string("x-ratelimit-remaining-requests: 3\nx-ratelimit-reset-requests: ") + c.text);
    ASSERT_EQ(one.size(), 1U) << c.text;
    EXPECT_EQ(one[0].reset_ms, c.ms) << c.text;
  }
}

TEST(LimitHeaders, MomentsCountFromTheDateHeaderFirst) {
  const char* const kText = "x-ratelimit-remaining: 0\nx-ratelimit-reset: 1772445630\n";
  EXPECT_EQ(said(std::string("date: Mon, 02 Mar 2026 10:00:10 GMT\n") + kText)[0].reset_ms, 20000);
  EXPECT_EQ(said(kText)[0].reset_ms, 30000);
  EXPECT_EQ(said(kText, std::nullopt)[0].reset_ms, kNotSaid);
}

TEST(LimitHeaders, Azure) {
  EXPECT_EQ(said("x-ratelimit-limit-requests: 60\nx-ratelimit-remaining-requests: 59\n"
                 "x-ratelimit-renewalperiod-requests: 60\nx-ratelimit-reset-requests: 500\n"
                 "x-ratelimit-abusepenalty-active: False\nx-ratelimit-key: gpt-5-nano\n"
                 "x-ratelimit-renewalperiod-tokens: 60\nx-ratelimit-remaining-tokens: -1\n"),
            (Said{{kRequests, 60000, 60, 59, 500000}}));
}

TEST(LimitHeaders, Anthropic) {
  EXPECT_EQ(said("date: Mon, 02 Mar 2026 10:00:00 GMT\n"
                 "anthropic-ratelimit-requests-limit: 4000\nanthropic-ratelimit-requests-remaining: 3999\n"
                 "anthropic-ratelimit-requests-reset: 2026-03-02T10:00:01Z\n"
                 "anthropic-ratelimit-tokens-limit: 480000\nanthropic-ratelimit-tokens-remaining: 479000\n"
                 "anthropic-ratelimit-tokens-reset: 2026-03-02T10:00:02Z\n"
                 "anthropic-ratelimit-input-tokens-limit: 400000\n"
                 "anthropic-ratelimit-input-tokens-remaining: 400000\n"
                 "anthropic-ratelimit-input-tokens-reset: 2026-03-02T10:00:00Z\n"
                 "anthropic-ratelimit-output-tokens-limit: 80000\n"
                 "anthropic-ratelimit-output-tokens-remaining: 79000\n"
                 "anthropic-ratelimit-output-tokens-reset: 2026-03-02T10:00:03Z\n"
                 "anthropic-ratelimit-unified-5h-status: allowed\n"),
            (Said{{kRequests, 0, 4000, 3999, 1000},
                  {kTokens, 0, 480000, 479000, 2000},
                  {kInput, 0, 400000, 400000, 0},
                  {kOutput, 0, 80000, 79000, 3000}}));
}

TEST(LimitHeaders, Cerebras) {
  EXPECT_EQ(said("x-ratelimit-limit-requests-day: 1440000\nx-ratelimit-limit-tokens-minute: 1000000\n"
                 "x-ratelimit-remaining-requests-day: 1439998\nx-ratelimit-remaining-tokens-minute: 999583\n"
                 "x-ratelimit-reset-requests-day: 24482.894107818604\n"
                 "x-ratelimit-reset-tokens-minute: 2.8941078186035156\n"),
            (Said{{kRequests, kDay, 1440000, 1439998, 24482895}, {kTokens, 60000, 1000000, 999583, 2895}}));
}

TEST(LimitHeaders, Mistral) {
  EXPECT_EQ(said("ratelimitbysize-limit: 2000000\nratelimitbysize-query-cost: 32013\n"
                 "ratelimitbysize-remaining: 1967987\nratelimitbysize-reset: 21\n"
                 "x-ratelimitbysize-limit-month: 10000000000\nx-ratelimitbysize-remaining-month: 9999679870\n"
                 "x-ratelimit-limit-req-10-second: 60\nx-ratelimit-remaining-req-10-second: 58\n"
                 "x-ratelimit-tokens-query-cost: 86\nx-ratelimit-audio-seconds-query-cost: 3\n"
                 "x-ratelimit-limit-audio-seconds-minute: 7200\n"),
            (Said{{kTokens, 0, 2000000, 1967987, 21000},
                  {kTokens, 31 * kDay, 10000000000, 9999679870, kNotSaid},
                  {kRequests, 10000, 60, 58, kNotSaid}}));
}

TEST(LimitHeaders, FireworksNamesPromptAndGeneratedTokens) {
  EXPECT_EQ(said("x-ratelimit-limit-tokens-prompt: 60000\nx-ratelimit-remaining-tokens-prompt: 59990\n"
                 "x-ratelimit-limit-tokens-generated: 12000\nx-ratelimit-remaining-tokens-generated: 11962\n"
                 "x-ratelimit-remaining-tokens-cache-adjusted-prompt: 1\nx-ratelimit-over-limit: no\n"),
            (Said{{kInput, 0, 60000, 59990, kNotSaid}, {kOutput, 0, 12000, 11962, kNotSaid}}));
}

TEST(LimitHeaders, OthersWithoutAUnitCountRequests) {
  // OpenRouter; Venice; Together; Replicate; Hugging Face
  EXPECT_EQ(said("x-ratelimit-limit: 20\nx-ratelimit-remaining: 0\nx-ratelimit-reset: 1772445660000\n"),
            (Said{{kRequests, 0, 20, 0, 60000}}));
  EXPECT_EQ(said("x-ratelimit-remaining: 99\nx-ratelimit-resets: 1772445630000\n"),
            (Said{{kRequests, 0, kNotSaid, 99, 30000}}));
  EXPECT_EQ(
      said("x-ratelimit: false\nx-ratelimit-limit: 10\nx-ratelimit-remaining: 19\nx-ratelimit-reset: 2\n"),
      (Said{{kRequests, 0, 10, 19, 2000}}));
  EXPECT_EQ(said("ratelimit-remaining: 599\nratelimit-reset: 1\n"),
            (Said{{kRequests, 0, kNotSaid, 599, 1000}}));
  EXPECT_EQ(said("x-ratelimit-limit-minute: 400\nx-ratelimit-remaining-minute: 399\n"
                 "x-ratelimit-remaining-tokens-day: 9223372036854767616\n"),
            (Said{{kRequests, 60000, 400, 399, kNotSaid}}));
}

TEST(LimitHeaders, Cohere) {
  EXPECT_EQ(said("x-endpoint-monthly-call-limit: 1000\nx-trial-endpoint-call-limit: 20\n"
                 "x-trial-endpoint-call-remaining: 6\n"),
            (Said{{kRequests, 31 * kDay, 1000, kNotSaid, kNotSaid}, {kRequests, 60000, 20, 6, kNotSaid}}));
}

TEST(LimitHeaders, TheDraftOfTheIetf) {
  EXPECT_EQ(said("ratelimit-limit: 100, 100;w=60\nratelimit-remaining: 50\nratelimit-reset: 5\n"),
            (Said{{kRequests, 0, 100, 50, 5000}}));
  EXPECT_EQ(said("ratelimit: limit=100, remaining=50, reset=5\n"), (Said{{kRequests, 0, 100, 50, 5000}}));
  EXPECT_EQ(said("ratelimit-policy: \"default\";q=100;w=60\nratelimit: \"default\";r=50;t=30\n"),
            (Said{{kRequests, 60000, 100, 50, 30000}}));
  EXPECT_EQ(said("ratelimit: \"burst\";r=5;t=1, \"daily\";r=900;t=7000, \"size\";r=1;t=1\n"
                 "ratelimit-policy: \"burst\";q=10;w=1, \"daily\";q=1000;w=86400, "
                 "\"size\";q=9;qu=\"content-bytes\";w=60\n"),
            (Said{{kRequests, 1000, 10, 5, 1000}, {kRequests, kDay, 1000, 900, 7000000}}));
}

TEST(LimitHeaders, TheFirstOfTwoStands) {
  EXPECT_EQ(said("x-ratelimit-remaining-requests: 7\nx-ratelimit-remaining: 9\n"),
            (Said{{kRequests, 0, kNotSaid, 7, kNotSaid}}));
}

TEST(LimitHeaders, AnyBytesGiveNothingOutOfRange) {
  constexpr std::string_view kPieces[] = {"x-ratelimit-",
                                          "ratelimit",
                                          "ratelimit-policy",
                                          "-limit",
                                          "-remaining",
                                          "-reset",
                                          "-requests",
                                          "-tokens",
                                          "-minute",
                                          "-day",
                                          "-10",
                                          "-month",
                                          "-second",
                                          ": ",
                                          "\n",
                                          "\"a\"",
                                          ";r=",
                                          ";t=",
                                          ";q=",
                                          ";w=",
                                          ",",
                                          "99999999999999",
                                          "9223372036854775807",
                                          "18446744073709551615",
                                          "-1",
                                          "1772445630",
                                          "1772445630000",
                                          "6m0s",
                                          "2026-03-02T10:00:41Z",
                                          "date: ",
                                          "1e9",
                                          "0",
                                          "=",
                                          "anthropic-ratelimit-",
                                          "-input",
                                          "\xff\x80"};
  constexpr std::string_view kSeeds[] = {
      "x-ratelimit-remaining-requests: 3\nx-ratelimit-reset-requests: 120ms\nx-ratelimit-limit-requests: 9\n",
      "ratelimit-policy: \"default\";q=100;w=60\nratelimit: \"default\";r=50;t=30\n"};
  Dice dice(7);
  for (int round = 0; round < 30000; ++round) {
    const std::string text = mutated(std::string(dice.of(kSeeds)), dice, 9, kPieces, kSeeds);
    const std::int64_t walls[] = {0, 1772445600000, -5, INT64_MAX, INT64_MIN};
    const auto limits = said(text, WallTime{dice.of(walls)});
    ASSERT_LE(limits.size(), kSaidLimits);
    for (const SaidLimit& one : limits) {
      ASSERT_TRUE(one.limit >= kNotSaid && one.limit <= kMostCounted) << text;
      ASSERT_TRUE(one.remaining >= kNotSaid && one.remaining <= kMostCounted) << text;
      ASSERT_TRUE(one.reset_ms >= kNotSaid && one.reset_ms <= 32 * kDay) << text;
      ASSERT_TRUE(one.window_ms >= 0 && one.window_ms <= 31 * kDay) << text;
    }
  }
}

}  // namespace
}  // namespace shunt::admit
