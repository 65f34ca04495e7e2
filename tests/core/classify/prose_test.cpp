// Prose is what redaction, asked run by run, would leave alone; and it is found where there is any.
#include "classify/prose.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "classify/run.h"
#include "classify/secrets.h"

namespace shunt::classify {
namespace {

constexpr std::string_view kSentence =
    "Rate limit reached: the model is at 30000 tokens, and your limit for TPM is 20000. Ask us for more. ";

// A run as it stands in a sentence: without the punctuation at its end.
void check_run(std::string_view run) {
  while (!run.empty() && std::string_view(".:?#&=").find(run.back()) != std::string_view::npos)
    run.remove_suffix(1);
  std::string shown;
  hide_run(run, kSigns, shown, run.size());
  EXPECT_EQ(shown, run);
  EXPECT_FALSE(names_a_secret(run)) << run;
  EXPECT_NE(to_lower(run), "bearer");
}

void check(const std::string& text) {
  SCOPED_TRACE(text);
  const std::size_t size = prose_size(text);
  ASSERT_LE(size, text.size());
  EXPECT_FALSE(size > 0 && size < text.size() && is_run(text[size - 1]) && is_run(text[size]));
  std::string run;
  for (const char c : text.substr(0, size) + " ") {
    EXPECT_TRUE(c >= ' ' && c <= '~' && std::string_view("\"'`\\").find(c) == std::string_view::npos) << c;
    if (is_run(c)) {
      run += c;
    } else if (!run.empty()) {
      check_run(run);
      run.clear();
    }
  }
}

struct Random {
  std::uint32_t state = 11;
  std::uint32_t below(std::uint32_t bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % bound;
  }
};

TEST(Prose, IsFoundInASentence) {
  const std::string text = std::string(kSentence) + std::string(kSentence);
  EXPECT_EQ(prose_size(text), kSentence.find("tokens"));  // which may name one
  EXPECT_EQ(prose_size("the requests per minute are sk-1234567890 and others behind it"), 28U);
  EXPECT_EQ(prose_size("short"), 0U);
  EXPECT_EQ(prose_size(""), 0U);
}

TEST(Prose, HoldsNothingThatIsHidden) {
  constexpr std::string_view kPieces[] = {"the ",       "Request ",
                                          "limit",      "API ",
                                          "a",          "B",
                                          "7",          "20 ",
                                          ". ",         ".",
                                          ": ",         ":",
                                          ", ",         "(",
                                          ") ",         "; ",
                                          "-",          "_",
                                          "/",          "@",
                                          "=",          "?",
                                          "#",          "'",
                                          "\"",         "\\",
                                          "`",          "\n",
                                          "限",         "key",
                                          "K",          "Token",
                                          "cookie",     "secret",
                                          "Bearer",     "password",
                                          "Signature",  "basic ",
                                          "credential", "z",
                                          "AKIA",       "LTAI",
                                          "eyJ",        "s",
                                          "k",          "AIza",
                                          "ip",         "LOCAL",
                                          "localhost",  "10.0.0.5",
                                          "::",         "abcdefghijklmnop",
                                          "sk",         "0123456789abcdef",
                                          "hf_",        "%",
                                          "  ",         "Authorization"};
  Random random;
  for (int round = 0; round < 40000; ++round) {
    std::string text;
    for (std::uint32_t i = random.below(30); i > 0; --i) {
      text +=
          kPieces[random.below(random.below(2) == 0 ? 4 : static_cast<std::uint32_t>(std::size(kPieces)))];
      if (random.below(3) == 0) text += ' ';
    }
    check(text + std::string(random.below(20), ' '));
    if (HasFailure()) return;
  }
}

// Wherever one stands, in whatever case, no prose goes beyond its beginning.
TEST(Prose, StopsAtEachNameAndEachBeginningOfAKey) {
  for (const char* name : {"key",
                           "token",
                           "secret",
                           "password",
                           "authorization",
                           "signature",
                           "credential",
                           "cookie",
                           "bearer",
                           "localhost",
                           "AIzaSyAbc",
                           "AKIAIOSF",
                           "ASIAIOSF",
                           "AKIDIOSF",
                           "AKLTIOSF",
                           "LTAIIOSF",
                           "ALTAKIOS",
                           "eyJhbGci",
                           "sk-abcde",
                           "r8_abcde",
                           "AQ.abcde",
                           "ya29.abc",
                           "x1y2z3a4b5c6d7e8f9g0"}) {
    for (std::string word : {std::string(name), std::string(name)}) {
      for (int shape = 0; shape < 3; ++shape) {
        for (std::size_t before = 0; before < 40; ++before) {
          const std::string text = std::string(before, 'a').substr(0, before % 9) + std::string(before, ' ') +
                                   word + " and what else there is to be said of it";
          EXPECT_LE(prose_size(text), text.find(word)) << text;
          check(text);
        }
        if (std::string_view(name).find_first_of("-_.123JAI") != std::string_view::npos) break;
        for (char& c : word) c = shape == 0 ? to_lower(c) : static_cast<char>(c & ~0x20);
        if (shape == 0) word[0] = static_cast<char>(word[0] & ~0x20);
      }
    }
  }
}

}  // namespace
}  // namespace shunt::classify
