// Keys of providers' formats and what announces them, beside words that only look like it.
#include "classify/secrets.h"

#include <gtest/gtest.h>

namespace shunt::classify {
namespace {

TEST(Secrets, KeysAreKnownByTheirBeginnings) {
  for (const char* run : {"sk-abcdefgh", "sk-proj-x1y2", "gsk_abcdef", "AIzaSyA123", "xai-12345",
                          "AKIAEXAMPLE7", "https%3A%2F%2Fsk-abcdefgh", "x/sk-abcdefgh", "eyJhbGci.x"})
    EXPECT_TRUE(is_secret(run)) << run;
}

TEST(Secrets, KeysAreKnownByHowTheyLook) {
  for (const char* run : {"0123456789abcdef", "a1b2c3d4e5f6g7h8i9j0", "123e4567-e89b-12d3-a456-426614174000",
                          "aB3/xY9+Qw2-Lk8_Zt5vNm1Hg7"})
    EXPECT_TRUE(is_secret(run)) << run;
}

TEST(Secrets, WordsAndNamesAreNone) {
  for (const char* run :
       {"sk-1", "task-scheduler", "gpt-4o-2024-08-06", "GenerateRequestsPerDayPerProject",
        "Qwen3-235B-A22B-Instruct-2507-FP8", "1234567890123456", "claude-sonnet-4-5", "disk-usage"})
    EXPECT_FALSE(is_secret(run)) << run;
}

TEST(Secrets, NamesAnnounceThem) {
  for (const char* name :
       {"key", "API_KEY", "x-api-key", "access_token", "Authorization", "secretId", "Set-Cookie"})
    EXPECT_TRUE(names_a_secret(name)) << name;
  for (const char* name : {"max_tokens", "tokens", "kyle", "message", ""})
    EXPECT_FALSE(names_a_secret(name)) << name;
}

}  // namespace
}  // namespace shunt::classify
