// A book decides as its rows do when they are asked one by one.
#include "classify/rule_book.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "base/strings.h"

namespace shunt::classify {
namespace {

std::string_view first_of(std::vector<Rules> tables, const Question& question,
                          Begins says = Begins::at_words) {
  for (Rules& table : tables) {
    while (const auto rule = table.next()) {
      if (matches(*rule, question, says)) return rule->name;
    }
  }
  return "none";
}

const std::vector<Rules>& reply_tables() {
  static const std::vector<Rules> tables = {provider_rules(), word_rules(), sentence_rules(), status_rules()};
  return tables;
}

// Everything that any row looks for, so that drawn questions meet many rows at once.
struct Vocabulary {
  std::vector<std::string> words;
  std::vector<std::string> phrases;

  explicit Vocabulary(std::vector<Rules> tables) {
    for (Rules& table : tables) {
      while (const auto rule = table.next()) {
        for (std::string_view list = rule->words; !list.empty();) words.emplace_back(cut(list, '|'));
        for (std::string_view list = rule->says; !list.empty();) phrases.emplace_back(cut(list, '|'));
      }
    }
  }
};

class Draws {
 public:
  std::size_t below(std::size_t most) { return static_cast<std::size_t>((state_ = mix64(state_)) % most); }

  // A word as its pattern allows, or nearly.
  std::string word(const Vocabulary& known) {
    std::string out;
    if (below(3) == 0) return out;
    for (const char c : known.words[below(known.words.size())]) {
      if (c == '*')
        out += below(2) == 0 ? "" : "_x";
      else
        out.push_back(below(2) == 0 ? to_lower(c) : c);
    }
    const std::size_t accident = below(8);
    if (accident == 0) out += 's';
    if (accident == 1) out.insert(0, "\n");
    if (accident == 2) out.pop_back();
    return out;
  }

  std::string sentence(const Vocabulary& known) {
    std::string out;
    for (std::size_t parts = below(4); parts > 0; --parts) {
      out += known.phrases[below(known.phrases.size())];
      if (below(6) == 0) out.pop_back();
      if (below(2) == 0) out += ' ';
    }
    return out;
  }

 private:
  std::uint64_t state_ = 11;
};

TEST(RuleBook, DecidesAsTheRowsOneByOne) {
  const RuleBook book;
  const Vocabulary known(reply_tables());
  constexpr int kStatuses[] = {0, 200, 400, 401, 402, 403, 404, 407, 408, 413, 422, 429, 500, 502, 503, 529};
  Draws draws;
  for (int run = 0; run < 20'000; ++run) {
    Reading reading;
    for (std::string* word : {&reading.code, &reading.type, &reading.reason, &reading.state, &reading.finish})
      *word = draws.word(known);
    reading.form = static_cast<Form>(draws.below(6));
    const int status = kStatuses[draws.below(std::size(kStatuses))];
    const auto family = static_cast<Family>(draws.below(static_cast<std::size_t>(Family::relay) + 1));
    const std::string sentence = draws.sentence(known);
    const Question question{family, "", status, reading, sentence};
    ASSERT_EQ(book.of_reply(question).name, first_of(reply_tables(), question))
        << reading.code << '/' << reading.type << '/' << reading.reason << '/' << reading.state << '/'
        << reading.finish << " at " << status << ": " << sentence;
  }
}

TEST(RuleBook, DecidesOnFaultsAsTheRowsOneByOne) {
  const RuleBook book;
  const Vocabulary known({fault_rules()});
  Draws draws;
  for (int run = 0; run < 5'000; ++run) {
    Reading reading;
    reading.code = draws.word(known);
    const std::string text = draws.sentence(known);
    const Question question{Family::any, "", 0, reading, text};
    ASSERT_EQ(book.of_fault(question).name, first_of({fault_rules()}, question, Begins::anywhere))
        << reading.code << ' ' << text;
  }
}

TEST(RuleBook, HasAnAnswerToEverything) {
  const RuleBook book;
  const Reading nothing;
  EXPECT_FALSE(book.of_reply({Family::any, "", 0, nothing, ""}).name.empty());
  EXPECT_FALSE(book.of_fault({Family::any, "", 0, nothing, ""}).name.empty());
}

TEST(RuleBook, AsksAnOperatorsRowsFirst) {
  std::string rows;
  append_packed(
      rows, {"own/busy", Family::any, k503, "", "all lanes are busy", {ErrorClass::rate_limited, "lanes"}});
  const RuleBook book(rows);
  Reading reading;
  reading.form = Form::json;
  EXPECT_EQ(book.of_reply({Family::any, "", 503, reading, "sorry, all lanes are busy now"}).name, "own/busy");
  EXPECT_NE(book.of_reply({Family::any, "", 429, reading, "sorry, all lanes are busy now"}).name, "own/busy");
}

// No provider may say a word that only we put there.
TEST(RuleBook, AProvidersWordIsNeverTakenForTheStatus) {
  std::string rows;
  append_packed(rows, {"own/status", Family::any, kAll, "=418", "", {ErrorClass::unknown, ""}});
  const RuleBook book(rows);
  Reading reading;
  for (const char* word : {"=418", "\r=418", "\n\r=418\n"}) {
    reading.code = word;
    EXPECT_NE(book.of_reply({Family::any, "", 400, reading, ""}).name, "own/status");
  }
  EXPECT_EQ(book.of_reply({Family::any, "", 418, reading, ""}).name, "own/status");
}

}  // namespace
}  // namespace shunt::classify
