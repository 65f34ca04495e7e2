// Loose numbers and the JSON they stand for; empty for what is none.
#include "text/loose_number.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace shunt::text {
namespace {

TEST(LooseNumber, AsJson) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"0", "0"},
      {"-12.50", "-12.50"},
      {"1e5", "1e5"},
      {"2E-3", "2e-3"},
      {"+7", "7"},
      {".5", "0.5"},
      {"-.5", "-0.5"},
      {"2.", "2.0"},
      {"2e", "2e0"},
      {"2e+", "2e+0"},
      {"-", "-0"},
      {"1_000", "1000"},
      {"0x1F", "31"},
      {"-0xA", "-10"},
      {"1e308", "1e308"},
      {"0e999", "0e999"},
      {"1e-999", "1e-999"},
      {"0.0", "0.0"},
      {"05", ""},
      {"1.2.3", ""},
      {"1e309", ""},
      {"1.8e308", ""},
      {"1.7e308", "1.7e308"},
      {"", ""},
      {"+", ""},
      {"1_", ""},
      {"_1", ""},
      {"0x", ""},
      {"1/3", ""},
      {".", ""},
      {"e5", ""},
      {"1e99999999999999999999", ""},
      {"12a", ""},
      {"-e5", ""},
  };
  for (const auto& [word, json] : cases) EXPECT_EQ(loose_number(word), json) << word;
  EXPECT_EQ(loose_number(std::string(400, '9')), "");
  EXPECT_EQ(loose_number("0." + std::string(400, '0') + "1"), "0." + std::string(400, '0') + "1");
}

}  // namespace
}  // namespace shunt::text
