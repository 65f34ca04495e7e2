// Any bytes give a verdict: seeded mutations of every provider's envelopes, of headers and faults.
// SHUNT_FUZZ_RUNS sets how many; the default is short.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "classify/messages.h"
#include "classify/redact.h"
#include "core/fuzz.h"
#include "judged.h"

namespace shunt::classify {
namespace {

constexpr std::string_view kSeeds[] = {
    R"({"error":{"message":"Rate limit reached. Please try again in 7.66s.","type":"requests","code":"rate_limit"}})",
    R"({"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"x","retryDelay":"34s"},{"reason":"r"}]}})",
    R"({"base_resp":{"status_code":1002,"status_msg":"请求频率超限"}})",
    R"({"Response":{"Error":{"Code":"LimitExceeded","Message":"请在 2026-11-30 08:00:00 后重试"},"RequestId":"x"}})",
    R"({"code":"x","message":"{\"error\":{\"message\":\"{\\\"code\\\":400}\"}}"})",
    R"([{"error":{"code":400,"message":"API key not valid","errors":["a",{"msg":"b"}]}}])",
    "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\ndata: [DONE]\n\n",
    "<!doctype html><html><head><title>502</title><script>x</script></head><body>cloudflare</body></html>",
    std::string_view("\0\0\0\x2C\0\0\0\x1A"
                     "crc1\x0d:message-type\x07\0\x09"
                     "exception{}crc2",
                     44),
    R"({"choices":[{"finish_reason":"content_filter","message":{"content":""}}],"failReason":"敏感"})",
    "upstream said: 'sk-abc' \"open 10.0.0.1 a@b.c https://u:p@h/?sig=1",
    R"({"detail":[{"loc":["body"],"msg":"field required"}],"Success":false,"task_status_msg":"x"})",
};
constexpr std::string_view kPieces[] = {
    "{",        "}",     "[",     "]",          "\"",    "\\", "\\u0000", "\\ud800", "\xFF",
    "\xE9\x99", "null",  "1e999", "\"error\":", "data:", "<",  "\n",      "2026-",   "99999999999999999999",
    "后",       "in 5h", "=429",  "'",          "://"};
constexpr int kStatuses[] = {-1, 0, 200, 204, 302, 400, 401, 403, 404, 413, 429, 499, 500, 503, 529, 999};
constexpr std::string_view kHeaders[] = {"", "retry-after: 5", "retry-after: \xFF-1e9",
                                         "x-ratelimit-reset: 9\nbad",
                                         "date: x\nretry-after-ms: 99999999999999999999"};

constexpr std::string_view kProviders[] = {"",      "openai",     "gemini", "minimax",
                                           "zhipu", "openrouter", "one-api"};

std::string mutated(Dice& dice) {
  std::string body(dice.of(kSeeds));
  return shunt::mutated(std::move(body), dice, 8, kPieces, kSeeds);
}

TEST(Fuzz, AnyBytesGiveAVerdict) {
  fuzz_runs("failures", 20000, [](Dice& dice) {
    const std::string body = mutated(dice);
    const std::string text = mutated(dice);
    Evidence evidence;
    evidence.status = dice.of(kStatuses);
    evidence.provider = dice.of(kProviders);
    evidence.headers = HeaderBlock(dice.of(kHeaders));
    evidence.body = body;
    evidence.body_cut = dice.below(2) == 0;
    evidence.told_error = dice.below(2) == 0;
    evidence.fault = static_cast<TransportFault>(dice.below(13));
    evidence.fault_text = text;
    evidence.wall = WallTime{1772445600000};
    const Verdict verdict = judged(evidence);
    ASSERT_FALSE(verdict.rule.empty());
    ASSERT_LE(verdict.message.size(), kShownBytes);
    ASSERT_TRUE(valid_utf8(verdict.message)) << body;
    ASSERT_EQ(verdict.message.find('\n'), std::string::npos);
    ASSERT_TRUE(!verdict.retry_after || verdict.retry_after->ms >= 0);
    ASSERT_FALSE(user_message(verdict, static_cast<Medium>(dice.below(4))).zh.empty());
    ASSERT_EQ(judged(evidence), verdict);
  });
}

}  // namespace
}  // namespace shunt::classify
