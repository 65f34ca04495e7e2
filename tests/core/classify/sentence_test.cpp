// What rules look into: the sentence without what is quoted, and names of quotas as words.
#include "classify/sentence.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "core/dice.h"

namespace shunt::classify {
namespace {

TEST(Sentence, QuotedPartsAndCaseAreTakenOut) {
  EXPECT_EQ(sentence_of("Model 'x 429' not\n  FOUND"), "model # not found");
  EXPECT_EQ(sentence_of("got \"rate limit\" for `overloaded`"), "got # for #");
  EXPECT_EQ(sentence_of("your account's limit isn't it"), "your account's limit isn't it");
  EXPECT_EQ(sentence_of("open \"end"), "open \"end");
  EXPECT_LE(sentence_of(std::string(5000, 'a')).size(), 1024U);
}

TEST(Sentence, BlanksAreFolded) {
  EXPECT_EQ(sentence_of("  a \t\r\n b  c"), "a b c");
  EXPECT_EQ(sentence_of("\n\n"), "");
}

// One character after the other.
std::string slow_sentence(std::string_view message) {
  std::string out;
  for (std::size_t at = 0; at < message.size(); ++at) {
    const char c = message[at];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      if (!out.empty() && out.back() != ' ') out += ' ';
      continue;
    }
    const bool inside = c == '\'' && !out.empty() && (is_alpha(out.back()) || is_digit(out.back()));
    const bool quote = c == '"' || c == '`' || (c == '\'' && !inside);
    const std::size_t end = quote ? message.find(c, at + 1) : std::string_view::npos;
    out += end == std::string_view::npos ? to_lower(c) : '#';
    if (end != std::string_view::npos) at = end;
  }
  return out;
}

TEST(Sentence, IsReadAsOneCharacterAfterTheOther) {
  Dice dice(1);
  for (int run = 0; run < 200'000; ++run) {
    std::string text;
    const bool plain = dice.once_in(2);
    for (std::size_t left = dice.below(70); left > 0; --left)
      text += plain && !dice.once_in(8) ? 'x' : "  \t\n\"`'aB1.\x80"[dice.below(12)];
    ASSERT_EQ(sentence_of(text), slow_sentence(text)) << text;
  }
}

TEST(Sentence, NamesOfQuotasAreTakenApart) {
  Reading reading;
  reading.message = "Quota exceeded.";
  reading.quota = "GenerateRequestsPerDayPerProject-FreeTier RPM";
  EXPECT_EQ(matched_text(reading), "quota exceeded. generate requests per day per project-free tier rpm");
}

TEST(Sentence, AStatusIsANumberThatIsNamedSo) {
  EXPECT_EQ(named_status("upstream returned status 429"), 429);
  EXPECT_EQ(named_status("status_code=503, try later"), 503);
  EXPECT_EQ(named_status("error from provider: http (429)"), 429);
  EXPECT_EQ(named_status("error 502: upstream returned 429 of 500 calls"), 429);
  EXPECT_EQ(named_status("error code: 1015"), 0);
  EXPECT_EQ(named_status("status 200, 429 rows"), 0);
  EXPECT_EQ(named_status("429 too many"), 0);
  EXPECT_EQ(named_status("status4291"), 0);
  EXPECT_EQ(named_status(""), 0);
}

}  // namespace
}  // namespace shunt::classify
