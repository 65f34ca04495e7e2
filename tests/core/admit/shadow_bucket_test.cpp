// One limit's shadow: windows, flowing limits, and who else draws on them.
#include "admit/shadow_bucket.h"

#include <gtest/gtest.h>

namespace shunt::admit {
namespace {

SaidLimit requests(std::int64_t limit, std::int64_t remaining, std::int64_t reset_ms) {
  return {LimitUnit::requests, 0, limit, remaining, reset_ms};
}

// A bucket and all that was sent.
struct Bench {
  SentMark sent;
  Recent recent;
  ShadowBucket bucket;

  explicit Bench(const SaidLimit& said) {
    const SentMark call = call_at(0);
    bucket = ShadowBucket(said, call, sent, {0});
  }
  SentMark call_at(std::int64_t ms) {
    bucket.roll(sent, {ms});
    recent.add({ms}, 1);
    ++sent.requests;
    sent.at = {ms};
    return sent;
  }
  void hear(const SaidLimit& said, const SentMark& call, std::int64_t now) {
    bucket.hear(said, call, sent, recent, {now});
  }
  std::int64_t until(std::int64_t now) const { return bucket.view(1, sent, recent, {now}).until.ms; }
};

TEST(ShadowBucket, AWindowIsFullAgainAtItsEndAndNotBefore) {
  Bench bench(requests(100, 0, 30000));
  EXPECT_EQ(bench.until(1), 30000);
  EXPECT_EQ(bench.until(29999), 30000);
  EXPECT_EQ(bench.until(30000), 30000);
  EXPECT_EQ(bench.bucket.view(1, bench.sent, bench.recent, {30000}).share_left_micros, 1000000);
}

TEST(ShadowBucket, ABucketThatSaysWhenItIsFullFlows) {
  // 500 a minute, 250 used: full in 30 s. The calls of a minute ago come back one by one.
  Bench bench(requests(500, 250, 30000));
  for (int i = 0; i < 60; ++i) {
    const SentMark call = bench.call_at(1000 + i * 1000);
    bench.hear(requests(500, 0, 60000), call, 1000 + i * 1000);
  }
  EXPECT_GT(bench.until(60500), 60500);
  EXPECT_LE(bench.until(60500), 64000);  // not the minute until it is full
}

TEST(ShadowBucket, AnEndAfterWhichItIsNotFullWasNone) {
  Bench bench(requests(100, 0, 1000));
  for (int i = 0; i < 3; ++i) bench.call_at(1100);
  bench.hear(requests(100, 0, 300), bench.call_at(1100), 1200);
  EXPECT_EQ(bench.until(1600), 1600);  // one call tries
  bench.call_at(1600);
  EXPECT_GT(bench.until(1600), 1600);  // a window would be full since 1,500
}

TEST(ShadowBucket, OthersThatDrawOnItAreCounted) {
  Bench bench(requests(1000, 1000, 60000));
  bench.call_at(60000);
  // Each of ours costs four: three others do the same.
  for (int i = 1; i <= 40; ++i) {
    const SentMark call = bench.call_at(60000 + i * 100);
    bench.hear(requests(1000, 1000 - 4 * (i + 1), 60000 - i * 100), call, 60000 + i * 100);
  }
  const SentMark call = bench.call_at(65000);
  bench.hear(requests(1000, 12, 55000), call, 65000);
  bench.call_at(65001);
  bench.call_at(65001);
  EXPECT_GT(bench.until(65001), 65001);  // about four are left, and all four see them
}

TEST(ShadowBucket, AtOnceOnlyAPartBeforeAnAnswerTells) {
  Bench bench(requests(800, 800, 60000));
  for (int i = 0; i < 400; ++i) bench.call_at(1);
  EXPECT_EQ(bench.until(1), 2001);
  EXPECT_EQ(bench.until(2001), 2001);  // nobody answered, and nobody is waited for
}

TEST(ShadowBucket, ACallLargerThanTheLimitIsTheProvidersToRefuse) {
  Bench bench(requests(10, 10, 60000));
  const auto view = bench.bucket.view(50, bench.sent, bench.recent, {60000});
  EXPECT_EQ(view.until, Instant{60000});
  const SaidLimit tokens{LimitUnit::tokens, 0, 1000, 1000, 60000};
  const ShadowBucket bucket(tokens, bench.sent, bench.sent, {0});
  EXPECT_EQ(bucket.view(1000, bench.sent, bench.recent, {10}).until, Instant{10});
}

}  // namespace
}  // namespace shunt::admit
