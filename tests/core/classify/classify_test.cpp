// Verdicts: the order of evidence, exposure, waits, and the product's decisions on contested labels.
#include "judged.h"

#include <gtest/gtest.h>

#include <string>

#include "base/rng.h"

namespace shunt::classify {
namespace {

Verdict reply(int status, std::string_view body, std::string_view headers = "",
              std::string_view provider = "") {
  Evidence evidence;
  evidence.status = status;
  evidence.body = body;
  evidence.headers = HeaderBlock(headers);
  evidence.provider = provider;
  return judged(evidence);
}

Verdict broken(TransportFault fault, std::string_view text = "", int status = 0) {
  Evidence evidence;
  evidence.fault = fault;
  evidence.fault_text = text;
  evidence.status = status;
  return judged(evidence);
}

// Prompts, names and numbers are echoed in errors: none of these is a limit, an overload or a content
// refusal.
TEST(Classify, EchoesDoNotDecide) {
  for (
      const char* body : {
          R"({"error":{"type":"invalid_request_error","message":"tool_use_id: unknown id 'toolu_429_rate_limit_error'"}})",
          R"({"error":{"type":"invalid_request_error","code":"invalid_value","message":"Invalid 'tier': 'overloaded'"}})",
          R"({"error":{"type":"invalid_request_error","message":"invalid type: string \"explain 429 Too Many Requests\" at line 1"}})",
          R"({"message":"Malformed input: found String 'ThrottlingException: Too many requests', please reformat"})",
          R"({"error":{"code":"invalid_value","message":"'moderation' must be one of 'auto' or 'low'"}})",
          R"({"error":{"type":"invalid_request_error","message":"`frequency_penalty` must be <= 2"}})",
          R"({"detail":[{"loc":["body"],"msg":"Input should be a string","type":"string_type","input":"insufficient_quota"}]})",
      }) {
    const Verdict verdict = reply(400, body);
    EXPECT_EQ(verdict.error_class, ErrorClass::invalid_request) << body << verdict.rule;
    EXPECT_EQ(verdict.penalty, Penalty::none) << body;
  }
}

TEST(Classify, MachineFieldsComeBeforeTheStatus) {
  EXPECT_EQ(reply(500, R"({"error":{"code":"content_policy_violation","message":"no"}})").error_class,
            ErrorClass::content_policy);
  EXPECT_EQ(reply(429, R"({"error":{"code":"invalid_api_key","message":"no"}})").error_class,
            ErrorClass::auth_failure);
  EXPECT_EQ(reply(400, R"({"error":{"code":"rate_limit_exceeded","message":"no"}})").error_class,
            ErrorClass::rate_limited);
  EXPECT_EQ(reply(200, R"({"error":{"code":"insufficient_quota","message":"no"}})").error_class,
            ErrorClass::quota_insufficient);
}

TEST(Classify, SaturationOfTheServerIsTemporaryWhateverTheStatus) {
  for (const int status : {400, 429, 503, 529}) {
    const Verdict verdict = reply(status, R"({"error":{"type":"overloaded_error","message":"Overloaded"}})");
    EXPECT_EQ(verdict.error_class, ErrorClass::temporary) << status;
    EXPECT_EQ(verdict.sub, "overloaded") << status;
  }
}

TEST(Classify, LongWindowsAreQuotaEvenAs429) {
  const Verdict verdict = reply(
      429,
      R"({"error":{"code":"rate_limit_exceeded","message":"Limit on tokens per day (TPD): try again in 7m12s"}})");
  EXPECT_EQ(verdict.error_class, ErrorClass::quota_insufficient);
  EXPECT_EQ(verdict.penalty, Penalty::long_);
  EXPECT_EQ(verdict.retry_after, seconds(432));
}

TEST(Classify, ContextLengthMaySwitchAndOneOversizedRequestMayNotWait) {
  const Verdict context = reply(400, R"({"error":{"code":"context_length_exceeded","message":"too long"}})");
  EXPECT_EQ(context.error_class, ErrorClass::invalid_request);
  EXPECT_TRUE(context.switch_provider);
  EXPECT_FALSE(context.retry_same);
  const Verdict oversized =
      reply(429, R"({"error":{"message":"Request too large for m on tokens per min: 3"}})");
  EXPECT_EQ(oversized.sub, "request_too_large_tpm");
  EXPECT_FALSE(oversized.retry_same);
  EXPECT_TRUE(oversized.switch_provider);
  EXPECT_EQ(oversized.penalty, Penalty::none);
}

TEST(Classify, EdgesInFrontOfAProviderAreTemporaryAndOfTheProvider) {
  for (const int status : {502, 520, 521, 522, 525, 530}) {
    const Verdict verdict = reply(status, "<html><title>down</title></html>");
    EXPECT_EQ(verdict.error_class, ErrorClass::temporary) << status;
    EXPECT_EQ(verdict.scope, Scope::provider) << status;
  }
}

TEST(Classify, ChallengesAreAuthFailures) {
  EXPECT_EQ(reply(403, "<html><title>x</title></html>", "cf-mitigated: challenge").error_class,
            ErrorClass::auth_failure);
}

TEST(Classify, EmptyAnswersAreSilentOrContentless) {
  EXPECT_EQ(reply(200, "").error_class, ErrorClass::external_network);
  EXPECT_EQ(reply(200, "\n\n\n").error_class, ErrorClass::external_network);
  EXPECT_EQ(reply(200, R"({"choices":[{"message":{"content":"hel)").sub, "truncated");
  const Verdict empty = reply(200, R"({"choices":[]})");
  EXPECT_EQ(empty.error_class, ErrorClass::empty_content);
  EXPECT_EQ(empty.penalty, Penalty::none);
  EXPECT_TRUE(empty.switch_provider);
}

// The value of a stream event's or a body's `error` member, handed in alone.
TEST(Classify, AnErrorToldInsideA200IsOneWhateverItsWords) {
  for (const char* body :
       {R"({"message":"boom","type":"server_error"})", R"({"message":"boom"})", "boom", "{}", ""}) {
    Evidence evidence;
    evidence.status = 200;
    evidence.body = body;
    evidence.told_error = true;
    const Verdict verdict = judged(evidence);
    EXPECT_NE(verdict.error_class, ErrorClass::empty_content) << body;
    EXPECT_NE(verdict.penalty, Penalty::none) << body;
  }
}

TEST(Classify, OwnLimitsAndAbortsSayNothingAboutTheLine) {
  for (const TransportFault fault :
       {TransportFault::own_limit, TransportFault::own_abort, TransportFault::proxy}) {
    const Verdict verdict = broken(fault);
    EXPECT_EQ(verdict.scope, Scope::own_host) << name_of(fault);
    EXPECT_EQ(verdict.penalty, Penalty::none) << name_of(fault);
  }
}

TEST(Classify, ExposureFollowsHowFarItGot) {
  for (const TransportFault fault :
       {TransportFault::dns, TransportFault::refused, TransportFault::connect_timeout, TransportFault::tls}) {
    EXPECT_EQ(broken(fault).exposure, Exposure::not_sent) << name_of(fault);
  }
  for (const TransportFault fault :
       {TransportFault::reset, TransportFault::response_timeout, TransportFault::protocol,
        TransportFault::truncated, TransportFault::other}) {
    EXPECT_EQ(broken(fault).exposure, Exposure::maybe_executed) << name_of(fault);
  }
  EXPECT_EQ(broken(TransportFault::reset, "", 200).exposure, Exposure::maybe_executed);
  EXPECT_EQ(reply(429, "").exposure, Exposure::rejected);
  EXPECT_EQ(reply(500, "").exposure, Exposure::rejected);
  EXPECT_EQ(reply(504, "").exposure, Exposure::maybe_executed);
  EXPECT_EQ(reply(200, R"({"base_resp":{"status_code":1008,"status_msg":"x"}})").exposure,
            Exposure::rejected);
  EXPECT_EQ(reply(200, "data: {\"error\":{\"message\":\"x\"}}\n\n").exposure, Exposure::maybe_executed);
  Evidence evidence;
  evidence.status = 200;
  evidence.fault = TransportFault::reset;
  evidence.content_delivered = true;
  EXPECT_EQ(judged(evidence).exposure, Exposure::partially_delivered);
}

TEST(Classify, WaitsComeFromErrorsOnly) {
  EXPECT_EQ(reply(429, R"({"error":{"message":"Please try again in 20s."}})", "retry-after: 1").retry_after,
            seconds(20));
  EXPECT_EQ(reply(429, "", "retry-after: 30").retry_after, seconds(30));
  EXPECT_EQ(reply(200, R"({"choices":[]})", "retry-after: 30").retry_after, std::nullopt);
  EXPECT_EQ(reply(429, "", "x-ratelimit-reset-requests: 2s").retry_after, seconds(2));
  EXPECT_EQ(reply(503, "", "x-ratelimit-reset-requests: 2s").retry_after, std::nullopt);
  EXPECT_EQ(broken(TransportFault::reset, "try again in 5s").retry_after, std::nullopt);
}

TEST(Classify, AProvidersNoIsANo) {
  EXPECT_TRUE(reply(500, R"({"error":{"type":"server_error"}})").retry_same);
  EXPECT_FALSE(reply(500, R"({"error":{"type":"server_error"}})", "x-should-retry: false").retry_same);
}

TEST(Classify, MessagesAreRedacted) {
  const Verdict verdict =
      reply(401, R"({"error":{"message":"Incorrect API key provided: sk-abcdef123456, mail a@b.co"}})");
  EXPECT_EQ(verdict.message, "Incorrect API key provided: [key], mail [email]");
  EXPECT_EQ(broken(TransportFault::dns, "lookup secret.internal").message, "");
}

// Any bytes give a verdict, and the same bytes the same one.
TEST(Classify, IsTotal) {
  constexpr std::string_view kPieces[] = {"{",
                                          "}",
                                          "[",
                                          "]",
                                          "\"",
                                          ":",
                                          ",",
                                          "error",
                                          "code",
                                          "message",
                                          "\\u00",
                                          "data: ",
                                          "\n",
                                          "429",
                                          "<html>",
                                          "\xE9",
                                          "null",
                                          "{\"error\":",
                                          "\"type\":\"error\"",
                                          "try again in 5s"};
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    std::string body;
    for (std::uint64_t i = 0; i < seed % 24; ++i) body += kPieces[draw_below(seed, Draw::route, i, 20)];
    const int status = static_cast<int>(draw_below(seed, Draw::route, 99, 620));
    const Verdict verdict = reply(status, body, body);
    ASSERT_FALSE(verdict.rule.empty()) << body;
    ASSERT_EQ(verdict, reply(status, body, body));
  }
}

}  // namespace
}  // namespace shunt::classify
