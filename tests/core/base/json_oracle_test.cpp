// The grammar against nlohmann's SAX parser: mutated documents, and every short text over small alphabets.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "core/base/json_documents.h"
#include "core/base/json_walk.h"
#include "core/fuzz.h"
#include "core/oracle.h"

namespace shunt::json {
namespace {

// Accepts everything but remembers that a number did not fit a double, another named difference.
struct Verdict : nlohmann::json_sax<nlohmann::json> {
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    out_of_range = error.id == 406;
    return false;
  }
  bool out_of_range = false;
};

// True when both agree. `ranges` counts texts not compared because a number does not fit a double.
::testing::AssertionResult agree(std::string_view text, int* ranges = nullptr) {
  const Exact exact(text);
  Error error;
  const bool ours = valid(exact.view(), &error);
  Error walked;
  if (walk(exact.view(), &walked) != ours || !(walked == error)) {
    return ::testing::AssertionFailure()
           << "cursor and scanner differ on <" << text << ">: " << error.what << " at " << error.offset
           << ", " << walked.what << " at " << walked.offset;
  }
  bool theirs = nlohmann::json::accept(text);
  if (ours != theirs) theirs = nlohmann::json::accept(without_surrogates(text));
  if (ours == theirs) return ::testing::AssertionSuccess();
  Verdict verdict;
  nlohmann::json::sax_parse(without_surrogates(text), &verdict);
  if (verdict.out_of_range) {
    if (ranges != nullptr) ++*ranges;
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure()
         << (ours ? "only we accept <" : "only the oracle accepts <") << text << ">";
}

std::string mutate(std::string text, Dice& dice, std::string_view other) {
  constexpr std::string_view kBytes =
      "{}[]:,\"\\/ "
      "\t\n0123456789-+."
      "eEtfnulabrsD8\x01\x1f\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc2\xe0\xed\xef\xf0\xf4\xf5\xff";
  for (std::size_t edits = dice.below(3) + 1; edits > 0; --edits) {
    const std::size_t at = dice.below(text.size() + 1);
    const char byte = kBytes[dice.below(kBytes.size())];
    const std::size_t size = dice.below(4);
    switch (dice.below(6)) {
      case 0: text.insert(at, 1, byte); break;
      case 1:
        if (at < text.size()) text[at] = byte;
        break;
      case 2: text.erase(at, size); break;
      case 3: text.insert(at, text.substr(at / 2, size)); break;
      case 4: text.resize(at); break;
      default: text.insert(at, other); break;
    }
  }
  return text;
}

TEST(JsonOracle, AgreesOnTheTables) {
  for (const std::string_view text : all_documents()) {
    if (text.find('\0') != std::string_view::npos) continue;  // to the oracle a NUL ends the text
    EXPECT_TRUE(agree(text));
  }
}

// SHUNT_FUZZ_RUNS sets how many; the default is short.
TEST(JsonFuzz, CursorAndScannerAgreeWithTheOracleOnMutatedDocuments) {
  int ranges = 0;
  int rounds = 0;
  int good = 0;
  fuzz_runs("JSON", 60000, [&](Dice& dice) {
    ++rounds;
    const std::string_view other = dice.of(kGoodDocuments);
    const std::string text = mutate(std::string(dice.of(kGoodDocuments)), dice, other);
    ASSERT_TRUE(agree(text, &ranges));
    good += valid(text) ? 1 : 0;
    const std::string_view view = text;
    const std::size_t cut = dice.below(text.size() + 1);
    ASSERT_EQ(token_stream({view.substr(0, cut), view.substr(cut)}), token_stream({view})) << text;
  });
  EXPECT_LE(ranges, rounds / 20);
  EXPECT_GE(good, rounds / 20) << "the mutations leave enough documents well formed";
}

// Calls `check` with every text of up to `length` letters of the alphabet.
template <typename Check>
void every_text(std::string_view alphabet, std::size_t length, const Check& check) {
  std::string text;
  std::vector<std::size_t> digits;
  while (true) {
    check(text);
    std::size_t place = 0;
    for (; place < digits.size(); ++place) {
      digits[place] = (digits[place] + 1) % alphabet.size();
      text[place] = alphabet[digits[place]];
      if (digits[place] != 0) break;
    }
    if (place < digits.size()) continue;
    if (digits.size() == length) return;
    digits.assign(digits.size() + 1, 0);
    text.assign(digits.size(), alphabet[0]);
  }
}

void agree_on_all(std::string_view alphabet, std::size_t length, std::string_view before,
                  std::string_view after) {
  int faults = 0;
  every_text(alphabet, length, [&](const std::string& text) {
    if (faults > 5) return;
    const auto verdict = agree(std::string(before) + text + std::string(after));
    EXPECT_TRUE(verdict);
    faults += verdict ? 0 : 1;
  });
}

TEST(JsonOracle, AgreesOnAllShortStructures) { agree_on_all("{}[],:1\"", 6, "", ""); }
TEST(JsonOracle, AgreesOnAllShortNestings) { agree_on_all("[],{}", 7, "[", "]"); }
TEST(JsonOracle, AgreesOnAllShortMembers) { agree_on_all("\":,1}", 7, "{", "}"); }
TEST(JsonOracle, AgreesOnAllShortNumbers) { agree_on_all("-+01.eE ", 6, "", ""); }
TEST(JsonOracle, AgreesOnAllShortEscapes) { agree_on_all("\\u0dF\"n", 6, "\"", "\""); }
TEST(JsonOracle, AgreesOnAllShortLiterals) { agree_on_all("nultre", 5, "", ""); }
TEST(JsonOracle, AgreesOnAllEncodings) {
  agree_on_all("\x41\x7f\x80\x8f\x90\x9f\xa0\xbf\xc1\xc2\xdf\xe0\xed\xef\xf0\xf4\xf5\xff", 4, "\"", "\"");
}

}  // namespace
}  // namespace shunt::json
