// A phrase is found exactly where a plain search finds it.
#include "classify/phrase_index.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "base/rng.h"

namespace shunt::classify {
namespace {

std::uint64_t found_in(PhraseIndex& index, std::string_view text) {
  index.close();
  std::array<std::uint64_t, 1> bits{};
  index.find_in(text, bits);
  return bits[0];
}

TEST(PhraseIndex, FindsAPhraseAnywhere) {
  PhraseIndex index(Begins::anywhere);
  ASSERT_TRUE(index.add("per day", 3));
  EXPECT_EQ(found_in(index, "per day"), 1U << 3U);
  EXPECT_EQ(found_in(index, "requests per days"), 1U << 3U);
  EXPECT_EQ(found_in(index, "per da"), 0U);
  EXPECT_EQ(found_in(index, ""), 0U);
}

TEST(PhraseIndex, FindsAPhraseWhereWordsBegin) {
  PhraseIndex index(Begins::at_words);
  ASSERT_TRUE(index.add("spend limit", 0));
  ASSERT_TRUE(index.add("(tpd)", 1));
  ASSERT_TRUE(index.add("敏感", 2));
  ASSERT_TRUE(index.add("qps", 3));
  EXPECT_EQ(found_in(index, "the spend limits"), 1U);
  EXPECT_EQ(found_in(index, "they overspend limits"), 0U);
  EXPECT_EQ(found_in(index, "day(tpd)"), 2U);
  EXPECT_EQ(found_in(index, "x敏感"), 4U);
  EXPECT_EQ(found_in(index, "1qps"), 0U);
  EXPECT_EQ(found_in(index, "max-qps"), 8U);
}

TEST(PhraseIndex, RefusesWhatItCannotFind) {
  PhraseIndex index(Begins::anywhere);
  EXPECT_FALSE(index.add("", 0));
  EXPECT_TRUE(index.add("a", 0));
  EXPECT_TRUE(index.add(std::string(255, 'x'), 1));
  EXPECT_FALSE(index.add(std::string(256, 'x'), 1));
}

// Texts over few characters, so that phrases share their parts, overlap and repeat.
std::string draw_text(std::uint64_t& draw, std::size_t shortest, std::size_t most) {
  std::string text;
  draw = mix64(draw + 1);
  const std::size_t size = shortest + draw % (most - shortest + 1);
  while (text.size() < size) {
    draw = mix64(draw + 1);
    text.push_back("ab \xE5-"[draw % 5]);
  }
  return text;
}

class PhraseIndexOracle : public testing::TestWithParam<Begins> {};

TEST_P(PhraseIndexOracle, AgreesWithAPlainSearch) {
  std::uint64_t draw = 7;
  for (int round = 0; round < 300; ++round) {
    PhraseIndex index(GetParam());
    std::vector<std::string> phrases;
    for (std::uint16_t id = 0; id < 64; ++id) {
      phrases.push_back(draw_text(draw, 1, id % 2 == 0 ? 9 : 24));
      ASSERT_TRUE(index.add(phrases.back(), id));
    }
    for (int look = 0; look < 20; ++look) {
      std::string text = draw_text(draw, 0, 150);
      if (look % 2 == 0)
        text += phrases[draw % phrases.size()] + draw_text(draw, 0, 20);  // long ones stand, too
      std::uint64_t expected = 0;
      for (std::size_t id = 0; id < phrases.size(); ++id) {
        if (stands_in(text, phrases[id], GetParam())) expected |= std::uint64_t{1} << id;
      }
      ASSERT_EQ(found_in(index, text), expected) << text;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Both, PhraseIndexOracle, testing::Values(Begins::anywhere, Begins::at_words));

}  // namespace
}  // namespace shunt::classify
