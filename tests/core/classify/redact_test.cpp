// Redaction: what must never be shown, and what must stay readable.
#include "classify/redact.h"

#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"

namespace shunt::classify {
namespace {

struct Case {
  const char* given;
  const char* shown;
};

TEST(Redact, HidesKeysPeopleAndMachines) {
  for (const Case& c : {
           Case{"Incorrect API key provided: sk-proj-abc123DEF456.", "Incorrect API key provided: [key]."},
           Case{"key sk-****************AbCd is bad", "key [key] is bad"},
           Case{"Consumer 'api_key:AIzaSyD-0123456789abcdef' suspended",
                "Consumer 'api_key:[key]' suspended"},
           Case{"sent Authorization: Bearer abcdef", "sent Authorization: Bearer [key]"},
           Case{"token=abc&x", "token=[key]"},
           Case{"in organization org-4kq0Zt1nYw8vJpLr2sXb on", "in organization [key] on"},
           Case{"id 9f86d081884c7d659a2feaa0c55ad015 gone", "id [key] gone"},
           Case{"jwt eyJhbGciOiJIUzI1NiJ9.e30.x", "jwt [key]"},
           Case{"mail ops@example.com now", "mail [email] now"},
           Case{"dial tcp 10.0.0.5:8000: refused", "dial tcp [host]: refused"},
           Case{"lookup api.svc.cluster.local on 127.0.0.11:53", "lookup [host] on [host]"},
           Case{"http://localhost:11434/api failed", "http://[host]/api failed"},
           Case{"host fe80::1 and 2001:db8:0:0:0:0:0:1", "host [host] and [host]"},
           Case{"see https://u:p@example.com/a?key=1#f.", "see https://example.com/a."},
           Case{"当前 ip：203.0.113.7 不可用", "当前 ip：[host] 不可用"},
           Case{"key 0b8e3a52-1c4d-4e5f-8a9b-0c1d2e3f4a5b off", "key [key] off"},
           Case{"secret: Hunter2 and \"api_key\": \"Ab1\"", "secret: [key] and \"api_key\": \"[key]\""},
           Case{"at cdn.example.com/a.png?x=1&sig=ab", "at cdn.example.com/a.png"},
           Case{"http://vllm-0:8000/v1 or tcp/10.0.0.5:80", "http://[host]/v1 or tcp/[host]:80"},
           Case{"10.0.0.5:8000->10.0.0.6:443: reset", "[host]>[host]: reset"},
           Case{"text 'a red cat' and \"一只猫\" in `nude`", "text '…' and \"…\" in `nude`"},
           Case{"cut: {\"prompt\": \"a red", "cut: {\"prompt\": \"…"},
       }) {
    EXPECT_EQ(redacted(c.given), c.shown);
  }
}

TEST(Redact, LeavesSentencesModelsAndNumbersAlone) {
  for (const char* text : {
           "The model `claude-3-5-sonnet-20241022` does not exist.",
           "Rate limit reached for llama-3.3-70b-versatile on tokens per day (TPD): Limit 100000, Used "
           "99800.",
           "Please try again in 6m54.72s. Visit https://console.groq.com/docs/rate-limits for more.",
           "您的账户已达到速率限制，请您控制请求频率",
           "max_tokens: 65536 is too large (code 1305)",
           "max_tokens=65536 but 4096 is the most",
           "your Basic plan allows 5 images; the bearer token is invalid",
           "Invalid API key: please check it",
           "no model 'Qwen3-235B-A22B-Instruct-2507-FP8' or meta-llama/Llama-3.3-70B-Instruct-Turbo",
           "accounts/fireworks/models/llama-v3p1-405b-instruct is cold",
           "Quota exceeded: GenerateRequestsPerDayPerProjectPerModel-FreeTier",
           "InputImageSensitiveContentDetected.PolicyViolation in organisation's project",
           "",
       }) {
    EXPECT_EQ(redacted(text), text);
  }
}

TEST(Redact, IsBoundedAndEndsOnAWholeCharacter) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "限";
  const std::string shown = redacted(text);
  EXPECT_LE(shown.size(), kShownBytes);
  EXPECT_EQ(shown.size() % 3, 0U);
  EXPECT_TRUE(shown.ends_with("…"));
  EXPECT_LE(redacted(std::string(100000, 'a')).size(), kShownBytes);
}

// Where most is hidden, reading ends before 300 bytes are shown: there, too, behind a whole character.
TEST(Redact, EndsOnAWholeCharacterWhereReadingEnds) {
  for (std::size_t prompt = 1190; prompt < 1202; ++prompt) {
    const std::string shown = redacted("'a " + std::string(prompt, 'b') + "' " + "限限限限限限限限限限");
    EXPECT_TRUE(valid_utf8(shown)) << prompt;
  }
}

TEST(Redact, IllFormedBytesBecomeOneReplacementEach) {
  EXPECT_EQ(redacted("a\xFF b \xE8\xAF c"), "a\xEF\xBF\xBD b \xEF\xBF\xBD c");
}

TEST(Redact, AnApostropheThatClosesNothingHidesNothing) {
  EXPECT_EQ(redacted("the 'a of 'b and 'c"), "the 'a of 'b and 'c");
  EXPECT_EQ(redacted("the 'a of b' and 'c"), "the '…' and 'c");
  EXPECT_EQ(redacted("the 'a' of 'b c' and 'd"), "the 'a' of '…' and 'd");
}

// Of a run that is longer than a line, the rest is no run of its own.
TEST(Redact, TheRestOfALongRunIsNotShown) {
  std::string random;
  for (unsigned i = 0; random.size() < 390; i += 7) random += "aK3xQ9zLm2"[i % 10];
  EXPECT_EQ(redacted("is " + random + ":c/d.e next"), "is [key]:c/d.e next");
  for (std::size_t more = 10; more < 600; ++more)
    EXPECT_EQ(redacted("is " + random + std::string(more, 'b') + ":c/d.e next"), "is [key] next") << more;
  const std::string names(390, 'n');
  for (std::size_t more = 0; more < 60; ++more) {
    EXPECT_EQ(redacted("a " + random + std::string(more, ':') + "sk-0123456789 b").find("sk-"),
              std::string::npos);
    EXPECT_TRUE(redacted("a " + names + std::string(more, ':') + "sk-0123456789 b").starts_with("a nnn"));
  }
}

TEST(Redact, ControlCharactersBecomeSpaces) {
  EXPECT_EQ(redacted("a\r\nb\x01"
                     "c"),
            "a  b c");
}

}  // namespace
}  // namespace shunt::classify
