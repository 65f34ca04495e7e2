// Keys of providers' formats and what announces them, beside words that only look like it.
#include "classify/secrets.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/strings.h"
#include "core/dice.h"

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

// How a run looks, said character by character.
bool slow_long_token(std::string_view run) {
  std::size_t length = 0;
  bool digits = false, letters = false, hex = true;
  for (const char c : run) {
    if (!is_word(c)) {
      length = 0;
      digits = letters = false;
      hex = true;
      continue;
    }
    ++length;
    digits = digits || is_digit(c);
    letters = letters || is_alpha(c);
    hex = hex && (is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'f'));
    if (digits && letters && (length >= 20 || (length >= 16 && hex))) return true;
  }
  return false;
}

bool slow_random(std::string_view run) {
  if (run.size() < 24) return false;
  std::size_t changes = 0, hex = 0, hyphens = 0;
  bool small = false, capital = false, digit = false;
  for (std::size_t at = 0; at < run.size(); ++at) {
    const char c = run[at];
    hex += is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'f') ? 1 : 0;
    hyphens += c == '-' ? 1 : 0;
    if (at + 1 == run.size()) break;
    const char next = run[at + 1];
    small = small || is_small(c);
    capital = capital || is_capital(c);
    digit = digit || is_digit(c);
    const bool inside = at > 0 && is_capital(run[at - 1]);
    changes += (is_digit(c) && is_alpha(next)) || (is_small(c) && (is_digit(next) || is_capital(next))) ||
               (is_capital(c) && (is_digit(next) || (inside && is_small(next))));
  }
  return (small && capital && changes * (digit ? 6 : 5) >= run.size()) ||
         (hex >= 32 && hex + hyphens == run.size());
}

TEST(Secrets, ARunAndEachOfItsRestsLooksAsItDoesCharacterByCharacter) {
  Dice dice(5);
  constexpr std::string_view kAlphabets[] = {"ab1",  "aB", "aB1", "zZ9Xq4", "0123456789abcdef",
                                             "mnop", "-",  "QRS"};
  for (int round = 0; round < 30'000; ++round) {
    std::string run;
    while (run.size() < 60 && dice.below(30) != 0) {
      const std::string_view alphabet = dice.of(kAlphabets);
      for (std::size_t left = dice.below(26); left > 0; --left) run += alphabet[dice.below(alphabet.size())];
      run += "/-_"[dice.below(3)];
    }
    Suspect suspect(run);
    while (true) {
      const std::string_view rest = suspect.run();
      ASSERT_EQ(suspect.is_secret(), rest.size() >= 8 && (slow_long_token(rest) || slow_random(rest)))
          << run << " from " << run.size() - rest.size();
      const std::size_t sign = rest.find('/');
      if (suspect.is_secret() || sign == std::string_view::npos) break;
      suspect.remove_prefix(sign + 1);
    }
  }
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
